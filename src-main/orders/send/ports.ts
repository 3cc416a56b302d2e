/** Ports of the order path: journal, connection, clock, ids. */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { MonotonicClock } from '../../../src-shared/time.ts';
import type { OrderEndpoint, PostOutcome } from '../../exchange/outcome.ts';
import type { Journal } from '../journal/journal.ts';

/** The order service's view of the connection an order goes to. */
export interface OrderConnection {
  readonly summary: ConnectionSummary;
  /** Sends exactly these bytes, once. */
  send(endpoint: OrderEndpoint, body: string, kind: OrderIntent['kind']): Promise<PostOutcome>;
  /** Returns the account's identity. */
  account(): AccountIdentity;
  /** Returns the ids of the symbol's orders seen so far, open or past. */
  knownOrderIds(symbolId: string): readonly string[];
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
  /** Returns the symbol's position as last read, as text; null if unknown. */
  position(symbolId: string): string | null;
  /** Reports whether the position a request reduces may be open: false only if the account, as last read, lacks it. */
  mayHold(positionId: string, request: OrderRequest): boolean;
  /** Returns the rate limit that blocks sends now, or null. */
  pauseFailure(): Failure | null;
  /**
   * Returns the first rule the order breaks, shape and fat-finger limits included, or null. `ahead`: opening orders that
   * go before it and are not in the journal yet.
   */
  orderFailure(intent: OrderIntent, ahead: number): Failure | null;
}

export interface OrderPorts {
  readonly journal: Journal;
  readonly connection: (id: string) => OrderConnection | null;
  /** Returns why no order may be sent at all; null where trading is unlocked. */
  readonly lockFailure: () => Failure | null;
  readonly encode: (request: OrderRequest) => string;
  /** Asserts on the exact bytes that a close-all has no quantity and every other order has one. Throws. */
  readonly assertBody: (kind: OrderIntent['kind'], body: string) => void;
  readonly clock: MonotonicClock;
  readonly newId: () => string;
  readonly changed: (record: IntentRecord) => void;
  readonly batchChanged: (progress: BatchProgress) => void;
}
