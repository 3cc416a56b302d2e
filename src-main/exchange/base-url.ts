/** The bytes of a request's target: base address, path and query, built once, signed, and sent as they are. */
import { baseUrlFault } from '../../src-shared/ipc/connections.ts';
import { denied, type Failure } from '../../src-shared/ipc/failures.ts';

export interface BaseAddress {
  readonly origin: string;
  /** Path of the base address without a closing slash: '' or '/api'. */
  readonly prefix: string;
}

/** The base address, or a refusal that names the field `baseUrl`. */
export function readBaseUrl(text: string): BaseAddress | Failure {
  const next = 'Set the base URL of the connection, for example https://api.exchange.example.';
  const fault = baseUrlFault(text.trim());
  if (fault !== null) return denied(`Base URL: ${fault}.`, next, 'baseUrl');
  const url = URL.parse(text.trim());
  if (url === null) return denied('Base URL: not a web address.', next, 'baseUrl');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/**
 * One query parameter. `encodeURIComponent` leaves `! ' ( ) *`, and the URL parser below got rewrites `'`: all five
 * are written out, so that nothing is left to rewrite after signing.
 */
export const parameter = (name: string, value: string): string => `${encode(name)}=${encode(value)}`;

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The address as one text. Throws when a URL parser would send other bytes than these. */
export function exactUrl(origin: string, target: string): string {
  const url = new URL(origin + target);
  if (url.pathname + url.search !== target)
    throw new Error('the target of a request would be rewritten on its way');
  return origin + target;
}
