/**
 * The order path, in one place: review → token → journal on disk → one POST → outcome → journal.
 *
 * Promise 1 of the product: no order is sent twice. A token is good for one send; the journal is synced before the
 * first byte; the poster never retries; a missing answer is `unknown` and holds its symbol and side.
 */
import { denied, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord, JournalDamage, OrderIntent, OrderReview } from '../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../src-shared/exchange-api/endpoints.ts';
import { createBatchDesk, type BatchDesk } from './batch/service.ts';
import { createByHand, type ByHand } from './reconcile/manual.ts';
import type { DeskConnection, DeskPorts } from './send/ports.ts';
import type { Step } from './journal/lines.ts';
import {
  createLanes,
  heldFailure,
  holding,
  NOT_OPEN,
  orderRefusal,
  SPENT,
  tradingRefusal,
} from './send/pre-trade-checks.ts';
import { createSending, headOf, outcomeStep } from './send/journaled-send.ts';
import { createTokens } from './send/tokens.ts';

export interface Desk extends ByHand, Omit<BatchDesk, 'discard'> {
  review(intent: OrderIntent): Result<OrderReview>;
  send(token: string, release: string | null): Promise<Result<IntentRecord>>;
  discard(token: string): void;
  list(connectionId: string): readonly IntentRecord[];
  /** Damaged lines of the journal that hold orders of the connection. */
  damage(connectionId: string): readonly JournalDamage[];
  /** Brings back what a kill interrupted: `sending` is `unknown`, recorded but unsent is `not sent`. Once, at start. */
  recover(): Promise<void>;
}

interface Confirmation {
  readonly intent: OrderIntent;
  readonly body: string;
}

export function createDesk(ports: DeskPorts): Desk {
  const { journal, clock } = ports;
  const confirmations = createTokens<Confirmation>(clock, ports.newId);
  const lanes = createLanes();
  const sending = createSending(ports);
  const batches = createBatchDesk(ports, lanes, sending);

  const refusal = (intent: OrderIntent, connection: DeskConnection): Failure | null =>
    tradingRefusal(connection, ports.locked()) ?? orderRefusal(intent, connection);

  async function post(
    { intent, body }: Confirmation,
    connection: DeskConnection,
  ): Promise<Result<IntentRecord>> {
    const id = ports.newId();
    ports.assertBody(intent.kind, body);
    const recorded = await sending.record([{ id, head: headOf(intent, body, connection, 'placeOrder') }]);
    if (!recorded.ok) return recorded;
    const outcome = await sending.post(connection, [id], 'placeOrder', body, intent.kind);
    const [settled] = await sending.end([id], outcomeStep(sending, outcome));
    if (settled === undefined) throw new Error('a send ended without a record');
    return done(settled);
  }

  /** Null when the journal would not take it. */
  async function settle(id: string, end: Step): Promise<IntentRecord | null> {
    try {
      const record = await journal.write(id, [end]);
      ports.changed(record);
      return record;
    } catch {
      return null;
    }
  }

  return {
    review(intent) {
      const connection = ports.connection(intent.connectionId);
      if (connection === null) return failed(NOT_OPEN);
      const refused = refusal(intent, connection);
      if (refused !== null) return failed(refused);
      const body = ports.encode(intent.request);
      return done({
        ...confirmations.open({ intent, body }),
        method: 'POST',
        path: ENDPOINTS.placeOrder.path,
        body,
        heldBy: holding(journal, intent.connectionId, intent.request.symbolId, intent.request.side),
      });
    },

    async send(token, release) {
      // Gone before anything is awaited: a second call with the same token finds nothing.
      const confirmation = confirmations.spend(token);
      if (confirmation === null) return failed(SPENT);
      const { connectionId, request } = confirmation.intent;
      const connection = ports.connection(connectionId);
      if (connection === null) return failed(NOT_OPEN);
      const refused = refusal(confirmation.intent, connection);
      if (refused !== null) return failed(refused);
      const { symbolId, side } = request;
      const held = holding(journal, connectionId, symbolId, side);
      if (release !== symbolId && held.length > 0) return failed(heldFailure(journal, held, symbolId));
      if (lanes.take(connectionId, [symbolId]) !== null)
        return failed(denied(`Another ${symbolId} order is being sent.`, 'Wait for its answer.', 'order'));
      try {
        return await post(confirmation, connection);
      } finally {
        lanes.free(connectionId, [symbolId]);
      }
    },

    ...batches,
    discard(token) {
      confirmations.drop(token);
      batches.discard(token);
    },

    ...createByHand({ journal, clock, step: sending.step, settle }),

    list: (connectionId) => journal.list(connectionId),
    damage: (connectionId) => journal.damage(connectionId),

    async recover() {
      const ids = (state: IntentRecord['state']): string[] =>
        journal
          .interrupted()
          .filter((one) => one.state === state)
          .map((one) => one.id);
      const lost = ids('sending');
      const never = ids('recorded');
      if (lost.length > 0)
        await sending.end(
          lost,
          sending.step('lose', 'Ballast ended before the answer came', { failure: interrupted }),
        );
      if (never.length > 0) await sending.end(never, sending.step('abandon', 'Ballast ended before sending'));
    },
  };
}

const interrupted: Failure = {
  kind: 'unknown',
  message: 'Ballast ended before the answer came, so the order may or may not exist.',
  next: 'Ballast looks for it in open orders and order history; close it here once you know.',
};
