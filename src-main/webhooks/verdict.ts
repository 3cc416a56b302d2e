/** Judges a delivery by the reply's status alone. Its body is never read. */
import type { WireResult } from '../exchange/transport.ts';
import type { WireCause } from '../exchange/wire-cause.ts';

export type Verdict =
  | { readonly delivered: true }
  | {
      readonly delivered: false;
      readonly why: string;
      /** Whether another attempt may succeed. */
      readonly retryable: boolean;
      /** Least wait the server asked for, ms. */
      readonly retryAfterMs: number;
    };

const WHY: Readonly<Record<WireCause, string>> = {
  dns: 'The host was not found. Check the address and the network.',
  connect: 'The server could not be reached.',
  tls: 'The server’s certificate is not valid for this address, or the network intercepts the connection. Nothing was sent.',
  timeout: 'The server did not reply in time.',
  reset: 'The server closed the connection without a reply.',
  body: 'The reply could not be read.',
  encoding: 'The reply could not be read.',
  'too-large': 'The reply could not be read.',
  cancelled: 'The request was cancelled.',
};

export const final = (why: string): Verdict => ({ delivered: false, why, retryable: false, retryAfterMs: 0 });
export const temporary = (why: string, retryAfterMs = 0): Verdict => ({
  delivered: false,
  why,
  retryable: true,
  retryAfterMs,
});

/** Returns whether the message was taken; if not, why, and whether another attempt may succeed. */
export function verdictOf(result: WireResult): Verdict {
  if (result.kind === 'reply') return ofStatus(result.status, result.retryAfter);
  // A reply whose body was cut off has a status too.
  if (result.status !== null) return ofStatus(result.status, null);
  // Also a certificate that is not valid: it may be that of a public network's login page.
  return temporary(WHY[result.cause]);
}

function ofStatus(status: number, retryAfter: string | null): Verdict {
  if (status >= 200 && status < 300) return { delivered: true };
  if (status === 304) return final('A cache on the way replied instead of the server (status 304).');
  if (status >= 300 && status < 400)
    return final(
      `The server redirects to another address (status ${status}), which Ballast does not follow.`,
    );
  if (status === 401 || status === 403)
    return final(`The server rejected the token or the address (status ${status}).`);
  if (status === 404 || status === 410)
    return final(`There is no webhook at this address (status ${status}).`);
  if (status === 408 || status === 429 || status >= 500)
    return temporary(
      status === 429 ? 'Too many messages (status 429).' : `The server reported an error (status ${status}).`,
      waitOf(retryAfter),
    );
  return final(`The server rejected the message (status ${status}).`);
}

/** Returns the wait of a `Retry-After` in seconds, ms; a part of a second counts as a whole one. */
function waitOf(retryAfter: string | null): number {
  const [, whole, part] = /^(\d{1,6})(\.\d+)?$/.exec(retryAfter ?? '') ?? [];
  return whole === undefined ? 0 : (parseInt(whole, 10) + (part === undefined ? 0 : 1)) * 1_000;
}
