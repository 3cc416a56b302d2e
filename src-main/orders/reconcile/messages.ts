/** Describes a reconciliation round and a match in a sentence, as stored in the journal. */
import type { CheckRound, ListRead } from '../../../src-shared/ipc/orders.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { counted } from '../../../src-shared/domain/display/counted.ts';

const LIST = { 'open-orders': 'Open orders', 'order-history': 'order history' } as const;

export function roundText(
  { round, reads, verdict, candidates }: CheckRound,
  isClockUncertain = false,
): string {
  const end = isClockUncertain ? CLOCK_UNCERTAIN : verdictText(verdict, candidates.length);
  return `Round ${round}: ${reads.map(readText).join('; ')}. ${end}`;
}

const CLOCK_UNCERTAIN =
  'No match, which proves nothing: the exchange’s clock is not known for certain. Look for it in both lists yourself.';

function readText({ list, outcome, rows, unreadable }: ListRead): string {
  if (outcome === 'incomplete' && unreadable !== undefined)
    return `${LIST[list]}, ${rows} read and ${counted(unreadable, 'record')} that cannot be read`;
  switch (outcome) {
    case 'complete':
      return `${LIST[list]}, ${rows} read`;
    case 'incomplete':
      return `${LIST[list]}, more than could be read`;
    case 'failed':
      return `${LIST[list]} could not be read`;
  }
}

function verdictText(verdict: CheckRound['verdict'], count: number): string {
  switch (verdict) {
    case 'matched':
      return 'Match.';
    case 'ambiguous':
      return count === 1 ? 'One order matches several requests.' : `${count} orders match.`;
    case 'absent':
      return 'No match.';
    case 'undecided':
      return count === 0
        ? 'No conclusion.'
        : 'One order or more may match; not everything could be read yet.';
  }
}

/** Never says “confirmed”: another client's identical order is indistinguishable. */
export const matchText = ({ orderId, list }: SeenOrder, identicalRequests: number): string =>
  identicalRequests === 1
    ? `Found as order ${orderId} in ${LIST[list].toLowerCase()}: the only match`
    : `Found as order ${orderId} in ${LIST[list].toLowerCase()}: ${identicalRequests} orders match ${identicalRequests} identical requests`;
