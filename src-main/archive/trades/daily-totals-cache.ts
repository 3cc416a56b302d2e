/**
 * Daily totals in memory, with totals of 32-day blocks and of everything: counts and totals of any filter read a few
 * dozen of them, and a page at any depth finds its day directly.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { createDecimalSum } from '../lib/decimal-sum.ts';
import { DAY_MS } from './daily-totals.ts';

export interface DailyTotal {
  readonly symbol: number;
  readonly side: number;
  readonly liquidity: number;
  readonly feeAsset: number;
  readonly count: number;
  /** Exact decimals as text, parsed only when used: parsing all of them delayed the first request. */
  readonly qty: string;
  readonly quote: string;
  readonly fee: string;
}

export interface DailyTotalsCache {
  /** Passes totals that add up to the days `first` … `last` (inclusive) to `take`, each day once. */
  read(first: number, last: number, take: (sum: DailyTotal) => void): void;
  /** Passes the totals of each day `first` … `last` (inclusive) to `take`. */
  each(first: number, last: number, take: (day: number, sum: DailyTotal) => void): void;
  /** Returns days with matching rows, oldest first. */
  days(fits: (sum: DailyTotal) => boolean): readonly { readonly day: number; readonly count: number }[];
}

const BLOCK = 32;
/** With more new rows than this, all days are read again. */
const MAX_ROWS_ADDED = 5_000;

export function createDailyTotalsCache(db: DatabaseSync, stored: () => number): DailyTotalsCache {
  const days = new Map<number, readonly DailyTotal[]>();
  // Computed on first use from the level below.
  const blocks = new Map<number, readonly DailyTotal[]>();
  let everything: readonly DailyTotal[] | null = null;
  const readDays = db.prepare('SELECT * FROM trade_day');
  const readRows = db.prepare(
    `SELECT trade_time, symbol, side, liquidity, fee_asset, 1 AS count,
       executed_qty AS qty, executed_quote_qty AS quote, fee FROM trade WHERE seq > ? AND seq <= ?`,
  );
  /** Number of rows included; rows are never changed or deleted. */
  let known = 0;

  function refresh(): void {
    const now = stored();
    if (now === known) return;
    everything = null;
    if (now - known <= MAX_ROWS_ADDED) {
      const rows = [...readRows.iterate(known, now)];
      const byDay = Map.groupBy(rows, (row) => Math.floor(asInteger(row['trade_time']) / DAY_MS));
      for (const [day, some] of byDay) {
        days.set(day, merged([...(days.get(day) ?? []), ...some.map(sumOf)]));
        blocks.delete(blockOf(day));
      }
    } else {
      days.clear();
      blocks.clear();
      const byDay = Map.groupBy(readDays.iterate(), (row) => asInteger(row['day']));
      for (const [day, some] of byDay) days.set(day, some.map(sumOf));
    }
    known = now;
  }

  function blockSums(): ReadonlyMap<number, readonly DailyTotal[]> {
    const missing = [...days].filter(([day]) => !blocks.has(blockOf(day)));
    for (const [block, some] of Map.groupBy(missing, ([day]) => blockOf(day)))
      blocks.set(block, merged(some.flatMap(([, sums]) => sums)));
    return blocks;
  }

  return {
    read(first, last, take) {
      refresh();
      const all = blockSums();
      if ([...days.keys()].every((day) => day >= first && day <= last)) {
        everything ??= merged([...all.values()].flat());
        everything.forEach(take);
        return;
      }
      const whole = new Set<number>();
      for (const [block, sums] of all) {
        if (block * BLOCK < first || block * BLOCK + BLOCK - 1 > last) continue;
        whole.add(block);
        sums.forEach(take);
      }
      for (const [day, sums] of days)
        if (day >= first && day <= last && !whole.has(blockOf(day))) sums.forEach(take);
    },
    each(first, last, take) {
      refresh();
      for (const [day, sums] of days) if (day >= first && day <= last) for (const sum of sums) take(day, sum);
    },
    days(fits) {
      refresh();
      const found: { day: number; count: number }[] = [];
      for (const [day, sums] of days) {
        let count = 0;
        for (const sum of sums) if (fits(sum)) count += sum.count;
        if (count > 0) found.push({ day, count });
      }
      return found.sort((a, b) => a.day - b.day);
    },
  };
}

const blockOf = (day: number): number => Math.floor(day / BLOCK);

const sumOf = (row: Record<string, SQLOutputValue>): DailyTotal => ({
  symbol: asInteger(row['symbol']),
  side: asInteger(row['side']),
  liquidity: asInteger(row['liquidity']),
  feeAsset: asInteger(row['fee_asset']),
  count: asInteger(row['count']),
  qty: asText(row['qty']),
  quote: asText(row['quote']),
  fee: asText(row['fee']),
});

/** Merges totals of equal symbol, side, liquidity and fee asset. */
function merged(sums: readonly DailyTotal[]): readonly DailyTotal[] {
  const alike = Map.groupBy(sums, (one) => `${one.symbol} ${one.side} ${one.liquidity} ${one.feeAsset}`);
  return [...alike.values()].map((some) => {
    const [qty, quote, fee] = [createDecimalSum(), createDecimalSum(), createDecimalSum()];
    let count = 0;
    for (const one of some) {
      count += one.count;
      qty.add(one.qty);
      quote.add(one.quote);
      fee.add(one.fee);
    }
    const totals = { qty: qty.text(), quote: quote.text(), fee: fee.text() };
    return { ...some[0]!, count, ...totals };
  });
}
