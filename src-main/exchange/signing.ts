/**
 * Signs a request by a connection's signing profile (ipc/signing.ts). The target is built here once, and exactly these
 * bytes are signed and sent.
 */
import { createHmac } from 'node:crypto';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import { DEFAULT_CONTENT_TYPE, type Placeholder, type SigningProfile } from '../../src-shared/ipc/signing.ts';
import { parameter } from './base-url.ts';

export interface Credentials {
  readonly key: string;
  readonly secret: string;
  /** Values of the profile's secret headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestParts {
  readonly method: 'GET' | 'POST';
  /** Path as sent, the base URL's path included. */
  readonly path: string;
  /** Encoded parameters without `?`, or ''. */
  readonly query: string;
  readonly body: string;
}

export interface SignedRequest {
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signed text. */
  readonly payload: string;
  readonly signature: string;
}

/** Signs with a validated profile and credentials. */
export interface Signer {
  /** @param timestamp ms since the epoch, by the exchange's clock if known */
  sign(parts: RequestParts, timestamp: number): SignedRequest;
  /** Overwrites the secret's bytes (JavaScript strings cannot be overwritten); nothing can be signed afterwards. */
  wipe(): void;
}

const HEX = /^(?:[0-9a-fA-F]{2})+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Characters of a header value (RFC 9110), restricted to ASCII: Node rejects others, servers differ. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Returns the secret as bytes, or a failure, which contains nothing of the secret. */
function keyBytes(profile: SigningProfile, secret: string): Result<Buffer> {
  if (secret === '')
    return blocked('The API secret is empty.', 'Enter the secret of this connection.', 'secret');
  if (profile.secretEncoding === 'hex') {
    if (HEX.test(secret)) return done(Buffer.from(secret, 'hex'));
    return blocked(
      'The API secret is not hex text (pairs of 0-9 and a-f).',
      'Check the secret for missing characters, or set the secret format to plain text or Base64.',
      'secret',
    );
  }
  if (profile.secretEncoding === 'base64') {
    if (BASE64.test(secret)) return done(Buffer.from(secret, 'base64'));
    return blocked(
      'The API secret is not Base64 text.',
      'Check the secret for missing characters (it often ends in =), or set the secret format to plain text.',
      'secret',
    );
  }
  return done(Buffer.from(secret, 'utf8'));
}

/** Returns the profile's fixed headers, in lower case, with the secret ones filled in. */
function fixedHeaders(profile: SigningProfile, credentials: Credentials): Result<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name, value, secret } of profile.headers) {
    const text = secret ? credentials.headers?.[name] : value;
    if (text === undefined || text === '')
      return blocked(
        `The header ${name} has no value.`,
        'Enter its value with the secret of this connection.',
        'secret',
      );
    if (!HEADER_VALUE.test(text))
      return blocked(
        `The value of the header ${name} has a character that cannot be sent in a header.`,
        'Enter it again without line breaks and with plain letters, digits and signs.',
        secret ? 'secret' : 'signing',
      );
    headers[name.toLowerCase()] = text;
  }
  return done(headers);
}

/** Validates profile and credentials; returns a signer, or a failure with the connection's field. */
export function createSigner(profile: SigningProfile, credentials: Credentials): Result<Signer> {
  const { key } = credentials;
  if (key === '') return blocked('The API key is empty.', 'Enter the key of this connection.', 'apiKey');
  if (!HEADER_VALUE.test(key))
    return blocked(
      'The API key has a character that cannot be sent in a header.',
      'Enter it again as plain letters, digits and signs.',
      'apiKey',
    );
  const secret = profile.algorithm === 'none' ? done(Buffer.alloc(0)) : keyBytes(profile, credentials.secret);
  if (!secret.ok) return secret;
  const fixed = fixedHeaders(profile, credentials);
  if (!fixed.ok) return fixed;
  const using = { profile, key, secret: secret.data, fixed: fixed.data };
  return done({
    sign: (parts, timestamp) => sign(using, parts, timestamp),
    wipe: () => void using.secret.fill(0),
  });
}

/** What every request of a connection is signed with. */
interface SigningInputs {
  readonly profile: SigningProfile;
  readonly key: string;
  readonly secret: Buffer;
  readonly fixed: Readonly<Record<string, string>>;
}

function sign(
  { profile, key, secret, fixed }: SigningInputs,
  parts: RequestParts,
  now: number,
): SignedRequest {
  const headers: Record<string, string> = { ...fixed };
  const query = parts.query === '' ? [] : [parts.query];
  const put = (place: { readonly in: 'header' | 'query'; readonly name: string }, value: string) => {
    if (place.in === 'header') headers[place.name.toLowerCase()] = value;
    else query.push(parameter(place.name, value));
  };
  if (parts.method === 'POST') headers['content-type'] = profile.contentType ?? DEFAULT_CONTENT_TYPE;
  if (profile.keyHeader !== null) headers[profile.keyHeader.toLowerCase()] = key;
  const { timestamp: stamp, receiveWindow } = profile;
  const timestamp =
    stamp === null ? '' : String(stamp.unit === 's' ? Math.floor(now / 1000) : Math.floor(now));
  if (stamp !== null) put(stamp, timestamp);
  if (receiveWindow !== null) put(receiveWindow, String(receiveWindow.value));

  const signedQuery = query.join('&');
  const withQuery = (text: string) => (text === '' ? parts.path : `${parts.path}?${text}`);
  const values: Readonly<Record<Placeholder, string>> = {
    timestamp,
    method: parts.method,
    path: parts.path,
    query: signedQuery,
    target: withQuery(signedQuery),
    body: parts.body,
    key,
    window: receiveWindow === null ? '' : String(receiveWindow.value),
  };
  const payload = fill(profile.template, values);
  if (profile.algorithm === 'none')
    return { target: withQuery(signedQuery), headers, payload, signature: '' };
  const signature = createHmac(profile.algorithm === 'HMAC-SHA256' ? 'sha256' : 'sha512', secret)
    .update(payload, 'utf8')
    .digest(profile.signatureEncoding);
  // A signature in the query goes last and is not signed itself.
  put(profile.signature, signature);
  return { target: withQuery(query.join('&')), headers, payload, signature };
}

/** Replaces placeholders in one pass, so that a value that looks like one is not replaced. */
const fill = (template: string, values: Readonly<Record<Placeholder, string>>): string =>
  template.replace(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : whole,
  );
