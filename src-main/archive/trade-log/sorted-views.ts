/**
 * Materialized views for sorts and filters without an index: row numbers in a typed array, from which any page is a
 * look-up. Built in short steps, so that other requests are served in between; a newer request of the same requester
 * cancels the older one.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TradeColumn, TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import type { DecimalName, NumberName, TradeColumns } from './column-cache.ts';
import { conditionOf } from '../trades/filter-sql.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Longest step before the event loop continues, ms. */
const TURN_MS = 8;
const CHUNK = 10_000;
const MAX_VIEWS = 6;

/** (tradeTime, tradeId, symbol) is a total order, and an index. */
const TIME_ORDER = 'trade_time, trade_id, symbol';
const NEWEST_FIRST = 'trade_time DESC, trade_id DESC, symbol DESC';
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
/** A newer request of the same requester cancels the older one. */
export type Requester = 'list' | 'totals' | 'groups' | 'profit' | `groups ${string}`;

export interface TradeViews {
  /** Returns rows by unit, then ascending by the column; equal ones oldest first. Rejects with ArchiveFault if superseded. */
  sorted(requester: Requester, filter: TradeFilter, column: TradeColumn): Promise<View>;
  /** Runs a build in short steps; rejects with ArchiveFault if superseded. */
  run<T>(requester: Requester, key: string, build: () => Generator<number | undefined, T>): Promise<T>;
  /** Returns the filter's rows in time order, from the cache or built. Yields the progress. */
  inTime(filter: TradeFilter, stored: number): Generator<number | undefined, Uint32Array>;
  /** The column cache the views are built from. */
  readonly columns: TradeColumns;
  /** Returns the progress of the list's build, 0…1; null if none runs. */
  progress(): number | null;
}

export interface ViewPorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly columns: TradeColumns;
  readonly stored: () => number;
}

const SUPERSEDED = {
  kind: 'cancelled',
  message: 'A newer request replaced this one.',
  next: 'Nothing to do.',
} as const;

export function createTradeViews({ db, strings, columns, stored }: ViewPorts): TradeViews {
  const running = new Map<Requester, { readonly key: string; readonly answer: Promise<unknown> }>();
  const cache = new Map<string, View>();
  let share: number | null = null;

  function addToCache(key: string, view: View): View {
    cache.delete(key);
    cache.set(key, view);
    for (const old of [...cache.keys()].slice(0, -MAX_VIEWS)) cache.delete(old);
    return view;
  }

  async function runSteps<T>(
    requester: Requester,
    key: string,
    steps: Generator<number | undefined, T>,
  ): Promise<T> {
    for (;;) {
      const until = performance.now() + TURN_MS;
      while (performance.now() < until) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (typeof step.value === 'number' && showsProgress(requester)) share = step.value;
      }
      await nextTurn();
      if (running.get(requester)?.key !== key) throw new ArchiveFault(SUPERSEDED);
    }
  }

  function run<T>(
    requester: Requester,
    key: string,
    build: () => Generator<number | undefined, T>,
  ): Promise<T> {
    const now = running.get(requester);
    if (now?.key === key) return now.answer as Promise<T>;
    const answer = Promise.resolve()
      .then(() => runSteps(requester, key, build()))
      .finally(() => {
        if (running.get(requester)?.key === key) running.delete(requester);
      });
    running.set(requester, { key, answer });
    if (showsProgress(requester)) share = 0;
    return answer;
  }

  function* inTime(filter: TradeFilter, count: number): Generator<number | undefined, Uint32Array> {
    const key = viewKey(filter, 'tradeTime');
    const known = cache.get(key);
    if (known?.stored === count) return known.rows;
    return addToCache(key, { rows: yield* found(filter, count), stored: count }).rows;
  }

  /** Finds the filter's rows in time order, reading `CHUNK` rows of the archive per step. */
  function* found(filter: TradeFilter, count: number): Generator<number | undefined, Uint32Array> {
    const plain = { ...filter, priceFrom: null, priceTo: null, qtyFrom: null, qtyTo: null };
    // An order's rows are few and have an index. Otherwise the step's bounds replace the filter's times: with both,
    // SQLite would use the filter's and read from the first row in each step.
    const byOrder = filter.orderId !== null;
    const condition = conditionOf(byOrder ? plain : { ...plain, from: null, to: null }, strings);
    if (condition === null) return new Uint32Array(0);
    const { source, where, values } = condition;
    const select = (within: string): StatementSync =>
      db.prepare(`SELECT json_group_array(seq) AS list FROM (SELECT seq FROM ${source}
        WHERE ${where} AND seq <= ? ${within} ORDER BY ${TIME_ORDER})`);
    const numbers = (query: StatementSync, ...borders: readonly number[]): number[] =>
      JSON.parse(asText(query.get(...values, count, ...borders)?.['list'])) as number[];

    let rows: Uint32Array = new Uint32Array(Math.max(1, count));
    let size = 0;
    const take = (list: readonly number[]): void => {
      rows.set(list, size);
      size += list.length;
    };
    if (byOrder) take(numbers(select('')));
    else {
      const before = select(`AND ${KEY} >= ${KEY_OF} AND ${KEY} < ${KEY_OF}`);
      const upTo = select(`AND ${KEY} >= ${KEY_OF} AND ${KEY} <= ${KEY_OF}`);
      const after = db.prepare(`SELECT seq FROM ${IN_TIME} WHERE ${KEY} >= ${KEY_OF} AND ${KEY} <= ${KEY_OF}
        ORDER BY ${TIME_ORDER} LIMIT 1 OFFSET ${CHUNK}`);
      const edge = (bound: string, order: string, time: number): number | undefined =>
        rowIn(db.prepare(`SELECT seq FROM ${IN_TIME} WHERE ${bound} ORDER BY ${order} LIMIT 1`).get(time));
      let first = edge('trade_time >= ?', TIME_ORDER, filter.from ?? 0);
      const last = edge('trade_time <= ?', NEWEST_FIRST, filter.to ?? Number.MAX_SAFE_INTEGER);
      for (let seen = CHUNK; first !== undefined && last !== undefined; seen += CHUNK) {
        const next = rowIn(after.get(first, last));
        take(next === undefined ? numbers(upTo, first, last) : numbers(before, first, next));
        first = next;
        yield Math.min(1, seen / count) * 0.5;
      }
    }
    rows = rows.subarray(0, size);
    const bounded = (
      [
        ['price', filter.priceFrom, filter.priceTo],
        ['executedQty', filter.qtyFrom, filter.qtyTo],
      ] as const
    ).filter(([, from, to]) => from !== null || to !== null);
    yield* columns.load(
      bounded.map(([name]) => name),
      count,
    );
    for (const [name, from, to] of bounded) rows = yield* within(name, rows, from, to, count);
    return rows;
  }

  function* within(
    name: DecimalName,
    rows: Uint32Array,
    from: string | null,
    to: string | null,
    count: number,
  ): Generator<undefined, Uint32Array> {
    const column = yield* columns.decimals(name, count);
    const bounds = column.bounds(from, to);
    let fits = 0;
    const result = new Uint32Array(rows.length);
    for (let at = 0; at < rows.length; at++) {
      if (bounds(rows[at]!)) result[fits++] = rows[at]!;
      if (at % CHUNK === 0) yield;
    }
    return result.subarray(0, fits);
  }

  /** Returns each row's rank by its string's text. */
  function* ranked(rows: Uint32Array, numbers: Float64Array): Generator<undefined, Uint32Array> {
    const rank: number[] = [];
    [...strings.ids()]
      .sort((a, b) => (strings.valueOf(a) < strings.valueOf(b) ? -1 : 1))
      .forEach((id, place) => (rank[id] = place));
    const ranks = new Uint32Array(numbers.length);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      ranks[row] = rank[numbers[row]!] ?? 0;
      if (at % CHUNK === 0) yield;
    }
    return ranks;
  }

  const textIds = db.prepare(`SELECT 1 FROM trade WHERE seq > ? AND typeof(trade_id) = 'text'
    AND substr(trade_id, 1, 1) = '/' LIMIT 1`);
  let digitsUpTo = 0;
  /** Reports whether an id is not digits; rows are only added, so each is checked once. */
  function hasTextIds(count: number): boolean {
    if (textIds.get(digitsUpTo) !== undefined) return true;
    digitsUpTo = count;
    return false;
  }

  /** Returns each row's rank by trade id if some are not digits: numbers first, then texts. */
  function* idRanks(count: number): Generator<undefined, Uint32Array> {
    const ranks = new Uint32Array(count + 1);
    const inOrder = db.prepare(
      'SELECT seq, CAST(trade_id AS TEXT) AS id FROM trade ORDER BY trade_id, symbol',
    );
    let rank = 0;
    let last = '';
    for (const row of inOrder.iterate()) {
      const [seq, id] = [asInteger(row['seq']), asText(row['id'])];
      if (id !== last) rank++;
      last = id;
      if (seq <= count) ranks[seq] = rank;
      if (rank % CHUNK === 0) yield;
    }
    return ranks;
  }

  function* ordered(
    filter: TradeFilter,
    column: TradeColumn,
    count: number,
  ): Generator<number | undefined, View> {
    let rows = yield* inTime(filter, count);
    yield 0.6;
    if (column === 'tradeTime') return { rows, stored: count };
    if (column === 'tradeId' && hasTextIds(count)) {
      rows = yield* sortedBy(rows, yield* idRanks(count));
    } else if (isNumber(column)) {
      const numbers = yield* columns.numbers(column, count);
      rows = yield* sortedBy(rows, column === 'offset' ? numbers : yield* ranked(rows, numbers));
    } else {
      const { length } = (yield* columns.decimals(column, count)).limbs();
      for (let level = 0; level < length; level++) {
        yield 0.7 + (0.3 * level) / length;
        rows = yield* sortedBy(rows, (yield* columns.decimals(column, count)).limbs()[level]!);
      }
      const unit = UNITS[column];
      if (unit !== undefined)
        rows = yield* sortedBy(rows, yield* ranked(rows, yield* columns.numbers(unit, count)));
    }
    return { rows, stored: count };
  }

  return {
    run,
    inTime,
    columns,
    progress: () => (running.has('list') || running.has('groups') ? share : null),
    sorted(requester, filter, column) {
      const count = stored();
      const key = viewKey(filter, column);
      const known = cache.get(key);
      if (known?.stored === count) {
        addToCache(key, known);
        return Promise.resolve(known);
      }
      return run(requester, `${key} ${count}`, function* () {
        return addToCache(key, yield* ordered(filter, column, count));
      });
    },
  };
}

const showsProgress = (requester: Requester): boolean => requester === 'list' || requester === 'groups';
const viewKey = (filter: TradeFilter, column: TradeColumn): string => JSON.stringify([filter, column]);
/** Columns sorted by unit first: a fee in BTC and one in USDT cannot be compared. */
const UNITS: Partial<Record<TradeColumn, NumberName>> = { fee: 'feeAsset', executedQty: 'symbol' };
const NUMBER_NAMES: readonly string[] = ['offset', 'symbol', 'side', 'liquidity', 'feeAsset'];
const isNumber = (column: TradeColumn): column is NumberName & TradeColumn => NUMBER_NAMES.includes(column);
