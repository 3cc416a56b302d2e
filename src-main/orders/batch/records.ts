/** Batches as the journal tells them: after a restart nothing else knows of them. */
import type { BatchProgress, BatchRecord } from '../../../src-shared/ipc/batch.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { BatchPlace, IntentRecord } from '../../../src-shared/ipc/orders.ts';

type Row = IntentRecord & { readonly batch: BatchPlace };
const isRow = (record: IntentRecord): record is Row => record.batch !== undefined;

/** Newest first. `running`: batches of this run, whose end is known better than from their rows. */
export function batchRecords(
  records: readonly IntentRecord[],
  running: ReadonlyMap<string, BatchProgress>,
): BatchRecord[] {
  const byBatch = new Map<string, Row[]>();
  for (const record of records) {
    if (!isRow(record)) continue;
    const rows = byBatch.get(record.batch.id);
    if (rows === undefined) byBatch.set(record.batch.id, [record]);
    else rows.push(record);
  }
  return [...byBatch].map(([id, rows]) => {
    const intents = rows.sort((a, b) => a.batch.row - b.batch.row);
    return { progress: running.get(id) ?? progressOf(intents), intents };
  });
}

/** Handed to the exchange, or perhaps: whatever is not known to have stayed here. */
export const handedOver = (records: readonly IntentRecord[]): number =>
  records.filter((one) => one.state !== 'not-sent' && one.state !== 'recorded').length;

function progressOf(rows: readonly Row[]): BatchProgress {
  const first = rows[0]!;
  const last = rows.at(-1) ?? first;
  const { of } = last.batch;
  const stoppedBy = endOf(last) ?? (rows.length < of ? notAll(of - rows.length) : null);
  return {
    id: first.batch.id,
    connectionId: first.connectionId,
    state: stoppedBy === null ? 'done' : 'stopped',
    rows: of,
    sent: handedOver(rows),
    stoppedBy,
    startedAt: first.createdAt,
  };
}

/** How the send of a row failed; finding it later changes nothing of that. */
const endOf = ({ events }: Row): Failure | null =>
  events.find((one) => one.failure !== undefined)?.failure ?? null;

const notAll = (left: number): Failure => ({
  kind: 'cancelled',
  message: `The batch ended with ${left} row(s) never sent: it was stopped, or Ballast ended.`,
  next: 'Compare the rows with what was found, then send what is missing as a batch of its own.',
});
