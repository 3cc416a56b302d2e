/** The outcome of a batch row: the sent order compared with the exchange's lists. */
import { amount, equal, isZero } from '../../../src-shared/amount.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { HISTORY_STATUS, OPEN_ORDER_STATUS, labelOf } from '../../../src-shared/exchange-api/enums.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';

/** An order as the newest list has it. */
export interface FoundOrder {
  readonly status: string;
  /** null where it could not be read. */
  readonly traded: string | null;
  readonly total: string | null;
  /** null while nothing of it traded. */
  readonly averagePrice: string | null;
  /** Differences from the sent order, as text; empty when there are none. */
  readonly differences: readonly string[];
}

/** A row of a sent batch. */
export interface SentRow {
  readonly key: string;
  /** Number of the row in the batch, from 1. */
  readonly place: number;
  /** null for an unsent row after a restart: unsent rows are not stored. */
  readonly request: OrderRequest | null;
  /** null for a row that was not recorded: never sent, as far as the journal is whole. */
  readonly intent: IntentRecord | null;
  /** Whether it has not been sent yet. */
  readonly waiting: boolean;
  readonly found: FoundOrder | null;
}

export interface Lists {
  readonly openOrders: readonly OpenOrder[];
  readonly history: readonly HistoryOrder[];
}

/** Returns the order `orderId` from the loaded lists; null if none has it. */
export function listedOrder(orderId: string, request: OrderRequest | null, lists: Lists): FoundOrder | null {
  const open = lists.openOrders.find((one) => one.orderId === orderId);
  const order = open ?? lists.history.find((one) => one.id === orderId);
  if (order === undefined) return null;
  const average = order.avgPrice;
  return {
    status: labelOf(open === undefined ? HISTORY_STATUS : OPEN_ORDER_STATUS, order.status),
    traded: order.tradeQuantity,
    total: order.totalQuantity,
    averagePrice: average === null || isZero(amount(average)) ? null : average,
    differences: request === null ? [] : differences(request, order),
  };
}

function differences(request: OrderRequest, order: OpenOrder | HistoryOrder): string[] {
  const texts: string[] = [];
  const number = (name: string, meant: string | undefined, is: string | null): void => {
    if (meant === undefined || is === null || is === '') return;
    if (!equal(amount(meant), amount(is))) texts.push(`${name} ${is} instead of ${meant}`);
  };
  if (request.side !== order.side) texts.push(`side ${order.side} instead of ${request.side}`);
  if (order.type !== '' && request.type !== order.type)
    texts.push(`type ${order.type} instead of ${request.type}`);
  if (request.type === 'LIMIT') number('price', request.price, order.price);
  number('quantity', request.quantity, order.totalQuantity);
  return texts;
}
