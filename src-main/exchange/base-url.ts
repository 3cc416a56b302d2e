/** Builds the bytes of a request's target: base URL, path and query, signed and sent unchanged. */
import { baseAddress, baseUrlFault, type BaseAddress } from '../../src-shared/ipc/connections.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';

/** Parses the base URL; the field of a failure is `baseUrl`. */
export function readBaseUrl(text: string): Result<BaseAddress> {
  const next = 'Set the base URL of the connection, for example https://api.exchange.example.';
  const fault = baseUrlFault(text.trim());
  if (fault !== null) return blocked(`Base URL: ${fault}.`, next, 'baseUrl');
  const url = URL.parse(text.trim());
  if (url === null) return blocked('Base URL: not a web address.', next, 'baseUrl');
  return done(baseAddress(url));
}

/**
 * Encodes one query parameter. `encodeURIComponent` leaves `! ' ( ) *`, and got's URL parser rewrites `'`, so all five
 * are encoded: nothing may be rewritten after signing.
 */
export const parameter = (name: string, value: string): string => `${encode(name)}=${encode(value)}`;

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the URL. Throws if a URL parser would send other bytes. */
export function exactUrl(origin: string, target: string): string {
  const url = new URL(origin + target);
  if (url.pathname + url.search !== target)
    throw new Error('the target of a request would be rewritten on its way');
  return origin + target;
}
