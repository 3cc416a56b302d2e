/** Splits a batch into calls, with the exact bytes of each. */
import type { BatchIntent, BatchReview } from '../../../src-shared/ipc/batch.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { ENDPOINTS } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import type { OrderEndpoint } from '../../exchange/outcome.ts';

export interface PlannedRow {
  /** Index in the batch, from 0. */
  readonly row: number;
  readonly intent: OrderIntent;
  /** Id of the position it closes; null if it closes none. */
  readonly closes: string | null;
  /** Exact bytes of the row: the whole body, or its object in the call's array. */
  readonly body: string;
}

export interface PlannedCall {
  readonly endpoint: OrderEndpoint;
  readonly body: string;
  readonly rows: readonly PlannedRow[];
}

/** Returns a batch row as a single order, so that the same checks apply. */
export const rowIntent = (batch: BatchIntent, row: BatchIntent['rows'][number]): OrderIntent => ({
  connectionId: batch.connectionId,
  kind: row.closes !== undefined && row.request.quantity === undefined ? 'close-all' : 'order',
  request: row.request,
  reference: row.reference,
});

/** Returns the batch's calls in order. Throws what `encode` throws. */
export function planCalls(batch: BatchIntent, encode: (request: OrderRequest) => string): PlannedCall[] {
  const rows = batch.rows.map((one, row): PlannedRow => {
    const intent = rowIntent(batch, one);
    return { row, intent, closes: one.closes ?? null, body: encode(intent.request) };
  });
  const single = batch.callSize === 1;
  const calls: PlannedCall[] = [];
  for (let from = 0; from < rows.length; from += batch.callSize) {
    const own = rows.slice(from, from + batch.callSize);
    calls.push({
      endpoint: single ? 'placeOrder' : 'placeBatch',
      body: callBody(own, single),
      rows: own,
    });
  }
  return calls;
}

/** Joins a call's bytes from its rows, which are what the journal stores. */
export const callBody = (rows: readonly { readonly body: string }[], single: boolean): string => {
  const bodies = rows.map((one) => one.body).join(',');
  return single ? bodies : `[${bodies}]`;
};

export const reviewedCall = ({ endpoint, body, rows }: PlannedCall): BatchReview['calls'][number] => ({
  method: 'POST',
  path: ENDPOINTS[endpoint].path,
  body,
  rows: rows.map((one) => one.row),
});
