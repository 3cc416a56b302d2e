/** Judges a delivery by the reply's status alone; nothing else of it is read. */
import type { WireAnswer, WireCause } from '../exchange/transport.ts';

export type Verdict =
  | { readonly delivered: true }
  | {
      readonly delivered: false;
      readonly why: string;
      readonly repeat: boolean;
      /** Least wait the server asked for, ms. */
      readonly afterMs: number;
    };

const WHY: Readonly<Record<WireCause, string>> = {
  dns: 'The host was not found. Check the address and your connection.',
  connect: 'The server could not be reached.',
  tls: 'The server’s certificate is not valid for this address, so nothing was sent.',
  timeout: 'The server did not reply in time.',
  reset: 'The server closed the connection without a reply.',
  body: 'The reply could not be read.',
  'too-large': 'The reply could not be read.',
  cancelled: 'The request was cancelled.',
};

const refused = (why: string): Verdict => ({ delivered: false, why, repeat: false, afterMs: 0 });
const later = (why: string, afterMs = 0): Verdict => ({ delivered: false, why, repeat: true, afterMs });

export function verdictOf(answer: WireAnswer): Verdict {
  if (answer.kind === 'reply') return ofStatus(answer.status, answer.retryAfter);
  // A reply whose body was cut has its status.
  if (answer.status !== null) return ofStatus(answer.status, null);
  return answer.cause === 'tls' ? refused(WHY.tls) : later(WHY[answer.cause]);
}

function ofStatus(status: number, retryAfter: string | null): Verdict {
  if (status >= 200 && status < 300) return { delivered: true };
  if (status >= 300 && status < 400)
    return refused(`The server redirects to another address (status ${status}), which is not followed.`);
  if (status === 401 || status === 403)
    return refused(`The server refused the token or the address (status ${status}).`);
  if (status === 404 || status === 410)
    return refused(`There is no such webhook at this address (status ${status}).`);
  if (status === 408 || status === 429 || status >= 500)
    return later(
      status === 429 ? 'Too many messages (status 429).' : `The server failed (status ${status}).`,
      /^\d{1,6}$/.test(retryAfter ?? '') ? parseInt(retryAfter ?? '', 10) * 1_000 : 0,
    );
  return refused(`The server refused the message (status ${status}).`);
}
