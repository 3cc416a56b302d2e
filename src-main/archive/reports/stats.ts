/** Exact results by coin from orders and trades: whole days from stored daily results, partial days from rows. */
import type { DatabaseSync } from 'node:sqlite';
import {
  add,
  calculated,
  divide,
  isZero,
  multiply,
  negate,
  print,
  printFixed,
  subtract,
  amount,
  ZERO,
  type Amount,
} from '../../../src-shared/amount.ts';
import { byText } from '../../../src-shared/by-text.ts';
import type { CoinAmount } from '../../../src-shared/domain/instrument/currencies.ts';
import { MAX_TIME } from '../../../src-shared/exchange-api/fields.ts';
import type {
  CoinResult,
  StatsBasis,
  StatsDaily,
  StatsQuery,
  StatsSummary,
} from '../../../src-shared/ipc/archive.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { AssetSums } from '../lib/decimal-sum.ts';
import {
  addTo,
  ALL_CONTRACTS,
  OrderDays,
  DAY_RESULT_COLUMNS,
  resultOfRow,
  addTotals,
  contractTotals,
  type PeriodResult,
  type ResultsByCoin,
} from '../orders/daily-results.ts';
import { leftOutByDay } from '../orders/left-out.ts';
import type { Part, TotalsReader } from '../trade-log/totals.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

export type StatsRange = Omit<StatsQuery, 'connectionId'>;
type CountBasis = Pick<StatsBasis, 'orders' | 'trades' | 'unsettled' | 'leftOut'>;
export type DailyStats = Omit<StatsDaily, 'basis'> & { readonly basis: CountBasis };
export type SummaryStats = Omit<StatsSummary, 'basis'> & { readonly basis: CountBasis };

/** Most cached results. */
const MAX_CACHED = 32;
const HUNDRED = amount('100');

const statementsOf = (db: DatabaseSync) => ({
  ownChanges: db.prepare('SELECT total_changes() AS own'),
  otherChanges: db.prepare('PRAGMA data_version'),
  days: db.prepare(
    `SELECT day, coin, ${DAY_RESULT_COLUMNS} FROM order_day WHERE day >= ? AND day <= ? AND symbol_id = ? ORDER BY day`,
  ),
  contracts: db.prepare(
    `SELECT symbol_id, coin, orders, wins, losses, gained, lost, fee FROM order_day
     WHERE day >= ? AND day <= ? AND symbol_id <> ${ALL_CONTRACTS}`,
  ),
  funding: db.prepare('SELECT day, symbol_id, coin, amount FROM funding_day WHERE day >= ? AND day <= ?'),
  nonFinal: db.prepare(`SELECT count(*) AS n FROM history_order INDEXED BY history_order_unsettled
    WHERE is_final = 0 AND mtime >= ? AND mtime <= ? AND (? IS NULL OR symbol_id = ?)`),
});

export class StatsReader {
  readonly #db: DatabaseSync;
  readonly #strings: StringTable;
  readonly #totals: TotalsReader;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #orderDays: OrderDays;
  /** Results by their request, until this connection or another one (an import) writes. */
  readonly #cache = new Map<string, DailyStats | SummaryStats>();
  #cachedAt = '';

  constructor(db: DatabaseSync, strings: StringTable, totals: TotalsReader) {
    this.#db = db;
    this.#strings = strings;
    this.#totals = totals;
    this.#sql = statementsOf(db);
    this.#orderDays = new OrderDays(db);
  }

  summary(range: StatsRange): SummaryStats {
    return this.#cached('summary', range, () => this.#summary(range));
  }

  /** Counts days at the range's edges completely. */
  daily(range: StatsRange): DailyStats {
    return this.#cached('daily', range, () => this.#daily(range));
  }

  #cached<T extends DailyStats | SummaryStats>(name: string, range: StatsRange, make: () => T): T {
    const { ownChanges, otherChanges } = this.#sql;
    const own = asInteger(ownChanges.get()?.['own']);
    const now = `${own} ${asInteger(otherChanges.get()?.['data_version'])}`;
    if (now !== this.#cachedAt || this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cachedAt = now;
    const key = JSON.stringify([name, range.from, range.to, range.symbol]);
    const known = this.#cache.get(key) ?? make();
    this.#cache.set(key, known);
    // The key's name decides the type.
    return known as T;
  }

  #summary(range: StatsRange): SummaryStats {
    const symbol = this.#symbolOf(range);
    const totals = this.#totals.of(tradesOf(range));
    const leftOut = leftOutByDay(this.#db, ...bounds(range), symbol);
    const funding = new Map<string, Amount>();
    this.#funding(range, (_day, coin, value) => addCoin(funding, coin, value));
    const found = [...this.#resultsIn(range)];
    const results = found.flatMap(([coin, parts]) => this.#coinResult(coin, parts, symbol) ?? []);
    const orders = results.reduce((sum, one) => sum + one.orders, 0);
    return {
      results: results.sort(byText(({ coin }) => coin)),
      fees: totals.fees,
      funding: coinAmounts(funding),
      basis: this.#basis(range, range, { orders, trades: totals.count }, leftOut),
    };
  }

  /** Returns a coin's result with its contracts; null without the result of `symbol`, or of all contracts. */
  #coinResult(
    coin: number,
    parts: ReadonlyMap<number, PeriodResult>,
    symbol: number | null,
  ): SummaryStats['results'][number] | null {
    const name = this.#strings.valueOf(coin);
    const whole = parts.get(symbol ?? ALL_CONTRACTS);
    if (whole === undefined) return null;
    const contracts = [...parts]
      .filter(([id]) => id !== ALL_CONTRACTS && (symbol === null || id === symbol))
      .map(([id, one]) => ({ symbol: this.#strings.valueOf(id), ...resultOf(name, one) }))
      .sort(byText((one) => one.symbol));
    return { ...resultOf(name, whole), ...ratesOf(whole), contracts };
  }

  /** Returns the results of the range by coin and contract. */
  #resultsIn(range: StatsRange): ResultsByCoin {
    const [from, to] = bounds(range);
    const first = Math.ceil(from / DAY_MS);
    const last = Math.floor((to + 1) / DAY_MS) - 1;
    const found: ResultsByCoin = new Map();
    if (first > last) {
      this.#orderDays.rows(from, to, found);
      return found;
    }
    if (from < first * DAY_MS) this.#orderDays.rows(from, first * DAY_MS - 1, found);
    const wanted = this.#symbolOf(range) ?? ALL_CONTRACTS;
    for (const row of this.#sql.days.iterate(first, last, wanted))
      addTo(found, asInteger(row['coin']), wanted, resultOfRow(row));
    // Single contracts need totals only, no drawdown.
    if (wanted === ALL_CONTRACTS)
      for (const one of contractTotals(this.#sql.contracts.iterate(first, last)))
        addTo(found, one.coin, one.symbol, one.result, addTotals);
    if (to >= (last + 1) * DAY_MS) this.#orderDays.rows((last + 1) * DAY_MS, to, found);
    return found;
  }

  #daily(range: StatsRange): DailyStats {
    const [from, to] = bounds(range);
    const [first, last] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)];
    const whole = { ...range, from: first * DAY_MS, to: Math.min(MAX_TIME, (last + 1) * DAY_MS - 1) };
    const symbol = this.#symbolOf(range);
    const days = new Days();
    let orders = 0;
    for (const row of this.#sql.days.iterate(first, last, symbol ?? ALL_CONTRACTS)) {
      const result = resultOfRow(row);
      orders += result.orders;
      const coin = this.#strings.valueOf(asInteger(row['coin']));
      days.of(asInteger(row['day'])).results.push(resultOf(coin, result));
    }
    let trades = 0;
    this.#totals.eachDay(tradesOf(whole), (part, time) => {
      days.addTrades(Math.floor(time / DAY_MS), part);
      trades += part.count;
    });
    this.#funding(range, (day, coin, value) => addCoin(days.of(day).funding, coin, value));
    const leftOut = leftOutByDay(this.#db, whole.from, whole.to, symbol);
    for (const [day, count] of leftOut) days.of(day).leftOut = count;
    return { days: days.list(), basis: this.#basis(range, whole, { orders, trades }, leftOut) };
  }

  #funding(range: StatsRange, take: (day: number, coin: string, value: Amount) => void): void {
    const [from, to] = bounds(range);
    const symbol = this.#symbolOf(range);
    for (const row of this.#sql.funding.iterate(Math.floor(from / DAY_MS), Math.floor(to / DAY_MS))) {
      if (symbol !== null && row['symbol_id'] !== symbol) continue;
      const coin = this.#strings.valueOf(asInteger(row['coin']));
      take(asInteger(row['day']), coin, calculated(asText(row['amount'])));
    }
  }

  /** @param counted the range whose trades are counted, of which `range` may be a part */
  #basis(
    range: StatsRange,
    counted: StatsRange,
    counts: Pick<CountBasis, 'orders' | 'trades'>,
    ordersLeftOut: ReadonlyMap<number, number>,
  ): CountBasis {
    const symbol = this.#symbolOf(range);
    const orders = [...ordersLeftOut.values()].reduce((sum, one) => sum + one, 0);
    const trades = this.#totals.leftOut(tradesOf(counted), FEE_FIELD);
    return {
      ...counts,
      unsettled: asInteger(this.#sql.nonFinal.get(...bounds(range), symbol, symbol)?.['n']),
      leftOut: { orders, trades },
    };
  }

  /** Returns the string id of the range's symbol; null means all, −1 an unknown one. */
  #symbolOf({ symbol }: StatsRange): number | null {
    return symbol === null ? null : (this.#strings.find(symbol) ?? -1);
  }
}

interface Day {
  readonly results: CoinResult[];
  readonly fees: AssetSums;
  trades: number;
  leftOut: number;
  readonly funding: Map<string, Amount>;
}

/** Collects what belongs to each UTC day, by its number. */
class Days {
  readonly #days = new Map<number, Day>();

  of(day: number): Day {
    const one = this.#days.get(day) ?? {
      results: [],
      fees: new AssetSums(),
      trades: 0,
      leftOut: 0,
      funding: new Map(),
    };
    this.#days.set(day, one);
    return one;
  }

  addTrades(day: number, { feeAsset, fee, count }: Part): void {
    const one = this.of(day);
    one.fees.add(feeAsset, fee);
    one.trades += count;
  }

  /** Oldest first. */
  list(): DailyStats['days'] {
    return [...this.#days]
      .sort(([a], [b]) => a - b)
      .map(([day, one]) => ({
        day: day * DAY_MS,
        results: one.results,
        fees: one.fees.list(),
        trades: one.trades,
        leftOut: one.leftOut,
        funding: coinAmounts(one.funding),
      }));
  }
}

const bounds = ({ from, to }: StatsRange): readonly [number, number] => [from ?? 0, to ?? MAX_TIME];
const FEE_FIELD = ['fee'] as const;
const tradesOf = ({ from, to, symbol }: StatsRange): TradeFilter => ({
  ...NO_FILTER,
  from,
  to,
  symbols: symbol === null ? [] : [symbol],
});

function addCoin(amounts: Map<string, Amount>, coin: string, value: Amount): void {
  amounts.set(coin, add(amounts.get(coin) ?? ZERO, value));
}
const coinAmounts = (amounts: ReadonlyMap<string, Amount>): CoinAmount[] =>
  [...amounts].sort(byText(([coin]) => coin)).map(([coin, value]) => ({ coin, amount: print(value) }));

const resultOf = (coin: string, one: PeriodResult): CoinResult => ({
  coin,
  orders: one.orders,
  wins: one.wins,
  losses: one.losses,
  grossProfit: print(one.grossProfit),
  grossLoss: print(one.grossLoss),
  profit: print(add(one.grossProfit, one.grossLoss)),
  fee: print(one.fee),
  net: print(subtract(add(one.grossProfit, one.grossLoss), one.fee)),
});

function ratesOf({ wins, losses, grossProfit, grossLoss, drawdown }: PeriodResult) {
  const decided = wins + losses;
  return {
    winRate:
      decided === 0
        ? null
        : printFixed(multiply(divide(amount(String(wins)), amount(String(decided))), HUNDRED), 2),
    profitFactor: isZero(grossLoss) ? null : printFixed(divide(grossProfit, negate(grossLoss)), 4),
    drawdown: print(drawdown),
  };
}
