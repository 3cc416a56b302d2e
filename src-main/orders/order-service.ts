/**
 * The order path: review → token → journal on disk → one POST → outcome → journal.
 *
 * No order is sent twice: a token is good for one send, the journal is synced before the first byte, no POST is
 * retried, and a missing reply is `unknown` and holds its symbol and side.
 */
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent, OrderReview } from '../../src-shared/ipc/orders.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import { ENDPOINTS } from '../../src-shared/exchange-api/endpoints.ts';
import { BatchService } from './batch/service.ts';
import { ManualDecisions } from './reconcile/manual.ts';
import type { OrderConnection, OrderPorts } from './send/ports.ts';
import {
  anotherInFlight,
  heldFailure,
  holdsOf,
  NOT_OPEN,
  QUITTING,
  SymbolLocks,
  TOKEN_USED,
  tradingFailure,
} from './send/pre-trade-checks.ts';
import { headOf, JournaledSend } from './send/journaled-send.ts';
import { Tokens } from './send/tokens.ts';

interface Confirmation {
  readonly intent: OrderIntent;
  readonly body: string;
  readonly account: AccountIdentity;
}

/** Counts of what quitting would leave unfinished. */
export interface UnfinishedOrders {
  /** Orders of unknown outcome. */
  readonly unknown: number;
  /** Orders being sent. Quitting waits for them without asking. */
  readonly sending: number;
  /** Batches being sent. */
  readonly batches: number;
  /** Whether one of the batches closes positions. */
  readonly closing: boolean;
}

export class OrderService {
  readonly batches: BatchService;
  readonly decisions: ManualDecisions;
  readonly #ports: OrderPorts;
  readonly #locks = new SymbolLocks();
  readonly #journaled: JournaledSend;
  readonly #confirmations: Tokens<Confirmation>;
  #isEnded = false;

  constructor(given: OrderPorts) {
    const ports = { ...given, lockFailure: () => (this.#isEnded ? QUITTING : given.lockFailure()) };
    this.#ports = ports;
    this.#journaled = new JournaledSend(ports);
    this.#confirmations = new Tokens(ports.clock, ports.newId);
    this.batches = new BatchService(ports, this.#locks, this.#journaled);
    this.decisions = new ManualDecisions(ports, this.#journaled);
  }

  unfinished(): UnfinishedOrders {
    const { journal } = this.#ports;
    const batches = this.batches.sending();
    return {
      unknown: journal.unresolved().filter((one) => one.state === 'unknown').length,
      sending: journal.interrupted().length,
      batches: batches.length,
      closing: batches.some((one) => one.closing === true),
    };
  }
  isSending(): boolean {
    const { sending, batches } = this.unfinished();
    return sending + batches > 0;
  }

  /** Checks an order and returns its exact bytes with a token that sends them once; or fails with what blocks it. */
  review(intent: OrderIntent): Result<OrderReview> {
    const { connectionId, request } = intent;
    const connection = this.#ports.connection(connectionId);
    if (connection === null) return failed(NOT_OPEN);
    const blocked = this.#preTradeFailure(intent, connection);
    if (blocked !== null) return failed(blocked);
    const body = this.#ports.encode(request);
    return done({
      ...this.#confirmations.issue({ intent, body, account: connection.account() }),
      method: 'POST',
      path: ENDPOINTS.placeOrder.path,
      body,
      heldBy: holdsOf(this.#ports.journal, connectionId, request.symbolId, request.side),
    });
  }

  /** Checks again and sends once. `release`: the typed symbol, which sends although the symbol is held. */
  async send(token: string, release: string | null): Promise<Result<IntentRecord>> {
    // Consumed before anything is awaited, so that a second call with the same token finds nothing.
    const confirmation = this.#confirmations.consume(token);
    if (confirmation === null) return failed(TOKEN_USED);
    const { intent, account } = confirmation;
    const { connectionId, request } = intent;
    const connection = this.#ports.connection(connectionId);
    if (connection === null) return failed(NOT_OPEN);
    const blocked = this.#preTradeFailure(intent, connection, account);
    if (blocked !== null) return failed(blocked);
    const { symbolId, side } = request;
    const { journal } = this.#ports;
    const held = holdsOf(journal, connectionId, symbolId, side);
    if (release !== symbolId && held.length > 0) return failed(heldFailure(journal, held, symbolId));
    if (this.#locks.tryLock(connectionId, [symbolId]) !== null) return failed(anotherInFlight(symbolId));
    try {
      return await this.#post(confirmation, connection);
    } finally {
      this.#locks.unlock(connectionId, [symbolId]);
    }
  }

  /** Locks trading for good: the app is quitting and would not wait for a reply. */
  end(): void {
    this.#isEnded = true;
    this.batches.stopAll();
  }

  discard(token: string): void {
    this.#confirmations.revoke(token);
    this.batches.discard(token);
  }

  /** Ends what a kill interrupted: `sending` becomes `unknown`. Call once, at start. */
  async recover(): Promise<void> {
    const interrupted = this.#ports.journal.interrupted().map(({ id }) => id);
    if (interrupted.length === 0) return;
    const text = 'Ballast stopped before the reply arrived';
    await this.#journaled.end(interrupted, this.#journaled.step('lose', text, { failure: INTERRUPTED }));
  }

  #preTradeFailure(
    intent: OrderIntent,
    connection: OrderConnection,
    reviewed?: AccountIdentity,
  ): Failure | null {
    return (
      tradingFailure(connection, this.#ports.lockFailure(), reviewed) ?? connection.orderFailure(intent, 0)
    );
  }

  async #post({ intent, body }: Confirmation, connection: OrderConnection): Promise<Result<IntentRecord>> {
    const id = this.#ports.newId();
    this.#ports.assertBody(intent.kind, body);
    const head = headOf(intent, body, connection, 'placeOrder');
    const recorded = await this.#journaled.record([{ id, head }]);
    if (!recorded.ok) return recorded;
    const outcome = await this.#journaled.post(connection, [id], 'placeOrder', body, intent.kind);
    const [record] = await this.#journaled.end([id], this.#journaled.outcomeStep(outcome));
    if (record === undefined) throw new Error('a send ended without a record');
    return done(record);
  }
}

const INTERRUPTED: Failure = {
  kind: 'unknown',
  message: 'Ballast stopped before the reply arrived. The order may or may not have been placed.',
  next: 'Ballast is searching open orders and order history for it. Once you know the outcome, dismiss it under Activity.',
};
