/** The signature of a request: authenticates the sender, the time and the content. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** How far `X-TIMESTAMP` may lie from the exchange's clock. Checked at speed 1 only, where it matches the system's. */
export const WINDOW_MS = 30_000;

/** Lower-case hex HMAC-SHA256 of timestamp + METHOD + path + ("?" + query, if any) + body. */
export const signature = (
  secret: string,
  timestamp: string,
  method: string,
  target: string,
  body: string,
): string => createHmac('sha256', secret).update(`${timestamp}${method}${target}${body}`).digest('hex');

const one = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Describes what is wrong with a request's signature; `null` if nothing. `now` is `null` where the window is not
 * checked.
 */
export function signatureFault(
  credentials: Credentials,
  request: { headers: IncomingHttpHeaders; method: string; target: string; body: string },
  now: number | null,
): string | null {
  const { headers, method, target, body } = request;
  if (one(headers['x-api-key']) !== credentials.key) return 'X-API-KEY is not known';
  const timestamp = one(headers['x-timestamp']);
  if (!/^\d{13}$/.test(timestamp)) return 'X-TIMESTAMP must be milliseconds since 1970';
  const given = Buffer.from(one(headers['x-signature']), 'utf8');
  const wanted = Buffer.from(signature(credentials.secret, timestamp, method, target, body), 'utf8');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'X-SIGNATURE does not match';
  if (now !== null && Math.abs(now - Number.parseInt(timestamp, 10)) > WINDOW_MS) {
    return `X-TIMESTAMP is more than ${WINDOW_MS / 1000} s away from the exchange's clock`;
  }
  return null;
}
