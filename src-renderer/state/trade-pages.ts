/** Questions to the archive about one filter of one connection; plain functions over the bridge. */
import type { Calls } from '../bridge.ts';
import type { Result } from '../../src-shared/contract/failures.ts';
import { NEWEST_FIRST, type TradeFilter, type TradeWindow } from '../../src-shared/contract/trades.ts';
import type { Trade } from '../../src-shared/interface/trade.ts';

/** Rows asked for at once: a few screens, well under the contract's 500. */
export const BLOCK = 200;
/** Trades of one millisecond that are searched for a row. */
const SAME_TIME = 500;

export class TradePages {
  readonly #calls: Calls;
  readonly connectionId: string;
  readonly filter: TradeFilter;

  constructor(calls: Calls, connectionId: string, filter: TradeFilter) {
    this.#calls = calls;
    this.connectionId = connectionId;
    this.filter = filter;
  }

  page(offset: number, limit: number, filter: TradeFilter = this.filter): Promise<Result<TradeWindow>> {
    return this.#calls.call('trades.page', { connectionId: this.connectionId, filter, sort: NEWEST_FIRST, offset, limit });
  }
  block(index: number): Promise<Result<TradeWindow>> {
    return this.page(index * BLOCK, BLOCK);
  }

  /**
   * Where a row stands in the filter now, newest first; null when it is not found. Rows from its time on are a
   * prefix of the list, and those of the very same time are that prefix's end.
   */
  async offsetOf(row: Trade): Promise<number | null> {
    const from = row.tradeTime;
    const [since, same] = await Promise.all([
      this.page(0, 1, { ...this.filter, from }),
      this.page(0, SAME_TIME, { ...this.filter, from, to: from }),
    ]);
    if (!since.ok || !same.ok) return null;
    const at = same.data.rows.findIndex((one) => one.tradeId === row.tradeId && one.symbol === row.symbol);
    return at < 0 ? null : since.data.count - same.data.count + at;
  }
}

/** Blocks that hold rows `first` … `last`, nearest the start first. */
export function blocksOf(first: number, last: number, count: number): number[] {
  const blocks: number[] = [];
  const end = Math.min(last, count - 1);
  for (let block = Math.floor(Math.max(0, first) / BLOCK); block * BLOCK <= end; block++) blocks.push(block);
  return blocks;
}

/** Keeps the blocks nearest `around`: a million rows scrolled through are not all kept. */
export function nearest<T>(blocks: ReadonlyMap<number, T>, around: number, most: number): Map<number, T> {
  const kept = [...blocks].sort(([a], [b]) => Math.abs(a - around) - Math.abs(b - around));
  return new Map(kept.slice(0, most));
}
