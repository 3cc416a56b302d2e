/** What the order path is handed: the journal, the connection an order goes to, clock and ids. */
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { OrderEndpoint, PostOutcome } from '../../exchange/outcome.ts';
import type { Journal } from '../journal/journal.ts';

/** What the desk may know of the connection an order goes to. */
export interface DeskConnection {
  readonly summary: ConnectionSummary;
  /** Sends exactly these bytes, once. */
  send(endpoint: OrderEndpoint, body: string, kind: OrderIntent['kind']): Promise<PostOutcome>;
  /** The account it leads to. */
  account(): AccountIdentity;
  /** Ids of the symbol's orders seen so far, open or past. */
  knownOrderIds(symbolId: string): readonly string[];
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
  /** The symbol's position as last read, in words; null when not known. */
  position(symbolId: string): string | null;
  /** Contract ids of the configuration, or null while it has not been read. */
  contractIds(): ReadonlySet<string> | null;
  /** Why nothing may be sent for a while, which the exchange asked for; null when it may. */
  paused(): Failure | null;
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
  readonly batchChanged: (progress: BatchProgress) => void;
}
