/**
 * The order path: review → token → journal on disk → one POST → outcome → journal.
 *
 * No order is sent twice: a token is good for one send, the journal is synced before the first byte, no POST is
 * retried, and a missing reply is `unknown` and holds its symbol and side.
 */
import { denied, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord, JournalDamage, OrderIntent, OrderReview } from '../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../src-shared/exchange-api/endpoints.ts';
import { createBatchService, type BatchService } from './batch/service.ts';
import { createManualDecisions, type ManualDecisions } from './reconcile/manual.ts';
import type { OrderConnection, OrderPorts } from './send/ports.ts';
import type { Step } from './journal/lines.ts';
import {
  createSymbolLocks,
  heldFailure,
  holdsOf,
  NOT_OPEN,
  orderFailure,
  TOKEN_USED,
  tradingFailure,
} from './send/pre-trade-checks.ts';
import { createJournaledSend, headOf, outcomeStep } from './send/journaled-send.ts';
import { createTokens } from './send/tokens.ts';

export interface OrderService extends ManualDecisions, Omit<BatchService, 'discard'> {
  review(intent: OrderIntent): Result<OrderReview>;
  send(token: string, release: string | null): Promise<Result<IntentRecord>>;
  discard(token: string): void;
  list(connectionId: string): readonly IntentRecord[];
  /** Returns damaged journal lines that hold orders of the connection. */
  damage(connectionId: string): readonly JournalDamage[];
  /** Ends what a kill interrupted: `sending` becomes `unknown`, `recorded` becomes `not sent`. Call once, at start. */
  recover(): Promise<void>;
}

interface Confirmation {
  readonly intent: OrderIntent;
  readonly body: string;
}

export function createOrderService(ports: OrderPorts): OrderService {
  const { journal, clock } = ports;
  const confirmations = createTokens<Confirmation>(clock, ports.newId);
  const locks = createSymbolLocks();
  const journaled = createJournaledSend(ports);
  const batches = createBatchService(ports, locks, journaled);

  const preTradeFailure = (intent: OrderIntent, connection: OrderConnection): Failure | null =>
    tradingFailure(connection, ports.locked()) ?? orderFailure(intent, connection);

  async function post(
    { intent, body }: Confirmation,
    connection: OrderConnection,
  ): Promise<Result<IntentRecord>> {
    const id = ports.newId();
    ports.assertBody(intent.kind, body);
    const recorded = await journaled.record([{ id, head: headOf(intent, body, connection, 'placeOrder') }]);
    if (!recorded.ok) return recorded;
    const outcome = await journaled.post(connection, [id], 'placeOrder', body, intent.kind);
    const [record] = await journaled.end([id], outcomeStep(journaled, outcome));
    if (record === undefined) throw new Error('a send ended without a record');
    return done(record);
  }

  /** Returns null if the journal write fails. */
  async function writeEnd(id: string, end: Step): Promise<IntentRecord | null> {
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
      const blocked = preTradeFailure(intent, connection);
      if (blocked !== null) return failed(blocked);
      const body = ports.encode(intent.request);
      return done({
        ...confirmations.issue({ intent, body }),
        method: 'POST',
        path: ENDPOINTS.placeOrder.path,
        body,
        heldBy: holdsOf(journal, intent.connectionId, intent.request.symbolId, intent.request.side),
      });
    },

    async send(token, release) {
      // Consumed before anything is awaited, so that a second call with the same token finds nothing.
      const confirmation = confirmations.consume(token);
      if (confirmation === null) return failed(TOKEN_USED);
      const { connectionId, request } = confirmation.intent;
      const connection = ports.connection(connectionId);
      if (connection === null) return failed(NOT_OPEN);
      const blocked = preTradeFailure(confirmation.intent, connection);
      if (blocked !== null) return failed(blocked);
      const { symbolId, side } = request;
      const held = holdsOf(journal, connectionId, symbolId, side);
      if (release !== symbolId && held.length > 0) return failed(heldFailure(journal, held, symbolId));
      if (locks.tryLock(connectionId, [symbolId]) !== null)
        return failed(denied(`Another ${symbolId} order is being sent.`, 'Wait for the reply.', 'order'));
      try {
        return await post(confirmation, connection);
      } finally {
        locks.unlock(connectionId, [symbolId]);
      }
    },

    ...batches,
    discard(token) {
      confirmations.revoke(token);
      batches.discard(token);
    },

    ...createManualDecisions({ journal, clock, step: journaled.step, writeEnd }),

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
        await journaled.end(
          lost,
          journaled.step('lose', 'Ballast stopped before the reply arrived', { failure: INTERRUPTED }),
        );
      if (never.length > 0)
        await journaled.end(never, journaled.step('abandon', 'Ballast stopped before sending'));
    },
  };
}

const INTERRUPTED: Failure = {
  kind: 'unknown',
  message: 'Ballast stopped before the reply arrived. The order may or may not have been placed.',
  next: 'Ballast is searching open orders and order history for it. Once you know the outcome, dismiss it under Activity.',
};
