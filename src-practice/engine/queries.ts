/** The filters, limits and pages of the read endpoints. */
import type { OrderHistoryQuery, TradesQuery } from '../../src-shared/exchange-api/endpoints.ts';
import { orderSeq } from './orders.ts';
import type { Order, Trade } from './orders.ts';
import type { World } from './world.ts';

export type Ordering = 'asc' | 'desc' | 'none';

export interface OrderFilter extends OrderHistoryQuery {
  readonly limit: number;
}

export interface TradeFilter extends Omit<TradesQuery, 'pageNumber' | 'pageSize'> {
  /** Counted from 0. */
  readonly page: number;
  readonly pageSize: number;
}

interface Rows<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

/**
 * Orders rows (given oldest first) by `ordering`. `none` is an order no client can rely on: a fixed shuffle by
 * stride, the same for the same rows, so that pages still partition them.
 */
function arranged<T>(rows: Rows<T>, ordering: Ordering): (index: number) => T | undefined {
  const count = rows.length;
  if (ordering === 'asc') return (index) => rows.at(index);
  if (ordering === 'desc') return (index) => rows.at(count - 1 - index);
  const stride = coprime(count);
  return (index) => rows.at((index * stride) % count);
}

function coprime(count: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
  let stride = Math.max(1, Math.trunc(count * 0.382));
  while (count > 1 && divides(stride, count) !== 1) stride += 1;
  return stride;
}

function slice<T>(rows: Rows<T>, ordering: Ordering, from: number, size: number): T[] {
  const at = arranged(rows, ordering);
  const found: T[] = [];
  for (let i = from; i < Math.min(rows.length, from + size); i += 1) {
    const row = at(i);
    if (row !== undefined) found.push(row);
  }
  return found;
}

const matches = (order: Order, filter: OrderFilter): boolean =>
  (filter.symbolId === undefined || order.contract.symbolId === filter.symbolId) &&
  (filter.startTime === undefined || order.createdAt >= filter.startTime) &&
  (filter.endTime === undefined || order.createdAt <= filter.endTime);

/** Finds orders. Times filter by creation, both ends included. Stops at the limit where the row order allows it. */
export function findOrders(rows: Rows<Order>, filter: OrderFilter, ordering: Ordering): Order[] {
  const seq = filter.orderId === undefined ? null : orderSeq(filter.orderId);
  const at = arranged(rows, ordering === 'none' ? 'asc' : ordering);
  const enough = ordering === 'none' ? Infinity : filter.limit;
  const found: Order[] = [];
  for (let i = 0; i < rows.length && found.length < enough; i += 1) {
    const order = at(i);
    if (order && (seq === null || order.seq === seq) && matches(order, filter)) found.push(order);
  }
  return ordering === 'none' ? slice(found, ordering, 0, filter.limit) : found;
}

/** Newest orders that the list of open ones has, too, though they ended, where the exchange lists such. */
const ENDED = 20;

export function openOrders({ account: { open, orders } }: World, withEnded: boolean): Order[] {
  const newest = withEnded ? orders.since(Math.max(0, orders.length - ENDED)) : [];
  const ended = newest.filter(({ seq }) => !open.has(seq));
  return [...open.values(), ...ended].sort((a, b) => a.seq - b.seq);
}

export function findTrades(
  world: World,
  filter: TradeFilter,
  ordering: Ordering,
): { rows: Trade[]; total: number; pageCount: number } {
  const { trades, orders } = world.account;
  const { orderId, startTime = 0, endTime = Infinity, liquidity, side, symbol } = filter;
  const seq = orderId === undefined ? null : orderSeq(orderId);
  const order = seq === null ? null : orders.get(seq - 1);
  // Trades are ordered by time, and those of an order lie between its creation and its last change.
  const from = firstAt(trades, Math.max(startTime, order?.createdAt ?? 0));
  const to = firstAt(trades, Math.min(endTime, order?.changedAt ?? Infinity) + 1);
  const unfiltered = [orderId, liquidity, side, symbol].every((each) => each === undefined);
  const matchesTrade = (trade: Trade): boolean =>
    (seq === null || trade.orderSeq === seq) &&
    (liquidity === undefined || liquidity === (trade.taker ? 'TAKER' : 'MAKER')) &&
    (side === undefined || side === (trade.side === 1 ? 'BUY' : 'SELL')) &&
    (symbol === undefined || symbol === trade.contract.symbolId);
  const found = unfiltered ? between(trades, from, to) : matching(trades, from, to, matchesTrade);
  return {
    rows: slice(found, ordering, filter.page * filter.pageSize, filter.pageSize),
    total: found.length,
    pageCount: Math.ceil(found.length / filter.pageSize),
  };
}

/** Index of the first trade at `time` or later. */
function firstAt(trades: Rows<Trade>, time: number): number {
  let low = 0;
  let high = trades.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((trades.at(middle)?.time ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const between = (trades: Rows<Trade>, from: number, to: number): Rows<Trade> => ({
  length: Math.max(0, to - from),
  at: (index) => trades.at(from + index),
});

/** The indices of matching rows: a page decodes only the rows it shows. */
function matching(
  trades: Rows<Trade>,
  from: number,
  to: number,
  wanted: (trade: Trade) => boolean,
): Rows<Trade> {
  const found: number[] = [];
  for (let i = from; i < to; i += 1) {
    const trade = trades.at(i);
    if (trade && wanted(trade)) found.push(i);
  }
  return { length: found.length, at: (index) => trades.at(found[index] ?? -1) };
}
