import type { Calls } from '../bridge.ts';
import type { Failure } from '../../src-shared/contract/failures.ts';
import type { OrderGroup, TradeGrouping, TripGroup } from '../../src-shared/contract/trade-groups.ts';
import { NO_FILTER, type TradeFilter, type TradeSort } from '../../src-shared/contract/trades.ts';
import type { Trade } from '../../src-shared/interface/trade.ts';
import type { Clock } from './clock.svelte.ts';
import { TradeBuilding } from './trade-building.svelte.ts';

export type Group = OrderGroup | TripGroup;
/** A line of the grouped list: a group, a trade of the open one above it, or not read yet. */
export type GroupLine =
  | {
      readonly kind: 'group';
      readonly index: number;
      readonly group: Group | undefined;
      readonly open: boolean;
    }
  | { readonly kind: 'trade'; readonly trade: Trade | undefined }
  /** The open group has more trades than are listed under it. */
  | { readonly kind: 'more'; readonly group: Group; readonly left: number };

interface Opened {
  readonly trades: readonly Trade[];
  readonly total: number;
}
const BLOCK = 100;
/** Trades listed under a group; the rest by its own filter. */
const LISTED = 200;
/** While a sync adds rows, groups are made anew this often at most, ms. */
const FOLLOW_MS = 5_000;
const OLDEST_FIRST: TradeSort = { column: 'tradeTime', descending: false };

/** The trade log by order or by round trip: pages of groups, and the trades of those that are open. */
export class TradeGroupLog {
  by = $state.raw<TradeGrouping | null>(null);
  count = $state.raw<number | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Symbols of inverse contracts, which positions count in quote units. */
  inverse: readonly string[] = [];
  readonly building: TradeBuilding;
  #blocks = $state.raw<ReadonlyMap<number, readonly Group[]>>(new Map());
  #opened = $state.raw<ReadonlyMap<number, Opened>>(new Map());
  #connectionId: string | null = null;
  #filter: TradeFilter = NO_FILTER;
  #stored = 0;
  #asked = 0;
  #planned: (() => void) | null = null;
  readonly #loading = new Set<number>();
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(calls: Calls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
    this.building = new TradeBuilding(calls, clock);
  }

  /** Open groups in the order of the list, each with the lines it adds. */
  readonly #open = $derived(
    [...this.#opened]
      .sort(([a], [b]) => a - b)
      .map(([index, { trades, total }]) => ({
        index,
        lines: trades.length + (total > trades.length ? 1 : 0),
      })),
  );
  readonly lines: number = $derived((this.count ?? 0) + this.#open.reduce((sum, one) => sum + one.lines, 0));

  lineAt(line: number): GroupLine {
    let before = 0;
    for (const { index, lines } of this.#open) {
      const at = line - before;
      if (at <= index) break;
      if (at <= index + lines) return this.#lineUnder(index, at - index - 1);
      before += lines;
    }
    const index = line - before;
    return { kind: 'group', index, group: this.groupAt(index), open: this.#opened.has(index) };
  }
  #lineUnder(index: number, at: number): GroupLine {
    const opened = this.#opened.get(index);
    const trade = opened?.trades[at];
    const group = this.groupAt(index);
    if (trade !== undefined || opened === undefined || group === undefined) return { kind: 'trade', trade };
    return { kind: 'more', group, left: opened.total - opened.trades.length };
  }
  groupAt(index: number): Group | undefined {
    return this.#blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];
  }

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.by = null;
    this.#drop();
  }

  /** Groups of a filter, from the newest; `by` null: no groups. */
  async show(by: TradeGrouping | null, filter: TradeFilter): Promise<void> {
    this.by = by;
    this.#filter = filter;
    this.#drop();
    await this.#read(0);
  }
  /** Lines `first` … `last` will be drawn. */
  want(first: number, last: number): void {
    for (const line of [first, last]) {
      const found = this.lineAt(line);
      if (found.kind === 'group') void this.#read(Math.floor(found.index / BLOCK));
    }
  }
  /** The archive has more rows than before. */
  grew(stored: number): void {
    if (this.by === null || this.count === null || stored === this.#stored) return;
    this.#planned ??= this.#clock.time.after(FOLLOW_MS, () => {
      this.#planned = null;
      void this.#refresh();
    });
  }

  async #refresh(): Promise<void> {
    // What is open stays as it was read: groups under it may have moved.
    if (this.#opened.size > 0) return;
    this.#blocks = new Map();
    await this.#read(0);
  }

  async #read(block: number): Promise<void> {
    const { by } = this;
    if (by === null || this.#connectionId === null || this.#blocks.has(block) || this.#loading.has(block))
      return;
    this.#loading.add(block);
    const asked = this.#asked;
    const ended = this.building.watch(this.#connectionId);
    const answer = await this.#calls.call('trades.groups', {
      connectionId: this.#connectionId,
      by,
      filter: this.#filter,
      inverse: [...this.inverse],
      offset: block * BLOCK,
      limit: BLOCK,
    });
    ended();
    if (asked !== this.#asked) return;
    this.#loading.delete(block);
    if (!answer.ok) {
      this.failure = answer.failure;
      return;
    }
    this.failure = null;
    const { rows, count, stored } = answer.data;
    const grown = this.count !== null && count !== this.count;
    this.#blocks = new Map(grown ? [] : this.#blocks).set(block, rows);
    this.count = count;
    this.#stored = stored;
  }

  /** Opens a group, or closes it. */
  async toggle(index: number): Promise<void> {
    const group = this.groupAt(index);
    if (group === undefined || this.#connectionId === null) return;
    const opened = new Map(this.#opened);
    if (opened.delete(index)) {
      this.#opened = opened;
      return;
    }
    const asked = this.#asked;
    const answer = await this.#calls.call('trades.page', {
      connectionId: this.#connectionId,
      filter: this.filterOf(group),
      sort: OLDEST_FIRST,
      offset: group.kind === 'order' ? 0 : group.skip,
      limit: Math.min(LISTED, group.trades),
    });
    if (asked !== this.#asked) return;
    if (answer.ok)
      this.#opened = new Map(this.#opened).set(index, { trades: answer.data.rows, total: group.trades });
    else this.failure = answer.failure;
  }

  /** The trades of a group as a filter of the log. */
  filterOf(group: Group): TradeFilter {
    return group.kind === 'order'
      ? { ...this.#filter, symbols: [group.symbol], orderId: group.orderId }
      : { ...NO_FILTER, symbols: [group.symbol], from: group.opened, to: group.ended };
  }

  #drop(): void {
    this.#asked++;
    this.#planned?.();
    this.#planned = null;
    this.#loading.clear();
    this.#blocks = new Map();
    this.#opened = new Map();
    this.count = null;
    this.failure = null;
  }
}
