/**
 * Results of each UTC day, from the day's own rows: built anew in the transaction that changed one of them, so a sum
 * can never drift from what it sums. A day is kept so that days can be chained: with the height and depth the running
 * net result reached inside it, and its largest fall.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
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
import { createDecimalSum } from '../lib/decimal-sum.ts';
import { DAY_MS } from '../trades/daily-totals.ts';

/** symbol_id of all contracts together. */
export const ALL_CONTRACTS = 0;

/** A stretch of time in one coin. `peak`, `trough`: of the running net result, from 0 at its beginning. */
export interface Stretch {
  readonly orders: number;
  readonly wins: number;
  readonly losses: number;
  readonly gained: Amount;
  readonly lost: Amount;
  readonly fee: Amount;
  readonly net: Amount;
  readonly peak: Amount;
  readonly trough: Amount;
  readonly drawdown: Amount;
}
export const NO_STRETCH: Stretch = {
  orders: 0,
  wins: 0,
  losses: 0,
  gained: ZERO,
  lost: ZERO,
  fee: ZERO,
  net: ZERO,
  peak: ZERO,
  trough: ZERO,
  drawdown: ZERO,
};

/** `later` after `earlier`. The largest fall is in one of them, or from a height of the first to a depth of the second. */
export const chained = (earlier: Stretch, later: Stretch): Stretch => ({
  orders: earlier.orders + later.orders,
  wins: earlier.wins + later.wins,
  losses: earlier.losses + later.losses,
  gained: add(earlier.gained, later.gained),
  lost: add(earlier.lost, later.lost),
  fee: add(earlier.fee, later.fee),
  net: add(earlier.net, later.net),
  peak: larger(earlier.peak, add(earlier.net, later.peak)),
  trough: smaller(earlier.trough, add(earlier.net, later.trough)),
  drawdown: larger(
    larger(earlier.drawdown, later.drawdown),
    subtract(earlier.peak, add(earlier.net, later.trough)),
  ),
});

/** One filled order as a stretch; in the coin of its profit. */
function one(profit: Amount, fee: Amount): Stretch {
  const net = subtract(profit, fee);
  return {
    orders: 1,
    wins: isPositive(profit) ? 1 : 0,
    losses: isNegative(profit) ? 1 : 0,
    gained: isPositive(profit) ? profit : ZERO,
    lost: isNegative(profit) ? profit : ZERO,
    fee,
    net,
    peak: larger(ZERO, net),
    trough: smaller(ZERO, net),
    drawdown: larger(ZERO, subtract(ZERO, net)),
  };
}

/** Keyed by coin, then symbol (and `ALL_CONTRACTS`). */
export type Stretches = Map<number, Map<number, Stretch>>;

/** Sums alone, for what is not asked how it went: a third of the work of a chain. */
export const summed = (a: Stretch, b: Stretch): Stretch => ({
  ...NO_STRETCH,
  orders: a.orders + b.orders,
  wins: a.wins + b.wins,
  losses: a.losses + b.losses,
  gained: add(a.gained, b.gained),
  lost: add(a.lost, b.lost),
  fee: add(a.fee, b.fee),
});

export function addTo(
  into: Stretches,
  coin: number,
  symbol: number,
  later: Stretch,
  join: typeof chained = chained,
): void {
  const symbols = into.get(coin) ?? new Map<number, Stretch>();
  symbols.set(symbol, join(symbols.get(symbol) ?? NO_STRETCH, later));
  into.set(coin, symbols);
}

export interface OrderDays {
  /** Chains the rows last changed in [from, to] (ms), in the order of their changes. */
  rows(from: number, to: number, into: Stretches): void;
  /** Builds a day anew; inside the transaction that changed its rows. */
  rebuild(day: number): void;
}

export const DAY_STRETCH = 'orders, wins, losses, gained, lost, fee, net, peak, trough, drawdown';
/** Rows of `order_day` put together by contract and coin: their sums, without a chain. */
export function sumsOf(rows: Iterable<Record<string, SQLOutputValue>>) {
  const alike = Map.groupBy(rows, (row) => `${asInteger(row['symbol_id'])} ${asInteger(row['coin'])}`);
  return [...alike.values()].map((some) => {
    const count = (column: string): number => some.reduce((n, row) => n + asInteger(row[column]), 0);
    const total = (column: string): Amount => {
      const sum = createDecimalSum();
      for (const row of some) sum.add(asText(row[column]));
      return calculated(sum.text());
    };
    const stretch: Stretch = {
      ...NO_STRETCH,
      orders: count('orders'),
      wins: count('wins'),
      losses: count('losses'),
      gained: total('gained'),
      lost: total('lost'),
      fee: total('fee'),
    };
    return { symbol: asInteger(some[0]!['symbol_id']), coin: asInteger(some[0]!['coin']), stretch };
  });
}
export const stretchOf = (row: Record<string, SQLOutputValue>): Stretch => ({
  orders: asInteger(row['orders']),
  wins: asInteger(row['wins']),
  losses: asInteger(row['losses']),
  gained: calculated(asText(row['gained'])),
  lost: calculated(asText(row['lost'])),
  fee: calculated(asText(row['fee'])),
  net: calculated(asText(row['net'])),
  peak: calculated(asText(row['peak'])),
  trough: calculated(asText(row['trough'])),
  drawdown: calculated(asText(row['drawdown'])),
});

export function createOrderDays(db: DatabaseSync): OrderDays {
  const read = db.prepare(`SELECT symbol_id, lock_asset_id, fee_asset_id, profit, fee_amount, trade_quantity
    FROM history_order INDEXED BY history_order_by_change WHERE mtime >= ? AND mtime <= ? ORDER BY mtime, id`);
  const clear = db.prepare('DELETE FROM order_day WHERE day = ?');
  const put = db.prepare('INSERT INTO order_day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');

  function rows(from: number, to: number, into: Stretches): void {
    for (const row of read.iterate(from, to)) {
      if (isZero(amount(asText(row['trade_quantity'])))) continue;
      const coin = asInteger(row['lock_asset_id']);
      const feeCoin = asInteger(row['fee_asset_id']);
      const symbol = asInteger(row['symbol_id']);
      const profit = amount(asText(row['profit']));
      const fee = amount(asText(row['fee_amount']));
      // A fee in another coin is that coin's, not an order of it.
      const parts =
        coin === feeCoin
          ? [[coin, one(profit, fee)] as const]
          : [[coin, one(profit, ZERO)] as const, [feeCoin, { ...one(ZERO, fee), orders: 0 }] as const];
      for (const [each, stretch] of parts)
        for (const where of [symbol, ALL_CONTRACTS]) addTo(into, each, where, stretch);
    }
  }

  return {
    rows,
    rebuild(day) {
      const made: Stretches = new Map();
      rows(day * DAY_MS, (day + 1) * DAY_MS - 1, made);
      clear.run(day);
      for (const [coin, symbols] of made)
        for (const [symbol, { orders, wins, losses, ...sums }] of symbols) {
          const { gained, lost, fee, net, peak, trough, drawdown } = sums;
          const texts = [gained, lost, fee, net, peak, trough, drawdown].map(print);
          put.run(day, symbol, coin, orders, wins, losses, ...texts);
        }
    },
  };
}
