/**
 * Compares the outcome table with an independent version of the rule (docs/product.md, "Outcome of a send"): what
 * confirms an acceptance, a rejection, or that nothing was sent; everything else is unknown. Uses the engine's
 * JSON.
 */
import { TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { damaged, fuzz, must, type SeededRandom, type Fuzzed } from '../shared/seeded-random.ts';
import { classifyPost } from '../../src-main/exchange/outcome.ts';
import { createQuote } from '../../src-main/exchange/response-parser.ts';
import type { WireResult } from '../../src-main/exchange/transport.ts';
import type { WireCause } from '../../src-main/exchange/wire-cause.ts';
import { wireReply } from './wire-reply.ts';

const KEY = 'canary-key-77';
const SECRET = 'canary-secret-77';
const quote = createQuote({ key: KEY, secret: SECRET });
const CAUSES: readonly WireCause[] = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'body',
  'too-large',
  'cancelled',
];
const STATUSES = [
  100, 200, 200, 200, 201, 204, 206, 301, 308, 400, 401, 403, 404, 418, 429, 500, 502, 503, 504,
];
const CODES = [...Object.keys(TRADING_CODES), '0', '500', '00', '0.0', '-1', '40001', '', 'success', ' 0'];
const OWN = ['40001', '0', '500', '700000'];
const DATA = [
  '734829105569914880',
  '0',
  '',
  null,
  true,
  false,
  1,
  7348,
  {},
  [],
  ['734829105569914880'],
  '73e10',
  '-7',
  '9'.repeat(21),
  'true',
];

function body(random: SeededRandom): string {
  const envelope: Record<string, unknown> = {
    code: random.often(5)
      ? random.one([0, null, true, [], 700017])
      : random.often(40)
        ? '0'
        : random.one(CODES),
    msg: random.often(20)
      ? `${random.text(300)} ${SECRET} ${KEY}`
      : random.one(['success', 'no', '', null, 5]),
    success: random.often(10) ? random.one(['true', 1, 0, null]) : random.often(50),
    data: random.often(50) ? random.one([DATA[0], true]) : random.one(DATA),
  };
  // Most envelopes are consistent, or nearly all would be contradictions.
  if (random.often(50)) envelope['success'] = envelope['code'] === '0';
  for (const part of Object.keys(envelope)) if (random.often(3)) envelope[part] = undefined;
  const text = JSON.stringify(envelope);
  switch (random.below(12)) {
    case 0:
      return damaged(text, random);
    case 1:
      return text.slice(0, random.below(text.length));
    case 2:
      return text.replace(
        '{',
        `{"${random.one(['code', 'success', 'data', 'c\\u006fde'])}":${random.one(['"0"', 'true', '"1"'])},`,
      );
    case 3:
      return random.one(['', ' ', '<html>', '[]', 'null', '"0"', 'true', '\ufeff{}']);
    default:
      return text;
  }
}

function result(random: SeededRandom): WireResult {
  if (random.often(10))
    return {
      kind: 'failure',
      stage: random.one(['before-send', 'after-send']),
      cause: random.one(CAUSES),
      code: random.one(['', 'ECONNRESET', 'ETIMEDOUT']),
      status: random.one([null, 200, 502]),
    };
  const bytes = Buffer.from(body(random), 'utf8');
  // Sometimes a byte that is not UTF-8.
  if (random.often(2) && bytes.length > 0) bytes[random.below(bytes.length)] = 0xff;
  return wireReply(bytes, { status: random.often(50) ? 200 : random.one(STATUSES) });
}

/** The envelope when it can be read in only one way. Repeated keys are counted by the reviver's order. */
function envelopeOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    if (membersOf(text) !== Object.keys(value).length) return null;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}

/** Members of the outermost object of valid JSON: colons outside strings and nested containers. */
function membersOf(text: string): number {
  let depth = 0;
  let members = 0;
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  for (const sign of outside) {
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    else if (sign === ':' && depth === 1) members++;
  }
  return members;
}

type Outcome = ReturnType<typeof classifyPost>['outcome'];

function expectedOutcome(endpoint: 'placeOrder' | 'placeBatch', one: WireResult): Outcome {
  if (one.kind === 'failure') return one.stage === 'before-send' ? 'not-sent' : 'unknown';
  if (one.status >= 500) return 'unknown';
  const envelope = envelopeOf(one.body);
  if (envelope === null) return 'unknown';
  const { code, success, data } = envelope;
  if (typeof code !== 'string' || typeof success !== 'boolean') return 'unknown';
  const order =
    endpoint === 'placeBatch' ? data === true : typeof data === 'string' && /^(?!0+$)[0-9]{1,20}$/.test(data);
  if (success)
    return code === '0' && order && one.status >= 200 && one.status <= 299 ? 'accepted' : 'unknown';
  if (code === '0' || code === '500' || order) return 'unknown';
  const known = Object.hasOwn(TRADING_CODES, code) ? TRADING_CODES[code] : undefined;
  const isRejection = known === undefined ? OWN.includes(code) : known.confirms === 'rejected';
  return isRejection ? 'rejected' : 'unknown';
}

export const fuzzOutcomes = (inputs: number, from = 1): Fuzzed =>
  fuzz(inputs, from, (random) => {
    const endpoint = random.one(['placeOrder', 'placeBatch'] as const);
    const one = result(random);
    const verdict = classifyPost(endpoint, one, OWN, quote);
    const shown = one.kind === 'reply' ? [one.status, Buffer.from(one.body).toString('utf8')] : [one];
    const expected = expectedOutcome(endpoint, one);
    must(
      verdict.outcome === expected,
      `${verdict.outcome}, but only ${expected} is confirmed:`,
      endpoint,
      ...shown,
    );
    if (verdict.outcome === 'accepted') return 'accepted';
    const { message, next, field } = verdict.failure;
    must(message !== '' && next !== '', 'no message:', ...shown);
    const text = JSON.stringify(verdict);
    must(!text.includes(KEY) && !text.includes(SECRET), 'a credential is shown:', verdict);
    must(message.length + next.length < 900, 'message too long:', message);
    must(verdict.outcome !== 'rejected' || field !== undefined, 'a rejection without its field:', message);
    return 'refused';
  });
