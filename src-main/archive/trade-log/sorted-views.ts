/**
 * Materialized views for sorts and filters without an index: row numbers in a typed array, from which any page is a
 * look-up. Built in short steps, so that other requests are served in between; a newer request of the same requester
 * cancels the older one.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { byText } from '../../../src-shared/by-text.ts';
import type { TradeColumn, TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import { idText, storedId } from '../sqlite/ids.ts';
import type { NoteStore } from '../notes/store.ts';
import { CHUNK, type DecimalName, type NumberName, type TradeColumns } from './column-cache.ts';
import { conditionOf, picksOrders, timeOrder, type Condition } from '../trades/filter-sql.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Longest step before the event loop continues, ms. */
const TURN_MS = 8;
const MAX_VIEWS = 6;

const TIME_ORDER = timeOrder(false);
const IN_TIME = 'trade INDEXED BY trade_by_time';
const KEY = `(${TIME_ORDER})`;
const KEY_OF = `(SELECT ${TIME_ORDER} FROM trade WHERE seq = ?)`;
const rowIn = (found: Record<string, SQLOutputValue> | undefined): number | undefined =>
  found === undefined ? undefined : asInteger(found['seq']);

/** Row numbers (`seq`) of the archive's first `stored` rows. */
export interface View {
  readonly rows: Uint32Array;
  readonly stored: number;
}
/** Steps of a build: its progress, 0…1, where it is known. */
export type Build<T> = Generator<number | undefined, T>;
/** A newer request of the same requester cancels the older one. */
export type Requester = 'list' | 'totals' | 'groups' | 'profit' | `groups ${string}`;

export interface ViewPorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly columns: TradeColumns;
  readonly notes: NoteStore;
  readonly stored: () => number;
}

const SUPERSEDED = {
  kind: 'cancelled',
  message: 'A newer request replaced this one.',
  next: 'Nothing to do.',
} as const;

export class TradeViews {
  /** The column cache the views are built from. */
  readonly columns: TradeColumns;
  readonly #ports: ViewPorts;
  readonly #findTextId: StatementSync;
  readonly #running = new Map<Requester, { readonly key: string; readonly result: Promise<unknown> }>();
  readonly #cache = new Map<string, View>();
  #share: number | null = null;
  /** All ids up to this row are digits; rows are only added, so each is checked once. */
  #digitsUpTo = 0;

  constructor(ports: ViewPorts) {
    this.columns = ports.columns;
    this.#ports = ports;
    this.#findTextId = ports.db.prepare(`SELECT 1 FROM trade WHERE seq > ? AND typeof(trade_id) = 'text'
      AND substr(trade_id, 1, 1) = '/' LIMIT 1`);
  }

  /** Returns rows by unit, then ascending by the column; equal ones oldest first. Rejects with ArchiveFault if superseded. */
  sorted(requester: Requester, filter: TradeFilter, column: TradeColumn): Promise<View> {
    const count = this.#ports.stored();
    const key = this.#keyOf(filter, column);
    const known = this.#cache.get(key);
    if (known?.stored === count) return Promise.resolve(this.#addToCache(key, known));
    return this.run(requester, `${key} ${count}`, () => this.#view(filter, column, count));
  }

  /** Runs a build in short steps; rejects with ArchiveFault if superseded. */
  run<T>(requester: Requester, key: string, build: () => Build<T>): Promise<T> {
    const now = this.#running.get(requester);
    if (now?.key === key) return now.result as Promise<T>;
    const result = Promise.resolve()
      .then(() => this.#runSteps(requester, key, build()))
      .finally(() => {
        if (this.#running.get(requester)?.key === key) this.#running.delete(requester);
      });
    this.#running.set(requester, { key, result });
    if (showsProgress(requester)) this.#share = 0;
    return result;
  }

  /** Returns the progress of the list's build, 0…1; null if none runs. */
  progress(): number | null {
    return this.#running.has('list') || this.#running.has('groups') ? this.#share : null;
  }

  /** Returns the filter's rows in time order, from the cache or built. Yields the progress. */
  *inTime(filter: TradeFilter, stored: number): Build<Uint32Array> {
    const key = this.#keyOf(filter, 'tradeTime');
    const known = this.#cache.get(key);
    if (known?.stored === stored) return known.rows;
    const found = picksOrders(filter) ? this.#ofOrders(filter, stored) : yield* this.#inSteps(filter, stored);
    const rows = yield* this.#withinBounds(found, filter, stored);
    return this.#addToCache(key, { rows, stored }).rows;
  }

  async #runSteps<T>(requester: Requester, key: string, steps: Build<T>): Promise<T> {
    for (;;) {
      const until = performance.now() + TURN_MS;
      while (performance.now() < until) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (typeof step.value === 'number' && showsProgress(requester)) this.#share = step.value;
      }
      await nextTurn();
      if (this.#running.get(requester)?.key !== key) throw new ArchiveFault(SUPERSEDED);
    }
  }

  #keyOf(filter: TradeFilter, column: TradeColumn): string {
    return `${column} ${this.#ports.notes.keyOf(filter)}`;
  }
  #addToCache(key: string, view: View): View {
    this.#cache.delete(key);
    this.#cache.set(key, view);
    for (const old of [...this.#cache.keys()].slice(0, -MAX_VIEWS)) this.#cache.delete(old);
    return view;
  }

  /** The rows of picked orders are few and have an index. Bounds are left to `#withinBounds`. */
  #ofOrders(filter: TradeFilter, stored: number): Uint32Array {
    const condition = conditionOf({ ...filter, ...NO_BOUNDS }, this.#ports.strings);
    return Uint32Array.from(this.#select(condition, stored)());
  }

  /** Finds the filter's rows without its bounds, reading `CHUNK` rows of the archive per step. */
  *#inSteps(filter: TradeFilter, stored: number): Build<Uint32Array> {
    // The step's edges replace the filter's times: with both, SQLite would use the filter's and read from the first
    // row in each step.
    const condition = conditionOf({ ...filter, ...NO_BOUNDS, from: null, to: null }, this.#ports.strings);
    const before = this.#select(condition, stored, `AND ${KEY} >= ${KEY_OF} AND ${KEY} < ${KEY_OF}`);
    const upTo = this.#select(condition, stored, `AND ${KEY} >= ${KEY_OF} AND ${KEY} <= ${KEY_OF}`);
    const after = this.#ports.db
      .prepare(`SELECT seq FROM ${IN_TIME} WHERE ${KEY} >= ${KEY_OF} AND ${KEY} <= ${KEY_OF}
      ORDER BY ${TIME_ORDER} LIMIT 1 OFFSET ${CHUNK}`);
    let first = this.#edge('trade_time >= ?', TIME_ORDER, filter.from ?? 0);
    const last = this.#edge('trade_time <= ?', timeOrder(true), filter.to ?? Number.MAX_SAFE_INTEGER);
    const rows = new Uint32Array(Math.max(1, stored));
    let size = 0;
    for (let seen = CHUNK; first !== undefined && last !== undefined; seen += CHUNK) {
      const next = rowIn(after.get(first, last));
      const found = next === undefined ? upTo(first, last) : before(first, next);
      rows.set(found, size);
      size += found.length;
      first = next;
      yield Math.min(1, seen / stored) * 0.5;
    }
    return rows.subarray(0, size);
  }

  /** Returns a query of the condition's rows in time order; `within` narrows it by two more rows. */
  #select(
    { source, where, values }: Condition,
    stored: number,
    within = '',
  ): (...edges: readonly number[]) => readonly number[] {
    const query = this.#ports.db.prepare(`SELECT json_group_array(seq) AS list FROM (SELECT seq FROM ${source}
      WHERE ${where} AND seq <= ? ${within} ORDER BY ${TIME_ORDER})`);
    return (...edges) => JSON.parse(asText(query.get(...values, stored, ...edges)?.['list'])) as number[];
  }

  /** Returns the first row of the archive by `order` on one side of a time. */
  #edge(bound: string, order: string, time: number): number | undefined {
    const query = this.#ports.db.prepare(
      `SELECT seq FROM ${IN_TIME} WHERE ${bound} ORDER BY ${order} LIMIT 1`,
    );
    return rowIn(query.get(time));
  }

  /** Returns those rows within the filter's bounds of price and quantity. */
  *#withinBounds(rows: Uint32Array, filter: TradeFilter, stored: number): Build<Uint32Array> {
    const bounded = (
      [
        ['price', filter.priceFrom, filter.priceTo],
        ['executedQty', filter.qtyFrom, filter.qtyTo],
      ] as const
    ).filter(([, from, to]) => from !== null || to !== null);
    const names = bounded.map(([name]) => name);
    yield* this.columns.load(names, stored);
    let found = rows;
    for (const [name, from, to] of bounded) {
      const column = yield* this.columns.decimals(name, stored);
      found = yield* matching(found, column.bounds(from, to));
    }
    return found;
  }

  *#view(filter: TradeFilter, column: TradeColumn, stored: number): Build<View> {
    const rows = yield* this.#ordered(filter, column, stored);
    return this.#addToCache(this.#keyOf(filter, column), { rows, stored });
  }

  /** Returns the filter's rows in ascending order of the column. */
  *#ordered(filter: TradeFilter, column: TradeColumn, stored: number): Build<Uint32Array> {
    const rows = yield* this.inTime(filter, stored);
    yield 0.6;
    if (column === 'tradeTime') return rows;
    if (column === 'tradeId' && this.#hasTextIds(stored))
      return yield* sortedBy(rows, yield* this.#idRanks(stored));
    if (!isNumber(column)) return yield* this.#byDecimal(rows, column, stored);
    const numbers = yield* this.columns.numbers(column, stored);
    return yield* sortedBy(rows, column === 'offset' ? numbers : yield* this.#ranked(rows, numbers));
  }

  *#byDecimal(inTime: Uint32Array, column: DecimalName, stored: number): Build<Uint32Array> {
    let rows = inTime;
    const { length } = (yield* this.columns.decimals(column, stored)).limbs();
    for (let level = 0; level < length; level++) {
      yield 0.7 + (0.3 * level) / length;
      rows = yield* sortedBy(rows, (yield* this.columns.decimals(column, stored)).limbs()[level]!);
    }
    const unit = UNITS[column];
    if (unit === undefined) return rows;
    return yield* sortedBy(rows, yield* this.#ranked(rows, yield* this.columns.numbers(unit, stored)));
  }

  /** Returns each row's rank by its string's text. */
  *#ranked(rows: Uint32Array, numbers: Float64Array): Generator<undefined, Uint32Array> {
    const rank: number[] = [];
    [...this.#ports.strings.ids()]
      .sort(byText((id) => this.#ports.strings.valueOf(id)))
      .forEach((id, place) => (rank[id] = place));
    const ranks = new Uint32Array(numbers.length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      ranks[row] = rank[numbers[row]!] ?? 0;
      if (at % CHUNK === 0) yield;
    }
    return ranks;
  }

  /** Reports whether an id is not digits. */
  #hasTextIds(stored: number): boolean {
    if (this.#findTextId.get(this.#digitsUpTo) !== undefined) return true;
    this.#digitsUpTo = stored;
    return false;
  }

  /**
   * Returns each row's rank by trade id if some are not digits: numbers first, then texts. A query that stayed open
   * between the steps would let no write begin once another connection, an import's, has written.
   */
  *#idRanks(stored: number): Generator<undefined, Uint32Array> {
    const ranks = new Uint32Array(stored + 1);
    const next = this.#ports.db.prepare(
      `SELECT seq, ${idText('trade_id')} AS id, symbol, is_second FROM trade
       WHERE (trade_id, symbol, is_second) > (?, ?, ?) ORDER BY trade_id, symbol, is_second LIMIT ${CHUNK}`,
    );
    let after: readonly [bigint | string, number, number] = [-1n, 0, 0];
    let rank = 0;
    let last: string | null = null;
    for (;;) {
      const rows = next.all(...after);
      for (const row of rows) {
        const [seq, id] = [asInteger(row['seq']), asText(row['id'])];
        if (id !== last) rank++;
        last = id;
        if (seq <= stored) ranks[seq] = rank;
        after = [storedId(id), asInteger(row['symbol']), asInteger(row['is_second'])];
      }
      if (rows.length < CHUNK) return ranks;
      yield;
    }
  }
}

function* matching(rows: Uint32Array, test: (row: number) => boolean): Generator<undefined, Uint32Array> {
  const found = new Uint32Array(rows.length);
  let size = 0;
  for (let at = 0; at < rows.length; at++) {
    if (test(rows[at]!)) found[size++] = rows[at]!;
    if (at % CHUNK === 0) yield;
  }
  return found.subarray(0, size);
}

const NO_BOUNDS = { priceFrom: null, priceTo: null, qtyFrom: null, qtyTo: null } as const;
const showsProgress = (requester: Requester): boolean => requester === 'list' || requester === 'groups';
/** Columns sorted by unit first: a fee in BTC and one in USDT cannot be compared. */
const UNITS: Partial<Record<TradeColumn, NumberName>> = { fee: 'feeAsset', executedQty: 'symbol' };
const NUMBER_NAMES: readonly string[] = ['offset', 'symbol', 'side', 'liquidity', 'feeAsset'];
const isNumber = (column: TradeColumn): column is NumberName & TradeColumn => NUMBER_NAMES.includes(column);
