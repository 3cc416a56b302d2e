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
import type { CoinResult, StatsBasis, StatsDaily, StatsSummary } from '../../../src-shared/ipc/archive.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import type { DailyTotalsCache } from '../trades/daily-totals-cache.ts';
import { createDecimalSum, type DecimalSum } from '../lib/decimal-sum.ts';
import {
  addTo,
  ALL_CONTRACTS,
  createOrderDays,
  DAY_RESULT_COLUMNS,
  resultOfRow,
  addTotals,
  contractTotals,
  type PeriodResult,
  type ResultsByCoin,
} from '../orders/daily-results.ts';
import { createOrdersLeftOut } from '../orders/left-out.ts';
import { DAY_MS } from '../trades/daily-totals.ts';
import { leftOut, totalsOf } from '../trade-log/totals.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Inclusive bounds, ms. */
export interface StatsRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly symbol: string | null;
}
type CountBasis = Pick<StatsBasis, 'orders' | 'trades' | 'unsettled' | 'leftOut'>;
export type DailyStats = Omit<StatsDaily, 'basis'> & { readonly basis: CountBasis };
export type SummaryStats = Omit<StatsSummary, 'basis'> & { readonly basis: CountBasis };

export interface StatsReader {
  daily(range: StatsRange): DailyStats;
  summary(range: StatsRange): SummaryStats;
}

/** Most cached results. */
const MAX_CACHED = 32;
const HUNDRED = amount('100');
const END = 8_640_000_000_000_000;

/** `tradeTotals`: the worker's daily totals of trades. */
export function createStatsReader(
  db: DatabaseSync,
  strings: StringTable,
  tradeTotals: DailyTotalsCache,
): StatsReader {
  const readChanges = db.prepare('SELECT total_changes() AS own');
  const readOthers = db.prepare('PRAGMA data_version');
  // Results are cached until this connection or another one (an import) writes.
  const answers = new Map<string, DailyStats | SummaryStats>();
  let writtenAt = '';
  function cached<T extends DailyStats | SummaryStats>(name: string, range: StatsRange, make: () => T): T {
    const now = `${asInteger(readChanges.get()?.['own'])} ${asInteger(readOthers.get()?.['data_version'])}`;
    if (now !== writtenAt || answers.size >= MAX_CACHED) answers.clear();
    writtenAt = now;
    const key = JSON.stringify([name, range.from, range.to, range.symbol]);
    const known = answers.get(key) ?? make();
    answers.set(key, known);
    // The key's name decides the type.
    return known as T;
  }
  const ordersLeftOut = createOrdersLeftOut(db);
  const orderDays = createOrderDays(db);
  const readDays = db.prepare(
    `SELECT day, coin, ${DAY_RESULT_COLUMNS} FROM order_day WHERE day >= ? AND day <= ? AND symbol_id = ? ORDER BY day`,
  );
  const readContracts = db.prepare(
    `SELECT symbol_id, coin, orders, wins, losses, gained, lost, fee FROM order_day
     WHERE day >= ? AND day <= ? AND symbol_id <> ${ALL_CONTRACTS}`,
  );
  const readFunding = db.prepare(
    'SELECT day, symbol_id, coin, amount FROM funding_day WHERE day >= ? AND day <= ?',
  );
  const readUnsettled = db.prepare(`SELECT count(*) AS n FROM history_order INDEXED BY history_order_unsettled
    WHERE is_final = 0 AND mtime >= ? AND mtime <= ? AND (? IS NULL OR symbol_id = ?)`);

  const bounds = ({ from, to }: StatsRange): readonly [number, number] => [from ?? 0, to ?? END];
  /** Returns the string id of the range's symbol; null means all, −1 an unknown one. */
  const symbolOf = ({ symbol }: StatsRange): number | null =>
    symbol === null ? null : (strings.find(symbol) ?? -1);

  function funding(range: StatsRange, take: (day: number, coin: string, value: Amount) => void): void {
    const [from, to] = bounds(range);
    const symbol = symbolOf(range);
    for (const row of readFunding.iterate(Math.floor(from / DAY_MS), Math.floor(to / DAY_MS))) {
      if (symbol !== null && row['symbol_id'] !== symbol) continue;
      const coin = strings.valueOf(asInteger(row['coin']));
      take(asInteger(row['day']), coin, calculated(asText(row['amount'])));
    }
  }
  const unsettled = (range: StatsRange): number => {
    const symbol = symbolOf(range);
    return asInteger(readUnsettled.get(...bounds(range), symbol, symbol)?.['n']);
  };

  /** Counts trades of the range whose fee is excluded from totals. */
  const feesLeftOut = (range: StatsRange): number => leftOut(db, strings, tradesOf(range), FEE_FIELD);

  /** Returns the results of the range by coin and contract. */
  function resultsIn(range: StatsRange): ResultsByCoin {
    const [from, to] = bounds(range);
    const first = Math.ceil(from / DAY_MS);
    const last = Math.floor((to + 1) / DAY_MS) - 1;
    const found: ResultsByCoin = new Map();
    if (first > last) {
      orderDays.rows(from, to, found);
      return found;
    }
    if (from < first * DAY_MS) orderDays.rows(from, first * DAY_MS - 1, found);
    const wanted = symbolOf(range) ?? ALL_CONTRACTS;
    for (const row of readDays.iterate(first, last, wanted))
      addTo(found, asInteger(row['coin']), wanted, resultOfRow(row));
    // Single contracts need totals only, no drawdown.
    if (wanted === ALL_CONTRACTS)
      for (const one of contractTotals(readContracts.iterate(first, last)))
        addTo(found, one.coin, one.symbol, one.result, addTotals);
    if (to >= (last + 1) * DAY_MS) orderDays.rows((last + 1) * DAY_MS, to, found);
    return found;
  }

  const uncached: StatsReader = {
    summary(range) {
      const symbol = symbolOf(range);
      const totals = totalsOf(db, strings, tradesOf(range), tradeTotals);
      const unread = ordersLeftOut.byDay(...bounds(range), symbol);
      const paid = new Map<string, Amount>();
      funding(range, (_day, coin, value) => paid.set(coin, add(paid.get(coin) ?? ZERO, value)));
      let orders = 0;
      const results = [...resultsIn(range)].flatMap(([coin, parts]) => {
        const name = strings.valueOf(coin);
        const whole = parts.get(symbol ?? ALL_CONTRACTS);
        if (whole === undefined) return [];
        orders += whole.orders;
        const contracts = [...parts]
          .filter(([id]) => id !== ALL_CONTRACTS && (symbol === null || id === symbol))
          .map(([id, one]) => ({ symbol: strings.valueOf(id), ...resultOf(name, one) }))
          .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
        return [{ ...resultOf(name, whole), ...ratesOf(whole), contracts }];
      });
      return {
        results: results.sort((a, b) => (a.coin < b.coin ? -1 : 1)),
        fees: totals.fees,
        funding: sortedEntries(paid).map(([coin, value]) => ({ coin, amount: print(value) })),
        basis: {
          orders,
          trades: totals.count,
          unsettled: unsettled(range),
          leftOut: { orders: total(unread), trades: feesLeftOut(range) },
        },
      };
    },

    /** Counts days at the range's edges completely. */
    daily(range) {
      const [from, to] = bounds(range);
      const days = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)] as const;
      const symbol = symbolOf(range);
      const byDay = new Map<number, Day>();
      const dayOf = (day: number): Day => {
        const one = byDay.get(day) ?? {
          results: [],
          fees: new Map(),
          trades: 0,
          leftOut: 0,
          funding: new Map(),
        };
        byDay.set(day, one);
        return one;
      };
      let orders = 0;
      let trades = 0;
      for (const row of readDays.iterate(...days, symbol ?? ALL_CONTRACTS)) {
        const result = resultOfRow(row);
        orders += result.orders;
        dayOf(asInteger(row['day'])).results.push(resultOf(strings.valueOf(asInteger(row['coin'])), result));
      }
      tradeTotals.each(...days, (day, sum) => {
        if (symbol !== null && sum.symbol !== symbol) return;
        const one = dayOf(day);
        const asset = strings.valueOf(sum.feeAsset);
        const fee = one.fees.get(asset) ?? createDecimalSum();
        fee.add(sum.fee);
        one.fees.set(asset, fee);
        one.trades += sum.count;
        trades += sum.count;
      });
      funding(range, (day, coin, value) => {
        const one = dayOf(day);
        one.funding.set(coin, add(one.funding.get(coin) ?? ZERO, value));
      });
      const whole = { ...range, from: days[0] * DAY_MS, to: Math.min(END, (days[1] + 1) * DAY_MS - 1) };
      const unread = ordersLeftOut.byDay(whole.from, whole.to, symbol);
      for (const [day, count] of unread) dayOf(day).leftOut = count;
      return {
        days: [...byDay]
          .sort(([a], [b]) => a - b)
          .map(([day, one]) => ({
            day: day * DAY_MS,
            results: one.results,
            fees: sortedEntries(one.fees).map(([asset, fee]) => ({ asset, amount: fee.text() })),
            trades: one.trades,
            leftOut: one.leftOut,
            funding: sortedEntries(one.funding).map(([coin, value]) => ({ coin, amount: print(value) })),
          })),
        basis: {
          orders,
          trades,
          unsettled: unsettled(range),
          leftOut: { orders: total(unread), trades: feesLeftOut(whole) },
        },
      };
    },
  };
  return {
    summary: (range) => cached('summary', range, () => uncached.summary(range)),
    daily: (range) => cached('daily', range, () => uncached.daily(range)),
  };
}

interface Day {
  readonly results: CoinResult[];
  readonly fees: Map<string, DecimalSum>;
  trades: number;
  leftOut: number;
  readonly funding: Map<string, Amount>;
}

const total = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, one) => sum + one, 0);

const FEE_FIELD = ['fee'] as const;
const tradesOf = ({ from, to, symbol }: StatsRange): TradeFilter => ({
  ...NO_FILTER,
  from,
  to,
  symbols: symbol === null ? [] : [symbol],
});

const sortedEntries = <T>(sums: ReadonlyMap<string, T>): [string, T][] =>
  [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

const resultOf = (coin: string, one: PeriodResult): CoinResult => ({
  coin,
  orders: one.orders,
  wins: one.wins,
  losses: one.losses,
  gained: print(one.gained),
  lost: print(one.lost),
  profit: print(add(one.gained, one.lost)),
  fee: print(one.fee),
  net: print(subtract(add(one.gained, one.lost), one.fee)),
});

function ratesOf({ wins, losses, gained, lost, drawdown }: PeriodResult) {
  const decided = wins + losses;
  return {
    winRate:
      decided === 0
        ? null
        : printFixed(multiply(divide(amount(String(wins)), amount(String(decided))), HUNDRED), 2),
    profitFactor: isZero(lost) ? null : printFixed(divide(gained, negate(lost)), 4),
    drawdown: print(drawdown),
  };
}
