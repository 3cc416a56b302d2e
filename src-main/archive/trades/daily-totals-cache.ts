/**
 * The sums by day in memory, with sums of 32 days and of everything above them: counts and totals of any words and
 * times read a few dozen of them, and a page at any depth finds its day without walking to it.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { createDecimalSum } from '../lib/decimal-sum.ts';
import { DAY_MS } from './daily-totals.ts';

export interface DaySum {
  readonly symbol: number;
  readonly side: number;
  readonly liquidity: number;
  readonly feeAsset: number;
  readonly count: number;
  /** Exact decimals as text: most are never looked at, and parsing them all held up the first question. */
  readonly qty: string;
  readonly quote: string;
  readonly fee: string;
}

export interface DaySums {
  /** Hands over sums that make up the days `first` … `last` (included), each day once. */
  read(first: number, last: number, take: (sum: DaySum) => void): void;
  /** Hands over the sums of each day `first` … `last` (included). */
  each(first: number, last: number, take: (day: number, sum: DaySum) => void): void;
  /** Days with rows that fit, oldest first. */
  days(fits: (sum: DaySum) => boolean): readonly { readonly day: number; readonly count: number }[];
}

const BLOCK = 32;
/** More new rows than this are read again as days. */
const FEW = 5_000;

export function createDaySums(db: DatabaseSync, stored: () => number): DaySums {
  const days = new Map<number, readonly DaySum[]>();
  // Made when they are first asked for, from the level below.
  const blocks = new Map<number, readonly DaySum[]>();
  let everything: readonly DaySum[] | null = null;
  const readDays = db.prepare('SELECT * FROM trade_day');
  const readRows = db.prepare(
    `SELECT trade_time, symbol, side, liquidity, fee_asset, 1 AS count,
       executed_qty AS qty, executed_quote_qty AS quote, fee FROM trade WHERE seq > ? AND seq <= ?`,
  );
  /** Rows are never changed or deleted: these many, from the first, are in the sums. */
  let known = 0;

  function freshen(): void {
    const now = stored();
    if (now === known) return;
    everything = null;
    if (now - known <= FEW) {
      const rows = [...readRows.iterate(known, now)];
      const byDay = Map.groupBy(rows, (row) => Math.floor(asInteger(row['trade_time']) / DAY_MS));
      for (const [day, some] of byDay) {
        days.set(day, joined([...(days.get(day) ?? []), ...some.map(sumOf)]));
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

  function blockSums(): ReadonlyMap<number, readonly DaySum[]> {
    const missing = [...days].filter(([day]) => !blocks.has(blockOf(day)));
    for (const [block, some] of Map.groupBy(missing, ([day]) => blockOf(day)))
      blocks.set(block, joined(some.flatMap(([, sums]) => sums)));
    return blocks;
  }

  return {
    read(first, last, hand) {
      freshen();
      const all = blockSums();
      if ([...days.keys()].every((day) => day >= first && day <= last)) {
        everything ??= joined([...all.values()].flat());
        everything.forEach(hand);
        return;
      }
      const whole = new Set<number>();
      for (const [block, sums] of all) {
        if (block * BLOCK < first || block * BLOCK + BLOCK - 1 > last) continue;
        whole.add(block);
        sums.forEach(hand);
      }
      for (const [day, sums] of days)
        if (day >= first && day <= last && !whole.has(blockOf(day))) sums.forEach(hand);
    },
    each(first, last, hand) {
      freshen();
      for (const [day, sums] of days) if (day >= first && day <= last) for (const sum of sums) hand(day, sum);
    },
    days(fits) {
      freshen();
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

const sumOf = (row: Record<string, SQLOutputValue>): DaySum => ({
  symbol: asInteger(row['symbol']),
  side: asInteger(row['side']),
  liquidity: asInteger(row['liquidity']),
  feeAsset: asInteger(row['fee_asset']),
  count: asInteger(row['count']),
  qty: asText(row['qty']),
  quote: asText(row['quote']),
  fee: asText(row['fee']),
});

/** One sum for each set of words. */
function joined(sums: readonly DaySum[]): readonly DaySum[] {
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
