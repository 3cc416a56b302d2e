/**
 * Outcome of a POST (docs/product.md): the first matching row of a table. An HTTP status alone confirms nothing; what
 * is not confirmed is unknown.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { Envelope } from '../../src-shared/exchange-api/envelope.ts';
import { SERVER_ERROR_CODE, TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { parseStrict } from '../../src-shared/exchange-api/lossless-json.ts';
import { brokenBodyText, readBody, messageSentence, type Quote } from './response-parser.ts';
import type { WireResult, WireFailure, WireReply } from './transport.ts';
import type { WireCause } from './wire-cause.ts';

export type PostOutcome =
  | { readonly outcome: 'accepted'; readonly data: string | true }
  | { readonly outcome: 'rejected'; readonly code: string; readonly failure: Failure }
  | { readonly outcome: 'not-sent'; readonly failure: Failure }
  | { readonly outcome: 'unknown'; readonly failure: Failure };
export type OrderEndpoint = 'placeOrder' | 'placeBatch';

/** Digits; 0 names no order. */
const ORDER_ID = /^(?!0+$)\d{1,20}$/;

/** Reports whether this code confirms that nothing was placed. Documented codes cannot be overridden. */
export function confirmsRejection(code: string, ownCodes: readonly string[]): boolean {
  const known = TRADING_CODES[code];
  if (known !== undefined) return known.confirms === 'rejected';
  return code !== '0' && code !== SERVER_ERROR_CODE && ownCodes.includes(code);
}

/**
 * Returns the outcome of a POST.
 * @param ownCodes the connection's codes that confirm a rejection, beyond the documented ones
 */
export function classifyPost(
  endpoint: OrderEndpoint,
  result: WireResult,
  ownCodes: readonly string[],
  quote: Quote,
): PostOutcome {
  if (result.kind === 'failure') {
    return result.stage === 'before-send'
      ? { outcome: 'not-sent', failure: notSent(result) }
      : unknown(withCode(CUT[result.cause], result.code), result.status);
  }
  if (result.status >= 500) return unknown(serverText(result), result.status, codeOf(result));
  const envelope = readBody(result.body, parseStrict);
  if ('broken' in envelope)
    return unknown(`The exchange sent ${brokenBodyText(envelope, result.status)}.`, result.status);
  const accepted = acceptance(endpoint, envelope.data);
  if (envelope.success) {
    if (result.status >= 200 && result.status < 300 && accepted !== null)
      return { outcome: 'accepted', data: accepted };
    const what =
      accepted === null
        ? 'without the data that confirms it'
        : `but with HTTP status ${result.status}, which contradicts it`;
    return unknown(`The exchange replied “success” ${what}.`, result.status);
  }
  if (accepted !== null)
    return unknown(
      'The exchange replied with a rejection that includes an order ID.',
      result.status,
      quote(envelope.code),
    );
  if (confirmsRejection(envelope.code, ownCodes))
    return {
      outcome: 'rejected',
      code: envelope.code,
      failure: rejection(endpoint, envelope, result, quote),
    };
  const known = TRADING_CODES[envelope.code];
  const meaning = known?.meaning ?? quote(envelope.msg);
  return unknown(
    `The exchange replied with code ${quote(envelope.code)}${meaning && ` (${meaning})`}, which does not confirm whether the order was placed.`,
    result.status,
    quote(envelope.code),
    known?.confirms === 'unknown' ? known.next : DO_NOT_REPEAT,
  );
}

/** Returns `data` if it is what the API documents for a success, else null. */
function acceptance(endpoint: OrderEndpoint, data: unknown): string | true | null {
  if (endpoint === 'placeBatch') return data === true ? true : null;
  return typeof data === 'string' && ORDER_ID.test(data) ? data : null;
}

function rejection(
  endpoint: OrderEndpoint,
  envelope: Envelope,
  { status }: WireReply,
  quote: Quote,
): Failure {
  const known = TRADING_CODES[envelope.code];
  const meaning = known?.meaning ?? 'Rejected with an error code set in this connection';
  // A rejected batch shows nothing about its rows.
  const [doubt, wait] =
    endpoint === 'placeBatch'
      ? [
          ' The batch was rejected; single rows may still have been placed.',
          'Wait until Ballast has found which were. ',
        ]
      : ['', ''];
  const next =
    known?.next ??
    'The code is in this connection’s “Error codes that mean rejected”. Look it up on the exchange’s website.';
  return {
    kind: 'rejected',
    message: `${meaning}.${messageSentence(quote(envelope.msg), meaning)}${doubt}`,
    next: wait + next,
    field: known?.concerns ?? 'order',
    code: envelope.code,
    status,
  };
}

const DO_NOT_REPEAT =
  'The order may or may not have been placed. Do not send it again; check Open orders and Order history.';

function unknown(
  message: string,
  status: number | null,
  code?: string,
  next: string = DO_NOT_REPEAT,
): PostOutcome {
  return {
    outcome: 'unknown',
    failure: {
      kind: 'unknown',
      message,
      next,
      ...(status === null ? {} : { status }),
      ...(code === undefined ? {} : { code }),
    },
  };
}

const serverText = ({ status }: WireReply) =>
  `The exchange replied with a server error (HTTP ${status}), which does not confirm whether the order was placed.`;

/** Returns the code inside a 5xx reply, for information only. */
function codeOf({ body }: WireReply): string | undefined {
  const envelope = readBody(body, parseStrict);
  return 'broken' in envelope ? undefined : /^-?\d{1,9}$/.exec(envelope.code)?.[0];
}

const CUT: Readonly<Record<WireCause, string>> = {
  dns: 'The connection failed when the order may already have been sent',
  connect: 'The connection failed when the order may already have been sent',
  tls: 'The secure connection failed when the order may already have been sent',
  timeout: 'The exchange did not reply in time',
  reset: 'The connection was lost before the reply arrived',
  body: 'The reply was cut off',
  encoding: 'The reply could not be decompressed',
  'too-large': 'The reply was too large',
  cancelled: 'Waiting for the reply was cancelled',
};
/** Returns a sentence with the system's code, if there is one. */
const withCode = (text: string, code: string): string => `${text}${code === '' ? '' : ` (${code})`}.`;

const UNREACHED: Readonly<Record<WireCause, string>> = {
  dns: 'The host name of the exchange was not found',
  connect: 'The exchange could not be reached',
  tls: 'No secure connection to the exchange',
  timeout: 'The connection to the exchange timed out',
  reset: 'The connection was lost before the order was sent',
  body: 'The request could not be sent',
  encoding: 'The request could not be sent',
  'too-large': 'The request could not be sent',
  cancelled: 'The request was cancelled before it was sent',
};
const notSent = ({ cause, code }: WireFailure): Failure => ({
  kind: 'offline',
  message: `${withCode(UNREACHED[cause], code)} Nothing was sent.`,
  next: 'Check the network and the connection, then send it again.',
  ...(cause === 'dns' || cause === 'tls' ? { field: 'baseUrl' } : {}),
});
