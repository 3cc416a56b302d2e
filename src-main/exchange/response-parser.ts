/** Parses a reply's bytes to an envelope, and makes server text safe to display. */
import { isSuccess, readEnvelope, type Envelope } from '../../src-shared/exchange-api/envelope.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { JsonError, parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import { SHORTEST_REMOVED } from '../../src-shared/ipc/connections.ts';
import { isBloated } from './reply-size.ts';
import { secretForms } from './secret-forms.ts';
import type { Credentials } from './signing.ts';

/** A body that is no envelope, with the reason. */
export interface BrokenBody {
  readonly broken: 'empty' | 'html' | 'not-json' | 'bloated' | 'repeated-key' | 'envelope' | 'contradiction';
  /** The part of the envelope that is missing. */
  readonly missing: string;
}

/**
 * Parses an envelope. If its `code` and `success` disagree it is a contradiction and not used.
 * @param parse parseLossless or parseStrict
 */
export function readBody(body: Uint8Array, parse: (text: string) => unknown): Envelope | BrokenBody {
  const broken = (what: BrokenBody['broken'], missing = ''): BrokenBody => ({ broken: what, missing });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return broken('not-json');
  }
  const start = text.trimStart();
  if (start === '') return broken('empty');
  if (start.startsWith('<')) return broken('html');
  if (isBloated(body)) return broken('bloated');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return broken(error.message === 'repeated key' ? 'repeated-key' : 'not-json');
  }
  const envelope = readEnvelope(value);
  if ('missing' in envelope) return broken('envelope', envelope.missing);
  if (envelope.success !== isSuccess(envelope) || (envelope.code === '0' && !envelope.success))
    return broken('contradiction');
  return envelope;
}

const BROKEN_TEXTS: Readonly<Record<BrokenBody['broken'], string>> = {
  empty: 'an empty reply',
  html: 'a web page instead of JSON',
  'not-json': 'text that is not JSON',
  bloated: 'JSON with more values or levels than any reply of the exchange API has',
  'repeated-key': 'JSON with a repeated key, which is ambiguous',
  envelope: 'JSON without the fields of a reply',
  contradiction: 'a reply that reports success and failure at once',
};
/** Describes a broken body, with a status other than a success: “a web page instead of JSON (HTTP 403)”. */
export function brokenBodyText({ broken, missing }: BrokenBody, status: number): string {
  const what =
    broken === 'envelope' && missing !== 'envelope'
      ? `a reply without a valid “${missing}”`
      : BROKEN_TEXTS[broken];
  return status >= 200 && status < 300 ? what : `${what} (HTTP ${status})`;
}

/** Matches a full stop at the end, but no ellipsis. */
const FULL_STOP = /(?<!\.)\.$/;
const normalized = (text: string): string => text.replace(FULL_STOP, '').toLowerCase();
/** Returns the exchange's message (already quoted) as a sentence; '' if empty or equal to the text `before` it. */
export const messageSentence = (message: string, before = ''): string =>
  message === '' || normalized(message) === normalized(before)
    ? ''
    : ` The exchange says: “${message.replace(FULL_STOP, '')}”.`;

const removed = (text: string, forms: readonly string[]): string =>
  forms.reduce((out, one) => out.replaceAll(one, '[removed]'), text);

/** Shortens untrusted server text, and removes control characters and echoed credentials. */
export type Quote = (text: string) => string;

export function createQuote({ key, secret, headers = {} }: Credentials): Quote {
  const secrets = [key, secret, ...Object.values(headers)].filter((text) => text.length >= 4);
  const forms = secrets.flatMap(secretForms);
  return (text) => {
    const out = removed(text, forms)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim();
    return out.length > 160 ? `${out.slice(0, 157)}…` : out;
  };
}

const FIGURE = /^[-+\d.eE]*$/;
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const DIRECTION_MARKS = new RegExp(DIRECTION_MARK, 'g');
/** Names each mark: unseen, it would reorder what is written beside the text, prices included. */
const withNamedMarks = (text: string): string =>
  text.replace(
    DIRECTION_MARKS,
    (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/**
 * Returns a lossless parser of replies that removes the secret and the secret header values from all texts and names,
 * and shows marks of direction in them, before one is cut, shown or stored. Figures and ids are never changed.
 */
export function createParser({ secret, headers = {} }: Credentials): (text: string) => unknown {
  const forms = [secret, ...Object.values(headers)]
    .filter((one) => one.length >= SHORTEST_REMOVED)
    .flatMap(secretForms);
  const cleanText = (text: string): string =>
    FIGURE.test(text) ? text : withNamedMarks(removed(text, forms));
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (Array.isArray(value)) return value.map(clean);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [cleanText(name), clean(one)]));
  };
  return (text) => {
    const value = parseLossless(text);
    // An escaped secret or mark is seen in the values only.
    const isClean =
      !text.includes('\\') && !DIRECTION_MARK.test(text) && !forms.some((one) => text.includes(one));
    return isClean ? value : clean(value);
  };
}
