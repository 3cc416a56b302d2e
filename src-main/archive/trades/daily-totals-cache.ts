/**
 * Daily totals in memory, with totals of 32-day blocks and of everything: counts and totals of any filter read a few
 * dozen of them, and a page at any depth finds its day directly.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { DecimalSum } from '../lib/decimal-sum.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import type { TradeStringIds } from './codec.ts';

export interface DailyTotal extends TradeStringIds {
  readonly count: number;
  /** Exact decimals as text, parsed only when used: parsing all of them delayed the first request. */
  readonly qty: string;
  readonly quote: string;
  readonly fee: string;
}

const BLOCK = 32;
/** With more new rows than this, all days are read again. */
const MAX_ROWS_ADDED = 5_000;

export class DailyTotalsCache {
  readonly #stored: () => number;
  readonly #readDays: StatementSync;
  readonly #readRows: StatementSync;
  readonly #days = new Map<number, readonly DailyTotal[]>();
  // Computed on first use from the level below.
  readonly #blocks = new Map<number, readonly DailyTotal[]>();
  #everything: readonly DailyTotal[] | null = null;
  /** Number of rows included; rows are never changed or deleted. */
  #known = 0;

  /** @param stored returns the archive's number of rows */
  constructor(db: DatabaseSync, stored: () => number) {
    this.#stored = stored;
    this.#readDays = db.prepare('SELECT * FROM trade_day');
    this.#readRows = db.prepare(`SELECT trade_time, ${ROW_AS_TOTAL} FROM trade WHERE seq > ? AND seq <= ?`);
  }

  /** Passes totals that add up to the days `first` … `last` (inclusive) to `take`, each day once. */
  read(first: number, last: number, take: (sum: DailyTotal) => void): void {
    this.#refresh();
    this.#fillBlocks();
    if ([...this.#days.keys()].every((day) => day >= first && day <= last)) {
      this.#everything ??= merged([...this.#blocks.values()].flat());
      this.#everything.forEach(take);
      return;
    }
    const whole = new Set<number>();
    for (const [block, sums] of this.#blocks) {
      if (block * BLOCK < first || block * BLOCK + BLOCK - 1 > last) continue;
      whole.add(block);
      sums.forEach(take);
    }
    for (const [day, sums] of this.#days)
      if (day >= first && day <= last && !whole.has(blockOf(day))) sums.forEach(take);
  }

  /** Passes the totals of each day `first` … `last` (inclusive) to `take`. */
  each(first: number, last: number, take: (day: number, sum: DailyTotal) => void): void {
    this.#refresh();
    for (const [day, sums] of this.#days)
      if (day >= first && day <= last) for (const sum of sums) take(day, sum);
  }

  /** Returns days with matching rows, oldest first. */
  days(matches: (sum: DailyTotal) => boolean): readonly { readonly day: number; readonly count: number }[] {
    this.#refresh();
    const found: { day: number; count: number }[] = [];
    for (const [day, sums] of this.#days) {
      let count = 0;
      for (const sum of sums) if (matches(sum)) count += sum.count;
      if (count > 0) found.push({ day, count });
    }
    return found.sort((a, b) => a.day - b.day);
  }

  #refresh(): void {
    const now = this.#stored();
    if (now === this.#known) return;
    this.#everything = null;
    if (now - this.#known <= MAX_ROWS_ADDED) this.#addRows(now);
    else this.#readAll();
    this.#known = now;
  }

  #addRows(now: number): void {
    const rows = [...this.#readRows.iterate(this.#known, now)];
    const byDay = Map.groupBy(rows, (row) => Math.floor(asInteger(row['trade_time']) / DAY_MS));
    for (const [day, some] of byDay) {
      this.#days.set(day, merged([...(this.#days.get(day) ?? []), ...some.map(totalOf)]));
      this.#blocks.delete(blockOf(day));
    }
  }

  #readAll(): void {
    this.#days.clear();
    this.#blocks.clear();
    const byDay = Map.groupBy(this.#readDays.iterate(), (row) => asInteger(row['day']));
    for (const [day, some] of byDay) this.#days.set(day, some.map(totalOf));
  }

  #fillBlocks(): void {
    const missing = [...this.#days].filter(([day]) => !this.#blocks.has(blockOf(day)));
    for (const [block, some] of Map.groupBy(missing, ([day]) => blockOf(day)))
      this.#blocks.set(block, merged(some.flatMap(([, sums]) => sums)));
  }
}

const blockOf = (day: number): number => Math.floor(day / BLOCK);

/** Columns of a trade as `totalOf` reads them. */
export const ROW_AS_TOTAL = `symbol, side, liquidity, fee_asset, 1 AS count, executed_qty AS qty,
  executed_quote_qty AS quote, fee`;
export const totalOf = (row: Record<string, SQLOutputValue>): DailyTotal => ({
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
    const [qty, quote, fee] = [new DecimalSum(), new DecimalSum(), new DecimalSum()];
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
