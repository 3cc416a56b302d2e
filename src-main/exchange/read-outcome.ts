/** Outcome of a GET: records, or a failure classified by what the user can do. */
import { failed, type Failure } from '../../src-shared/ipc/failures.ts';
import type { ReadEndpoint } from '../../src-shared/exchange-api/endpoints.ts';
import { SERVER_ERROR_CODE, TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import {
  readData,
  ReplyFaultError,
  type Drift,
  type Replies,
  type UnreadableRecord,
} from '../../src-shared/exchange-api/replies.ts';
import { BAN, retryTime } from './rate-limit.ts';
import { brokenBodyText, readBody, messageSentence, type BrokenBody, type Quote } from './response-parser.ts';
import type { WireResult, WireFailure, WireReply } from './transport.ts';

export type Read<T> =
  | { readonly ok: true; readonly data: T; readonly unreadable: readonly UnreadableRecord[] }
  | { readonly ok: false; readonly failure: Failure };

interface Context {
  /** Wall clock, ms: `Retry-After` counts from here. */
  readonly now: number;
  readonly quote: Quote;
  readonly parse: (text: string) => unknown;
  readonly onDrift: (drift: Drift) => void;
}

/** Returns the records of a reply, and those that cannot be read; or why there are none. */
export function classifyRead<K extends ReadEndpoint>(
  endpoint: K,
  result: WireResult,
  context: Context,
): Read<Replies[K]> {
  if (result.kind === 'failure') return failed(networkFailure(result));
  const byStatus = statusFailure(result, context);
  if (byStatus !== null) return failed(byStatus);
  const envelope = readBody(result.body, context.parse);
  if ('broken' in envelope) return failed(brokenFailure(envelope, result.status));
  if (!envelope.success) return failed(rejection(envelope.code, envelope.msg, result.status, context.quote));
  if (result.status < 200 || result.status > 299)
    return failed(
      unreadableReply('status', `HTTP status ${result.status}, though the reply says success`, result.status),
    );
  if (envelope.data === undefined)
    return failed(unreadableReply('data', 'a reply without “data”', result.status));
  try {
    const unreadable: UnreadableRecord[] = [];
    const data = readData(endpoint, envelope.data, {
      drift: context.onDrift,
      unreadable: (one) => unreadable.push({ ...one, message: context.quote(one.message) }),
    });
    return { ok: true, data, unreadable };
  } catch (error) {
    if (!(error instanceof ReplyFaultError)) throw error;
    const { path, message } = error.fault;
    return failed(unreadableReply(context.quote(path), `${path}: ${message}`, result.status, context.quote));
  }
}

const CHECK_URL = 'Check the base URL of the connection.';
const RETRIED = 'Ballast retries automatically.';
const WAITED = 'Ballast waits, then retries automatically.';
const NETWORK = `Check the network. ${RETRIED}`;

/** Matches the end of a failure whose read is repeated. */
const REPEATED =
  /(?:(Ballast waits, then retries|Reading resumes)|Ballast retries|Ballast reads the pages again) automatically\./;

/** Returns the failure of a read that nothing repeats: a test, a search, or an export that has ended. */
export const failureOnce = (failure: Failure): Failure => ({
  ...failure,
  next: failure.next.replace(REPEATED, (_, waits?: string) =>
    waits === undefined ? 'Try again.' : 'Wait, then try again.',
  ),
});

function networkFailure({ cause, code, stage, status }: WireFailure): Failure {
  const detail = code === '' ? '' : ` (${code})`;
  const offline = (message: string, next: string, field?: string): Failure => ({
    kind: 'offline',
    message: `${message}${detail}.`,
    next,
    ...(field === undefined ? {} : { field }),
  });
  switch (cause) {
    case 'dns':
      return offline(
        'The host of the base URL was not found',
        `${CHECK_URL} Or the network is down.`,
        'baseUrl',
      );
    case 'connect':
      return offline('No server responds at the base URL', `${CHECK_URL} Or the network is down.`, 'baseUrl');
    case 'tls':
      return offline(
        'No secure connection',
        `${CHECK_URL} Its certificate may have expired or be for another host. A wrong date or a company proxy can cause this too.`,
        'baseUrl',
      );
    case 'timeout':
      return offline(stage === 'before-send' ? 'The connection timed out' : 'No reply in time', NETWORK);
    case 'reset':
      return offline('The connection was lost', NETWORK);
    case 'body':
      return offline('The reply was cut off', NETWORK);
    case 'encoding':
      return unreadableReply('body', 'a body that is not compressed as its header says', status);
    case 'cancelled':
      return { kind: 'cancelled', message: 'The request was cancelled.', next: 'Try again.' };
    case 'too-large':
      return unreadableReply('body', 'a reply of more than 16 MB', null);
  }
}

/** Returns the failure that the status alone decides, with the body's message; null otherwise. */
function statusFailure(reply: WireReply, { now, quote }: Context): Failure | null {
  const { status } = reply;
  const retryAt = retryTime(reply.retryAfter, now, reply.date);
  const wait = retryAt === null ? {} : { retryAt };
  if (status === 418) return BAN;
  if (status === 429)
    return {
      kind: 'limited',
      message: 'Too many requests.',
      next: WAITED,
      status,
      ...wait,
    };
  const quoted = messageOf(reply, quote);
  if (status >= 500)
    return {
      kind: 'server',
      message: `The exchange had a server error (HTTP ${status}).${quoted}`,
      next: RETRIED,
      status,
      ...wait,
    };
  // Ballast never asks whether something changed, so no reply may be left to a copy it has.
  if (status === 304)
    return {
      kind: 'server',
      message: 'The reply says that nothing changed (HTTP 304), and has no data.',
      next: `A proxy or cache on the way may send it. ${RETRIED}`,
      status,
    };
  if (status >= 300 && status < 400)
    return {
      kind: 'server',
      message: `The base URL redirects (HTTP ${status}). Ballast does not follow: your key would go to another address.`,
      next: `${CHECK_URL} ${reply.location === null ? '' : `It redirects to ${quote(reply.location)}`}`.trim(),
      field: 'baseUrl',
      status,
    };
  if (status === 404 || status === 405)
    return {
      kind: 'server',
      message: `The exchange API was not found at the base URL (HTTP ${status}).${quoted}`,
      next: `${CHECK_URL} It ends before /ftapi/v1.`,
      field: 'baseUrl',
      status,
    };
  return null;
}

/** Returns the quoted message of a failing reply's envelope as a sentence; '' without one. */
function messageOf(reply: WireReply, quote: Quote): string {
  const envelope = readBody(reply.body, parseLossless);
  return 'broken' in envelope ? '' : messageSentence(quote(envelope.msg));
}

/** The connection's field a rejection points at, inferred from the exchange's message. */
const HINTS: readonly { readonly pattern: RegExp; readonly field: string; readonly next: string }[] = [
  {
    pattern: /\bkey\b.*\bexpired|\bexpired.*\bkey\b/i,
    field: 'apiKey',
    next: 'Create a new API key on the exchange’s website, then enter it and its secret here.',
  },
  {
    pattern: /time-?stamp|expired|recv.?window|clock/i,
    field: 'signing',
    next: 'Check the timestamp and receive-window of the signing profile, and this computer’s clock.',
  },
  {
    pattern: /pass-?phrase/i,
    field: 'secret',
    next: 'Check the passphrase header of the connection.',
  },
  // One message for several causes names no single one.
  {
    pattern: /(?=.*\bkey\b)(?=.*\bip\b)(?=.*permission)/i,
    field: 'apiKey',
    next: 'Check the API key, its permissions and the IP addresses it allows on the exchange’s website.',
  },
  {
    pattern: /\bip\b|whitelist|white list|allow.?list/i,
    field: 'apiKey',
    next: 'Allow this computer’s IP address for the key on the exchange’s website.',
  },
  {
    pattern: /sign/i,
    field: 'secret',
    next: 'Check the API secret, its format, and the payload template of the signing profile.',
  },
  {
    pattern: /key|unauthori[sz]ed|permission/i,
    field: 'apiKey',
    next: 'Check the API key, its header’s name in the signing profile, and the key’s permissions.',
  },
];
/** Some patterns look ahead from each character: a message of 40 kB took seconds. */
const MAX_HINT_CHARS = 1_000;
const ANY_CREDENTIAL = {
  field: 'apiKey',
  next: 'Check the API key first, then the secret and the signing profile.',
};

/** An internal error and a time-out are documented for orders only, and say nothing of the key either. */
const SERVER_FAULTS: ReadonlySet<string> = new Set([SERVER_ERROR_CODE, '700000', '700008']);

function rejection(code: string, msg: string, status: number, quote: Quote): Failure {
  const shownCode = quote(code);
  const meaning = TRADING_CODES[code]?.meaning;
  const message = messageSentence(quote(msg), meaning);
  if (SERVER_FAULTS.has(code))
    return {
      kind: 'server',
      message: `The exchange reports a server error (code ${code}${meaning === undefined ? '' : `: ${meaning}`}).${message}`,
      next: RETRIED,
      code,
      status,
    };
  const begin = msg.slice(0, MAX_HINT_CHARS);
  const { field, next } = HINTS.find(({ pattern }) => pattern.test(begin)) ?? ANY_CREDENTIAL;
  return {
    kind: 'rejected',
    message: `The exchange rejected the request with code ${shownCode}${meaning === undefined ? '' : ` (${meaning})`}.${message}`,
    next,
    field,
    code: shownCode,
    status,
  };
}

function brokenFailure(body: BrokenBody, status: number): Failure {
  const what = brokenBodyText(body, status);
  // A page says nothing about the key: exchanges, and firewalls before them, block countries and addresses like this.
  if ((status === 403 || status === 451) && body.broken === 'html')
    return {
      kind: 'server',
      message: `The server denies access with ${what}.`,
      next: 'A firewall of the exchange may block your country, IP address or VPN. If not, check the base URL and the API key.',
      status,
    };
  if (status === 401 || status === 403)
    return {
      kind: 'rejected',
      message: `The exchange rejected the key with ${what}.`,
      next: ANY_CREDENTIAL.next,
      field: ANY_CREDENTIAL.field,
      status,
    };
  if (body.broken === 'html')
    return {
      kind: 'server',
      message: `The base URL returns ${what}.`,
      next: `${CHECK_URL} It is the address of the exchange API, not of the website.`,
      field: 'baseUrl',
      status,
    };
  return unreadableReply(body.broken === 'envelope' ? body.missing : 'body', what, status);
}

const unreadableReply = (
  field: string,
  what: string,
  status: number | null,
  quote: Quote = (text) => text,
): Failure => ({
  kind: 'unreadable',
  message: `The reply does not match the exchange API: ${quote(what)}.`,
  next: 'Check the base URL. If it happens again, report this line to the exchange.',
  field,
  ...(status === null ? {} : { status }),
});
