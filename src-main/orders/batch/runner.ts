/** One batch on its way: call after call, each recorded whole before its first byte, until something stops it. */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { done, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import type { PlannedCall } from './calls.ts';
import { handedOver } from './records.ts';
import type { DeskConnection, DeskPorts } from '../send/ports.ts';
import type { Step } from '../journal/lines.ts';
import { NOT_OPEN, orderRefusal, tradingRefusal } from '../send/pre-trade-checks.ts';
import { headOf, outcomeStep, type Sending } from '../send/journaled-send.ts';

export interface BatchRun {
  /** Once the first call is on disk and leaves; a failure when nothing was or will be sent. */
  readonly started: Promise<Result<BatchProgress>>;
  progress(): BatchProgress;
  stop(): void;
}

export interface Planned {
  readonly connectionId: string;
  readonly calls: readonly PlannedCall[];
  /** How many in all. */
  readonly rows: number;
  /** Nothing of it is on its way any more; called before anyone is told. */
  readonly ended: () => void;
}

const BY_PERSON: Failure = {
  kind: 'cancelled',
  message: 'Stopped by you.',
  next: 'Rows that were not sent are still here: send them as a batch of their own.',
};

export function createBatchRun(
  { connectionId, calls, rows, ended }: Planned,
  ports: DeskPorts,
  sending: Sending,
): BatchRun {
  const started = Promise.withResolvers<Result<BatchProgress>>();
  let begun = false;
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
  const tell = (change: Partial<BatchProgress>): void => {
    progress = { ...progress, ...change };
    ports.batchChanged(progress);
  };

  /** What was reviewed is asked again before each call: the lock, the limits and the market may have changed. */
  function refusal(call: PlannedCall, connection: DeskConnection): Failure | null {
    const refused = tradingRefusal(connection, ports.locked());
    if (refused !== null) return refused;
    for (const { row, intent } of call.rows) {
      const fault = orderRefusal(intent, connection);
      if (fault !== null) return { ...fault, message: `Row ${row + 1}: ${fault.message}` };
    }
    return null;
  }

  /** Null when the next call may follow. */
  async function sendCall(call: PlannedCall, index: number): Promise<Failure | null> {
    if (stopped) return BY_PERSON;
    const connection = ports.connection(connectionId);
    if (connection === null) return NOT_OPEN;
    const refused = refusal(call, connection);
    if (refused !== null) return refused;
    for (const { body } of call.rows) ports.assertBody('order', body);
    const known = knownOnce(connection);
    const intents = call.rows.map(({ row, intent, body }) => ({
      id: ports.newId(),
      head: headOf(intent, body, known, call.endpoint, { id: progress.id, row, of: rows, call: index }),
    }));
    const recorded = await sending.record(intents);
    if (!recorded.ok) return recorded.failure;
    const before = progress.sent;
    begun = true;
    tell({ sent: before + intents.length });
    started.resolve(done(progress));
    const ids = intents.map((one) => one.id);
    const outcome = await sending.post(connection, ids, call.endpoint, call.body, 'order');
    const settled = await sending.end(
      ids,
      call.endpoint === 'placeOrder' ? outcomeStep(sending, outcome) : callStep(sending, outcome),
    );
    progress = { ...progress, sent: before + handedOver(settled) };
    return settled.flatMap((one) => one.events.at(-1)?.failure ?? [])[0] ?? null;
  }

  async function run(): Promise<void> {
    for (const [index, call] of calls.entries()) {
      const failure = await sendCall(call, index);
      if (failure === null) continue;
      ended();
      if (begun) tell({ state: 'stopped', stoppedBy: failure });
      else started.resolve({ ok: false, failure });
      return;
    }
    ended();
    tell({ state: 'done' });
  }

  run().catch((error: unknown) => {
    // A defect: the desk must not stay in `sending`, nor its symbols taken.
    ended();
    tell({ state: 'stopped', stoppedBy: DEFECT });
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
  message: 'Ballast failed while it sent the batch.',
  next: 'Nothing more is sent. What the journal has of its rows is looked for as usual.',
};

/** One list of known ids a symbol for all rows of a call: the journal writes it once. */
function knownOnce(connection: DeskConnection): DeskConnection {
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

/** One answer for all rows of a call: whatever it says, it names no order and clears none. */
function callStep(sending: Sending, outcome: PostOutcome): Step {
  if (outcome.outcome === 'accepted')
    return sending.step('take', 'The exchange took the batch; looking for the order’s id');
  if (outcome.outcome !== 'rejected') return outcomeStep(sending, outcome);
  const { code, failure } = outcome;
  return sending.step('lose', failure.message, { code, failure });
}
