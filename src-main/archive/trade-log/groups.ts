/**
 * Pages of the trade log in groups. The list of groups and its order are cached; the values of orders and round trips
 * are computed per page, or to sort by them.
 */
import { add, amount, print, ZERO } from '../../../src-shared/amount.ts';
import type {
  GroupContract,
  GroupProfit,
  OrderGroup,
  SumGroup,
  TradeGrouping,
  TradeGroups,
  TradeGroupsQuery,
  TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { contractFinder } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { isEmptyNote, type OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
import { AssetSums } from '../lib/decimal-sum.ts';
import type { NoteStore } from '../notes/store.ts';
import { profitConvention } from '../orders/gross-profit.ts';
import { TRADE_ROW, tradeOf } from '../trades/codec.ts';
import type { TotalsReader } from './totals.ts';
import { conditionOf } from '../trades/filter-sql.ts';
import { Profits } from './group-pnl.ts';
import { OrderColumns } from './order-columns.ts';
import {
  OrderFigures,
  orderList,
  sortedOrders,
  sortedSums,
  sortedTrips,
  type OrderList,
  type TradePorts,
} from './group-sorts.ts';
import type { Build } from './sorted-views.ts';
import type { SumGroups } from './sum-book.ts';
import { sumGroups, type SumQuery } from './sum-groups.ts';
import { tagGroups } from './tag-groups.ts';
import { tripBoundaries } from './trip-boundaries.ts';
import { tripList, type TripList } from './trips.ts';

export type GroupsQuery = Omit<TradeGroupsQuery, 'connectionId'>;
interface GroupPorts extends TradePorts {
  readonly totals: TotalsReader;
  readonly notes: NoteStore;
  readonly stored: () => number;
  /** Grows with each order that is added or changed. */
  readonly ordersRevision: () => number;
}
interface Cached<T> {
  readonly key: string;
  readonly stored: number;
  readonly list: T;
}
export class TradeGroupPages {
  readonly #ports: GroupPorts;
  readonly #profits: Profits;
  readonly #orderColumns: OrderColumns;
  #orders: Cached<OrderList> | null = null;
  #trips: Cached<TripList> | null = null;
  /** One per grouping, since a day's contracts are requested together with the days. */
  readonly #sums = new Map<TradeGrouping, Cached<SumGroups>>();
  #display: Cached<Uint32Array> | null = null;

  constructor(ports: GroupPorts) {
    this.#ports = ports;
    this.#profits = new Profits(ports.db, ports.strings);
    this.#orderColumns = new OrderColumns(ports.db);
  }

  page(query: GroupsQuery): Promise<TradeGroups> {
    if (query.by === 'order') return this.#orderPage(query);
    return query.by === 'round-trip' ? this.#tripPage(query) : this.#sumPage(query, query.by);
  }

  /** Returns the round trips that ended last, newest first. */
  newestTrips(contracts: readonly GroupContract[], limit: number): Promise<readonly RoundTrip[]> {
    const count = this.#ports.stored();
    const tripsOf = (): Build<TripList> => this.#tripsOf({ filter: NO_FILTER, contracts }, count);
    return this.#ports.views.run('profit', JSON.stringify([contracts, limit, count]), function* () {
      const list = yield* tripsOf();
      return yield* list.trips([...list.order.subarray(0, limit)]);
    });
  }

  async #orderPage(query: GroupsQuery): Promise<TradeGroups> {
    const count = this.#ports.stored();
    const { filter } = query;
    const found = await this.#cached(this.#orders, this.#keyOf(query), count, () =>
      orderList(this.#ports, filter, count),
    );
    this.#orders = found;
    const { list } = found;
    const order = await this.#sorted(query, count, list.order, () =>
      sortedOrders(
        new OrderFigures(this.#ports, this.#profits, list, query.contracts),
        list,
        query.sort,
        count,
      ),
    );
    const rows = cut(order, query).map((row) => this.#orderGroup(row, filter));
    return { rows, count: order.length, stored: count, totals: [] };
  }
  async #tripPage(query: GroupsQuery): Promise<TradeGroups> {
    const count = this.#ports.stored();
    const list = await this.#tripList(query, count);
    const order = await this.#sorted(query, count, list.order, () => {
      const convention = this.#profits.convention();
      return sortedTrips(list, query, (trip) => this.#tripProfit(trip, convention).value);
    });
    const revision = this.#ports.notes.revision();
    const group = (trip: RoundTrip, noted: readonly OrderNote[] = []): TripGroup =>
      this.#tripGroup(trip, noted);
    // A requester per offset, so that concurrent pages do not cancel each other.
    const requestKey = JSON.stringify([this.#keyNow(query), query.sort, count, query.limit, revision]);
    const rows = await this.#ports.views.run(`groups ${query.offset}`, requestKey, function* () {
      const numbers = cut(order, query);
      const notes = yield* list.notes(revision);
      return (yield* list.trips(numbers)).map((trip, at) => group(trip, notes.get(numbers[at]!)));
    });
    return { rows, count: order.length, stored: count, totals: [] };
  }
  async #tripList(query: GroupsQuery, count: number): Promise<TripList> {
    const key = this.#keyOf({ ...query, by: 'round-trip' });
    this.#trips = await this.#cached(this.#trips, key, count, () => this.#tripsOf(query, count));
    return this.#trips.list;
  }
  async #sumPage(query: GroupsQuery, by: SumGroup['kind']): Promise<TradeGroups> {
    const count = this.#ports.stored();
    const build = by === 'tag' ? await this.#tagBuild(query, count) : this.#sumBuild({ ...query, by }, count);
    const made = await this.#cached(this.#sums.get(by) ?? null, this.#keyNow(query), count, build);
    this.#sums.set(by, made);
    const { rows, totals } = made.list;
    const order = await this.#sorted(query, count, null, () => sortedSums(rows, query.sort));
    return {
      rows: cut(order, query).flatMap((at) => rows[at] ?? []),
      count: order.length,
      stored: count,
      totals,
    };
  }

  #sumBuild(query: SumQuery, count: number): () => Build<SumGroups> {
    const ports = { ...this.#ports, orders: this.#orderColumns };
    return () => sumGroups(ports, query, count);
  }
  async #tagBuild(query: GroupsQuery, count: number): Promise<() => Build<SumGroups>> {
    const list = await this.#tripList(query, count);
    const revision = this.#ports.notes.revision();
    const ports = { ...this.#ports, orders: this.#orderColumns };
    const group = (trip: RoundTrip): TripGroup => this.#tripGroup(trip);
    return function* () {
      return yield* tagGroups(ports, list, yield* list.notes(revision), query, group);
    };
  }

  *#tripsOf(
    { filter, contracts }: Pick<GroupsQuery, 'filter' | 'contracts'>,
    count: number,
  ): Build<TripList> {
    const { db, strings, columns, views } = this.#ports;
    const contractOf = contractFinder(contracts);
    const rows = yield* views.inTime({ ...NO_FILTER, symbols: filter.symbols }, count);
    const boundaries = yield* tripBoundaries(columns, {
      rows,
      count,
      buy: strings.find('BUY'),
      sell: strings.find('SELL'),
      isInverse: (symbol) => contractOf(strings.valueOf(symbol))?.inverse === true,
    });
    const times = yield* columns.numbers('tradeTime', count);
    return yield* tripList({ db, strings, boundaries, times, count }, filter);
  }

  #orderGroup(row: number, filter: TradeFilter): OrderGroup {
    const { db, strings } = this.#ports;
    const newest = db.prepare(`SELECT ${TRADE_ROW} FROM trade t WHERE t.seq = ?`).get(row);
    if (newest === undefined) throw new TypeError(`the archive has no row ${row}`);
    const { symbol, orderId, side } = tradeOf(newest, strings);
    const condition = conditionOf({ ...filter, orderId, symbols: [symbol] }, strings);
    const list = db
      .prepare(`SELECT ${TRADE_ROW} FROM ${condition.source} WHERE ${condition.where} ORDER BY t.trade_time`)
      .all(...condition.values)
      .map((one) => tradeOf(one, strings));
    const note = this.#ports.notes.of(orderId);
    const noted = note === null || isEmptyNote(note) ? [] : [note];
    const profit = this.#profits.of([orderId]);
    return { kind: 'order', symbol, orderId, side, ...sumsOf(list), profit, noted };
  }
  #tripProfit(
    { closingOrders, flags }: Pick<RoundTrip, 'closingOrders' | 'flags'>,
    convention?: ProfitConvention,
  ): GroupProfit {
    return this.#profits.of(closingOrders, flags.includes('shared-order'), convention);
  }
  #tripGroup({ closingOrders, ...trip }: RoundTrip, noted: readonly OrderNote[] = []): TripGroup {
    const profit = this.#tripProfit({ closingOrders, flags: trip.flags });
    return { kind: 'round-trip', ...trip, profit, noted };
  }

  async #cached<T>(
    known: Cached<T> | null,
    key: string,
    count: number,
    build: () => Build<T>,
  ): Promise<Cached<T>> {
    if (known?.key === key && known.stored === count) return known;
    return this.#ports.views.run('groups', `${key} ${count}`, function* () {
      return { key, stored: count, list: yield* build() };
    });
  }
  /** Returns the groups in display order; `newestFirst` if that order is already known. */
  async #sorted(
    query: GroupsQuery,
    count: number,
    newestFirst: Uint32Array | null,
    build: () => Build<Uint32Array>,
  ): Promise<Uint32Array> {
    const { sort } = query;
    if (newestFirst !== null && sort.column === 'time')
      return sort.descending ? newestFirst : newestFirst.toReversed();
    const key = JSON.stringify([this.#keyNow(query), sort]);
    this.#display = await this.#cached(this.#display, key, count, build);
    return this.#display.list;
  }
  /** Includes the notes where the groups depend on them. */
  #keyOf({ by, filter, contracts, zone }: GroupsQuery): string {
    const { notes } = this.#ports;
    return JSON.stringify([by, notes.keyOf(filter), contracts, zone, by === 'tag' ? notes.revision() : 0]);
  }
  /** Includes the state of the order history and its convention, since PnL depends on them. */
  #keyNow(query: GroupsQuery): string {
    const { db, ordersRevision } = this.#ports;
    return `${this.#keyOf(query)} ${ordersRevision()} ${profitConvention(db)}`;
  }
}

const cut = (order: Uint32Array, { offset, limit }: GroupsQuery): number[] =>
  Array.from(order.subarray(offset, offset + limit));

function sumsOf(
  list: readonly Trade[],
): Pick<OrderGroup, 'first' | 'last' | 'trades' | 'makers' | 'leftOut' | 'qty' | 'quote' | 'fees'> {
  const fees = new AssetSums();
  for (const one of list) fees.add(one.feeAsset, one.fee ?? '0');
  const total = (field: 'executedQty' | 'executedQuoteQty'): string =>
    print(list.reduce((sum, one) => add(sum, amount(one[field] ?? '0')), ZERO));
  return {
    first: list[0]?.tradeTime ?? 0,
    last: list.at(-1)?.tradeTime ?? 0,
    trades: list.length,
    makers: list.filter((one) => one.liquidity === 'MAKER').length,
    leftOut: list.filter((one) => [one.executedQty, one.executedQuoteQty, one.fee].includes(null)).length,
    qty: total('executedQty'),
    quote: total('executedQuoteQty'),
    fees: fees.list(),
  };
}
