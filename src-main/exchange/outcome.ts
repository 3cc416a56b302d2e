/**
 * Outcome of a POST (docs/product.md): the first matching row of a table. An HTTP status alone confirms nothing; what
 * is not confirmed is unknown.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { Envelope } from '../../src-shared/exchange-api/envelope.ts';
import { SERVER_ERROR_CODE, TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { parseStrict } from '../../src-shared/exchange-api/lossless-json.ts';
import { brokenBodyText, readBody, messageSentence, type Quote } from './response-parser.ts';
import type { WireAnswer, WireCause, WireFailure, WireReply } from './transport.ts';

export type Verdict =
  | { readonly outcome: 'accepted'; readonly data: string | true }
  | { readonly outcome: 'rejected'; readonly code: string; readonly failure: Failure }
  | { readonly outcome: 'not-sent'; readonly failure: Failure }
  | { readonly outcome: 'unknown'; readonly failure: Failure };

/** Status and times of a send. Wall clock, ms; null if there was none. */
export interface SendMeta {
  readonly status: number | null;
  readonly sentAt: number | null;
  readonly answeredAt: number | null;
  /** The exchange's own `Date`, whole seconds. */
  readonly date: number | null;
}
export type PostOutcome = Verdict & SendMeta;
export type OrderEndpoint = 'placeOrder' | 'placeBatch';

const ORDER_ID = /^\d{1,20}$/;

/** Reports whether this code confirms that nothing was placed. Documented codes cannot be overridden. */
export function confirmsRejection(code: string, ownCodes: readonly string[]): boolean {
  const known = TRADING_CODES[code];
  if (known !== undefined) return known.proves === 'refused';
  return code !== '0' && code !== SERVER_ERROR_CODE && ownCodes.includes(code);
}

/**
 * Returns the outcome of a POST.
 * @param ownCodes the connection's codes that confirm a rejection, beyond the documented ones
 */
export function judgePost(
  endpoint: OrderEndpoint,
  answer: WireAnswer,
  ownCodes: readonly string[],
  quote: Quote,
): Verdict {
  if (answer.kind === 'failure') {
    return answer.stage === 'before-send'
      ? { outcome: 'not-sent', failure: notSent(answer) }
      : unknown(cutText(answer), answer.status);
  }
  if (answer.status >= 500) return unknown(serverText(answer), answer.status, codeOf(answer));
  const envelope = readBody(answer.body, parseStrict);
  if ('broken' in envelope)
    return unknown(`The exchange answered with ${brokenBodyText(envelope)}.`, answer.status);
  const accepted = acceptance(endpoint, envelope.data);
  if (envelope.success) {
    if (answer.status >= 200 && answer.status < 300 && accepted !== null)
      return { outcome: 'accepted', data: accepted };
    const what =
      accepted === null
        ? 'without the data that proves it'
        : `with HTTP status ${answer.status}, which denies it`;
    return unknown(`The exchange answered “success” ${what}.`, answer.status);
  }
  if (accepted !== null && accepted !== '0')
    return unknown(
      'The exchange answered with a refusal that carries an order.',
      answer.status,
      envelope.code,
    );
  if (confirmsRejection(envelope.code, ownCodes))
    return {
      outcome: 'rejected',
      code: envelope.code,
      failure: rejection(endpoint, envelope, answer, quote),
    };
  const known = TRADING_CODES[envelope.code];
  const meaning = known?.meaning ?? quote(envelope.msg);
  return unknown(
    `The exchange answered with code ${quote(envelope.code)}${meaning && ` (${meaning})`}, which does not confirm whether the order was placed.`,
    answer.status,
    quote(envelope.code),
    known?.proves === 'unknown' ? known.next : DO_NOT_REPEAT,
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
  const meaning = known?.meaning ?? 'Refused by a code of this connection';
  const batch =
    endpoint === 'placeBatch' ? ' It refused the batch; that proves nothing about single rows.' : '';
  return {
    kind: 'refused',
    message: `${meaning}.${messageSentence(quote(envelope.msg), meaning)}${batch}`,
    next:
      known?.next ?? 'This code is on the connection’s own list of refusals; see the exchange’s page for it.',
    field: known?.concerns ?? 'order',
    code: envelope.code,
    status,
  };
}

const DO_NOT_REPEAT =
  'It may or may not have been placed. Look for it in Open orders and Order history; do not send it again.';

function unknown(
  message: string,
  status: number | null,
  code?: string,
  next: string = DO_NOT_REPEAT,
): Verdict {
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

const serverText = ({ status }: WireReply) => `The exchange failed (HTTP ${status}) after it had the order.`;

/** Returns the code inside a 5xx reply, for information only. */
function codeOf({ body }: WireReply): string | undefined {
  const envelope = readBody(body, parseStrict);
  return 'broken' in envelope ? undefined : /^-?\d{1,9}$/.exec(envelope.code)?.[0];
}

const CUT: Readonly<Record<WireCause, string>> = {
  dns: 'The connection failed after the order may have left.',
  connect: 'The connection failed after the order may have left.',
  tls: 'The secure connection broke after the order may have left.',
  timeout: 'The exchange did not answer in time.',
  reset: 'The connection broke before an answer came.',
  body: 'The answer broke off.',
  'too-large': 'The answer was far too large to be one.',
  cancelled: 'Waiting for the answer was ended.',
};
const cutText = ({ cause, code }: WireFailure) => CUT[cause] + (code === '' ? '' : ` (${code})`);

const UNREACHED: Readonly<Record<WireCause, string>> = {
  dns: 'The name of the exchange was not found',
  connect: 'The exchange was not reached',
  tls: 'No secure connection to the exchange',
  timeout: 'The exchange was not reached in time',
  reset: 'The connection broke before the order left',
  body: 'The request could not be made',
  'too-large': 'The request could not be made',
  cancelled: 'The request was ended before it left',
};
const notSent = ({ cause, code }: WireFailure): Failure => ({
  kind: 'offline',
  message: `${UNREACHED[cause]}${code === '' ? '' : ` (${code})`}. Nothing was sent.`,
  next: 'Check the network and the connection, then send it again.',
  ...(cause === 'dns' || cause === 'tls' ? { field: 'baseUrl' } : {}),
});
