/** The two ends of the order sync: what it asks the exchange, what it has the archive keep. */
import type { CoverageGap } from '../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { SetAside } from '../../src-shared/exchange-api/replies.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';

/** What the sync needs of the exchange's client. */
export interface OrderClient {
  orderHistory(query: OrderHistoryQuery): Promise<
    | {
        readonly ok: true;
        readonly data: readonly HistoryOrder[];
        /** `listed`: rows of the reply, those that the filter or their own fault left out included. */
        readonly meta: { readonly listed: number; readonly setAside?: readonly SetAside[] };
      }
    | { readonly ok: false; readonly failure: Failure }
  >;
  clockOffsetMs(): number | null;
}

export interface OrderStoreState {
  readonly stored: number;
  readonly unsettled: number;
  readonly gaps: number;
  readonly quarantined: number;
  readonly checkpoint: string | null;
}

/** What the sync needs of the archive. */
export interface OrderStore {
  orderState(): Promise<Result<OrderStoreState>>;
  /** Rows, gaps and checkpoint in one transaction; null: rows of no walk. */
  insertOrders(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
  ): Promise<Result<{ readonly added: number; readonly changed: number }>>;
  unsettledOrders(
    after: number,
    limit: number,
  ): Promise<Result<readonly { readonly seq: number; readonly id: string; readonly orderTime: number }[]>>;
  symbols(): Promise<Result<readonly string[]>>;
}
