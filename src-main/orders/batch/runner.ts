/** Sends one batch call by call; each call's rows are recorded before its first byte. Any failure stops it. */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { done, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import type { PlannedCall } from './calls.ts';
import { sentCount } from './records.ts';
import type { OrderConnection, OrderPorts } from '../send/ports.ts';
import type { Step } from '../journal/lines.ts';
import { NOT_OPEN, tradingFailure } from '../send/pre-trade-checks.ts';
import { headOf, type JournaledSend, type NewIntent } from '../send/journaled-send.ts';

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

export class BatchRun {
  readonly #plan: BatchPlan;
  readonly #ports: OrderPorts;
  readonly #journaled: JournaledSend;
  readonly #started = Promise.withResolvers<Result<BatchProgress>>();
  #isStarted = false;
  #isStopped = false;
  #progress: BatchProgress;

  /** Starts the batch at once. */
  constructor(plan: BatchPlan, ports: OrderPorts, journaled: JournaledSend) {
    this.#plan = plan;
    this.#ports = ports;
    this.#journaled = journaled;
    this.#progress = {
      id: ports.newId(),
      connectionId: plan.connectionId,
      state: 'sending',
      rows: plan.rows,
      sent: 0,
      stoppedBy: null,
      startedAt: ports.clock.now(),
    };
    this.#run().catch((error: unknown) => {
      // A defect must not leave the batch in `sending` or its symbols locked.
      plan.ended();
      this.#report({ state: 'stopped', stoppedBy: DEFECT });
      this.#started.reject(error);
    });
  }

  /** Resolves once the first call is on disk and being sent; with a failure if nothing is sent. */
  get started(): Promise<Result<BatchProgress>> {
    return this.#started.promise;
  }

  get progress(): BatchProgress {
    return this.#progress;
  }

  /** Stops after the call in flight. */
  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    for (const [index, call] of this.#plan.calls.entries()) {
      const failure = await this.#sendCall(call, index);
      if (failure === null) continue;
      this.#plan.ended();
      if (this.#isStarted) this.#report({ state: 'stopped', stoppedBy: failure });
      else this.#started.resolve({ ok: false, failure });
      return;
    }
    this.#plan.ended();
    this.#report({ state: 'done' });
  }

  /** Sends one call. Returns null if the next call may follow, else what stops the batch. */
  async #sendCall(call: PlannedCall, index: number): Promise<Failure | null> {
    if (this.#isStopped) return STOPPED_BY_USER;
    const connection = this.#ports.connection(this.#plan.connectionId);
    if (connection === null) return NOT_OPEN;
    const blocked = this.#preTradeFailure(call, connection);
    if (blocked !== null) return blocked;
    for (const { body } of call.rows) this.#ports.assertBody('order', body);
    const intents = this.#intentsOf(call, index, connection);
    const recorded = await this.#journaled.record(intents);
    if (!recorded.ok) return recorded.failure;
    const before = this.#progress.sent;
    this.#isStarted = true;
    this.#report({ sent: before + intents.length });
    this.#started.resolve(done(this.#progress));
    const ids = intents.map((one) => one.id);
    const outcome = await this.#journaled.post(connection, ids, call.endpoint, call.body, 'order');
    const records = await this.#journaled.end(ids, this.#endStep(call, outcome));
    this.#progress = { ...this.#progress, sent: before + sentCount(records) };
    return records.flatMap((one) => one.events.at(-1)?.failure ?? [])[0] ?? null;
  }

  /** Repeats the pre-trade checks before each call: lock, limits and market may have changed. */
  #preTradeFailure(call: PlannedCall, connection: OrderConnection): Failure | null {
    const blocked = tradingFailure(connection, this.#ports.locked());
    if (blocked !== null) return blocked;
    for (const { row, intent } of call.rows) {
      const fault = connection.orderFailure(intent);
      if (fault !== null) return { ...fault, message: `Row ${row + 1}: ${fault.message}` };
    }
    return null;
  }

  #intentsOf(call: PlannedCall, index: number, connection: OrderConnection): NewIntent[] {
    const known = withSharedKnownIds(connection);
    const { rows } = this.#plan;
    return call.rows.map(({ row, intent, body }) => ({
      id: this.#ports.newId(),
      head: headOf(intent, body, known, call.endpoint, {
        id: this.#progress.id,
        row,
        of: rows,
        call: index,
      }),
    }));
  }

  /** Returns the step for every row of a call. The reply to a batch contains no order id, so its rows stay unknown. */
  #endStep(call: PlannedCall, outcome: PostOutcome): Step {
    if (call.endpoint === 'placeBatch' && outcome.outcome === 'accepted')
      return this.#journaled.step('take', 'Batch accepted by the exchange; searching for the order ID');
    if (call.endpoint === 'placeBatch' && outcome.outcome === 'rejected') {
      const { code, failure } = outcome;
      return this.#journaled.step('lose', failure.message, { code, failure });
    }
    return this.#journaled.outcomeStep(outcome);
  }

  #report(change: Partial<BatchProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#ports.batchChanged(this.#progress);
  }
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
