/**
 * Sends every payload in every field of every endpoint through the real client over HTTP. An accepted value must
 * equal the sent one, in a field that may hold it; a rejection must name the field in a short message.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { csvCell } from '../../src-shared/domain/history/csv-cell.ts';
import type { EndpointName } from '../../src-shared/exchange-api/endpoints.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { PAYLOADS, WHOLE_REPLIES, type Payload, type WholeReply } from '../shared/malicious-payloads.ts';
import { createClient, type ExchangeClient } from '../../src-main/exchange/client.ts';
import { MAX_REPLY_BYTES, type Timeouts } from '../../src-main/exchange/transport.ts';
import { startMaliciousServer, type MaliciousServer } from './malicious-server.ts';

const SAMPLES: Readonly<Record<EndpointName, string>> = {
  account: 'account',
  openOrders: 'open-orders',
  orderHistory: 'order-history',
  symbolConfig: 'symbol-config',
  trades: 'trades',
  placeOrder: 'place-order',
  placeBatch: 'place-batch',
};
export const ENDPOINT_NAMES = Object.keys(SAMPLES) as EndpointName[];
const ORDER = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '0.010' } as const;

export interface InputFigures {
  readonly served: number;
  readonly fields: number;
  readonly payloads: number;
  readonly taken: number;
  readonly refused: number;
  readonly slowestMs: number;
  readonly faults: readonly string[];
}

const ask = (client: ExchangeClient, endpoint: EndpointName): Promise<object> => {
  switch (endpoint) {
    case 'placeOrder':
      return client.placeOrder(ORDER);
    case 'placeBatch':
      return client.placeBatch([ORDER]);
    default:
      return client[endpoint]();
  }
};
const clientAt = (url: string, timeouts: Partial<Timeouts> = {}): ExchangeClient =>
  createClient({
    baseUrl: url,
    credentials: { key: 'canary-key', secret: 'canary-secret' },
    signing: 'practice',
    clock: { now: Date.now },
    timeouts,
  });

type Path = readonly (string | number)[];

/** Every field of a sample; the first record of a list stands for all. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value)) return [...own, ...(value.length > 0 ? pathsOf(value[0], [...path, 0]) : [])];
  if (!isRecord(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))];
}

const HOLE = '\u0001hole\u0001';
/** The sample's text with a placeholder for the field's value. */
function withHole(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return HOLE;
  if (Array.isArray(value))
    return (value as unknown[]).map((one, index) => (index === key ? withHole(one, rest) : one));
  return isRecord(value) ? { ...value, [key]: withHole(value[key], rest) } : value;
}
const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/u;
const MOST_CHARACTERS = 1_200;

const hasUnreadable = (answer: object): boolean =>
  'meta' in answer && isRecord(answer.meta) && answer.meta['unreadable'] !== undefined;

/** The received text in the record that holds the field. */
function receivedAt(data: unknown, path: Path): unknown {
  const [parent, name = ''] = [at({ data }, path.slice(0, -1)), path.at(-1)];
  return isRecord(parent) && isRecord(parent['received']) ? parent['received'][name] : undefined;
}

/**
 * Reports whether the value was passed unchanged, with its marks of direction named, or with its received text. Unknown
 * fields are dropped, as are extra fields of an embedded record.
 */
function isPreserved(read: unknown, came: unknown, received: unknown): boolean {
  const sent =
    typeof came === 'string'
      ? came.replace(
          /[\u200e\u202a-\u202e]/g,
          (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`,
        )
      : came;
  if (isDeepStrictEqual(read, sent) || String(read) === String(sent)) return true;
  if (received === (typeof sent === 'string' ? sent : JSON.stringify(sent))) return true;
  const isNone = sent === null || sent === '';
  return (
    (isNone && isDeepStrictEqual(read ?? [], [])) ||
    (isNone && read === '') ||
    (isRecord(sent) && isRecord(read))
  );
}

/** Describes what is wrong with the result for one payload, or null. */
function fault(answer: object, path: Path, sent: unknown): string | null {
  if ('ballastRan' in globalThis || 'ballastRan' in {}) return 'IT RAN';
  if ('ok' in answer && answer.ok === true && 'data' in answer) {
    const read = at({ data: answer.data }, path);
    const preserved =
      hasUnreadable(answer) || read === undefined || isPreserved(read, sent, receivedAt(answer.data, path));
    if (path[0] === 'data' && !preserved) return 'accepted with another value';
    if (typeof read === 'string' && /^"?[=+@\t\r-]/.test(csvCell(read, ',')) && !/^"?-?\d/.test(read))
      return 'a formula in a CSV';
    return null;
  }
  if ('outcome' in answer && answer.outcome === 'accepted')
    return path[0] === 'msg' ? null : 'an order called accepted';
  const failure = 'failure' in answer ? answer.failure : null;
  if (!isRecord(failure)) return 'neither taken nor refused';
  const message = [failure['message'], failure['next'], failure['field']].map(String).join(' ');
  if (message.length > MOST_CHARACTERS) return `${message.length} characters of message`;
  if (UNSAFE.test(message)) return 'controls or invisible characters in the message';
  if (message.includes('canary')) return 'a credential in the message';
  if (!('outcome' in answer) && failure['field'] === undefined) return 'no field named';
  return null;
}

/** @param only these payloads; all by default */
export async function sendFieldPayloads(
  only: (payload: Payload) => boolean = () => true,
): Promise<InputFigures> {
  const server = await startMaliciousServer();
  const client = clientAt(server.url);
  const payloads = PAYLOADS.filter(only);
  const count = { served: 0, fields: 0, taken: 0, refused: 0, slowestMs: 0 };
  const faults: string[] = [];
  for (const endpoint of ENDPOINT_NAMES) {
    const file = new URL(`../../src-shared/exchange-api/samples/${SAMPLES[endpoint]}.json`, import.meta.url);
    const sample: unknown = JSON.parse(readFileSync(file, 'utf8'));
    for (const path of pathsOf(sample)) {
      count.fields++;
      const text = JSON.stringify(withHole(sample, path));
      // The sample's own value is no payload: `true` where true belongs.
      for (const { name, value } of payloads.filter((one) => one.value !== at(sample, path))) {
        // By a function, so that a payload's own `$&` is not interpreted.
        server.serve(text.replace(JSON.stringify(HOLE), () => JSON.stringify(value)));
        count.served++;
        const startedAt = performance.now();
        const answer = await ask(client, endpoint);
        count.slowestMs = Math.max(count.slowestMs, performance.now() - startedAt);
        const taken =
          ('ok' in answer && answer.ok === true) || ('outcome' in answer && answer.outcome === 'accepted');
        count[taken ? 'taken' : 'refused']++;
        const wrong = fault(answer, path, value);
        if (wrong !== null) faults.push(`${endpoint} ${path.join('.')} × ${name}: ${wrong}`);
      }
    }
  }
  await client.close();
  await server.stop();
  return { ...count, payloads: payloads.length, faults };
}

export interface WholeFigures {
  readonly served: number;
  /** Maximum bytes one reply could send. */
  readonly mostPushed: number;
  /** Maximum growth of the process's memory, bytes. */
  readonly mostMemory: number;
  readonly slowestMs: number;
  /** Longest time the event loop was blocked. */
  readonly mostBlockedMs: number;
  readonly faults: readonly string[];
}

/** Bytes buffered in sockets beyond the limit. */
const IN_SOCKETS = 16 * 1024 * 1024;

export async function sendReplyPayloads(timeouts: Partial<Timeouts> = {}): Promise<WholeFigures> {
  const before = process.memoryUsage().rss;
  const count = { served: 0, mostPushed: 0, mostMemory: 0, slowestMs: 0, mostBlockedMs: 0 };
  const faults: string[] = [];
  let last = performance.now();
  const pulse = setInterval(() => {
    const now = performance.now();
    count.mostBlockedMs = Math.max(count.mostBlockedMs, now - last - 20);
    count.mostMemory = Math.max(count.mostMemory, process.memoryUsage().rss - before);
    last = now;
  }, 20);

  async function one(whole: WholeReply, endpoint: EndpointName, server: MaliciousServer): Promise<void> {
    server.serve({ whole });
    count.served++;
    const client = clientAt(server.url, timeouts);
    const startedAt = performance.now();
    const answer = await ask(client, endpoint);
    count.slowestMs = Math.max(count.slowestMs, performance.now() - startedAt);
    await client.close();
    count.mostPushed = Math.max(count.mostPushed, server.pushed());
    const wrong = fault(answer, ['whole'], null);
    // A broken connection has no field to name.
    if (wrong !== null && wrong !== 'no field named') faults.push(`${endpoint} × ${whole}: ${wrong}`);
    if (!('failure' in answer)) faults.push(`${endpoint} × ${whole}: taken`);
  }

  // Slow drips last as long as the client waits, so they run side by side.
  for (const whole of WHOLE_REPLIES) {
    const servers = await Promise.all(ENDPOINT_NAMES.map(() => startMaliciousServer()));
    if (whole === 'slow drip')
      await Promise.all(ENDPOINT_NAMES.map((endpoint, index) => one(whole, endpoint, servers[index]!)));
    else
      for (const [index, endpoint] of ENDPOINT_NAMES.entries()) await one(whole, endpoint, servers[index]!);
    await Promise.all(servers.map((server) => server.stop()));
  }
  clearInterval(pulse);
  if (count.mostPushed > MAX_REPLY_BYTES + IN_SOCKETS) faults.push(`${count.mostPushed} bytes were read`);
  return { ...count, faults };
}
