/** The filters, limits and pages of the read endpoints. */
import { orderSeq } from './orders.ts';
import type { Order, Trade } from './orders.ts';
import type { World } from './world.ts';

export type Ordering = 'asc' | 'desc' | 'none';

export interface OrderFilter {
  readonly symbolId?: string;
  readonly orderId?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly limit: number;
}

export interface TradeFilter {
  readonly orderId?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly liquidity?: string;
  readonly side?: string;
  readonly symbol?: string;
  /** Counted from 0. */
  readonly page: number;
  readonly pageSize: number;
}

/**
 * Rows oldest first come out as `ordering` says. `none` is no order a client may lean on: a fixed shuffle by
 * stride, the same for the same rows, so that pages still partition them.
 */
function arranged<T>(rows: readonly T[], ordering: Ordering): (index: number) => T | undefined {
  const count = rows.length;
  if (ordering === 'asc') return (index) => rows[index];
  if (ordering === 'desc') return (index) => rows[count - 1 - index];
  const stride = coprime(count);
  return (index) => rows[(index * stride) % count];
}

function coprime(count: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
  let stride = Math.max(1, Math.trunc(count * 0.382));
  while (count > 1 && divides(stride, count) !== 1) stride += 1;
  return stride;
}

function slice<T>(rows: readonly T[], ordering: Ordering, from: number, size: number): T[] {
  const at = arranged(rows, ordering);
  const found: T[] = [];
  for (let i = from; i < Math.min(rows.length, from + size); i += 1) {
    const row = at(i);
    if (row !== undefined) found.push(row);
  }
  return found;
}

const fits = (order: Order, filter: OrderFilter): boolean =>
  (filter.symbolId === undefined || order.contract.symbolId === filter.symbolId) &&
  (filter.startTime === undefined || order.createdAt >= filter.startTime) &&
  (filter.endTime === undefined || order.createdAt <= filter.endTime);

/** Times filter by creation, both ends included. */
export function findOrders(rows: readonly Order[], filter: OrderFilter, ordering: Ordering): Order[] {
  const seq = filter.orderId === undefined ? null : orderSeq(filter.orderId);
  const found = rows.filter((order) => (seq === null || order.seq === seq) && fits(order, filter));
  return slice(found, ordering, 0, filter.limit);
}

export const openOrders = (world: World): Order[] =>
  [...world.account.open.values()].sort((a, b) => a.seq - b.seq);

export function findTrades(
  world: World,
  filter: TradeFilter,
  ordering: Ordering,
): { rows: Trade[]; total: number; pageCount: number } {
  const seq = filter.orderId === undefined ? null : orderSeq(filter.orderId);
  const { orderId, startTime, endTime, liquidity, side, symbol } = filter;
  const unfiltered = [orderId, startTime, endTime, liquidity, side, symbol].every(
    (each) => each === undefined,
  );
  const { trades } = world.account;
  const found = unfiltered
    ? trades
    : trades.filter(
        (trade) =>
          (seq === null || trade.orderSeq === seq) &&
          (startTime === undefined || trade.time >= startTime) &&
          (endTime === undefined || trade.time <= endTime) &&
          (liquidity === undefined || liquidity === (trade.taker ? 'TAKER' : 'MAKER')) &&
          (side === undefined || side === (trade.side === 1 ? 'BUY' : 'SELL')) &&
          (symbol === undefined || symbol === trade.contract.symbolId),
      );
  return {
    rows: slice(found, ordering, filter.page * filter.pageSize, filter.pageSize),
    total: found.length,
    pageCount: Math.ceil(found.length / filter.pageSize),
  };
}
