/**
 * Sums the trade log by contract, day or month, exactly and per pair of coins. Whole UTC days come from the daily
 * totals, everything else from the column cache; closed PnL from the order history, by an order's last fill. Sums of
 * round trips by tag: `tag-groups.ts`.
 */
import type { SumGroup, TradeGroupsQuery } from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { closingOrders, type ClosingOrder } from '../export/closing-orders.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { storedId } from '../sqlite/ids.ts';
import type { TradePorts } from './group-sorts.ts';
import { createPeriods, isUtc, type Period } from './periods.ts';
import { SumBook, type SumGroups } from './sum-book.ts';
import { partsOfView, type TotalsReader } from './totals.ts';
import type { OrderColumns } from './order-columns.ts';
import { uncoveredTrades } from './uncovered-trades.ts';

export type SumQuery = Pick<TradeGroupsQuery, 'filter' | 'zone' | 'contracts'> & {
  readonly by: Exclude<SumGroup['kind'], 'tag'>;
};
interface SumPorts extends TradePorts {
  readonly totals: TotalsReader;
  readonly orders: OrderColumns;
}

type PeriodOf = (time: number) => Period | null;

export function* sumGroups(
  ports: SumPorts,
  query: SumQuery,
  stored: number,
): Generator<number | undefined, SumGroups> {
  const { by, filter, zone, contracts } = query;
  const { db, strings, views, totals, orders } = ports;
  const periodOf: PeriodOf = by === 'contract' ? () => null : createPeriods(zone, by);
  const book = new SumBook(contracts);
  yield* addTrades(ports, query, periodOf, stored, book);
  for (const { symbol, time, count } of totals.leftOutByTime(filter))
    for (const sums of book.of(symbol, periodOf(time))) sums.leftOutTrades += count;
  yield 0.5;
  const isKnown = yield* addClosed(ports, filter, periodOf, book);
  yield 0.75;
  if (isKnown) {
    const rows = yield* views.inTime(filter, stored);
    for (const { symbol, time, count } of yield* uncoveredTrades(db, orders, rows))
      for (const sums of book.of(strings.valueOf(symbol), periodOf(time))) sums.uncovered += count;
  }
  return book.result(by, filter, isKnown);
}

/** Adds whole UTC days from their totals, everything else from the column cache. */
function* addTrades(
  { strings, columns, views, totals }: SumPorts,
  { by, filter, zone }: SumQuery,
  periodOf: PeriodOf,
  stored: number,
  book: SumBook,
): Generator<number | undefined, void> {
  const daysFit = by === 'contract' || isUtc(zone);
  if (daysFit && totals.eachDay(filter, (part, time) => book.add(part, periodOf(time)))) return;
  const rows = yield* views.inTime(filter, stored);
  const periods: (Period | null)[] = [];
  const numberOf = (time: number): number => {
    const period = periodOf(time);
    if (periods.length === 0 || periods.at(-1) !== period) periods.push(period);
    return periods.length - 1;
  };
  for (const { period, ...part } of yield* partsOfView({ rows, stored }, columns, strings, numberOf))
    book.add(part, periods[period] ?? null);
}

/** Adds closed PnL. Returns false if the filter selects single fills, so that PnL is unknown. */
function* addClosed(
  { db, strings }: SumPorts,
  filter: TradeFilter,
  periodOf: PeriodOf,
  book: SumBook,
): Generator<undefined, boolean> {
  const orders = closingOrders(db, strings, filter, { which: 'all' });
  if (orders === null) return false;
  const symbolOf = db.prepare(
    'SELECT symbol FROM trade INDEXED BY trade_by_order WHERE order_id = ? LIMIT 1',
  );
  const traded = book.symbols();
  /** Returns the symbol as its trades spell it. */
  const tradedAs = ({ id, symbol }: Pick<ClosingOrder, 'id' | 'symbol'>): string => {
    const found = traded.has(symbol) ? undefined : symbolOf.get(storedId(id))?.['symbol'];
    return found === undefined ? symbol : strings.valueOf(asInteger(found));
  };
  for (const order of orders.unread)
    for (const sums of book.of(tradedAs(order), periodOf(order.time))) sums.leftOutOrders += 1;
  for (let some = orders.next(); some !== null; some = orders.next()) {
    for (const order of some) {
      const symbol = tradedAs(order);
      for (const sums of book.of(symbol, periodOf(order.time))) sums.close(symbol, order);
    }
    yield;
  }
  return true;
}
