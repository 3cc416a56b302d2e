/** Sends one batch call by call; each call's rows are recorded before its first byte. Any failure stops it. */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { done, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import type { PlannedCall } from './calls.ts';
import { sentCount } from './records.ts';
import type { OrderConnection, OrderPorts } from '../send/ports.ts';
import type { Step } from '../journal/lines.ts';
import { NOT_OPEN, orderFailure, tradingFailure } from '../send/pre-trade-checks.ts';
import { headOf, outcomeStep, type JournaledSend } from '../send/journaled-send.ts';

export interface BatchRun {
  /** Resolves once the first call is on disk and being sent; with a failure if nothing is sent. */
  readonly started: Promise<Result<BatchProgress>>;
  progress(): BatchProgress;
  stop(): void;
}

export interface BatchPlan {
  readonly connectionId: string;
  readonly calls: readonly PlannedCall[];
  /** Total row count. */
  readonly rows: number;
  /** Called when nothing is in flight any more, before the last progress is reported. */
  readonly ended: () => void;
}

const STOPPED_BY_USER: Failure = {
  kind: 'cancelled',
  message: 'Stopped by you.',
  next: 'The remaining rows are still here. Send them as a new batch.',
};

export function createBatchRun(
  { connectionId, calls, rows, ended }: BatchPlan,
  ports: OrderPorts,
  journaled: JournaledSend,
): BatchRun {
  const started = Promise.withResolvers<Result<BatchProgress>>();
  let isStarted = false;
  let stopped = false;
  let progress: BatchProgress = {
    id: ports.newId(),
    connectionId,
    state: 'sending',
    rows,
    sent: 0,
    stoppedBy: null,
    startedAt: ports.clock.now(),
  };
  const report = (change: Partial<BatchProgress>): void => {
    progress = { ...progress, ...change };
    ports.batchChanged(progress);
  };

  /** Repeats the pre-trade checks before each call: lock, limits and market may have changed. */
  function preTradeFailure(call: PlannedCall, connection: OrderConnection): Failure | null {
    const blocked = tradingFailure(connection, ports.locked());
    if (blocked !== null) return blocked;
    for (const { row, intent } of call.rows) {
      const fault = orderFailure(intent, connection);
      if (fault !== null) return { ...fault, message: `Row ${row + 1}: ${fault.message}` };
    }
    return null;
  }

  /** Sends one call. Returns null if the next call may follow, else what stops the batch. */
  async function sendCall(call: PlannedCall, index: number): Promise<Failure | null> {
    if (stopped) return STOPPED_BY_USER;
    const connection = ports.connection(connectionId);
    if (connection === null) return NOT_OPEN;
    const blocked = preTradeFailure(call, connection);
    if (blocked !== null) return blocked;
    for (const { body } of call.rows) ports.assertBody('order', body);
    const known = withSharedKnownIds(connection);
    const intents = call.rows.map(({ row, intent, body }) => ({
      id: ports.newId(),
      head: headOf(intent, body, known, call.endpoint, { id: progress.id, row, of: rows, call: index }),
    }));
    const recorded = await journaled.record(intents);
    if (!recorded.ok) return recorded.failure;
    const before = progress.sent;
    isStarted = true;
    report({ sent: before + intents.length });
    started.resolve(done(progress));
    const ids = intents.map((one) => one.id);
    const outcome = await journaled.post(connection, ids, call.endpoint, call.body, 'order');
    const records = await journaled.end(
      ids,
      call.endpoint === 'placeOrder' ? outcomeStep(journaled, outcome) : callStep(journaled, outcome),
    );
    progress = { ...progress, sent: before + sentCount(records) };
    return records.flatMap((one) => one.events.at(-1)?.failure ?? [])[0] ?? null;
  }

  async function run(): Promise<void> {
    for (const [index, call] of calls.entries()) {
      const failure = await sendCall(call, index);
      if (failure === null) continue;
      ended();
      if (isStarted) report({ state: 'stopped', stoppedBy: failure });
      else started.resolve({ ok: false, failure });
      return;
    }
    ended();
    report({ state: 'done' });
  }

  run().catch((error: unknown) => {
    // A defect must not leave the batch in `sending` or its symbols locked.
    ended();
    report({ state: 'stopped', stoppedBy: DEFECT });
    started.reject(error);
  });
  return {
    started: started.promise,
    progress: () => progress,
    stop: () => (stopped = true),
  };
}

const DEFECT: Failure = {
  kind: 'bug',
  message: 'Ballast failed while sending the batch.',
  next: 'No more rows are sent. Ballast searches for the rows already recorded in the journal.',
};

/** Returns the connection with one shared list of known ids per symbol, which the journal writes once. */
function withSharedKnownIds(connection: OrderConnection): OrderConnection {
  const lists = new Map<string, readonly string[]>();
  return {
    ...connection,
    knownOrderIds(symbolId) {
      const known = lists.get(symbolId) ?? connection.knownOrderIds(symbolId);
      lists.set(symbolId, known);
      return known;
    },
  };
}

/** Returns the step for every row of a call. Its reply contains no order id, so each row stays unknown. */
function callStep(journaled: JournaledSend, outcome: PostOutcome): Step {
  if (outcome.outcome === 'accepted')
    return journaled.step('take', 'Batch accepted by the exchange; searching for the order ID');
  if (outcome.outcome !== 'rejected') return outcomeStep(journaled, outcome);
  const { code, failure } = outcome;
  return journaled.step('lose', failure.message, { code, failure });
}
