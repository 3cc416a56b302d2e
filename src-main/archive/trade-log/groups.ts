/** The log by order and by round trip: which groups there are is built once, a page's sums are made when it is asked. */
import type { DatabaseSync } from 'node:sqlite';
import { add, amount, calculated, print, ZERO } from '../../../src-shared/amount.ts';
import type {
  OrderGroup,
  TradeGrouping,
  TradeGroups,
  TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { createProfits } from './group-pnl.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import type { TradeColumns } from './column-cache.ts';
import { conditionOf } from '../trades/filter-sql.ts';
import { TRADE_ROW, tradeOf } from '../trades/codec.ts';
import type { TradeViews } from './sorted-views.ts';
import { tripBorders } from './trip-boundaries.ts';
import { tripList, type TripList } from './trips.ts';
import type { Words } from '../sqlite/string-table.ts';

interface GroupsQuery {
  readonly by: TradeGrouping;
  readonly inverse: readonly string[];
  readonly filter: TradeFilter;
  readonly offset: number;
  readonly limit: number;
}
interface GroupPorts {
  readonly db: DatabaseSync;
  readonly words: Words;
  readonly columns: TradeColumns;
  readonly views: TradeViews;
  readonly stored: () => number;
}
/** Oldest first: the newest row of each order, or the trips. */
interface Known<T> {
  readonly key: string;
  readonly stored: number;
  readonly list: T;
}

const STEP = 50_000;

export function createTradeGroups({ db, words, columns, views, stored }: GroupPorts) {
  const profits = createProfits(db, words);
  let orders: Known<Uint32Array> | null = null;
  let trips: Known<TripList> | null = null;

  /** One row of each order of each contract, the newest, in time order. */
  function* newestRows(filter: TradeFilter, count: number): Generator<number | undefined, Uint32Array> {
    const inTime = yield* views.inTime(filter, count);
    const symbols = yield* columns.numbers('symbol', count);
    const ids = yield* columns.decimals('orderId', count);
    let rows = inTime;
    for (let level = 0; level < ids.limbs().length; level++)
      rows = yield* sortedBy(rows, ids.limbs()[level]!);
    rows = yield* sortedBy(rows, symbols);
    yield 0.9;
    // Sorted by contract and order, each order's rows stand together in time order: its last is its newest.
    const isNewest = new Uint8Array(count + 1);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const next = rows[at + 1];
      const ends =
        next === undefined ||
        symbols[row] !== symbols[next] ||
        ids.limbs().some((limb) => limb[row] !== limb[next]);
      if (ends) isNewest[row] = 1;
      if (at % STEP === STEP - 1) yield;
    }
    return inTime.filter((row) => isNewest[row] === 1);
  }

  function* tripsOf(
    filter: TradeFilter,
    inverse: readonly string[],
    count: number,
  ): Generator<number | undefined, TripList> {
    const rows = yield* views.inTime({ ...NO_FILTER, symbols: filter.symbols }, count);
    const borders = yield* tripBorders(columns, {
      rows,
      count,
      buy: words.find('BUY'),
      sell: words.find('SELL'),
      isInverse: (symbol) => inverse.includes(words.valueOf(symbol)),
    });
    return yield* tripList(db, words, borders, yield* columns.numbers('tradeTime', count), filter);
  }

  function orderGroup(row: number, filter: TradeFilter): OrderGroup {
    const newest = db.prepare(`SELECT ${TRADE_ROW} FROM trade t WHERE t.seq = ?`).get(row);
    if (newest === undefined) throw new TypeError(`the archive has no row ${row}`);
    const { symbol, orderId, side } = tradeOf(newest, words);
    const condition = conditionOf({ ...filter, orderId, symbols: [symbol] }, words);
    const list =
      condition === null
        ? []
        : db
            .prepare(
              `SELECT ${TRADE_ROW} FROM ${condition.source} WHERE ${condition.where} ORDER BY t.trade_time`,
            )
            .all(...condition.values)
            .map((one) => tradeOf(one, words));
    return { kind: 'order', symbol, orderId, side, ...sums(list), profit: profits.of([orderId]) };
  }

  const tripGroup = ({ closingOrders, ...trip }: RoundTrip): TripGroup => ({
    kind: 'round-trip',
    ...trip,
    profit: profits.of(closingOrders, trip.notes.includes('shared-order')),
  });
  function* tripGroups(list: TripList, from: number, to: number): Generator<undefined, TripGroup[]> {
    const groups: TripGroup[] = [];
    for (const trip of yield* list.trips(from, to)) {
      groups.unshift(tripGroup(trip));
      yield;
    }
    return groups;
  }

  async function listed<T>(
    known: Known<T> | null,
    key: string,
    build: (count: number) => Generator<number | undefined, T>,
  ): Promise<Known<T>> {
    const count = stored();
    if (known?.key === key && known.stored === count) return known;
    return views.run('groups', `${key} ${count}`, function* () {
      return { key, stored: count, list: yield* build(count) };
    });
  }

  return {
    async page({ by, filter, inverse, offset, limit }: GroupsQuery): Promise<TradeGroups> {
      const key = JSON.stringify([by, filter, inverse]);
      if (by === 'order') {
        orders = await listed(orders, key, (count) => newestRows(filter, count));
        const { list } = orders;
        const page = Array.from(list.subarray(...newestFirst(list.length, offset, limit))).reverse();
        return {
          rows: page.map((row) => orderGroup(row, filter)),
          count: list.length,
          stored: orders.stored,
        };
      }
      trips = await listed(trips, key, (count) => tripsOf(filter, inverse, count));
      const { list, stored: asOf } = trips;
      const [from, to] = newestFirst(list.length, offset, limit);
      // Of its own: two pages asked for at once do not end each other.
      const rows = await views.run(`groups ${from}`, `${key} ${asOf} ${to}`, () =>
        tripGroups(list, from, to),
      );
      return { rows, count: list.length, stored: asOf };
    },
  };
}

/** Where rows `offset` … of a list told newest first stand in one kept oldest first. */
function newestFirst(length: number, offset: number, limit: number): [from: number, to: number] {
  const to = Math.max(0, length - offset);
  return [Math.max(0, to - limit), to];
}

function sums(
  list: readonly Trade[],
): Pick<OrderGroup, 'first' | 'last' | 'trades' | 'takers' | 'qty' | 'quote' | 'fees'> {
  const fees = new Map<string, string>();
  for (const one of list)
    fees.set(one.feeAsset, print(add(calculated(fees.get(one.feeAsset) ?? '0'), amount(one.fee ?? '0'))));
  const total = (field: 'executedQty' | 'executedQuoteQty'): string =>
    print(list.reduce((sum, one) => add(sum, amount(one[field] ?? '0')), ZERO));
  return {
    first: list[0]?.tradeTime ?? 0,
    last: list.at(-1)?.tradeTime ?? 0,
    trades: list.length,
    takers: list.filter((one) => one.liquidity === 'TAKER').length,
    qty: total('executedQty'),
    quote: total('executedQuoteQty'),
    fees: [...fees].map(([asset, value]) => ({ asset, amount: value })),
  };
}
