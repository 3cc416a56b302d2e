/** Builds the observation the rules are evaluated on from a connection's feeds. */
import { agoText } from '../../src-shared/domain/display/time-left.ts';
import { FEED_INTERVAL_MS, intervalOf, isTooOld, type Feeds } from '../../src-shared/ipc/feeds.ts';
import { type BatchPlace, type IntentRecord, isSingle } from '../../src-shared/ipc/orders.ts';
import type { Observation, UnknownOutcome } from '../../src-shared/domain/alerts/rules.ts';

/** An accepted batch returns no order ids; reconciliation usually finds its rows within seconds. */
const RECONCILE_WITHIN_MS = 30_000;
/** Time for the first search, which may have to wait for the rate limit. */
const SEARCH_WITHIN_MS = 5_000;

/**
 * Returns the unknown outcomes to report: one per single order, one per batch. Only what a first search did not find: most
 * are found at once, and a desktop notification or a message cannot be taken back.
 */
export function unknownOutcomes(records: Iterable<IntentRecord>, now: number): UnknownOutcome[] {
  const due = [...records].filter((record) => {
    const unknownAt = record.events.find(({ state }) => state === 'unknown')?.at ?? record.createdAt;
    // After the clock was set back it may be a time to come.
    return Math.abs(now - unknownAt) >= patienceFor(record);
  });
  const batches = Map.groupBy(due.filter(isOneOfMany), ({ batch }) => batch.id);
  return [...due.filter(isSingle).map(ofOrder), ...[...batches].map(([id, rows]) => ofBatch(id, rows))];
}

type Row = IntentRecord & { readonly batch: BatchPlace };
const isOneOfMany = (record: IntentRecord): record is Row => !isSingle(record);

function patienceFor(record: IntentRecord): number {
  if (!isSingle(record) && isAccepted(record)) return RECONCILE_WITHIN_MS;
  return record.finding === undefined ? SEARCH_WITHIN_MS : 0;
}

/** Reports whether the batch request was accepted; a request that got no reply has a failure. */
const isAccepted = ({ events }: IntentRecord): boolean =>
  events.every((one) => one.state !== 'unknown' || one.failure === undefined);

const ofOrder = ({ id, kind, side, symbolId, type }: IntentRecord): UnknownOutcome => ({
  id,
  intentId: id,
  symbolId,
  label:
    kind === 'close-all'
      ? `Close all of ${symbolId}`
      : `${side === 'BUY' ? 'Buy' : 'Sell'} ${symbolId}, ${type === 'LIMIT' ? 'limit' : 'market'}`,
});

function ofBatch(id: string, rows: readonly Row[]): UnknownOutcome {
  const first = rows[0]!;
  return {
    id,
    intentId: first.id,
    symbolId: first.symbolId,
    label: `${rows.length} of ${first.batch.of} rows of a batch`,
  };
}

/** Builds the observation. `since` is when watching began, or went on after a gap; account age counts from there. */
export function observe(
  feeds: Pick<Feeds, 'account' | 'openOrders' | 'history'>,
  unknown: readonly UnknownOutcome[],
  now: number,
  since: number,
): Observation {
  const { account, openOrders, history } = feeds;
  const usable = !isTooOld(account, 'account');
  return {
    now,
    account: usable ? account.value : null,
    accountOld: usable ? null : ageText(account.age),
    unreadable: account.unreadable,
    // While locked the user knows that nothing is read, so stale data is not reported.
    accountAgeMs: account.failure?.kind === 'locked' ? 0 : Math.min(account.age ?? Infinity, now - since),
    accountSlackMs: intervalOf(account, 'account') - FEED_INTERVAL_MS.account,
    // Cached lists are safe to use: only additions to them count as fills.
    openOrders: openOrders.value,
    history: history.value,
    unknown,
  };
}

const ageText = (age: number | null): string =>
  age === null
    ? 'the account has not been read yet'
    : `the account was last read ${agoText(Math.floor(age / 1_000))} ago`;
