/** Ports of the order sync: the exchange's client and the archive. */
import type { CoverageGap } from '../../src-shared/ipc/archive.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';

/** What the sync needs of the exchange's client. */
export interface OrderClient {
  orderHistory(
    query: OrderHistoryQuery,
  ): Promise<ReadResult<readonly HistoryOrder[], Pick<ReadMeta, 'listed' | 'unreadable'>>>;
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
  /** Stores rows, gaps and checkpoint in one transaction; a null checkpoint means the rows belong to no pass. */
  insertOrders(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
  ): Promise<Result<{ readonly added: number; readonly changed: number }>>;
  nonFinalOrders(
    after: number,
    limit: number,
  ): Promise<Result<readonly { readonly seq: number; readonly id: string; readonly orderTime: number }[]>>;
  symbols(): Promise<Result<readonly string[]>>;
}
