/** What is said of a call that broke inside Ballast, on either side of the bridge. */
import type { Failure } from './failures.ts';
import type { CallName } from './names.ts';

/** Calls that send: broken anywhere, the order may have left. */
const SENDING: ReadonlySet<CallName> = new Set<CallName>(['orders.send', 'orders.sendBatch']);

/** `next` is the way out of a call that sends nothing; a send is never said not to have left. */
export const brokenCall = (name: CallName, next: string): Failure =>
  SENDING.has(name)
    ? {
        kind: 'unknown',
        message: 'Ballast failed while it was sending. This is a defect of Ballast.',
        next: 'It may or may not have been placed. Look under Activity, Open orders and Order history; do not send it again.',
      }
    : { kind: 'bug', message: `Ballast failed at “${name}”. This is a defect of Ballast.`, next };
