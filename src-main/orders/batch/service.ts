/**
 * Many orders under one confirmation: each row an intent of its own, sent in calls one after another. A call that was
 * refused or lost ends the sequence; rows left are never recorded, so they were never sent.
 */
import { setImmediate } from 'node:timers/promises';
import type {
  BatchIntent,
  BatchProgress,
  BatchRecord,
  BatchReview,
  BatchReviewAnswer,
  RowFault,
} from '../../../src-shared/ipc/batch.ts';
import { denied, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { plannedCalls, rowIntent, shownCall, type PlannedCall } from './calls.ts';
import { batchRecords } from './records.ts';
import { createBatchRun, type BatchRun } from './runner.ts';
import type { DeskConnection, DeskPorts } from '../send/ports.ts';
import {
  heldFailure,
  holding,
  NOT_OPEN,
  orderRefusal,
  SPENT,
  tradingRefusal,
  type Lanes,
} from '../send/pre-trade-checks.ts';
import type { Sending } from '../send/journaled-send.ts';
import { createTokens } from '../send/tokens.ts';

export interface BatchDesk {
  reviewBatch(batch: BatchIntent): Promise<Result<BatchReviewAnswer>>;
  /** Answers once the first call is on disk and leaving; the rest follows by itself. `release`: symbols typed. */
  sendBatch(token: string, release: readonly string[]): Promise<Result<BatchProgress>>;
  /** Lets the call on its way end, then stops. */
  stopBatch(batchId: string): Result<null>;
  /** Newest first. */
  batches(connectionId: string): readonly BatchRecord[];
  discard(token: string): void;
}

/** A thousand rows are judged in parts: polls, answers and the window go on in between. */
const ROWS_AT_ONCE = 20;

interface Confirmed {
  readonly batch: BatchIntent;
  readonly calls: readonly PlannedCall[];
}

export function createBatchDesk(ports: DeskPorts, lanes: Lanes, sending: Sending): BatchDesk {
  const { journal, clock } = ports;
  const confirmations = createTokens<Confirmed>(clock, ports.newId);
  const runs = new Map<string, BatchRun>();

  async function rowFaults(batch: BatchIntent, connection: DeskConnection): Promise<RowFault[]> {
    const faults: RowFault[] = [];
    for (const [row, one] of batch.rows.entries()) {
      if (row > 0 && row % ROWS_AT_ONCE === 0) await setImmediate();
      const failure = orderRefusal(rowIntent(batch, one), connection);
      if (failure !== null) faults.push({ row, failure });
    }
    return faults;
  }

  function heldBy({ connectionId, rows }: BatchIntent): BatchReview['heldBy'] {
    const sides = new Map(rows.map(({ request }) => [`${request.symbolId} ${request.side}`, request]));
    const held = new Map<string, string[]>();
    for (const { symbolId, side } of sides.values()) {
      const intentIds = holding(journal, connectionId, symbolId, side);
      if (intentIds.length > 0) held.set(symbolId, [...(held.get(symbolId) ?? []), ...intentIds]);
    }
    return [...held].map(([symbolId, intentIds]) => ({ symbolId, intentIds }));
  }

  /** Why none of it may be sent now. */
  async function refusal(
    batch: BatchIntent,
    connection: DeskConnection,
    release: readonly string[],
  ): Promise<Failure | null> {
    const refused = tradingRefusal(connection, ports.locked());
    if (refused !== null) return refused;
    const [fault] = await rowFaults(batch, connection);
    if (fault !== undefined)
      return { ...fault.failure, message: `Row ${fault.row + 1}: ${fault.failure.message}` };
    const missing = heldBy(batch).find((one) => !release.includes(one.symbolId));
    return missing === undefined ? null : heldFailure(journal, missing.intentIds, missing.symbolId);
  }

  return {
    async reviewBatch(batch) {
      const connection = ports.connection(batch.connectionId);
      if (connection === null) return failed(NOT_OPEN);
      const refused = tradingRefusal(connection, ports.locked());
      if (refused !== null) return failed(refused);
      const faults = await rowFaults(batch, connection);
      if (faults.length > 0) return done({ faults });
      const calls = plannedCalls(batch, ports.encode);
      const opened = confirmations.open({ batch, calls });
      return done({ review: { ...opened, calls: calls.map(shownCall), heldBy: heldBy(batch) } });
    },

    async sendBatch(token, release) {
      // Gone before anything is awaited: a second call with the same token finds nothing.
      const confirmed = confirmations.spend(token);
      if (confirmed === null) return failed(SPENT);
      const { batch, calls } = confirmed;
      const { connectionId } = batch;
      const connection = ports.connection(connectionId);
      if (connection === null) return failed(NOT_OPEN);
      const refused = await refusal(batch, connection, release);
      if (refused !== null) return failed(refused);
      const symbols = new Set(batch.rows.map((one) => one.request.symbolId));
      const busy = lanes.take(connectionId, symbols);
      if (busy !== null)
        return failed(denied(`Another ${busy} order is being sent.`, 'Wait for its answer.', 'order'));
      const run = createBatchRun(
        { connectionId, calls, rows: batch.rows.length, ended: () => lanes.free(connectionId, symbols) },
        ports,
        sending,
      );
      runs.set(run.progress().id, run);
      const started = await run.started;
      if (!started.ok) runs.delete(run.progress().id);
      return started;
    },

    stopBatch(batchId) {
      const run = runs.get(batchId);
      if (run?.progress().state !== 'sending')
        return failed(denied('This batch is not being sent.', 'Look at Activity.', 'order'));
      run.stop();
      return done(null);
    },

    batches(connectionId) {
      const progress = new Map([...runs].map(([id, run]) => [id, run.progress()]));
      return batchRecords(journal.list(connectionId), progress);
    },

    discard: (token) => confirmations.drop(token),
  };
}
