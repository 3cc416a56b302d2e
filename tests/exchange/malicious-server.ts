/** A malicious exchange: whole replies over real HTTP, counting the bytes it could send. */
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { end, listen } from '../shared/listening.ts';
import type { WholeReply } from '../shared/malicious-payloads.ts';

export interface MaliciousServer {
  readonly url: string;
  /** Sets the reply to every request from now on. */
  serve(what: string | WholeReplyNamed): void;
  /** Bytes sent since `serve`. */
  readonly pushed: () => number;
  readonly stop: () => Promise<void>;
}
export interface WholeReplyNamed {
  readonly whole: WholeReply;
}

const BODY = 200 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, '"A"');
const BOMB = gzipSync(Buffer.alloc(BODY / 4, ' '), { level: 9 });
const BRACKETS = Buffer.alloc(15 * 1024 * 1024, '[');
const DRIP_MS = 200;

const WHOLE: Readonly<Record<WholeReply, (response: ServerResponse, push: (bytes: number) => void) => void>> =
  {
    '200 MB body'(response, push) {
      response.writeHead(200, { 'content-type': 'application/json' });
      let left = BODY;
      const more = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= PIECE.length;
          push(PIECE.length);
          if (!response.write(PIECE)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    },
    'slow drip'(response, push) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => {
        push(1);
        response.write(' ');
      }, DRIP_MS);
      response.on('close', () => clearInterval(timer));
    },
    'zip bomb'(response, push) {
      push(BOMB.length);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(BOMB);
    },
    'nesting without end'(response, push) {
      push(BRACKETS.length);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(BRACKETS);
    },
  };

export async function startMaliciousServer(): Promise<MaliciousServer> {
  let now: string | WholeReplyNamed = '';
  let pushed = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (typeof now !== 'string') return WHOLE[now.whole](response, (bytes) => (pushed += bytes));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(now);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    serve(what) {
      now = what;
      pushed = 0;
    },
    pushed: () => pushed,
    stop: () => end(server),
  };
}
