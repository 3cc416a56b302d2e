import type { Calls } from '../../bridge.ts';
import { contractFinder } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type { OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
import type { CoverageGap } from '../../../src-shared/ipc/archive.ts';
import { done, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import type {
  GroupColumn,
  GroupContract,
  GroupSort,
  TradeGrouping,
  TradeGroups,
  SumGroup,
  TradeSums,
  TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter, type TradeSort } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import {
  isSum,
  keyOf,
  nextGroupSort,
  sortIn,
  withNotes,
  type Group,
  type GroupLine,
  type Listed,
} from './group-rows.ts';
import { TradeBuilding } from './view-progress.svelte.ts';
import type { RowRanges } from '../runtime/row-ranges.ts';

/** Entries of an open group: trades, or the groups it consists of. */
interface Opened {
  readonly trades: readonly Trade[];
  readonly parts: readonly Group[];
  readonly total: number;
}
const BLOCK = 100;
/** Groups by place, as far as they are loaded: block `n` begins at `n` × BLOCK. */
type Blocks = ReadonlyMap<number, readonly Group[]>;
const groupIn = (blocks: Blocks, index: number): Group | undefined =>
  blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];
/** Returns the place of each group, by key. */
const placesIn = (blocks: Blocks): ReadonlyMap<string, number> =>
  new Map(
    [...blocks].flatMap(([block, list]) => list.map((one, at) => [keyOf(one), block * BLOCK + at] as const)),
  );
/** Most entries listed under a group; the rest is shown by filtering the log. */
const LISTED = 200;
/** Shortest interval between refreshes while a sync adds rows, ms. */
const REFRESH_MS = 5_000;
const OLDEST_FIRST: TradeSort = { column: 'tradeTime', descending: false };

/** The grouped trade log: pages of groups, and the entries of those that are open. */
export class TradeGroupLog {
  by = $state.raw<TradeGrouping | null>(null);
  count = $state.raw<number | null>(null);
  /** How often a refresh moved or dropped loaded groups: a place may name another group since, with the same count. */
  reordered = $state(0);
  failure = $state.raw<Failure | null>(null);
  /** Totals of all groups together, by coin. */
  totals = $state.raw<readonly TradeSums[]>([]);
  /** Units and decimals of the contracts, which the archive needs to build the groups. */
  contracts = $state.raw<readonly GroupContract[]>([]);
  readonly contractOf = $derived(contractFinder(this.contracts));
  #counted = '';
  /** The requested sort, kept when the grouping changes. */
  #wantedSort = $state.raw<GroupSort | null>(null);
  readonly building: TradeBuilding;
  /** Time ranges the archive is not verified to cover. */
  gaps = $state.raw<readonly CoverageGap[]>([]);
  /** The order or round trip whose note is shown: the one opened last. */
  detail = $state.raw<Listed | null>(null);
  /** Called when the visible lines move down. */
  moved: ((by: number) => void) | null = null;
  #top = 0;
  #inView = { first: 0, last: 0 };
  #blocks = $state.raw<Blocks>(new Map());
  #opened = $state.raw<ReadonlyMap<number, Opened>>(new Map());
  #connectionId: string | null = null;
  #filter: TradeFilter = NO_FILTER;
  #stored = 0;
  #orders = 0;
  #requestId = 0;
  #cancelPlanned: (() => void) | null = null;
  readonly #loading = new Set<number>();
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #settings: Settings;

  constructor(calls: Calls, clock: Clock, settings: Settings) {
    this.#calls = calls;
    this.#clock = clock;
    this.#settings = settings;
    this.building = new TradeBuilding(calls, clock);
  }

  readonly sort: GroupSort = $derived(sortIn(this.by ?? 'order', this.#wantedSort));
  /** Open groups in the order of the list, each with the lines it adds. */
  readonly #open = $derived(
    [...this.#opened]
      .sort(([a], [b]) => a - b)
      .map(([index, { trades, parts, total }]) => {
        const listed = trades.length + parts.length;
        return { index, lines: listed + (total > listed ? 1 : 0) };
      }),
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
    const part = opened?.parts[at];
    const group = this.groupAt(index);
    if (part !== undefined) return { kind: 'part', part };
    if (trade !== undefined || opened === undefined || group === undefined) return { kind: 'trade', trade };
    return { kind: 'more', group, left: opened.total - opened.trades.length - opened.parts.length };
  }
  /** Groups read so far, which the column widths are computed from. */
  readonly loaded: readonly Group[] = $derived([...this.#blocks.values()].flat());
  readonly loadedTrades: readonly Trade[] = $derived(
    [...this.#opened.values()].flatMap(({ trades }) => trades),
  );
  readonly loadedParts: readonly Group[] = $derived([...this.#opened.values()].flatMap(({ parts }) => parts));
  groupAt(index: number): Group | undefined {
    return groupIn(this.#blocks, index);
  }

  /** The days read without a hole from the newest; none in another order, where neighbours are not. */
  newestDays(): readonly SumGroup[] {
    const rows: SumGroup[] = [];
    if (this.by !== 'day' || this.sort.column !== 'time' || !this.sort.descending) return rows;
    for (let at = 0; ; at++) {
      const group = this.groupAt(at);
      if (group === undefined || !isSum(group)) return rows;
      rows.push(group);
    }
  }

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.by = null;
    this.#wantedSort = null;
    this.gaps = [];
    this.#drop();
  }

  /** Shows the groups of a filter from the first one; `by` null shows none. */
  async show(by: TradeGrouping | null, filter: TradeFilter): Promise<void> {
    // In another order they are the same.
    if (by !== this.by || filter !== this.#filter) this.totals = [];
    this.by = by;
    this.#filter = filter;
    this.#drop();
    if (by !== null) void this.#readGaps();
    await this.#read(0);
  }
  /** Sorts by a column; called again for the same one, it reverses the order. */
  async sortBy(column: GroupColumn): Promise<void> {
    this.#wantedSort = nextGroupSort(this.sort, column);
    await this.show(this.by, this.#filter);
  }
  /** Reads the groups again if the contracts' units or the time zone changed. */
  countIn(contracts: readonly GroupContract[], filter: TradeFilter): void {
    const key = JSON.stringify([contracts, this.#settings.timeZone]);
    if (key === this.#counted) return;
    this.#counted = key;
    this.contracts = contracts;
    if (this.by !== null) void this.show(this.by, filter);
  }
  /** Takes note of the line at the top edge; at 0 the list follows new groups. */
  setTopRow(first: number): void {
    this.#top = first;
  }
  /** Returns a coverage gap within the group's period, which for an open round trip has no end. */
  gapIn(group: Group): CoverageGap | undefined {
    if (isSum(group)) return this.#gapIn(group.symbols, group.from, group.to);
    const [from, to] =
      group.kind === 'order'
        ? [group.first, group.last]
        : [group.opened, group.flags.includes('open') ? Infinity : group.ended];
    return this.#gapIn([group.symbol], from, to);
  }
  #gapIn(symbols: readonly string[], from: number | null, to: number | null): CoverageGap | undefined {
    return this.gaps.find(
      (gap) =>
        (gap.symbol === null || symbols.includes(gap.symbol)) &&
        gap.from <= (to ?? Infinity) &&
        gap.to >= (from ?? 0),
    );
  }
  /** Whether trades before a round trip may be missing. */
  hasGapBefore(group: TripGroup): boolean {
    return this.#gapIn([group.symbol], 0, group.opened - 1) !== undefined;
  }

  /** Requests the pages of lines `first` … `last`, which will be drawn. */
  requestRows(first: number, last: number): void {
    this.#inView = { first, last };
    for (const line of [first, last]) {
      const found = this.lineAt(line);
      if (found.kind === 'group') void this.#read(Math.floor(found.index / BLOCK));
    }
  }
  /** Plans a refresh if the archive has new rows. */
  archiveGrew(stored: number): void {
    if (stored !== this.#stored) this.#plan();
  }
  /** Plans a refresh if the order history changed, and with it closed PnL. */
  ordersGrew(orders: number): void {
    const before = this.#orders;
    this.#orders = orders;
    if (before !== orders) this.#plan();
  }
  #plan(): void {
    if (this.by === null || this.count === null) return;
    this.#cancelPlanned ??= this.#clock.time.after(REFRESH_MS, () => {
      this.#cancelPlanned = null;
      void this.#refresh();
    });
  }

  /** Reads new rows; open groups stay open, and what is in view stays where it is. */
  async #refresh(): Promise<void> {
    const requestId = this.#requestId;
    const openedBefore = this.#opened;
    const now = await this.#ask(0);
    if (requestId !== this.#requestId) return;
    if (!now.ok) {
      this.#fail(now.failure);
      return;
    }
    const top = this.#top;
    const anchor = this.lineAt(top);
    const held = anchor.kind === 'group' && top > 0 ? [anchor.index] : [];
    const blocks = await this.#blocksAround([...this.#opened.keys(), ...held], now.data);
    if (blocks === null) return;
    this.failure = null;
    const places = placesIn(blocks);
    const opened = await this.#openedIn(blocks, places);
    if (opened === null) return;
    // Groups opened or closed meanwhile stay so: the next refresh takes them in.
    if (this.#opened !== openedBefore) {
      this.#plan();
      return;
    }
    const kept =
      anchor.kind === 'group' && anchor.group !== undefined ? places.get(keyOf(anchor.group)) : undefined;
    if ([...placesIn(this.#blocks)].some(([key, at]) => places.get(key) !== at)) this.reordered++;
    this.#blocks = blocks;
    this.#opened = opened;
    this.count = now.data.count;
    this.totals = now.data.totals;
    this.#stored = now.data.stored;
    this.#refreshDetail();
    if (top > 0 && kept !== undefined) this.moved?.(this.#lineOf(kept) - top);
    this.requestRows(this.#inView.first, this.#inView.last);
  }
  /** Reads the first block, and those where the groups at `indexes` may be now; null if it failed or was superseded. */
  async #blocksAround(
    indexes: readonly number[],
    { rows, count, stored }: TradeGroups,
  ): Promise<Blocks | null> {
    const requestId = this.#requestId;
    const grown = Math.max(0, count - (this.count ?? 0));
    const blocks = new Map([[0, rows]]);
    // New groups move a group down by as many; a group with new trades may have moved to the front.
    for (const index of indexes)
      for (let block = Math.floor(index / BLOCK); block <= Math.floor((index + grown) / BLOCK); block++) {
        if (blocks.has(block)) continue;
        const result = await this.#ask(block);
        if (requestId !== this.#requestId) return null;
        if (!result.ok) {
          this.#fail(result.failure);
          return null;
        }
        // Rows were added meanwhile: the next refresh takes them in.
        if (result.data.stored !== stored) return null;
        blocks.set(block, result.data.rows);
      }
    return blocks;
  }
  /** Returns the open groups by their new index, read again where they have new trades; null if superseded. */
  async #openedIn(
    blocks: Blocks,
    places: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<number, Opened> | null> {
    const requestId = this.#requestId;
    const opened = new Map<number, Opened>();
    for (const [index, before] of this.#opened) {
      const group = this.groupAt(index);
      const at = group === undefined ? undefined : places.get(keyOf(group));
      const fresh = at === undefined ? undefined : groupIn(blocks, at);
      if (at === undefined || fresh === undefined) continue;
      const isSame = !isSum(fresh) && fresh.trades === before.total;
      const now = isSame ? done(before) : await this.#under(fresh);
      if (requestId !== this.#requestId) return null;
      if (!now.ok) this.#fail(now.failure);
      opened.set(at, now.ok ? now.data : before);
    }
    return opened;
  }
  #refreshDetail(): void {
    const { detail } = this;
    if (detail === null) return;
    const now = this.loaded.find((one) => keyOf(one) === keyOf(detail));
    if (now !== undefined && !isSum(now)) this.detail = now;
  }
  /** Shows notes as they were saved, without reading the groups again: what is open stays where it is. */
  notesSaved(notes: readonly OrderNote[]): void {
    const changed = (one: Group): Group => (isSum(one) ? one : withNotes(one, notes));
    this.#blocks = new Map([...this.#blocks].map(([block, list]) => [block, list.map(changed)]));
    if (this.detail !== null) this.detail = withNotes(this.detail, notes);
  }
  /** Returns groups, read again where they are not loaded; null when that failed. */
  async listed(ranges: RowRanges): Promise<readonly Listed[] | null> {
    const requestId = this.#requestId;
    const found: Group[] = [];
    for (const { first, last } of ranges)
      for (let block = Math.floor(first / BLOCK); block * BLOCK <= last; block++) {
        const known = this.#blocks.get(block);
        const result = known === undefined ? await this.#ask(block) : null;
        if (requestId !== this.#requestId || result?.ok === false) return null;
        const rows = known ?? result?.data.rows ?? [];
        found.push(...rows.slice(Math.max(0, first - block * BLOCK), last - block * BLOCK + 1));
      }
    return found.filter((one): one is Listed => !isSum(one));
  }
  #lineOf(index: number): number {
    return this.#open.reduce((line, one) => (one.index < index ? line + one.lines : line), index);
  }

  #ask(block: number): Promise<Result<TradeGroups>> {
    return this.#groups(this.by ?? 'order', this.#filter, this.sort, block * BLOCK, BLOCK);
  }
  #groups(
    by: TradeGrouping,
    filter: TradeFilter,
    sort: GroupSort,
    offset: number,
    limit: number,
  ): Promise<Result<TradeGroups>> {
    return this.#calls.call('trades.groups', {
      connectionId: this.#connectionId ?? '',
      by,
      filter,
      sort,
      zone: this.#settings.timeZone,
      contracts: [...this.contracts],
      offset,
      limit,
    });
  }

  async #readGaps(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#calls.call('archive.coverage', { connectionId });
    if (result.ok && connectionId === this.#connectionId) this.gaps = result.data.trades.gaps;
  }

  async #read(block: number): Promise<void> {
    if (
      this.by === null ||
      this.#connectionId === null ||
      this.#blocks.has(block) ||
      this.#loading.has(block)
    )
      return;
    this.#loading.add(block);
    const requestId = this.#requestId;
    const ended = this.building.watch(this.#connectionId);
    const result = await this.#ask(block);
    ended();
    if (requestId !== this.#requestId) return;
    this.#loading.delete(block);
    if (!result.ok) {
      this.#fail(result.failure);
      return;
    }
    this.failure = null;
    const { rows, count, stored, totals } = result.data;
    // The places of those in view and of those that are open are others now.
    if (this.count !== null && count !== this.count) return this.#refresh();
    this.#blocks = new Map(this.#blocks).set(block, rows);
    this.count = count;
    this.totals = totals;
    this.#stored = stored;
  }

  /** Opens a group, or closes it. */
  async toggle(index: number): Promise<void> {
    const group = this.groupAt(index);
    if (group === undefined || this.#connectionId === null) return;
    const opened = new Map(this.#opened);
    if (opened.delete(index)) {
      this.#opened = opened;
      if (this.detail !== null && keyOf(this.detail) === keyOf(group)) this.detail = null;
      return;
    }
    const requestId = this.#requestId;
    const under = await this.#under(group);
    // New groups may have moved it meanwhile.
    const at = placesIn(this.#blocks).get(keyOf(group));
    if (requestId !== this.#requestId || at === undefined) return;
    if (!under.ok) {
      this.#fail(under.failure);
      return;
    }
    this.failure = null;
    this.#opened = new Map(this.#opened).set(at, under.data);
    this.showNote(at);
  }
  /** Shows the note of a group, opened or not. */
  showNote(index: number): void {
    const group = this.groupAt(index);
    if (group !== undefined && !isSum(group)) this.detail = group;
  }
  async #under(group: Group): Promise<Result<Opened>> {
    if (!isSum(group)) return this.#tradesOf(group);
    const by = group.kind === 'contract' || group.kind === 'tag' ? 'round-trip' : 'contract';
    const result = await this.#groups(by, this.filterOf(group), sortIn(by, null), 0, LISTED);
    return result.ok ? done({ trades: [], parts: result.data.rows, total: result.data.count }) : result;
  }
  /** Shows a failure, unless a newer request, such as of what is below a group, superseded it: then reads again. */
  #fail(failure: Failure): void {
    if (failure.kind === 'cancelled' && this.count !== null) this.#plan();
    else this.failure = failure;
  }
  async #tradesOf(group: Exclude<Group, SumGroup>): Promise<Result<Opened>> {
    const result = await this.#calls.call('trades.page', {
      connectionId: this.#connectionId ?? '',
      filter: this.filterOf(group),
      sort: OLDEST_FIRST,
      offset: group.kind === 'order' ? 0 : group.skip,
      limit: Math.min(LISTED, group.trades),
    });
    return result.ok ? done({ trades: result.data.rows, parts: [], total: group.trades }) : result;
  }

  /** Returns the filter that shows a group's trades in the log. */
  filterOf(group: Group): TradeFilter {
    if (isSum(group)) {
      const { noted } = this.#filter;
      const tagged = group.kind === 'tag' ? { tags: [group.key], text: noted?.text ?? null } : noted;
      return { ...this.#filter, symbols: [...group.symbols], from: group.from, to: group.to, noted: tagged };
    }
    return group.kind === 'order'
      ? { ...this.#filter, symbols: [group.symbol], orderId: group.orderId }
      : { ...NO_FILTER, symbols: [group.symbol], from: group.opened, to: group.ended };
  }

  #drop(): void {
    this.#requestId++;
    this.#cancelPlanned?.();
    this.#cancelPlanned = null;
    this.#loading.clear();
    this.#blocks = new Map();
    this.#opened = new Map();
    this.detail = null;
    this.count = null;
    this.failure = null;
  }
}
