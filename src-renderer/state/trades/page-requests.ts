/** Reads pages of trades for one filter and sort of one connection. */
import type { Calls } from '../../bridge.ts';
import type { OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { TradeColumn, TradeFilter, TradeSort, TradeWindow } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import type { RowRanges } from '../runtime/row-ranges.ts';

/** Rows per request: two screens. A reply is copied across the bridge between two frames. */
export const BLOCK = 100;

export class TradePages {
  readonly #calls: Calls;
  readonly connectionId: string;
  readonly filter: TradeFilter;
  readonly sort: TradeSort;

  constructor(calls: Calls, connectionId: string, filter: TradeFilter, sort: TradeSort) {
    this.#calls = calls;
    this.connectionId = connectionId;
    this.filter = filter;
    this.sort = sort;
  }

  page(offset: number, limit: number, filter: TradeFilter = this.filter): Promise<Result<TradeWindow>> {
    const { connectionId, sort } = this;
    return this.#calls.call('trades.page', { connectionId, filter, sort, offset, limit });
  }
  block(index: number): Promise<Result<TradeWindow>> {
    return this.page(index * BLOCK, BLOCK);
  }

  /** Returns rows of a list of `count` with their notes; null when they could not be read, or the list has changed. */
  async rows(ranges: RowRanges, count: number): Promise<Pick<TradeWindow, 'rows' | 'noted'> | null> {
    const rows: Trade[] = [];
    const noted: OrderNote[] = [];
    for (const { first, last } of ranges)
      for (let at = first; at <= last; at += BLOCK) {
        const result = await this.page(at, Math.min(BLOCK, last - at + 1));
        if (!result.ok || result.data.count !== count) return null;
        rows.push(...result.data.rows);
        noted.push(...result.data.noted);
      }
    return { rows, noted };
  }

  /** Returns the current index of a row; null when it is not in the list. */
  async offsetOf({ symbol, tradeId, tradeTime }: Trade): Promise<number | null> {
    const { connectionId, filter, sort } = this;
    const row = { symbol, tradeId, tradeTime };
    const result = await this.#calls.call('trades.place', { connectionId, filter, sort, row });
    return result.ok ? result.data : null;
  }

  /**
   * Returns the index of the first row at or before a moment (newest first), or at or after it (oldest first). For
   * lists in time order.
   */
  async offsetAt(first: number, last: number): Promise<number | null> {
    const { from, to } = this.filter;
    const before = this.sort.descending
      ? { ...this.filter, from: Math.max(from ?? 0, last + 1) }
      : { ...this.filter, to: Math.min(to ?? Infinity, first - 1) };
    if (before.to !== null && (before.from ?? 0) > before.to) return 0;
    const result = await this.page(0, 1, before);
    return result.ok ? result.data.count : null;
  }
}

/** Text columns, which start with A. */
const TEXT_COLUMNS: readonly TradeColumn[] = ['symbol', 'side', 'feeAsset', 'liquidity'];
/**
 * Returns the sort after a click on a column: the same column reverses it, numbers and times start with the largest.
 */
export const nextSort = (now: TradeSort, column: TradeColumn): TradeSort => ({
  column,
  descending: now.column === column ? !now.descending : !TEXT_COLUMNS.includes(column),
});

/** Returns the blocks that hold rows `first` … `last`, those nearest to the start first. */
export function blocksOf(first: number, last: number, count: number): number[] {
  const blocks: number[] = [];
  const end = Math.min(last, count - 1);
  for (let block = Math.floor(Math.max(0, first) / BLOCK); block * BLOCK <= end; block++) blocks.push(block);
  return blocks;
}

/** Rows fetched ahead of what is in view. */
export const AHEAD = 60;
const lastBlock = (count: number): number => Math.floor(Math.max(0, count - 1) / BLOCK);

/**
 * Returns the block to read next while rows `first` … `last` are in view: those first, then their neighbours, then both
 * ends of the list, so that Home and End find their rows there.
 */
export function nextBlock(
  known: ReadonlyMap<number, unknown>,
  first: number,
  last: number,
  count: number,
): number | undefined {
  const missing = blocksOf(first - AHEAD, last + AHEAD, count).filter((one) => !known.has(one));
  const around = missing.find((one) => one >= Math.floor(first / BLOCK)) ?? missing[0];
  return around ?? (count === 0 ? [] : [0, lastBlock(count)]).find((one) => !known.has(one));
}

/** Drops all blocks but both ends and those nearest `around`, as the list may have a million rows. */
export function nearestBlocks<T>(
  blocks: ReadonlyMap<number, T>,
  around: number,
  count: number,
  most: number,
): Map<number, T> {
  const far = (block: number): number =>
    block === 0 || block === lastBlock(count) ? 0 : Math.abs(block - around);
  return new Map([...blocks].sort(([a], [b]) => far(a) - far(b)).slice(0, most));
}
