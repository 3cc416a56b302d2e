/**
 * Results per UTC day, rebuilt from the day's rows in the transaction that changes one of them. Each has the peak and
 * trough of the running net result and the largest drawdown, so that days can be chained to longer periods.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  add,
  amount,
  calculated,
  isNegative,
  isPositive,
  isZero,
  larger,
  print,
  smaller,
  subtract,
  ZERO,
  type Amount,
} from '../../../src-shared/amount.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { grossOfRow, PROFIT_COLUMNS, profitConvention } from './gross-profit.ts';
import { NO_PROFIT } from './left-out.ts';
import { DecimalSum } from '../lib/decimal-sum.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

/** symbol_id of all contracts together. */
export const ALL_CONTRACTS = 0;

/** Result of a period in one coin. `peak`, `trough`: of the running net result, which starts at 0. */
export interface PeriodResult {
  readonly orders: number;
  readonly wins: number;
  readonly losses: number;
  readonly grossProfit: Amount;
  readonly grossLoss: Amount;
  readonly fee: Amount;
  readonly net: Amount;
  readonly peak: Amount;
  readonly trough: Amount;
  readonly drawdown: Amount;
}
const NO_RESULT: PeriodResult = {
  orders: 0,
  wins: 0,
  losses: 0,
  grossProfit: ZERO,
  grossLoss: ZERO,
  fee: ZERO,
  net: ZERO,
  peak: ZERO,
  trough: ZERO,
  drawdown: ZERO,
};

/** Joins two consecutive periods. The drawdown is inside one, or from the first's peak to the second's trough. */
export const chain = (earlier: PeriodResult, later: PeriodResult): PeriodResult => ({
  ...addTotals(earlier, later),
  net: add(earlier.net, later.net),
  peak: larger(earlier.peak, add(earlier.net, later.peak)),
  trough: smaller(earlier.trough, add(earlier.net, later.trough)),
  drawdown: larger(
    larger(earlier.drawdown, later.drawdown),
    subtract(earlier.peak, add(earlier.net, later.trough)),
  ),
});

/** Returns the result of one filled order, in the coin of its profit. */
function one(profit: Amount, fee: Amount): PeriodResult {
  const net = subtract(profit, fee);
  return {
    orders: 1,
    wins: isPositive(profit) ? 1 : 0,
    losses: isNegative(profit) ? 1 : 0,
    grossProfit: isPositive(profit) ? profit : ZERO,
    grossLoss: isNegative(profit) ? profit : ZERO,
    fee,
    net,
    peak: larger(ZERO, net),
    trough: smaller(ZERO, net),
    drawdown: larger(ZERO, subtract(ZERO, net)),
  };
}

/** Keyed by coin, then symbol (and `ALL_CONTRACTS`). */
export type ResultsByCoin = Map<number, Map<number, PeriodResult>>;

/** Adds totals without peak, trough and drawdown: a third of the work of `chain`. */
export const addTotals = (a: PeriodResult, b: PeriodResult): PeriodResult => ({
  ...NO_RESULT,
  orders: a.orders + b.orders,
  wins: a.wins + b.wins,
  losses: a.losses + b.losses,
  grossProfit: add(a.grossProfit, b.grossProfit),
  grossLoss: add(a.grossLoss, b.grossLoss),
  fee: add(a.fee, b.fee),
});

/** Joins a result to the one of its coin and contract, in place. `join`: `chain` in order of time, or `addTotals`. */
export function addTo(
  into: ResultsByCoin,
  coin: number,
  symbol: number,
  later: PeriodResult,
  join: typeof chain = chain,
): void {
  const symbols = into.get(coin) ?? new Map<number, PeriodResult>();
  symbols.set(symbol, join(symbols.get(symbol) ?? NO_RESULT, later));
  into.set(coin, symbols);
}

export const DAY_RESULT_COLUMNS = 'orders, wins, losses, gained, lost, fee, net, peak, trough, drawdown';
/** Returns the values of `DAY_RESULT_COLUMNS`. */
export const resultValues = ({
  orders,
  wins,
  losses,
  ...sums
}: PeriodResult): readonly (number | string)[] => {
  const { grossProfit, grossLoss, fee, net, peak, trough, drawdown } = sums;
  const amounts = [grossProfit, grossLoss, fee, net, peak, trough, drawdown];
  return [orders, wins, losses, ...amounts.map(print)];
};
/** Returns totals of `order_day` rows by contract and coin. */
export function contractTotals(rows: Iterable<Record<string, SQLOutputValue>>) {
  const alike = Map.groupBy(rows, (row) => `${asInteger(row['symbol_id'])} ${asInteger(row['coin'])}`);
  return [...alike.values()].map((some) => {
    const count = (column: string): number => some.reduce((n, row) => n + asInteger(row[column]), 0);
    const total = (column: string): Amount => {
      const sum = new DecimalSum();
      for (const row of some) sum.add(asText(row[column]));
      return calculated(sum.text());
    };
    const result: PeriodResult = {
      ...NO_RESULT,
      orders: count('orders'),
      wins: count('wins'),
      losses: count('losses'),
      grossProfit: total('gained'),
      grossLoss: total('lost'),
      fee: total('fee'),
    };
    return { symbol: asInteger(some[0]!['symbol_id']), coin: asInteger(some[0]!['coin']), result };
  });
}
/** Returns the result that a row with `DAY_RESULT_COLUMNS` stores. */
export const resultOfRow = (row: Record<string, SQLOutputValue>): PeriodResult => ({
  orders: asInteger(row['orders']),
  wins: asInteger(row['wins']),
  losses: asInteger(row['losses']),
  grossProfit: calculated(asText(row['gained'])),
  grossLoss: calculated(asText(row['lost'])),
  fee: calculated(asText(row['fee'])),
  net: calculated(asText(row['net'])),
  peak: calculated(asText(row['peak'])),
  trough: calculated(asText(row['trough'])),
  drawdown: calculated(asText(row['drawdown'])),
});

/** Reads and rebuilds the stored results of days. */
export class OrderDays {
  readonly #db: DatabaseSync;
  readonly #read: StatementSync;
  readonly #clear: StatementSync;
  readonly #put: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#read =
      db.prepare(`SELECT o.symbol_id, o.fee_asset_id, o.trade_quantity, ${NO_PROFIT} AS unread, ${PROFIT_COLUMNS}
      FROM history_order AS o INDEXED BY history_order_by_change WHERE mtime >= ? AND mtime <= ? ORDER BY mtime, id`);
    this.#clear = db.prepare('DELETE FROM order_day WHERE day = ?');
    this.#put = db.prepare('INSERT INTO order_day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Chains the rows last changed in [from, to] (ms) into `into`, by time of change. */
  rows(from: number, to: number, into: ResultsByCoin): void {
    const convention = profitConvention(this.#db);
    for (const row of this.#read.iterate(from, to)) {
      if (isZero(amount(asText(row['trade_quantity'])))) continue;
      const coin = asInteger(row['profit_coin']);
      const feeCoin = asInteger(row['fee_asset_id']);
      const symbol = asInteger(row['symbol_id']);
      // Its fee alone must not make it a win.
      const profit = row['unread'] === 1 ? ZERO : calculated(grossOfRow(row, convention));
      const fee = amount(asText(row['fee_amount']));
      // A fee in another coin counts there, without an order.
      const parts =
        coin === feeCoin
          ? [[coin, one(profit, fee)] as const]
          : [[coin, one(profit, ZERO)] as const, [feeCoin, { ...one(ZERO, fee), orders: 0 }] as const];
      for (const [each, result] of parts)
        for (const where of [symbol, ALL_CONTRACTS]) addTo(into, each, where, result);
    }
  }

  /** Rebuilds a day. Requires the transaction that changed its rows. */
  rebuild(day: number): void {
    const made: ResultsByCoin = new Map();
    this.rows(day * DAY_MS, (day + 1) * DAY_MS - 1, made);
    this.#clear.run(day);
    for (const [coin, symbols] of made)
      for (const [symbol, result] of symbols) this.#put.run(day, symbol, coin, ...resultValues(result));
  }
}
