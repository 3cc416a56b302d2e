/**
 * The sums by day in memory, with sums of 32 days and of everything above them: counts and totals of any words and
 * times read a few dozen of them, and a page at any depth finds its day without walking to it.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { add, calculated, type Amount } from '../../src-shared/amount.ts';
import { asInteger, asText } from './columns.ts';
import { DAY_MS } from './trade-days.ts';

export interface DaySum {
  readonly symbol: number;
  readonly side: number;
  readonly liquidity: number;
  readonly feeAsset: number;
  readonly count: number;
  readonly qty: Amount;
  readonly quote: Amount;
  readonly fee: Amount;
}
type Sums = Map<string, DaySum>;

export interface DaySums {
  /** Hands over sums that make up the days `first` … `last` (included), each day once. */
  read(first: number, last: number, take: (sum: DaySum) => void): void;
  /** Days with rows that fit, oldest first. */
  days(fits: (sum: DaySum) => boolean): readonly { readonly day: number; readonly count: number }[];
}

const BLOCK = 32;
/** More new rows than this are read again as days. */
const FEW = 5_000;

export function createDaySums(db: DatabaseSync, stored: () => number): DaySums {
  const everything: Sums = new Map();
  const blocks = new Map<number, Sums>();
  const days = new Map<number, Sums>();
  const readDays = db.prepare('SELECT * FROM trade_day');
  const readRows = db.prepare(
    `SELECT trade_time, symbol, side, liquidity, fee_asset, 1 AS count,
       executed_qty AS qty, executed_quote_qty AS quote, fee FROM trade WHERE seq > ? AND seq <= ?`,
  );
  /** Rows are never changed or deleted: these many, from the first, are in the sums. */
  let known = 0;

  function put(into: Sums, sum: DaySum): void {
    const key = `${sum.symbol} ${sum.side} ${sum.liquidity} ${sum.feeAsset}`;
    const before = into.get(key);
    into.set(
      key,
      before === undefined
        ? sum
        : {
            ...before,
            count: before.count + sum.count,
            qty: add(before.qty, sum.qty),
            quote: add(before.quote, sum.quote),
            fee: add(before.fee, sum.fee),
          },
    );
  }
  function within(map: Map<number, Sums>, key: number): Sums {
    const sums = map.get(key) ?? new Map<string, DaySum>();
    map.set(key, sums);
    return sums;
  }
  function take(row: Record<string, SQLOutputValue>, day: number): void {
    const sum: DaySum = {
      symbol: asInteger(row['symbol']),
      side: asInteger(row['side']),
      liquidity: asInteger(row['liquidity']),
      feeAsset: asInteger(row['fee_asset']),
      count: asInteger(row['count']),
      qty: calculated(asText(row['qty'])),
      quote: calculated(asText(row['quote'])),
      fee: calculated(asText(row['fee'])),
    };
    put(everything, sum);
    put(within(blocks, Math.floor(day / BLOCK)), sum);
    put(within(days, day), sum);
  }

  function freshen(): void {
    const now = stored();
    if (now === known) return;
    if (now - known <= FEW)
      for (const row of readRows.iterate(known, now))
        take(row, Math.floor(asInteger(row['trade_time']) / DAY_MS));
    else {
      for (const map of [everything, blocks, days]) map.clear();
      for (const row of readDays.iterate()) take(row, asInteger(row['day']));
    }
    known = now;
  }

  return {
    read(first, last, hand) {
      freshen();
      const all = [...days.keys()];
      if (all.every((day) => day >= first && day <= last)) {
        everything.forEach(hand);
        return;
      }
      const whole = new Set<number>();
      for (const [block, sums] of blocks) {
        if (block * BLOCK < first || block * BLOCK + BLOCK - 1 > last) continue;
        whole.add(block);
        sums.forEach(hand);
      }
      for (const [day, sums] of days)
        if (day >= first && day <= last && !whole.has(Math.floor(day / BLOCK))) sums.forEach(hand);
    },
    days(fits) {
      freshen();
      const found: { day: number; count: number }[] = [];
      for (const [day, sums] of days) {
        let count = 0;
        for (const sum of sums.values()) if (fits(sum)) count += sum.count;
        if (count > 0) found.push({ day, count });
      }
      return found.sort((a, b) => a.day - b.day);
    },
  };
}
