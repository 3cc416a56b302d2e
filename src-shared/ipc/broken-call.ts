/** Builds the failure of a call that broke inside Ballast, on either side of the bridge. */
import type { Failure } from './failures.ts';
import type { CallName } from './names.ts';

/** Calls that send orders: after a failure the order may have been sent. */
const SENDING: ReadonlySet<CallName> = new Set<CallName>(['orders.send', 'orders.sendBatch']);

/** Returns the failure. `next` applies to calls that send nothing; a failed send is never reported as not sent. */
export const brokenCall = (name: CallName, next: string): Failure =>
  SENDING.has(name)
    ? {
        kind: 'unknown',
        message: 'Ballast failed while sending. This is a bug in Ballast.',
        next: 'The order may or may not have been placed. Do not send it again; check Activity, Open orders and Order history.',
      }
    : { kind: 'bug', message: `Ballast failed at “${name}”. This is a bug in Ballast.`, next };
