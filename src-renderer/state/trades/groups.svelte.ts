import type { Calls } from '../../bridge.ts';
import type { CoverageGap } from '../../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { TradeGrouping, TradeGroups, TripGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter, type TradeSort } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import { keyOf, type Group, type GroupLine } from './group-rows.ts';
import { TradeBuilding } from './view-progress.svelte.ts';

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
  /** Stretches whose trades the archive is not proven to hold. */
  gaps = $state.raw<readonly CoverageGap[]>([]);
  /** Told when the lines in view stand further down than before. */
  moved: ((by: number) => void) | null = null;
  #top = 0;
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
    this.gaps = [];
    this.#drop();
  }

  /** Groups of a filter, from the newest; `by` null: no groups. */
  async show(by: TradeGrouping | null, filter: TradeFilter): Promise<void> {
    this.by = by;
    this.#filter = filter;
    this.#drop();
    if (by !== null) void this.#readGaps();
    await this.#read(0);
  }
  /** Line `first` is at the top edge; at 0 the list follows new groups. */
  seeing(first: number): void {
    this.#top = first;
  }
  /** A gap that the group's trades lie in, or that the open end of one reaches into. */
  gapIn(group: Group): CoverageGap | undefined {
    const [from, to] =
      group.kind === 'order'
        ? [group.first, group.last]
        : [group.opened, group.notes.includes('open') ? Infinity : group.ended];
    return this.#gapsOf(group).find((gap) => gap.from <= to && gap.to >= from);
  }
  /** Whether trades from before a group may be missing. */
  hasGapBefore(group: TripGroup): boolean {
    return this.#gapsOf(group).some((gap) => gap.from < group.opened);
  }
  #gapsOf({ symbol }: Group): readonly CoverageGap[] {
    return this.gaps.filter((gap) => gap.symbol === null || gap.symbol === symbol);
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

  /** Takes in what was added: what is open stays open, and what is in view stays where it is. */
  async #refresh(): Promise<void> {
    const asked = this.#asked;
    const now = await this.#ask(0);
    if (asked !== this.#asked) return;
    if (!now.ok) {
      this.failure = now.failure;
      return;
    }
    const { count, stored, rows } = now.data;
    const grown = Math.max(0, count - (this.count ?? 0));
    const top = this.#top;
    const anchor = this.lineAt(top);
    const held = anchor.kind === 'group' && top > 0 ? [anchor.index] : [];
    const blocks = new Map([[0, rows]]);
    // A group is further down by as many as came, or at the front when it got new trades itself.
    for (const index of [...this.#opened.keys(), ...held])
      for (let block = Math.floor(index / BLOCK); block <= Math.floor((index + grown) / BLOCK); block++) {
        if (blocks.has(block)) continue;
        const answer = await this.#ask(block);
        if (asked !== this.#asked) return;
        // Rows came meanwhile: the next round takes them in.
        if (!answer.ok || answer.data.stored !== stored) return;
        blocks.set(block, answer.data.rows);
      }
    const found = new Map(
      [...blocks].flatMap(([block, list]) =>
        list.map((one, at) => [keyOf(one), block * BLOCK + at] as const),
      ),
    );
    const opened = new Map<number, Opened>();
    for (const [index, before] of this.#opened) {
      const group = this.groupAt(index);
      const at = group === undefined ? undefined : found.get(keyOf(group));
      const fresh = at === undefined ? undefined : blocks.get(Math.floor(at / BLOCK))?.[at % BLOCK];
      if (at === undefined || fresh === undefined) continue;
      const trades = fresh.trades === before.total ? before : await this.#tradesOf(fresh);
      if (asked !== this.#asked) return;
      opened.set(at, trades ?? before);
    }
    const kept =
      anchor.kind === 'group' && anchor.group !== undefined ? found.get(keyOf(anchor.group)) : undefined;
    this.#blocks = blocks;
    this.#opened = opened;
    this.count = count;
    this.#stored = stored;
    this.failure = null;
    if (top > 0 && kept !== undefined) this.moved?.(this.#lineOf(kept) - top);
  }
  #lineOf(index: number): number {
    return this.#open.reduce((line, one) => (one.index < index ? line + one.lines : line), index);
  }

  #ask(block: number): Promise<Result<TradeGroups>> {
    return this.#calls.call('trades.groups', {
      connectionId: this.#connectionId ?? '',
      by: this.by ?? 'order',
      filter: this.#filter,
      inverse: [...this.inverse],
      offset: block * BLOCK,
      limit: BLOCK,
    });
  }

  async #readGaps(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const answer = await this.#calls.call('archive.coverage', { connectionId });
    if (answer.ok && connectionId === this.#connectionId) this.gaps = answer.data.trades.gaps;
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
    const asked = this.#asked;
    const ended = this.building.watch(this.#connectionId);
    const answer = await this.#ask(block);
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
    const trades = await this.#tradesOf(group);
    if (asked !== this.#asked || trades === null) return;
    this.#opened = new Map(this.#opened).set(index, trades);
  }
  async #tradesOf(group: Group): Promise<Opened | null> {
    const answer = await this.#calls.call('trades.page', {
      connectionId: this.#connectionId ?? '',
      filter: this.filterOf(group),
      sort: OLDEST_FIRST,
      offset: group.kind === 'order' ? 0 : group.skip,
      limit: Math.min(LISTED, group.trades),
    });
    if (answer.ok) return { trades: answer.data.rows, total: group.trades };
    this.failure = answer.failure;
    return null;
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
