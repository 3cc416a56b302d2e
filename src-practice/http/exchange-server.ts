/** The API over HTTP: checks the signature, applies faults, calls the engine, replies. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '../engine/engine.ts';
import { reject } from '../engine/request.ts';
import { readText } from './body.ts';
import { endpointAt, ENDPOINTS, TABLE } from './endpoints.ts';
import type { EndpointName, Served } from './endpoints.ts';
import type { Habits } from '../habits.ts';
import { failure, rejection, success } from './envelope.ts';
import type { Handled, Reply } from './envelope.ts';
import type { FaultRule, Faults } from './faults.ts';
import { Names } from './names.ts';
import type { PracticeClock } from './practice-clock.ts';
import { Presenter } from './present.ts';
import { signatureFault } from './sign.ts';
import type { Credentials } from './sign.ts';
import { corrupt } from './corrupt-reply.ts';

export function served(engine: Engine, habits: Habits): Served {
  const symbols = engine.world.markets.map(({ contract }) => contract.symbolId);
  const names = new Names(habits, symbols);
  return { engine, habits, names, presenter: new Presenter(habits, names) };
}

/** What the server serves; the controls change it while it runs. */
export interface Exchange {
  served: Served;
  readonly clock: PracticeClock;
  readonly credentials: Credentials;
  readonly faults: Faults;
  /** Requests received per endpoint, signed or not. Tests count them to verify that a POST was sent once. */
  readonly received: Record<EndpointName, number>;
  /** Waits for a delay, which ends early with this signal or the exchange. */
  readonly wait: (ms: number, ending: AbortSignal) => Promise<void>;
  /** How far the stored inputs reach; `null` when the exchange is not stored. */
  readonly state: StoredTime | null;
}

/** The part of the state file the server needs. The dependency rules keep file access out of this folder. */
interface StoredTime {
  isLater(at: number): boolean;
}

export const noneReceived = (): Record<EndpointName, number> =>
  Object.fromEntries(ENDPOINTS.map((name) => [name, 0])) as Record<EndpointName, number>;

interface Target {
  readonly path: string;
  readonly query: string;
}

/** Splits a target as received: the signature covers the bytes sent, and a URL parser would normalise them. */
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
  const failed = failureOf(exchange, request, { name, url, body });
  if (failed || !name || body === null) {
    send(exchange, response, failed ?? failure('404', 'no such endpoint', 404));
    return;
  }
  const rule = exchange.faults.match(name);
  if (!rule) {
    send(exchange, response, reply(exchange, name, query, body));
    return;
  }
  const unseenMs = rule.action === 'delayed-visibility' ? (rule.ms ?? 1000) : 0;
  await replyWithFault(exchange, response, rule, () => reply(exchange, name, query, body, unseenMs));
}

/** Rejects what is unknown, not allowed or not signed. These codes are practice's own (docs/practice-exchange.md). */
function failureOf(
  exchange: Exchange,
  request: IncomingMessage,
  received: { name: EndpointName | null; url: string; body: string | null },
): Reply | null {
  const { name, url, body } = received;
  if (!name) return failure('404', 'no such endpoint', 404);
  const method = request.method ?? 'GET';
  if (method !== TABLE[name].method) return failure('405', `${TABLE[name].method} only`, 405);
  exchange.received[name] += 1;
  if (body === null) return failure('413', 'the body is too long or no UTF-8', 413);
  const { clock, credentials, served } = exchange;
  if (method === 'POST' && !isBodyType(request.headers['content-type'], served.habits['body-type']))
    return failure('415', 'the Content-Type of the body is not supported', 415);
  const now = clock.speed === 1 ? clock.now() : null;
  const fault = signatureFault(credentials, { headers: request.headers, method, target: url, body }, now);
  return fault ? failure('401', fault, 401) : null;
}

/** A Content-Type has to match one of these. */
const BODY_TYPES: Readonly<Record<Habits['body-type'], RegExp>> = {
  any: /^/,
  json: /^application\/json *(;|$)/i,
  'json-utf8': /^application\/json *; *charset=utf-8$/i,
  text: /^text\/plain *(;|$)/i,
};

const isBodyType = (given: string | undefined, habit: Habits['body-type']): boolean =>
  BODY_TYPES[habit].test(given ?? '');

function reply(exchange: Exchange, name: EndpointName, query: string, body: string, unseenMs = 0): Reply {
  const { habits } = exchange.served;
  const result = handle(exchange, name, query, body, unseenMs);
  return result.ok ? success(result.value, habits) : rejection(result, habits);
}

function handle(
  { served, clock, state }: Exchange,
  name: EndpointName,
  query: string,
  body: string,
  unseenMs: number,
): Handled<string> {
  const { engine } = served;
  try {
    const result = TABLE[name].handle({ ...served, at: clock.now(), query, body, unseenMs });
    // What a client has seen must stay in the past after a restart.
    if (state?.isLater(engine.now)) engine.notePassed(engine.now);
    return result;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'StateFault')) throw error;
    return reject(TABLE[name].method === 'POST' ? '700000' : '500', error.message);
  }
}

async function replyWithFault(
  exchange: Exchange,
  response: ServerResponse,
  rule: FaultRule,
  act: () => Reply,
): Promise<void> {
  if (rule.action === 'page-drift') exchange.served.engine.tradeALittle(exchange.clock.now());
  const acts = rule.accept ?? (rule.action !== 'rate-limit' && rule.action !== 'code');
  const honest = acts ? act() : success('null', exchange.served.habits);
  if (rule.action === 'delay') await exchange.wait(rule.ms ?? 1000, exchange.faults.cleared);
  const { reply, cut } = corrupt(rule, honest, { habits: exchange.served.habits, now: shownTime(exchange) });
  if (!reply) response.socket?.resetAndDestroy();
  else if (cut) sendHalf(exchange, response, reply);
  else send(exchange, response, reply);
}

const SKEW_MS = 40_000;
const SKEWS: Readonly<Partial<Record<Habits['date-header'], number>>> = { ahead: SKEW_MS, behind: -SKEW_MS };

/** The time of the `Date` header, in milliseconds since 1970. */
const shownTime = ({ clock, served }: Exchange): number =>
  clock.now() + (SKEWS[served.habits['date-header']] ?? 0);

/** Writes the head. By default `Date` is the exchange's clock, by which a client measures its offset. */
function head(exchange: Exchange, response: ServerResponse, reply: Reply): Buffer {
  const bytes = Buffer.from(reply.body, 'utf8');
  response.sendDate = false;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(exchange.served.habits['date-header'] === 'absent'
      ? {}
      : { date: new Date(shownTime(exchange)).toUTCString() }),
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
