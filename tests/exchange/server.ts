/** A real HTTP server on loopback that replies as a test defines and records requests, byte for byte. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { end, listen } from '../shared/listening.ts';

export interface Arrived {
  readonly method: string;
  /** The request target as received. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Answer = (response: ServerResponse, request: Arrived) => void;

export interface TestServer {
  readonly url: string;
  readonly arrived: Arrived[];
  answer: Answer;
  readonly server: Server;
}

/** Starts a server that ends with the test. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      arrived.push(one);
      self.answer(response, one);
    });
  });
  const port = await listen(server);
  onTestFinished(() => end(server));
  const self: TestServer = {
    url: `http://127.0.0.1:${port}`,
    arrived,
    answer,
    server,
  };
  return self;
}

/** Replies with a status and a body, as JSON when it is not text. */
export const reply =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const success = (data: unknown) => ({ code: '0', msg: 'success', success: true, data });
export const rejection = (code: string, msg = 'no') => ({ code, msg, success: false, data: null });
