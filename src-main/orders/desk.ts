/**
 * The order path, in one place: review → token → journal on disk → one POST → outcome → journal.
 *
 * Promise 1 of the product: no order is sent twice. A token is good for one send; the journal is synced before the
 * first byte; the poster never retries; a missing answer is `unknown` and holds its symbol and side.
 */
import type { ConnectionSummary } from '../../src-shared/contract/connections.ts';
import { denied, done, failed, type Failure, type Result } from '../../src-shared/contract/failures.ts';
import type { IntentRecord, OrderIntent, OrderReview } from '../../src-shared/contract/orders.ts';
import { isOpenQuestion } from '../../src-shared/domain/order-life.ts';
import { ENDPOINTS } from '../../src-shared/interface/endpoints.ts';
import type { OrderRequest } from '../../src-shared/interface/order-request.ts';
import type { PostOutcome } from '../exchange/outcome.ts';
import { createByHand, type ByHand } from './by-hand.ts';
import type { Journal, Step } from './journal.ts';
import { requestFault } from './request-rules.ts';

const TOKEN_LIFE_MS = 120_000;
const NOT_OPEN = denied(
  'This connection is not open.',
  'Open it under Settings › Connections, then review the order again.',
  'connection',
);

/** What the desk may know of the connection an order goes to. */
export interface DeskConnection {
  readonly summary: ConnectionSummary;
  /** Sends exactly these bytes, once. */
  send(endpoint: 'placeOrder', body: string, kind: OrderIntent['kind']): Promise<PostOutcome>;
  /** Ids of the symbol's orders seen so far, open or past. */
  knownOrderIds(symbolId: string): readonly string[];
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
  /** The symbol's position as last read, in words; null when not known. */
  position(symbolId: string): string | null;
  /** Contract ids of the configuration, or null while it has not been read. */
  contractIds(): ReadonlySet<string> | null;
  /** The fat-finger limits and whatever else Ballast refuses by itself; null lets the order pass. */
  stop(intent: OrderIntent): Failure | null;
}

export interface DeskPorts {
  readonly journal: Journal;
  readonly connection: (id: string) => DeskConnection | null;
  readonly locked: () => boolean;
  readonly encode: (request: OrderRequest) => string;
  /** The last-step assertion: a close-all has no quantity, every other order has one, in the bytes. */
  readonly assertBody: (kind: OrderIntent['kind'], body: string) => void;
  readonly clock: { now(): number; mono(): number };
  readonly newId: () => string;
  readonly changed: (record: IntentRecord) => void;
}

export interface Desk extends ByHand {
  review(intent: OrderIntent): Result<OrderReview>;
  send(token: string, release: string | null): Promise<Result<IntentRecord>>;
  discard(token: string): void;
  list(connectionId: string): readonly IntentRecord[];
  /** Brings back what a kill interrupted: `sending` is `unknown`, recorded but unsent is `not sent`. Once, at start. */
  recover(): Promise<void>;
}

interface Confirmation {
  readonly intent: OrderIntent;
  readonly body: string;
  readonly expiresAt: number;
}

export function createDesk(ports: DeskPorts): Desk {
  const { journal, clock } = ports;
  const confirmations = new Map<string, Confirmation>();
  /** Symbols with a POST in flight, per connection. */
  const inFlight = new Set<string>();

  const step = (event: Step['event'], text: string, extra: Partial<Step> = {}): Step => ({
    event,
    text,
    at: clock.now(),
    mono: clock.mono(),
    ...extra,
  });

  const heldBy = (connectionId: string, symbolId: string, side: string): string[] =>
    journal
      .list(connectionId)
      .filter((one) => one.symbolId === symbolId && one.side === side && isOpenQuestion(one.state))
      .map((one) => one.id);

  /** Everything that may refuse an order here; asked at review and again at send. */
  function refusal(intent: OrderIntent, connection: DeskConnection | null): Failure | null {
    if (connection === null) return NOT_OPEN;
    const { summary } = connection;
    if (ports.locked())
      return denied('Trading is locked.', 'Unlock trading in the top bar to send orders.', 'account');
    if (summary.settings.readOnly)
      return denied(
        `${summary.settings.name} is read-only.`,
        'Turn read-only off in the connection’s settings.',
        'account',
      );
    if (!summary.proven)
      return denied(
        'No signed read has succeeded on this connection yet.',
        'Run the connection test under Settings › Connections.',
        'account',
      );
    return requestFault(intent, summary, connection.contractIds()) ?? connection.stop(intent);
  }

  async function post(confirmation: Confirmation, connection: DeskConnection): Promise<Result<IntentRecord>> {
    const { intent, body } = confirmation;
    const { request } = intent;
    const id = ports.newId();
    ports.assertBody(intent.kind, body);
    try {
      // Both lines in one synced write: a record without `sending` was certainly not sent.
      const sending = await journal.write(
        id,
        [step('record', 'Written to the journal'), step('send', 'Sending')],
        {
          connectionId: intent.connectionId,
          connectionKind: connection.summary.kind,
          kind: intent.kind,
          symbolId: request.symbolId,
          side: request.side,
          type: request.type,
          path: ENDPOINTS.placeOrder.path,
          body,
          knownIds: connection.knownOrderIds(request.symbolId),
          clockOffsetMs: connection.clockOffsetMs(),
          position: connection.position(request.symbolId),
        },
      );
      ports.changed(sending);
    } catch (error) {
      return failed({
        kind: 'file',
        message: `The journal could not be written (${errorCode(error)}), so nothing was sent.`,
        next: 'Free some disk space or check the folder’s permissions, then review the order again.',
      });
    }
    const settled = await settle(id, outcomeStep(await connection.send('placeOrder', body, intent.kind)));
    return settled === null ? failed(unwritten(id)) : done(settled);
  }

  function outcomeStep(outcome: PostOutcome): Step {
    switch (outcome.outcome) {
      case 'accepted':
        return step('accept', `Accepted as order ${String(outcome.data)}`, { orderId: String(outcome.data) });
      case 'rejected':
        return step('reject', outcome.failure.message, { code: outcome.code, failure: outcome.failure });
      case 'not-sent':
        return step('fail-before-send', outcome.failure.message, { failure: outcome.failure });
      case 'unknown':
        return step('lose', outcome.failure.message, { failure: outcome.failure });
    }
  }

  /** Journals how a send ended; null when the disk refused, in which case the file still says `sending`. */
  async function settle(id: string, end: Step): Promise<IntentRecord | null> {
    try {
      const record = await journal.write(id, [end]);
      ports.changed(record);
      return record;
    } catch {
      return null;
    }
  }

  const unwritten = (id: string): Failure => ({
    kind: 'unknown',
    message: 'The order was sent, but its outcome could not be written to the journal.',
    next: `It counts as unknown (intent ${id}). Check Open orders and Order history; free some disk space.`,
  });

  return {
    review(intent) {
      const refused = refusal(intent, ports.connection(intent.connectionId));
      if (refused !== null) return failed(refused);
      const now = clock.now();
      for (const [token, old] of confirmations) if (old.expiresAt <= now) confirmations.delete(token);
      const token = ports.newId();
      const body = ports.encode(intent.request);
      const expiresAt = now + TOKEN_LIFE_MS;
      confirmations.set(token, { intent, body, expiresAt });
      return done({
        token,
        expiresAt,
        method: 'POST',
        path: ENDPOINTS.placeOrder.path,
        body,
        heldBy: heldBy(intent.connectionId, intent.request.symbolId, intent.request.side),
      });
    },

    async send(token, release) {
      const confirmation = confirmations.get(token);
      // Gone before anything is awaited: a second call with the same token finds nothing.
      confirmations.delete(token);
      if (confirmation === undefined || confirmation.expiresAt <= clock.now())
        return failed(
          denied('This confirmation was already used or has expired.', 'Review the order again.', 'order'),
        );
      const { intent } = confirmation;
      const connection = ports.connection(intent.connectionId);
      const refused = refusal(intent, connection);
      if (refused !== null || connection === null) return failed(refused ?? NOT_OPEN);
      const { symbolId, side } = intent.request;
      if (heldBy(intent.connectionId, symbolId, side).length > 0 && release !== symbolId)
        return failed(
          denied(
            `The outcome of an earlier ${symbolId} order on this side is unknown.`,
            `Type ${symbolId} to send another one, or settle the earlier one under Activity.`,
            'order',
          ),
        );
      const lane = `${intent.connectionId} ${symbolId}`;
      if (inFlight.has(lane))
        return failed(denied(`Another ${symbolId} order is being sent.`, 'Wait for its answer.', 'order'));
      inFlight.add(lane);
      try {
        return await post(confirmation, connection);
      } finally {
        inFlight.delete(lane);
      }
    },

    discard(token) {
      confirmations.delete(token);
    },

    ...createByHand({ journal, step, settle }),

    list: (connectionId) => journal.list(connectionId),

    async recover() {
      for (const record of journal.interrupted()) {
        if (record.state === 'sending')
          await settle(
            record.id,
            step('lose', 'Ballast ended before the answer came', { failure: interrupted }),
          );
        else await settle(record.id, step('abandon', 'Ballast ended before sending'));
      }
    },
  };
}

const interrupted: Failure = {
  kind: 'unknown',
  message: 'Ballast ended before the answer came, so the order may or may not exist.',
  next: 'Ballast looks for it in open orders and order history; close it here once you know.',
};

/** The system's code of a file error (`ENOSPC`); never its message, which may carry a path. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
