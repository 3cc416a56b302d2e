/**
 * Sums the trade log by contract, day or month, exactly and per pair of coins. Whole UTC days come from the daily
 * totals, everything else from the column cache; closed PnL from the order history, by an order's last fill.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  amount,
  calculated,
  divide,
  isPositive,
  multiply,
  print,
  round,
  subtract,
} from '../../../src-shared/amount.ts';
import type { GroupContract, SumGroup, TradeSums } from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { closingOrders, type ClosingOrder } from '../export/closing-orders.ts';
import { DecimalSum } from '../lib/decimal-sum.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { storedId } from '../trades/codec.ts';
import type { DailyTotalsCache } from '../trades/daily-totals-cache.ts';
import type { TradeColumns } from './column-cache.ts';
import { createPeriods, isUtc, type Period } from './periods.ts';
import type { TradeViews } from './sorted-views.ts';
import { eachDay, leftOutByTime, partsOfView, type Part } from './totals.ts';
import type { UncoveredTrades } from './uncovered-trades.ts';

export interface SumQuery {
  readonly by: SumGroup['kind'];
  readonly filter: TradeFilter;
  readonly zone: string;
  readonly contracts: readonly GroupContract[];
}
export interface SumGroups {
  readonly rows: readonly SumGroup[];
  readonly totals: readonly TradeSums[];
}
interface SumPorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly columns: TradeColumns;
  readonly views: TradeViews;
  readonly days: DailyTotalsCache;
  readonly uncovered: UncoveredTrades;
}

const BASIS_POINTS = amount('10000');

/** Accumulates one group; its contracts have the same coins. */
class Sums {
  trades = 0;
  makers = 0;
  uncovered = 0;
  leftOutTrades = 0;
  leftOutOrders = 0;
  open = 0;
  /** Whether a closed order's coin differs from its contract's. */
  otherCoin = false;
  readonly symbols = new Set<string>();
  readonly volume = new DecimalSum();
  /** Volume in the margin coin: base quantities of an inverse contract. */
  readonly turnover = new DecimalSum();
  readonly pnl = new DecimalSum();
  readonly fees = new Map<string, DecimalSum>();
  readonly contract: GroupContract | null;

  constructor(contract: GroupContract | null) {
    this.contract = contract;
  }

  add({ count, symbol, liquidity, feeAsset, qty, quote, fee }: Part): void {
    this.trades += count;
    if (liquidity === 'MAKER') this.makers += count;
    this.symbols.add(symbol);
    this.volume.add(quote);
    this.turnover.add(this.contract?.inverse === true ? qty : quote);
    const sum = this.fees.get(feeAsset) ?? new DecimalSum();
    sum.add(fee);
    this.fees.set(feeAsset, sum);
  }

  close(symbol: string, { coin, profit, isFinal }: ClosingOrder): void {
    this.symbols.add(symbol);
    if (coin !== this.contract?.margin) this.otherCoin = true;
    this.pnl.add(profit);
    if (!isFinal) this.open += 1;
  }

  /** Returns the totals. `known`: whether the filter allows closed PnL. */
  result(known: boolean): TradeSums {
    const coin = this.contract?.margin ?? null;
    const unknown = !known
      ? 'filter'
      : coin === null || this.otherCoin
        ? 'unit'
        : this.uncovered > 0
          ? 'orders'
          : null;
    const fees = [...this.fees]
      .map(([asset, sum]) => ({ asset, amount: sum.text() }))
      .sort((a, b) => (a.asset === coin ? -1 : b.asset === coin ? 1 : a.asset < b.asset ? -1 : 1));
    const own = fees.find(({ asset }) => asset === coin)?.amount ?? '0';
    const pnl = unknown === null ? this.pnl.text() : null;
    const net = pnl === null ? null : print(subtract(calculated(pnl), calculated(own)));
    return {
      coin,
      quote: this.contract?.quote ?? null,
      trades: this.trades,
      makers: this.makers,
      symbols: [...this.symbols].sort(),
      volume: this.volume.text(),
      fees,
      pnl,
      net,
      bp: net === null ? null : basisPoints(net, this.turnover.text()),
      unknown,
      uncovered: this.uncovered,
      leftOut: { trades: this.leftOutTrades, orders: this.leftOutOrders },
      open: this.open,
    };
  }
}

const basisPoints = (net: string, turnover: string): string | null =>
  isPositive(calculated(turnover))
    ? print(round(divide(multiply(calculated(net), BASIS_POINTS), calculated(turnover)), 1, 'half-up'))
    : null;

/** Accumulates all groups and the total of each pair of coins. */
class SumBook {
  readonly groups = new Map<
    string,
    { readonly key: string; readonly period: Period | null; readonly sums: Sums }
  >();
  readonly totals = new Map<string, Sums>();
  readonly #contracts: ReadonlyMap<string, GroupContract>;

  constructor(contracts: readonly GroupContract[]) {
    this.#contracts = new Map(contracts.map((one) => [one.symbol, one]));
  }

  /** Returns a trade's group and total. An unlisted symbol is its own unit. */
  of(symbol: string, period: Period | null): readonly [Sums, Sums] {
    const contract = this.#contracts.get(symbol) ?? null;
    const unit = contract === null ? `? ${symbol}` : `${contract.margin} ${contract.quote}`;
    const key = period?.key ?? symbol;
    const name = JSON.stringify([key, unit]);
    const group = this.groups.get(name) ?? { key, period, sums: new Sums(contract) };
    const total = this.totals.get(unit) ?? new Sums(contract);
    this.groups.set(name, group);
    this.totals.set(unit, total);
    return [group.sums, total];
  }
  add(part: Part, period: Period | null): void {
    for (const sums of this.of(part.symbol, period)) sums.add(part);
  }
  symbols(): ReadonlySet<string> {
    return new Set([...this.totals.values()].flatMap(({ symbols }) => [...symbols]));
  }
}
type PeriodOf = (time: number) => Period | null;

export function* sumGroups(
  ports: SumPorts,
  query: SumQuery,
  stored: number,
): Generator<number | undefined, SumGroups> {
  const { by, filter, zone, contracts } = query;
  const { strings, views, uncovered } = ports;
  const periodOf: PeriodOf = by === 'contract' ? () => null : createPeriods(zone, by);
  const book = new SumBook(contracts);
  yield* addTrades(ports, query, periodOf, stored, book);
  for (const { symbol, time, count } of leftOutByTime(ports.db, strings, filter))
    for (const sums of book.of(symbol, periodOf(time))) sums.leftOutTrades += count;
  yield 0.5;
  const isKnown = yield* addClosed(ports, filter, periodOf, book);
  yield 0.75;
  if (isKnown)
    for (const { symbol, time, count } of yield* uncovered.of(yield* views.inTime(filter, stored)))
      for (const sums of book.of(strings.valueOf(symbol), periodOf(time))) sums.uncovered += count;
  return {
    rows: [...book.groups.values()].map(({ key, period, sums }) => ({
      kind: by,
      key,
      from: period?.from ?? filter.from,
      to: period?.to ?? filter.to,
      ...sums.result(isKnown),
    })),
    totals: [...book.totals.values()]
      .map((sums) => sums.result(isKnown))
      .sort((a, b) => b.trades - a.trades || (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

/** Adds whole UTC days from their totals, everything else from the column cache. */
function* addTrades(
  { db, strings, columns, views, days }: SumPorts,
  { by, filter, zone }: SumQuery,
  periodOf: PeriodOf,
  stored: number,
  book: SumBook,
): Generator<number | undefined, void> {
  const daysFit = by === 'contract' || isUtc(zone);
  if (daysFit && eachDay(db, strings, filter, days, (part, time) => book.add(part, periodOf(time)))) return;
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
  const orders = closingOrders(db, strings, filter, 'all');
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

const nameOf = ({ coin, quote, symbols }: TradeSums): string => `${coin ?? symbols.join()} ${quote ?? ''}`;
