/** The interface over HTTP: reads, checks the signature, meets faults, asks the engine, answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '../engine/engine.ts';
import { readText } from './body.ts';
import { endpointAt, TABLE } from './endpoints.ts';
import type { EndpointName } from './endpoints.ts';
import { failure, success } from './envelope.ts';
import type { Reply } from './envelope.ts';
import type { FaultRule, Faults } from './faults.ts';
import type { Paging } from './params.ts';
import type { PracticeClock } from './practice-clock.ts';
import { signatureFault } from './sign.ts';
import type { Credentials } from './sign.ts';
import { spoil } from './spoil.ts';

/** What the server serves; the controls change it while it runs. */
export interface Exchange {
  engine: Engine;
  readonly clock: PracticeClock;
  readonly credentials: Credentials;
  readonly paging: Paging;
  readonly faults: Faults;
  /** Requests received per endpoint, signed or not: what a test counts to prove that a POST was sent once. */
  readonly received: Record<EndpointName, number>;
  /** How a delay waits; tests and shutdown hand in their own. */
  readonly wait: (ms: number) => Promise<void>;
  /** Keeps inputs; `null` when the exchange is not kept. */
  readonly state: Keeper | null;
}

/** What the server needs of the state file: the walls keep files out of this room. */
export interface Keeper {
  isNews(at: number): boolean;
}

export const noneReceived = (): Record<EndpointName, number> => ({
  order: 0,
  batchOrders: 0,
  account: 0,
  openOrder: 0,
  orderHis: 0,
  symbolConfig: 0,
  trades: 0,
});

interface Target {
  readonly path: string;
  readonly query: string;
}

/** Split by hand: the bytes on the wire are signed, and a URL parser would tidy them. */
function targetOf(url: string): Target {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

export async function serve(
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? '/';
  const { path, query } = targetOf(url);
  const name = endpointAt(path);
  const body = await readText(request);
  const refused = refusal(exchange, request, { name, url, body });
  if (refused || !name || body === null) {
    send(exchange, response, refused ?? failure('404', 'no such endpoint', 404));
    return;
  }
  const rule = exchange.faults.meet(name);
  if (!rule) {
    send(exchange, response, handle(exchange, name, query, body));
    return;
  }
  const unseenMs = rule.action === 'delayed-visibility' ? (rule.ms ?? 1000) : 0;
  await answerFaulty(exchange, response, rule, () => handle(exchange, name, query, body, unseenMs));
}

/** Not there, not allowed, or not signed. Codes here are practice's own (README.md). */
function refusal(
  exchange: Exchange,
  request: IncomingMessage,
  asked: { name: EndpointName | null; url: string; body: string | null },
): Reply | null {
  const { name, url, body } = asked;
  if (!name) return failure('404', 'no such endpoint', 404);
  const method = request.method ?? 'GET';
  if (method !== TABLE[name].method) return failure('405', `${TABLE[name].method} only`, 405);
  exchange.received[name] += 1;
  if (body === null) return failure('413', 'the body is too long or no UTF-8', 413);
  const { clock, credentials } = exchange;
  const now = clock.speed === 1 ? clock.now() : null;
  const fault = signatureFault(credentials, { headers: request.headers, method, target: url, body }, now);
  return fault ? failure('401', fault, 401) : null;
}

function handle(exchange: Exchange, name: EndpointName, query: string, body: string, unseenMs = 0): Reply {
  const { engine, clock, paging, state } = exchange;
  try {
    const reply = TABLE[name].handle({ engine, at: clock.now(), query, body, paging, unseenMs });
    // What a client has seen must be the past after a restart, too.
    if (state?.isNews(engine.now)) engine.notePassed(engine.now);
    return reply;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'StateFault')) throw error;
    return failure(TABLE[name].method === 'POST' ? '700000' : '500', error.message);
  }
}

async function answerFaulty(
  exchange: Exchange,
  response: ServerResponse,
  rule: FaultRule,
  act: () => Reply,
): Promise<void> {
  if (rule.action === 'page-drift') exchange.engine.tradeALittle(exchange.clock.now());
  const acts = rule.accept ?? (rule.action !== 'rate-limit' && rule.action !== 'code');
  const honest = acts ? act() : success('null');
  if (rule.action === 'delay') await exchange.wait(rule.ms ?? 1000);
  const { reply, cut } = spoil(rule, honest);
  if (!reply) response.socket?.resetAndDestroy();
  else if (cut) sendHalf(exchange, response, reply);
  else send(exchange, response, reply);
}

/** `Date` is the exchange's clock: a client measures its offset by it. */
function head(exchange: Exchange, response: ServerResponse, reply: Reply): Buffer {
  const bytes = Buffer.from(reply.body, 'utf8');
  response.sendDate = false;
  response.writeHead(reply.status, {
    ...reply.headers,
    date: new Date(exchange.clock.now()).toUTCString(),
    'content-length': bytes.length,
    'cache-control': 'no-store',
  });
  return bytes;
}

function send(exchange: Exchange, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  response.end(head(exchange, response, reply));
}

function sendHalf(exchange: Exchange, response: ServerResponse, reply: Reply): void {
  const bytes = head(exchange, response, reply);
  const { socket } = response;
  response.write(bytes.subarray(0, Math.trunc(bytes.length / 2)), () => socket?.resetAndDestroy());
}
