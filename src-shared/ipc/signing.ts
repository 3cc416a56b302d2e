/**
 * Defines signing profiles. Authentication is not documented, so the user sets, sees and tests how requests are signed.
 * Exactly the bytes on the wire are signed.
 */
import * as v from 'valibot';
import { whole } from './call.ts';

/** Placeholders of a payload template. `target` is the path, plus `?query` if there is one. */
export const PLACEHOLDERS = [
  'timestamp',
  'method',
  'path',
  'query',
  'target',
  'body',
  'key',
  'window',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Header names a profile may not set: they belong to the transport. */
const RESERVED_HEADERS = [
  'host',
  'content-length',
  'content-type',
  'connection',
  'transfer-encoding',
  'cookie',
];
const headerName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'header name: letters, digits and -'),
  v.check((name) => !RESERVED_HEADERS.includes(name.toLowerCase()), 'this header is set by Ballast'),
);
const parameterName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'parameter name: letters, digits, _ . -'),
);
const headerValue = v.pipe(
  v.string(),
  v.maxLength(1024),
  // A control character in a header value would split the request.
  v.regex(/^[^\p{Cc}]*$/u, 'no control characters'),
);

/** Returns the unknown placeholders of a template, such as `{stamp}`. */
export function unknownPlaceholders(template: string): string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!);
  return names.filter((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
}

const template = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check(
    (text) => unknownPlaceholders(text).length === 0,
    (issue) =>
      `unknown placeholder {${unknownPlaceholders(issue.input)[0] ?? ''}}; known: ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}`,
  ),
);

/** A header or query parameter with additional properties. */
const placed = <E extends v.ObjectEntries>(extra: E) =>
  v.variant('in', [
    v.strictObject({ in: v.literal('header'), name: headerName, ...extra }),
    v.strictObject({ in: v.literal('query'), name: parameterName, ...extra }),
  ]);
/** Not documented; the usual value. */
export const DEFAULT_CONTENT_TYPE = 'application/json';
const contentType = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(100),
  v.regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*)?$/, 'a media type, such as application/json'),
);
const windowLength = whole(1, 600_000);

export const signingProfileSchema = v.strictObject({
  algorithm: v.picklist(['none', 'HMAC-SHA256', 'HMAC-SHA512']),
  /** How the secret's text becomes the key bytes. */
  secretEncoding: v.picklist(['utf8', 'hex', 'base64']),
  signatureEncoding: v.picklist(['hex', 'base64']),
  /** Header with the API key; null if it is not sent. */
  keyHeader: v.nullable(headerName),
  signature: placed({}),
  timestamp: v.nullable(placed({ unit: v.picklist(['ms', 's']) })),
  /** Receive window in the timestamp's unit, if the exchange requires one. */
  receiveWindow: v.nullable(placed({ value: windowLength })),
  /** Additional fixed headers. A secret one (a passphrase) has its value in the keychain, and '' here. */
  headers: v.pipe(
    v.array(v.strictObject({ name: headerName, value: headerValue, secret: v.boolean() })),
    v.maxLength(12),
  ),
  /** What is signed. */
  template,
  /** Content type of request bodies; missing in older files (DEFAULT_CONTENT_TYPE). */
  contentType: v.optional(contentType),
});

export type SigningProfile = v.InferOutput<typeof signingProfileSchema>;

export interface SigningPreset {
  /** Where requests are signed like this. */
  readonly title: string;
  /** What to recognise it by on the API page of an exchange. */
  readonly scheme: string;
  readonly profile: SigningProfile;
}

/** Common families. `practice` is the practice exchange's own. */
export const SIGNING_PRESETS: Readonly<
  Record<'practice' | 'concatenated' | 'prehash' | 'query' | 'none', SigningPreset>
> = {
  practice: {
    title: 'Practice exchange',
    scheme: 'X-API-KEY, signature in a header',
    profile: {
      algorithm: 'HMAC-SHA256',
      secretEncoding: 'utf8',
      signatureEncoding: 'hex',
      keyHeader: 'X-API-KEY',
      signature: { in: 'header', name: 'X-SIGNATURE' },
      timestamp: { in: 'header', name: 'X-TIMESTAMP', unit: 'ms' },
      receiveWindow: null,
      headers: [],
      template: '{timestamp}{method}{target}{body}',
    },
  },
  concatenated: {
    title: 'Signed like Bybit',
    scheme: 'X-BAPI-API-KEY, signature in a header',
    profile: {
      algorithm: 'HMAC-SHA256',
      secretEncoding: 'utf8',
      signatureEncoding: 'hex',
      keyHeader: 'X-BAPI-API-KEY',
      signature: { in: 'header', name: 'X-BAPI-SIGN' },
      timestamp: { in: 'header', name: 'X-BAPI-TIMESTAMP', unit: 'ms' },
      receiveWindow: { in: 'header', name: 'X-BAPI-RECV-WINDOW', value: 5000 },
      headers: [],
      template: '{timestamp}{key}{window}{query}{body}',
    },
  },
  prehash: {
    title: 'Signed like Coinbase',
    scheme: 'CB-ACCESS-KEY, signature in a header, with a passphrase',
    profile: {
      algorithm: 'HMAC-SHA256',
      secretEncoding: 'base64',
      signatureEncoding: 'base64',
      keyHeader: 'CB-ACCESS-KEY',
      signature: { in: 'header', name: 'CB-ACCESS-SIGN' },
      timestamp: { in: 'header', name: 'CB-ACCESS-TIMESTAMP', unit: 's' },
      receiveWindow: null,
      headers: [{ name: 'CB-ACCESS-PASSPHRASE', value: '', secret: true }],
      template: '{timestamp}{method}{target}{body}',
    },
  },
  query: {
    title: 'Signed like Binance',
    scheme: 'X-MBX-APIKEY, signature in the address',
    profile: {
      algorithm: 'HMAC-SHA256',
      secretEncoding: 'utf8',
      signatureEncoding: 'hex',
      keyHeader: 'X-MBX-APIKEY',
      signature: { in: 'query', name: 'signature' },
      timestamp: { in: 'query', name: 'timestamp', unit: 'ms' },
      receiveWindow: { in: 'query', name: 'recvWindow', value: 5000 },
      headers: [],
      template: '{query}{body}',
    },
  },
  none: {
    title: 'Key only',
    scheme: 'X-API-KEY, no signature',
    profile: {
      algorithm: 'none',
      secretEncoding: 'utf8',
      signatureEncoding: 'hex',
      keyHeader: 'X-API-KEY',
      signature: { in: 'header', name: 'X-SIGNATURE' },
      timestamp: null,
      receiveWindow: null,
      headers: [],
      template: '',
    },
  },
};
export type PresetName = keyof typeof SIGNING_PRESETS;

/** The parts of a signed request: a sample in the preview, the real one on the wire. */
export interface SigningPreview {
  /** Exactly the bytes signed; the key is shortened if the template contains it. */
  readonly payload: string;
  readonly signature: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}
