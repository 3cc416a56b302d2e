/**
 * An exchange that serves the API's own samples, except for one thing a test makes wrong. The practice exchange
 * never breaks the API by itself.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ENDPOINTS, type EndpointName, type ReadEndpoint } from '../src-shared/exchange-api/endpoints.ts';
import { end, listen } from '../tests/shared/listening.ts';
import { ROOT } from './fixture.ts';

const FILES: Readonly<Record<ReadEndpoint, string>> = {
  account: 'account.json',
  openOrders: 'open-orders.json',
  orderHistory: 'order-history.json',
  symbolConfig: 'symbol-config.json',
  trades: 'trades.json',
};
const NAMES = Object.keys(FILES) as ReadEndpoint[];

export interface ScriptedExchange {
  readonly url: string;
  /** Number of requests that were not reads. */
  readonly posts: () => number;
  /** The sample of a reply, or its replacement. */
  readonly reply: (endpoint: ReadEndpoint) => string;
  /** Sets the reply of `endpoint`, called for every read if it is a function; `null` restores the sample. */
  readonly answer: (endpoint: EndpointName, text: string | (() => string) | null) => void;
  /** Stops replying to any request. */
  readonly fallSilent: () => void;
  /** Reads of `endpoint` so far. */
  readonly reads: (endpoint: ReadEndpoint) => number;
  readonly stop: () => Promise<void>;
}

/** The text with one part replaced. Throws when the part is missing, so that no test passes by a stale sample. */
export function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the sample has no ${part}`);
  return text.replace(part, by);
}

export async function startScripted(): Promise<ScriptedExchange> {
  const samples = new Map(
    NAMES.map((name) => [
      ENDPOINTS[name].path as string,
      readFileSync(join(ROOT, 'src-shared', 'exchange-api', 'samples', FILES[name]), 'utf8'),
    ]),
  );
  const answers = new Map<string, string | (() => string)>();
  const reads = new Map<string, number>();
  let posts = 0;
  let silent = false;
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (request.method !== 'GET') posts += 1;
    else reads.set(path, (reads.get(path) ?? 0) + 1);
    if (silent) return;
    const given = answers.get(path) ?? samples.get(path);
    const text = typeof given === 'function' ? given() : given;
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': text?.startsWith('<') ? 'text/html' : 'application/json',
    });
    response.end(text ?? '{"code":"404","msg":"no such path","success":false,"data":null}');
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    posts: () => posts,
    reads: (endpoint) => reads.get(ENDPOINTS[endpoint].path) ?? 0,
    reply: (endpoint) => samples.get(ENDPOINTS[endpoint].path) ?? '',
    answer(endpoint, text) {
      if (text === null) answers.delete(ENDPOINTS[endpoint].path);
      else answers.set(ENDPOINTS[endpoint].path, text);
    },
    fallSilent() {
      silent = true;
    },
    stop: () => end(server),
  };
}
