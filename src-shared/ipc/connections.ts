/** Defines connections: the user's settings and what the window sees. Secrets travel inward only. */
import { TRIGGER_NAME } from '../exchange-api/order-request.ts';
import * as v from 'valibot';
import { textUpTo, webPage } from './call.ts';
import { PROFIT_CONVENTIONS } from '../domain/history/profit-fit.ts';
import { signingProfileSchema } from './signing.ts';
import { PAGE_SIZES } from '../exchange-api/endpoints.ts';
import type { Failure } from './failures.ts';

/** Largest secret item; Windows' credential store holds 2,560 bytes. */
const MAX_SECRET_BYTES = 2000;
/** Longer input is rejected outright; input only too long for a keychain gets a message (`secretFault`). */
const MOST_TYPED = 50_000;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/i;
const HOST = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/**
 * Returns what is wrong with a base URL, or null: https, or http on loopback, without credentials, query or fragment.
 */
export function baseUrlFault(text: string): string | null {
  const [, scheme = '', authority = '', , rest = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === '') return 'not a web address; it looks like https://api.exchange.example';
  const secure = scheme.toLowerCase() === 'https';
  if (!secure && scheme.toLowerCase() !== 'http')
    return `the scheme ${scheme}:// is not supported; use https://`;
  if (authority.includes('@')) return 'an address must not contain a user name or password';
  if (authority === '') return 'enter the host name';
  const host = HOST.exec(authority)?.[1];
  if (host === undefined) return `“${authority.slice(0, 60)}” is not a host name`;
  if (!secure && !LOOPBACK.includes(host.toLowerCase()))
    return 'over http your key would be sent unencrypted; use https:// (http is for this computer only)';
  if (rest !== '') return 'leave out everything after the path (? and #)';
  return null;
}

export interface BaseAddress {
  readonly origin: string;
  /** Path of the base URL without a trailing slash: '' or '/api'. */
  readonly prefix: string;
}
/** Returns where a parsed base URL leads to, the same for every way to write it. */
export const baseAddress = ({
  origin,
  pathname,
}: Readonly<Record<'origin' | 'pathname', string>>): BaseAddress => ({
  origin,
  prefix: pathname.replace(/\/+$/, ''),
});

const baseUrl = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(300),
  v.check(
    (text) => baseUrlFault(text) === null,
    (issue) => baseUrlFault(issue.input) ?? '',
  ),
);
const triggerTypeName = v.pipe(v.string(), v.regex(TRIGGER_NAME, '1 to 32 characters without spaces'));
const codeText = v.pipe(v.string(), v.regex(/^-?\d{1,9}$/, 'digits'));
const keyText = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'enter the API key'),
  v.maxLength(400),
  v.regex(/^[\x21-\x7e]+$/, 'the API key has a space or a character that cannot be sent in a header'),
);

export const connectionSettingsSchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'enter a name'), v.maxLength(40)),
  baseUrl,
  apiKey: keyText,
  signing: signingProfileSchema,
  /** The exchange's website, for what its API lacks (cancelling). */
  pageUrl: v.nullable(v.pipe(v.string(), v.trim(), webPage)),
  triggerTypes: v.pipe(
    v.array(triggerTypeName),
    v.maxLength(20),
    // The ticket's list of them has each once.
    v.transform((names) => [...new Set(names)]),
  ),
  /** Additional codes of this exchange that confirm a rejection. */
  refusalCodes: v.pipe(v.array(codeText), v.maxLength(100)),
  /** Meaning of `quantity` in a reverse order; `unset` disables Reverse. */
  reverseQuantity: v.picklist(['unset', 'new-position', 'sum']),
  convention: v.picklist(['flat', 'marginal']),
  readOnly: v.boolean(),
  /** Polling rate of the account; gentle is a third as often. Missing in older files. */
  pace: v.optional(v.picklist(['normal', 'gentle'])),
  /** Most trades per page; smaller sizes are tried if it is rejected. Missing means the largest. */
  pageSize: v.optional(v.picklist(PAGE_SIZES)),
  /** Whether an order's profit is before or after its fee, while closed positions do not show it. Missing: unknown. */
  profit: v.optional(v.picklist(PROFIT_CONVENTIONS)),
  /** Which rate means 100 %, for when the values do not show it. */
  ratioUnit: v.optional(v.picklist(['1', '100'])),
  /** Whether the account is read while another connection is open, and counted in the sums of Portfolio. */
  portfolio: v.optional(v.boolean()),
});
export type ConnectionSettings = v.InferOutput<typeof connectionSettingsSchema>;

/** The API secret and the values of secret headers, stored as one keychain item. */
export const secretSchema = v.strictObject({
  secret: v.pipe(v.string(), v.minLength(1, 'the secret is empty'), v.maxLength(MOST_TYPED)),
  headers: v.record(textUpTo(64), textUpTo(MOST_TYPED)),
});
export type SecretInput = v.InferOutput<typeof secretSchema>;

/** Shorter secrets could be part of a name or a figure, so they are not removed from an exchange's records. */
export const SHORTEST_REMOVED = 8;
/** Returns the warning for a secret that is typed; null for none and for a long one. */
export const shortSecretText = (secret: string): string | null =>
  secret === '' || secret.length >= SHORTEST_REMOVED
    ? null
    : `Under ${SHORTEST_REMOVED} characters: if the exchange repeats it, Ballast cannot distinguish it from other text and may show it.`;

/** Returns a text's UTF-8 length; a lone surrogate counts as its 3-byte replacement. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const one of text) {
    const point = one.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Returns why these cannot be one keychain item and what to do, or null. Contains no part of the secret. */
export function secretFault(secret: SecretInput): { readonly message: string; readonly next: string } | null {
  const texts = [secret.secret, ...Object.entries(secret.headers).flat()];
  if (texts.some((text) => text.includes('\0')))
    return {
      message: 'The secret contains a NUL character, which keychains cannot store.',
      next: 'Enter it again as text.',
    };
  const bytes = utf8Length(JSON.stringify(secret));
  if (bytes <= MAX_SECRET_BYTES) return null;
  return {
    message: `The secret has ${bytes} bytes; a keychain item holds at most ${MAX_SECRET_BYTES}.`,
    next: 'Check that only the secret was pasted, not a whole file.',
  };
}

export type SecretState =
  | 'stored' // in the keychain, readable
  | 'memory' // in memory, for this run only
  | 'missing' // not found: removed, or the keychain is locked
  | 'unavailable' // the keychain cannot be used
  | 'waiting'; // the keychain has not responded yet

export interface ConnectionSummary {
  readonly id: string;
  readonly kind: 'practice' | 'live';
  readonly settings: ConnectionSettings;
  readonly secret: SecretState;
  /** Whether a signed GET succeeded with this profile; without it orders are blocked. */
  readonly verified: boolean;
  readonly createdAt: number;
}

export interface KeychainState {
  readonly state: 'available' | 'waiting' | 'unavailable';
  /** Message for the user; empty when all is well. */
  readonly message: string;
}

/** One step of a connection test. */
export interface TestStep {
  readonly name:
    'reach' | 'contracts' | 'account' | 'clock' | 'open-orders' | 'history' | 'trades' | 'orders';
  readonly title: string;
  readonly state: 'passed' | 'warned' | 'failed' | 'skipped';
  readonly detail: string;
  /** Note such as `code 0 · 91 ms`. */
  readonly note: string;
  readonly failure?: Failure;
}

/** Reports whether a test's signed read succeeded, which orders need. */
export const hasPassed = (steps: readonly TestStep[]): boolean =>
  steps.some((one) => one.name === 'account' && one.state === 'passed');
