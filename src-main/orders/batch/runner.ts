/**
 * Sends one batch call by call; each call's rows are recorded before its first byte. Any failure stops it, except a
 * rejection about the one position that a row closes. A row whose position is gone before its turn is left out.
 */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { countsAsOpening } from '../../../src-shared/domain/order/day-rules.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import type { PlannedCall } from './calls.ts';
import { endOf, sentCount } from './records.ts';
import type { OrderConnection, OrderPorts } from '../send/ports.ts';
import type { Step } from '../journal/lines.ts';
import { NOT_OPEN, tradingFailure } from '../send/pre-trade-checks.ts';
import { headOf, type JournaledSend, type NewIntent } from '../send/journaled-send.ts';

export interface BatchPlan {
  readonly connectionId: string;
  /** As reviewed. */
  readonly account: AccountIdentity;
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
      ...(isClosing(plan) ? { closing: true } : {}),
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

  get requests(): readonly OrderRequest[] {
    return this.#plan.calls.flatMap(({ rows }) => rows.map(({ intent }) => intent.request));
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
      else this.#started.resolve(failed(failure));
      return;
    }
    this.#plan.ended();
    this.#report({ state: 'done' });
  }

  /** Sends one call. Returns null if the next call may follow, else what stops the batch. */
  async #sendCall(call: PlannedCall, index: number): Promise<Failure | null> {
    if (this.#isStopped) return STOPPED_BY_USER;
    const { connectionId, account } = this.#plan;
    const connection = this.#ports.connection(connectionId);
    if (connection === null) return NOT_OPEN;
    // Account, lock, limits and market may have changed since the review.
    const blocked = tradingFailure(connection, this.#ports.lockFailure(), account);
    if (blocked !== null) return blocked;
    const intents = this.#intentsOf(call, index, connection);
    if (isGone(call, connection)) return this.#leaveOut(intents);
    const failure = rowFailure(call, connection);
    if (failure !== null) return failure;
    for (const { body, intent } of call.rows) this.#ports.assertBody(intent.kind, body);
    const recorded = await this.#journaled.record(intents);
    if (!recorded.ok) return recorded.failure;
    const before = this.#progress.sent;
    this.#start({ sent: before + intents.length });
    const ids = intents.map((one) => one.id);
    const kind = call.rows[0]?.intent.kind ?? 'order';
    const outcome = await this.#journaled.post(connection, ids, call.endpoint, call.body, kind);
    const records = await this.#journaled.end(ids, this.#endStep(call, outcome));
    this.#progress = { ...this.#progress, sent: before + sentCount(records) };
    return records.map(endOf).find((one) => one !== null) ?? null;
  }

  async #leaveOut(intents: readonly NewIntent[]): Promise<Failure | null> {
    const recorded = await this.#journaled.leaveOut(
      intents,
      'The position was already closed. Nothing was sent.',
    );
    if (!recorded.ok) return recorded.failure;
    this.#start({});
    return null;
  }

  /** Reports progress; the first time, the batch has started. */
  #start(change: Partial<BatchProgress>): void {
    this.#isStarted = true;
    this.#report(change);
    this.#started.resolve(done(this.#progress));
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
        ...(isClosing(this.#plan) ? { closing: true } : {}),
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

/** Reports whether the position that a call closes is already gone. */
const isGone = ({ rows }: PlannedCall, connection: OrderConnection): boolean =>
  rows.some(({ closes, intent }) => closes !== null && !connection.mayHold(closes, intent.request));

/** Returns the first rule that a row of a call breaks, or null. */
function rowFailure({ rows }: PlannedCall, connection: OrderConnection): Failure | null {
  // Those of earlier calls are in the journal.
  let ahead = 0;
  for (const { row, intent } of rows) {
    const failure = connection.orderFailure(intent, ahead);
    if (failure !== null) return { ...failure, message: `Row ${row + 1}: ${failure.message}` };
    if (countsAsOpening(intent.request)) ahead++;
  }
  return null;
}

const isClosing = ({ calls }: BatchPlan): boolean =>
  calls.some(({ rows }) => rows.some(({ closes }) => closes !== null));

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
