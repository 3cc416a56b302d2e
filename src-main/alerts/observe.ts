/** What the rules may rest on at a moment: the open connection's feeds, as far as they are fresh. */
import { freshness, type Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Observation, UnknownOutcome } from '../../src-shared/domain/alerts/rules.ts';

/** A batch that was taken tells no ids: its rows are looked for as a matter of course, usually found in seconds. */
const TAKEN_PATIENCE_MS = 30_000;

/** Unknown outcomes worth an alert: each order by itself, the rows of a batch as one. */
export function unknownOutcomes(records: Iterable<IntentRecord>, now: number): UnknownOutcome[] {
  const outcomes: UnknownOutcome[] = [];
  const batches = new Map<string, IntentRecord[]>();
  for (const record of records) {
    if (record.batch === undefined) outcomes.push(ofOrder(record));
    else if (!(isTaken(record) && now - record.createdAt < TAKEN_PATIENCE_MS))
      batches.set(record.batch.id, [...(batches.get(record.batch.id) ?? []), record]);
  }
  for (const [id, rows] of batches) outcomes.push(ofBatch(id, rows));
  return outcomes;
}

/** Its call was answered; a lost one has a failure. */
const isTaken = ({ events }: IntentRecord): boolean =>
  events.every((one) => one.state !== 'unknown' || one.failure === undefined);

const ofOrder = ({ id, kind, side, symbolId, type }: IntentRecord): UnknownOutcome => ({
  id,
  intentId: id,
  symbolId,
  words:
    kind === 'close-all'
      ? `Close all of ${symbolId}`
      : `${side === 'BUY' ? 'Buy' : 'Sell'} ${symbolId}, ${type === 'LIMIT' ? 'limit' : 'market'}`,
});

function ofBatch(id: string, rows: readonly IntentRecord[]): UnknownOutcome {
  const first = rows[0]!;
  return {
    id,
    intentId: first.id,
    symbolId: first.symbolId,
    words: `${rows.length} of ${first.batch?.of ?? rows.length} rows of a batch`,
  };
}

/** `since`: when watching began, or went on after this computer slept; data is no older by our fault. */
export function observe(
  feeds: Pick<Feeds, 'account' | 'openOrders' | 'history'>,
  unknown: readonly UnknownOutcome[],
  now: number,
  since: number,
): Observation {
  const { account, openOrders, history } = feeds;
  const fresh = freshness(account, 'account');
  const usable = fresh === 'fresh' || fresh === 'slow';
  return {
    now,
    account: usable ? account.value : null,
    accountOld: usable ? null : oldWords(account.age),
    // A person who locked it away knows that nothing is read; that it grows old is no news.
    accountAgeMs: account.failure?.kind === 'locked' ? 0 : Math.min(account.age ?? Infinity, now - since),
    // Kept lists are no news, and no falsehood either: fills are what has been added to them.
    openOrders: openOrders.value,
    history: history.value,
    unknown,
  };
}

const oldWords = (age: number | null): string =>
  age === null
    ? 'the account has not been read yet'
    : `the account was last read ${Math.floor(age / 1_000)} s ago`;
