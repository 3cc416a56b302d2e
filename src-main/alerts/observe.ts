/** What the rules may rest on at a moment: the open connection's feeds, as far as they are fresh. */
import { freshness, type Feeds } from '../../src-shared/contract/feeds.ts';
import type { IntentRecord } from '../../src-shared/contract/orders.ts';
import type { Observation, UnknownOutcome } from '../../src-shared/domain/alert-rules.ts';

export const unknownOutcome = ({ id, kind, side, symbolId, type }: IntentRecord): UnknownOutcome => ({
  id,
  symbolId,
  words:
    kind === 'close-all'
      ? `Close all of ${symbolId}`
      : `${side === 'BUY' ? 'Buy' : 'Sell'} ${symbolId}, ${type === 'LIMIT' ? 'limit' : 'market'}`,
});

/** `since`: when watching began, or went on after this computer slept; data is no older by our fault. */
export function observe(
  feeds: Pick<Feeds, 'account' | 'openOrders' | 'history'>,
  unknown: readonly UnknownOutcome[],
  now: number,
  since: number,
): Observation {
  const { account, openOrders, history } = feeds;
  const fresh = freshness(account, 'account', now);
  const usable = fresh === 'fresh' || fresh === 'slow';
  return {
    now,
    account: usable ? account.value : null,
    accountOld: usable ? null : oldWords(account.receivedAt, now),
    accountAgeMs: now - Math.max(account.receivedAt ?? since, since),
    // Kept lists are no news, and no falsehood either: fills are what has been added to them.
    openOrders: openOrders.value,
    history: history.value,
    unknown,
  };
}

const oldWords = (receivedAt: number | null, now: number): string =>
  receivedAt === null
    ? 'the account has not been read yet'
    : `the account was last read ${Math.floor((now - receivedAt) / 1_000)} s ago`;
