/** Rebuilds batches from the journal, their only source after a restart. */
import type { BatchProgress, BatchRecord } from '../../../src-shared/ipc/batch.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { BatchPlace, IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { counted } from '../../../src-shared/domain/display/counted.ts';

type Row = IntentRecord & { readonly batch: BatchPlace };
const isRow = (record: IntentRecord): record is Row => record.batch !== undefined;

/** Returns batches, newest first. `running`: those sent by this run of the app, with their own progress and requests. */
export function batchRecords(
  records: readonly IntentRecord[],
  running: ReadonlyMap<string, Pick<BatchRecord, 'progress' | 'requests'>>,
): BatchRecord[] {
  const byBatch = Map.groupBy(records.filter(isRow), ({ batch }) => batch.id);
  return [...byBatch].map(([id, rows]) => {
    const intents = rows.sort((a, b) => a.batch.row - b.batch.row);
    const run = running.get(id);
    return { progress: run?.progress ?? progressOf(intents), intents, requests: run?.requests ?? null };
  });
}

/** Counts rows that were or may have been sent. */
export const sentCount = (records: readonly IntentRecord[]): number =>
  records.filter((one) => one.state !== 'not-sent').length;

function progressOf(rows: readonly Row[]): BatchProgress {
  const first = rows[0]!;
  const last = rows.at(-1) ?? first;
  const { of } = last.batch;
  const stoppedBy = endOf(last) ?? (rows.length < of ? notAllRecorded(of - rows.length) : null);
  return {
    id: first.batch.id,
    connectionId: first.connectionId,
    state: stoppedBy === null ? 'done' : 'stopped',
    rows: of,
    sent: sentCount(rows),
    stoppedBy,
    startedAt: first.createdAt,
    ...(first.batch.closing === undefined ? {} : { closing: true }),
  };
}

/**
 * Rejections about one position, which do not stop closing the others: position missing, as after a liquidation since
 * the last poll, contract not open, and a quantity that is invalid, not closable, below the minimum or above the maximum.
 */
const OF_ONE_POSITION: ReadonlySet<string> = new Set([
  '700001',
  '700041',
  '700012',
  '700022',
  '700060',
  '700082',
]);

/** Returns how the send of a row failed, also if it was matched later; null if the next row may follow it. */
export const endOf = ({ batch, state, code, events }: IntentRecord): Failure | null =>
  batch?.closing === true && state === 'rejected' && OF_ONE_POSITION.has(code ?? '')
    ? null
    : (events.find((one) => one.failure !== undefined)?.failure ?? null);

const notAllRecorded = (left: number): Failure => ({
  kind: 'cancelled',
  message: `${counted(left, 'row is', 'rows are')} not in the journal: the batch was stopped, or Ballast quit.`,
  next: 'Check which rows were placed, then send the missing ones as a new batch.',
});
