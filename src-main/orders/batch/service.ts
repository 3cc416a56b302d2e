/**
 * Sends many orders under one confirmation: each row is an intent, sent in calls one after another. A rejected or
 * lost call ends the sequence; the remaining rows are never recorded, so they were never sent.
 */
import { setImmediate } from 'node:timers/promises';
import type {
  BatchIntent,
  BatchProgress,
  BatchRecord,
  BatchReview,
  BatchReviewResult,
  RowFault,
} from '../../../src-shared/ipc/batch.ts';
import { blocked, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { countsAsOpening } from '../../../src-shared/domain/order/day-rules.ts';
import { planCalls, rowIntent, reviewedCall, type PlannedCall } from './calls.ts';
import { batchRecords } from './records.ts';
import { BatchRun } from './runner.ts';
import type { OrderConnection, OrderPorts } from '../send/ports.ts';
import {
  anotherInFlight,
  heldFailure,
  holdsOf,
  NOT_OPEN,
  TOKEN_USED,
  tradingFailure,
  type SymbolLocks,
} from '../send/pre-trade-checks.ts';
import type { JournaledSend } from '../send/journaled-send.ts';
import { Tokens } from '../send/tokens.ts';

/** Rows checked per event-loop turn, so that a thousand rows do not block polls and the window. */
const ROWS_PER_SLICE = 20;

interface Confirmed {
  readonly batch: BatchIntent;
  readonly calls: readonly PlannedCall[];
  readonly account: AccountIdentity;
}

export class BatchService {
  readonly #ports: OrderPorts;
  readonly #locks: SymbolLocks;
  readonly #journaled: JournaledSend;
  readonly #confirmations: Tokens<Confirmed>;
  readonly #runs = new Map<string, BatchRun>();

  constructor(ports: OrderPorts, locks: SymbolLocks, journaled: JournaledSend) {
    this.#ports = ports;
    this.#locks = locks;
    this.#journaled = journaled;
    this.#confirmations = new Tokens(ports.clock, ports.newId);
  }

  async review(batch: BatchIntent): Promise<Result<BatchReviewResult>> {
    const connection = this.#ports.connection(batch.connectionId);
    if (connection === null) return failed(NOT_OPEN);
    const reason = tradingFailure(connection, this.#ports.lockFailure());
    if (reason !== null) return failed(reason);
    const faults = await rowFaults(batch, connection);
    if (faults.length > 0) return done({ faults });
    const calls = planCalls(batch, this.#ports.encode);
    const opened = this.#confirmations.issue({ batch, calls, account: connection.account() });
    return done({ review: { ...opened, calls: calls.map(reviewedCall), heldBy: this.#heldBy(batch) } });
  }

  /** Resolves once the first call is on disk and being sent; the rest follows. `release`: typed symbols. */
  async send(token: string, release: readonly string[]): Promise<Result<BatchProgress>> {
    // Consumed before anything is awaited, so that a second call with the same token finds nothing.
    const confirmed = this.#confirmations.consume(token);
    if (confirmed === null) return failed(TOKEN_USED);
    const { batch, calls, account } = confirmed;
    const { connectionId } = batch;
    const connection = this.#ports.connection(connectionId);
    if (connection === null) return failed(NOT_OPEN);
    const reason = await this.#preTradeFailure(confirmed, connection, release);
    if (reason !== null) return failed(reason);
    const symbols = new Set(batch.rows.map((one) => one.request.symbolId));
    const busy = this.#locks.tryLock(connectionId, symbols);
    if (busy !== null) return failed(anotherInFlight(busy));
    const ended = () => this.#locks.unlock(connectionId, symbols);
    const plan = { connectionId, account, calls, rows: batch.rows.length, ended };
    const run = new BatchRun(plan, this.#ports, this.#journaled);
    const { id } = run.progress;
    // Before it has started, so that it can be stopped.
    this.#runs.set(id, run);
    const started = await run.started;
    if (!started.ok) this.#runs.delete(id);
    return started;
  }

  /** Stops after the call in flight. */
  stop(batchId: string): Result<null> {
    const run = this.#runs.get(batchId);
    if (run?.progress.state !== 'sending')
      return blocked('This batch is no longer being sent.', 'Check Activity.', 'order');
    run.stop();
    return done(null);
  }

  /** Stops every batch that is being sent after its call in flight. */
  stopAll(): void {
    for (const run of this.#running()) run.stop();
  }

  /** Returns the batches that are being sent. */
  sending(): readonly BatchProgress[] {
    return this.#running().map(({ progress }) => progress);
  }

  /** Newest first. */
  list(connectionId: string): readonly BatchRecord[] {
    return batchRecords(this.#ports.journal.list(connectionId), this.#runs);
  }

  discard(token: string): void {
    this.#confirmations.revoke(token);
  }

  #running(): readonly BatchRun[] {
    return [...this.#runs.values()].filter(({ progress }) => progress.state === 'sending');
  }

  #heldBy({ connectionId, rows }: BatchIntent): BatchReview['heldBy'] {
    const bySymbol = Map.groupBy(rows, ({ request }) => request.symbolId);
    return [...bySymbol].flatMap(([symbolId, some]) => {
      const sides = new Set(some.map(({ request }) => request.side));
      const intentIds = [...sides].flatMap((side) =>
        holdsOf(this.#ports.journal, connectionId, symbolId, side),
      );
      return intentIds.length === 0 ? [] : [{ symbolId, intentIds }];
    });
  }

  /** Returns what blocks the whole batch now, or null. */
  async #preTradeFailure(
    { batch, account }: Confirmed,
    connection: OrderConnection,
    release: readonly string[],
  ): Promise<Failure | null> {
    const reason = tradingFailure(connection, this.#ports.lockFailure(), account);
    if (reason !== null) return reason;
    const [fault] = await rowFaults(batch, connection);
    if (fault !== undefined)
      return { ...fault.failure, message: `Row ${fault.row + 1}: ${fault.failure.message}` };
    const missing = this.#heldBy(batch).find((one) => !release.includes(one.symbolId));
    return missing === undefined
      ? null
      : heldFailure(this.#ports.journal, missing.intentIds, missing.symbolId);
  }
}

async function rowFaults(batch: BatchIntent, connection: OrderConnection): Promise<RowFault[]> {
  const faults: RowFault[] = [];
  let ahead = 0;
  for (const [row, one] of batch.rows.entries()) {
    if ((row + 1) % ROWS_PER_SLICE === 0) await setImmediate();
    // A position that is gone by now is left out at its turn.
    if (one.closes !== undefined && !connection.mayHold(one.closes, one.request)) continue;
    const failure = connection.orderFailure(rowIntent(batch, one), ahead);
    if (failure !== null) faults.push({ row, failure });
    else if (countsAsOpening(one.request)) ahead++;
  }
  return faults;
}
