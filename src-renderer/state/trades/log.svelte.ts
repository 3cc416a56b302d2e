import type { Calls } from '../../bridge.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import {
  NEWEST_FIRST,
  NO_FILTER,
  type TradeColumn,
  type TradeFilter,
  type TradeSort,
  type TradeTotals,
} from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { bareName, spellingsOf } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type { OrderNotes } from '../order/notes.svelte.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import { TradeBuilding } from './view-progress.svelte.ts';
import { TradeFilterFields } from './filter.svelte.ts';
import { TradeGroupLog } from './groups.svelte.ts';
import { TradeResults } from './results.svelte.ts';
import { AHEAD, BLOCK, blocksOf, nearestBlocks, nextBlock, nextSort, TradePages } from './page-requests.ts';
import type { RowRanges } from '../runtime/row-ranges.ts';
import { TradeScales } from './column-precision.ts';

/** The visible list, notified when rows move. */
export interface ListHandle {
  /**
   * Called when every row is `by` further down: the list scrolls along, so that what is in view stays, unless it is
   * following new rows from the top.
   */
  moved(by: number, isFollowing: boolean): void;
  /** Brings a row to the top edge. */
  goTo(index: number): void;
}

interface View {
  readonly pages: TradePages;
  readonly count: number;
  readonly stored: number;
  readonly blocks: ReadonlyMap<number, readonly Trade[]>;
}

const MAX_BLOCKS = 48;
/** Shortest interval between refreshes, ms: a sync writes several pages a second. */
const REFRESH_MS = 300;
const TRIES = 3;

/** The trade log: the rows of one filter as far as they are loaded, and the filter's totals. */
export class TradeLog {
  readonly fields: TradeFilterFields;
  readonly groups: TradeGroupLog;
  readonly results: TradeResults;
  readonly #notes: OrderNotes;
  /** The filter of what is shown; while the typed one is wrong, the previous one. */
  applied = $state.raw<TradeFilter>(NO_FILTER);
  /** The order of what is shown. */
  sort = $state.raw<TradeSort>(NEWEST_FIRST);
  /** Progress of a view the archive is still building. */
  readonly building: TradeBuilding;
  failure = $state.raw<Failure | null>(null);
  totals = $state.raw<TradeTotals | null>(null);
  /** Why there are no totals of the rows that are shown. */
  totalsFailure = $state.raw<Failure | null>(null);
  symbols = $state.raw<readonly string[]>([]);
  /** The symbols to highlight: those of the chosen contracts, however their trades spell them. */
  readonly highlighted: ReadonlySet<string> = $derived.by(() => {
    const known = [...this.symbols, ...this.groups.contracts.map(({ symbol }) => symbol)];
    const sameName = (symbol: string): string[] => known.filter((one) => bareName(one) === bareName(symbol));
    return new Set([...this.fields.highlighted].flatMap((one) => spellingsOf(one, sameName(one))));
  });
  /** Values of the open enums received so far, offered as choices by the filter. */
  enumValues = $state.raw<Readonly<Record<'side' | 'liquidity', readonly string[]>>>({
    side: [],
    liquidity: [],
  });
  /** Changes whenever a column grew. */
  layout = $state.raw(0);
  readonly scales = new TradeScales();
  list: ListHandle | null = null;
  #view = $state.raw<View | null>(null);
  /** Of the filter and sort requested last. */
  #pages: TradePages | null = null;
  #inView = { first: 0, last: 0 };
  /** Index of the row at the top edge; at 0 the list follows new trades. */
  #top = 0;
  #filling = false;
  #refreshing = false;
  /** Rows were added during a refresh, so it has to run again. */
  #hasToRunAgain = false;
  #cancelPlanned: (() => void) | null = null;
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(calls: Calls, clock: Clock, settings: Settings, notes: OrderNotes) {
    this.#calls = calls;
    this.#clock = clock;
    this.fields = new TradeFilterFields(settings, clock);
    this.building = new TradeBuilding(calls, clock);
    this.groups = new TradeGroupLog(calls, clock, settings);
    this.results = new TradeResults(calls, clock);
    this.#notes = notes;
    notes.watch((saved) => this.groups.notesSaved(saved));
  }

  /** Rows in the filter; null until they were counted. */
  readonly count: number | null = $derived(this.#view?.count ?? null);
  /** Rows in the archive. */
  readonly stored: number | null = $derived(this.#view?.stored ?? null);

  /** The view, unless others are requested: the archive would drop those for a newer request of these. */
  get #shown(): View | null {
    return this.#view?.pages === this.#pages ? this.#view : null;
  }

  /** Returns a row by its index; undefined until its page is loaded. */
  rowAt(index: number): Trade | undefined {
    return this.#view?.blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];
  }

  /** Drops everything of the previous connection. */
  follow(connectionId: string): void {
    this.#cancelPlanned?.();
    this.#cancelPlanned = null;
    this.fields.follow(connectionId);
    this.scales.forget();
    this.symbols = [];
    this.enumValues = { side: [], liquidity: [] };
    this.applied = NO_FILTER;
    this.sort = NEWEST_FIRST;
    this.#pages = new TradePages(this.#calls, connectionId, NO_FILTER, NEWEST_FIRST);
    this.#inView = { first: 0, last: 0 };
    this.#top = 0;
    this.groups.follow(connectionId);
    this.results.follow(connectionId);
    this.#drop();
  }

  /**
   * Shows a filter from its first row; also the first read, and the retry after a failure. What `changes` leaves out
   * stays as last requested, so that a filter and a sort requested one after the other both apply.
   */
  async apply(changes: { readonly filter?: TradeFilter; readonly sort?: TradeSort } = {}): Promise<void> {
    if (this.#pages === null) return;
    const { connectionId, filter, sort } = this.#pages;
    const pages = new TradePages(this.#calls, connectionId, changes.filter ?? filter, changes.sort ?? sort);
    this.#pages = pages;
    const ended = this.building.watch(pages.connectionId);
    const result = await pages.block(0);
    ended();
    // A newer filter was applied meanwhile.
    if (pages !== this.#pages) return;
    if (isCancelled(result)) return this.apply();
    this.applied = pages.filter;
    this.sort = pages.sort;
    if (this.groups.by !== null) void this.groups.show(this.groups.by, pages.filter);
    this.#drop();
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    const { count, stored, rows } = result.data;
    this.#notes.add(result.data.noted);
    this.#show({ pages, count, stored, blocks: new Map([[0, rows]]) });
    this.list?.goTo(0);
    void this.loadTotals();
  }

  /** Sorts by a column; called again for the same one, it reverses the order. */
  sortBy(column: TradeColumn): void {
    void this.apply({ sort: nextSort(this.#pages?.sort ?? this.sort, column) });
  }

  /** Scrolls to the first row of a time span; returns false unless the list is in time order. */
  async jump(first: number, last: number): Promise<boolean> {
    const pages = this.#shown?.pages;
    const offset = this.sort.column === 'tradeTime' ? await pages?.offsetAt(first, last) : null;
    if (typeof offset === 'number' && pages === this.#pages)
      this.list?.goTo(Math.min(offset, (this.count ?? 1) - 1));
    return typeof offset === 'number';
  }

  /** Reads rows again; null when they could not be read, or when the archive has others at their places by now. */
  async rows(ranges: RowRanges): Promise<readonly Trade[] | null> {
    const pages = this.#shown?.pages;
    const found = await pages?.rows(ranges, this.count ?? 0);
    if (!found || pages !== this.#pages) return null;
    this.#notes.add(found.noted);
    return found.rows;
  }

  /** Requests rows `first` … `last`, which will be drawn. */
  requestRows(first: number, last: number): void {
    this.#inView = { first, last };
    void this.#fill();
  }
  /** Takes note of the row at the top edge. */
  setTopRow(first: number): void {
    this.#top = first;
  }

  /** Plans a refresh if the archive has new rows. */
  archiveGrew(stored: number): void {
    this.groups.archiveGrew(stored);
    if (this.#view !== null && stored !== this.#view.stored) this.#plan();
  }

  /** Reads new rows and keeps the rows in view where they are. */
  async refresh(): Promise<void> {
    if (this.#pages === null) return;
    this.#hasToRunAgain = this.#refreshing;
    if (this.#refreshing) return;
    this.#refreshing = true;
    let isLoaded: boolean;
    do {
      this.#hasToRunAgain = false;
      const pages = this.#pages;
      isLoaded = false;
      for (let tries = 0; tries < TRIES && !isLoaded; tries++) isLoaded = await this.#loadNewRows(pages);
    } while (this.#isRequestedAgain());
    this.#refreshing = false;
    // Rows arrive faster than they can be read: the list stays as it is for now.
    if (!isLoaded) this.#plan();
  }

  #plan(): void {
    this.#cancelPlanned ??= this.#clock.time.after(REFRESH_MS, () => {
      this.#cancelPlanned = null;
      void this.refresh();
    });
  }

  /** A method, since the type checker does not see that the field may change during an await. */
  #isRequestedAgain(): boolean {
    return this.#hasToRunAgain;
  }

  /** One attempt; false when rows were added meanwhile and the pages are inconsistent. */
  async #loadNewRows(pages: TradePages): Promise<boolean> {
    const before = this.#view;
    if (before === null) return true;
    if (before !== this.#shown) return false;
    const now = await pages.page(0, 1);
    if (pages !== this.#pages) return true;
    if (isCancelled(now)) return false;
    if (!now.ok) {
      this.failure = now.failure;
      return true;
    }
    this.failure = null;
    const { count, stored } = now.data;
    if (count === before.count) {
      if (this.#view !== null) this.#show({ ...this.#view, stored });
      void this.#fill();
      return true;
    }
    const top = this.#top;
    const isFollowing = top === 0;
    const anchor = this.rowAt(top);
    const found = anchor === undefined ? null : await pages.offsetOf(anchor);
    const by = found === null ? 0 : found - top;
    const { first, last: end } = this.#inView;
    const scrolled = isFollowing ? 0 : by;
    const blocks = new Map<number, readonly Trade[]>();
    for (const block of blocksOf(first + scrolled, Math.max(end, first + AHEAD) + scrolled, count)) {
      const result = await pages.block(block);
      if (!result.ok || result.data.count !== count) return false;
      blocks.set(block, result.data.rows);
      this.#notes.add(result.data.noted);
    }
    if (pages !== this.#pages) return true;
    if (this.#view?.count !== before.count || (this.#top === 0) !== isFollowing) return false;
    this.#show({ pages, count, stored, blocks });
    if (by !== 0) this.list?.moved(by, isFollowing);
    void this.loadTotals();
    void this.#fill();
    return true;
  }

  /** One request at a time, always for what is in view now: a dragged scrollbar skips what it passed. */
  async #fill(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    try {
      for (;;) {
        const view = this.#shown;
        if (view === null) return;
        const { pages } = view;
        const { first, last } = this.#inView;
        const block = nextBlock(view.blocks, first, last, view.count);
        if (block === undefined) return;
        const result = await pages.block(block);
        const now = this.#view;
        if (pages !== this.#pages || now === null) continue;
        if (isCancelled(result)) {
          this.#plan();
          return;
        }
        if (!result.ok) {
          this.failure = result.failure;
          return;
        }
        if (result.data.count !== now.count) {
          void this.refresh();
          return;
        }
        this.failure = null;
        this.#notes.add(result.data.noted);
        const blocks = new Map(now.blocks).set(block, result.data.rows);
        const nearby = nearestBlocks(blocks, Math.floor(first / BLOCK), now.count, MAX_BLOCKS);
        this.#show({ ...now, blocks: nearby });
      }
    } finally {
      this.#filling = false;
    }
  }

  /** Reads the totals and symbols of the filter. */
  async loadTotals(): Promise<void> {
    const pages = this.#pages;
    if (pages === null) return;
    const { connectionId, filter } = pages;
    const totals = await this.#calls.call('trades.totals', { connectionId, filter });
    const symbols = await this.#calls.call('trades.symbols', { connectionId });
    // Those of another filter, or of more rows, are requested by now.
    if (pages !== this.#pages || isCancelled(totals)) return;
    this.totals = totals.ok ? totals.data : null;
    this.totalsFailure = totals.ok ? null : totals.failure;
    if (symbols.ok) this.symbols = symbols.data;
  }

  #show(view: View): void {
    const before = this.scales.grown;
    for (const [block, rows] of view.blocks) {
      if (this.#view?.blocks.get(block) === rows) continue;
      this.scales.learn(rows);
      this.#collectEnumValues(rows);
    }
    this.#view = view;
    if (this.scales.grown !== before) this.layout = this.scales.grown;
  }

  #collectEnumValues(rows: readonly Trade[]): void {
    const valuesOf = (field: 'side' | 'liquidity'): string[] =>
      [...new Set([...this.enumValues[field], ...rows.map((row) => row[field])])].sort();
    const [side, liquidity] = [valuesOf('side'), valuesOf('liquidity')];
    if (side.length > this.enumValues.side.length || liquidity.length > this.enumValues.liquidity.length)
      this.enumValues = { side, liquidity };
  }

  #drop(): void {
    this.#view = null;
    this.totals = null;
    this.totalsFailure = null;
    this.failure = null;
  }
}

/** Reports whether the archive dropped a request for a newer one of another list: it is to be made again. */
const isCancelled = (result: Result<unknown>): boolean => !result.ok && result.failure.kind === 'cancelled';
