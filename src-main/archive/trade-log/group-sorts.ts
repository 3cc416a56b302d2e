/** Sorts orders, round trips and sums of the trade log by one of their values. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { calculated } from '../../../src-shared/amount.ts';
import { contractFinder, type ContractOf } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import type {
  GroupColumn,
  GroupContract,
  GroupSort,
  SumGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { ColumnSum, type DecimalColumn, type Limb } from '../lib/decimal-column.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import { asText } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { idText } from '../sqlite/ids.ts';
import type { TradeColumns } from './column-cache.ts';
import { orderedGroups, type GroupKey } from './group-order.ts';
import type { Profits } from './group-pnl.ts';
import type { Build, TradeViews } from './sorted-views.ts';
import type { TripList } from './trips.ts';
import { averagePriceOf, ratioOf } from '../../../src-shared/domain/numeric/quotient.ts';

export interface OrderList {
  /** The newest trade of each order, newest first. */
  readonly order: Uint32Array;
  /** All rows by order, the newest of each last. */
  readonly rows: Uint32Array;
  /** Index in `rows` of each newest trade. */
  readonly places: Uint32Array;
}
/** What groups are made from. */
export interface TradePorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly columns: TradeColumns;
  readonly views: TradeViews;
}

const STEP = 50_000;
/** Groups computed per turn of the event loop. */
const GROUPS_PER_STEP = 500;

const sortsByUnit = (column: GroupColumn): boolean =>
  column === 'symbol' || column === 'side' || column === 'tag';
const ratio = (part: string, whole: string): string | null => ratioOf(calculated(part), calculated(whole));

function* inSteps(groups: Uint32Array, take: (group: number) => void): Build<void> {
  for (let at = 0; at < groups.length; at++) {
    take(groups[at]!);
    if (at % GROUPS_PER_STEP === GROUPS_PER_STEP - 1) yield (0.9 * at) / groups.length;
  }
}

export function* orderList(
  { columns, views }: TradePorts,
  filter: TradeFilter,
  count: number,
): Build<OrderList> {
  const inTime = yield* views.inTime(filter, count);
  const symbols = yield* columns.numbers('symbol', count);
  const ids = yield* columns.decimals('orderId', count);
  let rows = inTime;
  for (const limb of ids.limbs()) rows = yield* sortedBy(rows, limb);
  rows = yield* sortedBy(rows, symbols);
  yield 0.9;
  // Sorted by contract and order, an order's rows are adjacent and in time order, so the last is its newest.
  const places = new Uint32Array(count + 1);
  const isNewest = new Uint8Array(count + 1);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const next = rows[at + 1];
    const ends =
      next === undefined ||
      symbols[row] !== symbols[next] ||
      ids.limbs().some((limb) => limb[row] !== limb[next]);
    if (ends) {
      isNewest[row] = 1;
      places[row] = at;
    }
    if (at % STEP === STEP - 1) yield;
  }
  return { order: inTime.filter((row) => isNewest[row] === 1).reverse(), rows, places };
}

/** The columns that orders are sorted by. */
interface SortColumns {
  readonly symbols: Float64Array;
  readonly sides: Float64Array;
  readonly assets: Float64Array;
  readonly ids: readonly Limb[];
  readonly qty: DecimalColumn;
  readonly quote: DecimalColumn;
  readonly fee: DecimalColumn;
}

/** Sort keys of orders, from the column cache. */
export class OrderFigures {
  readonly #ports: TradePorts;
  readonly #profits: Profits;
  readonly #convention: ProfitConvention;
  readonly #list: OrderList;
  readonly #contractOf: ContractOf<GroupContract>;
  readonly #orderOfRow: StatementSync;
  #columns: SortColumns | null = null;

  constructor(ports: TradePorts, profits: Profits, list: OrderList, contracts: readonly GroupContract[]) {
    this.#ports = ports;
    this.#profits = profits;
    this.#convention = profits.convention();
    this.#list = list;
    this.#contractOf = contractFinder(contracts);
    this.#orderOfRow = ports.db.prepare(`SELECT ${idText('order_id')} AS id FROM trade WHERE seq = ?`);
  }

  *load(count: number): Generator<undefined, void> {
    const { columns } = this.#ports;
    this.#columns = {
      symbols: yield* columns.numbers('symbol', count),
      sides: yield* columns.numbers('side', count),
      assets: yield* columns.numbers('feeAsset', count),
      ids: (yield* columns.decimals('orderId', count)).limbs(),
      qty: yield* columns.decimals('executedQty', count),
      quote: yield* columns.decimals('executedQuoteQty', count),
      fee: yield* columns.decimals('fee', count),
    };
  }

  /** Returns the key of the order whose newest row is `row`. */
  key(row: number, column: GroupColumn): GroupKey {
    const { symbols, sides, assets, qty, quote, fee } = this.#read;
    const { strings } = this.#ports;
    const symbol = strings.valueOf(symbols[row]!);
    const contract = this.#contractOf(symbol);
    switch (column) {
      case 'symbol':
        return { unit: symbol, value: '0' };
      case 'side':
        return { unit: strings.valueOf(sides[row]!), value: '0' };
      case 'trades':
        return { unit: '', value: String(this.#rows(row).length) };
      case 'quantity': {
        const unit = contract?.inverse === true ? contract.margin : contract?.quantity;
        return { unit: unit ?? symbol, value: this.#total(qty, this.#rows(row)) };
      }
      case 'entry': {
        const rows = this.#rows(row);
        return {
          unit: contract?.quote ?? symbol,
          value: averagePriceOf(this.#total(quote, rows), this.#total(qty, rows)),
        };
      }
      case 'volume':
        return { unit: contract?.quote ?? symbol, value: this.#total(quote, this.#rows(row)) };
      case 'fees': {
        const alike = this.#rows(row).filter((one) => assets[one] === assets[row]);
        return { unit: strings.valueOf(assets[row]!), value: this.#total(fee, alike) };
      }
      case 'pnl': {
        const { value } = this.#profits.of(
          [asText(this.#orderOfRow.get(row)?.['id'])],
          false,
          this.#convention,
        );
        return { unit: contract?.margin ?? symbol, value };
      }
      default:
        throw new TypeError(`orders are not sorted by ${column}`);
    }
  }

  get #read(): SortColumns {
    if (this.#columns === null) throw new TypeError('the columns of orders are not loaded');
    return this.#columns;
  }
  #rows(newest: number): number[] {
    const { symbols, ids } = this.#read;
    const { rows, places } = this.#list;
    const found: number[] = [];
    for (let at = places[newest]!; at >= 0; at--) {
      const row = rows[at]!;
      if (symbols[row] !== symbols[newest] || ids.some((limb) => limb[row] !== limb[newest])) break;
      found.push(row);
    }
    return found;
  }
  #total(column: DecimalColumn, rows: readonly number[]): string {
    const sum = new ColumnSum(column);
    for (const row of rows) sum.add(row);
    return sum.text();
  }
}

export function* sortedOrders(
  figures: OrderFigures,
  { order }: OrderList,
  { column, descending }: GroupSort,
  count: number,
): Build<Uint32Array> {
  yield* figures.load(count);
  return yield* orderedGroups(
    order,
    count + 1,
    (take) => inSteps(order, (row) => take(row, figures.key(row, column))),
    { descending, byUnit: sortsByUnit(column) },
  );
}

/** Sorts round trips, computed contract by contract so that each trade is read once. */
export function* sortedTrips(
  list: TripList,
  query: { readonly sort: GroupSort; readonly contracts: readonly GroupContract[] },
  profitOf: (trip: RoundTrip) => string | null,
): Build<Uint32Array> {
  const { column, descending } = query.sort;
  const contractOf = contractFinder(query.contracts);
  function* read(take: (trip: number, key: GroupKey) => void): Build<void> {
    const all = list.byContract();
    for (let at = 0; at < all.length; at += GROUPS_PER_STEP) {
      const some = Array.from(all.subarray(at, at + GROUPS_PER_STEP));
      const made = yield* list.trips(some);
      made.forEach((trip, place) => take(some[place]!, tripKey(trip, profitOf, column, contractOf)));
      yield (0.9 * at) / all.length;
    }
  }
  return yield* orderedGroups(list.order, list.size, read, { descending, byUnit: sortsByUnit(column) });
}

function tripKey(
  trip: RoundTrip,
  profitOf: (trip: RoundTrip) => string | null,
  column: GroupColumn,
  contractOf: ContractOf<GroupContract>,
): GroupKey {
  const { symbol } = trip;
  const contract = contractOf(symbol);
  const [fee] = trip.fees;
  switch (column) {
    case 'symbol':
      return { unit: symbol, value: '0' };
    case 'side':
      return { unit: trip.direction, value: '0' };
    case 'trades':
      return { unit: '', value: String(trip.trades) };
    case 'quantity':
      return { unit: contract?.quantity ?? symbol, value: trip.peakQty };
    case 'entry':
      return { unit: contract?.quote ?? symbol, value: averagePriceOf(trip.entryQuote, trip.entryQty) };
    case 'exit':
      return { unit: contract?.quote ?? symbol, value: averagePriceOf(trip.exitQuote, trip.exitQty) };
    case 'fees':
      return { unit: fee?.asset ?? '', value: fee?.amount ?? null };
    case 'pnl':
      return { unit: contract?.margin ?? symbol, value: profitOf(trip) };
    default:
      throw new TypeError(`round trips are not sorted by ${column}`);
  }
}

export function* sortedSums(
  rows: readonly SumGroup[],
  { column, descending }: GroupSort,
): Build<Uint32Array> {
  const newestFirst = Uint32Array.from(rows.keys()).sort(
    (a, b) => (rows[b]!.from ?? 0) - (rows[a]!.from ?? 0) || rows[b]!.trades - rows[a]!.trades || a - b,
  );
  const read = (take: (group: number, key: GroupKey) => void): Build<void> =>
    inSteps(newestFirst, (group) => take(group, sumKey(rows[group]!, column)));
  return yield* orderedGroups(newestFirst, rows.length, read, { descending, byUnit: sortsByUnit(column) });
}

function sumKey(group: SumGroup, column: GroupColumn): GroupKey {
  const unit = group.coin ?? group.symbols.join();
  const [fee] = group.fees;
  switch (column) {
    case 'time':
      return { unit: '', value: String(group.from ?? 0) };
    case 'symbol':
    case 'tag':
      return { unit: group.key, value: '0' };
    case 'trades':
      return { unit: '', value: String(group.trades) };
    case 'trips':
      return { unit: '', value: String(group.trips?.counted ?? 0) };
    case 'wins': {
      const { wins, losses } = group.trips ?? { wins: 0, losses: 0 };
      return { unit: '', value: ratio(String(wins), String(wins + losses)) };
    }
    case 'volume':
      return { unit: group.quote ?? unit, value: group.volume };
    case 'maker':
      return { unit: '', value: ratio(String(group.makers), String(group.trades)) };
    case 'pnl':
      return { unit, value: group.pnl };
    case 'fees':
      return { unit: fee?.asset ?? '', value: fee?.amount ?? null };
    case 'net':
      return { unit, value: group.net };
    case 'bp':
      return { unit: '', value: group.bp };
    default:
      throw new TypeError(`sums are not sorted by ${column}`);
  }
}
