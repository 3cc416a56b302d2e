/**
 * Adds up round trips in the column cache, half a million in a second: those from flat to flat whose closing orders
 * closed nothing else and whose figures can all be read. `TripBook` defines round trips and computes the others.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { AssetAmount } from '../../../src-shared/domain/history/trade-stats.ts';
import { ColumnSum, RunningSum, type DecimalColumn } from '../lib/decimal-column.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import type { TradeColumns } from './column-cache.ts';
import type { OrderColumns } from './order-columns.ts';
import { HAS_UNREAD } from './totals.ts';
import type { TripBoundaries, TripContract } from './trip-boundaries.ts';

/** Sums of one contract's round trips; all but `unknown` are of those whose closed PnL is known. */
export interface SummedTrips {
  readonly symbol: string;
  readonly wins: number;
  readonly losses: number;
  readonly counted: number;
  readonly unknown: number;
  readonly trades: number;
  readonly makers: number;
  /** Exact decimals as text. */
  readonly qty: string;
  readonly quote: string;
  readonly pnl: string;
  readonly fees: readonly AssetAmount[];
}
interface Columns {
  readonly assets: Float64Array;
  readonly liquidities: Float64Array;
  readonly qty: DecimalColumn;
  readonly quote: DecimalColumn;
  readonly fee: DecimalColumn;
  readonly gross: DecimalColumn;
}
interface ContractSums {
  counted: number;
  wins: number;
  losses: number;
  unknown: number;
  trades: number;
  makers: number;
  readonly qty: ColumnSum;
  readonly quote: ColumnSum;
  readonly pnl: ColumnSum;
  /** By the id of the asset. */
  readonly fees: Map<number, ColumnSum>;
}

export interface PlainTripPorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly columns: TradeColumns;
  readonly orders: OrderColumns;
}

/** Loads what `PlainTrips` reads. Yields between chunks. */
export function* plainTrips(
  { db, strings, columns, orders }: PlainTripPorts,
  boundaries: TripBoundaries,
  count: number,
): Generator<undefined, PlainTrips> {
  for (const { rows } of boundaries.contracts.values()) yield* orders.find(rows);
  yield* orders.readProfits();
  const decimals = ['executedQty', 'executedQuoteQty', 'fee'] as const;
  yield* columns.load([...decimals, 'feeAsset', 'liquidity'], count);
  const unread = db.prepare(
    `SELECT t.seq FROM trade AS t WHERE t.seq IN (SELECT seq FROM trade_received) AND ${HAS_UNREAD}`,
  );
  return new PlainTrips(strings, boundaries, orders, new Set(unread.all().map(({ seq }) => asInteger(seq))), {
    assets: yield* columns.numbers('feeAsset', count),
    liquidities: yield* columns.numbers('liquidity', count),
    qty: yield* columns.decimals('executedQty', count),
    quote: yield* columns.decimals('executedQuoteQty', count),
    fee: yield* columns.decimals('fee', count),
    gross: orders.gross,
  });
}

export class PlainTrips {
  readonly #strings: StringTable;
  readonly #boundaries: TripBoundaries;
  readonly #orders: OrderColumns;
  readonly #unread: ReadonlySet<number>;
  readonly #columns: Columns;
  readonly #maker: number | null;
  readonly #sums = new Map<number, ContractSums>();

  constructor(
    strings: StringTable,
    boundaries: TripBoundaries,
    orders: OrderColumns,
    unread: ReadonlySet<number>,
    columns: Columns,
  ) {
    this.#strings = strings;
    this.#boundaries = boundaries;
    this.#orders = orders;
    this.#unread = unread;
    this.#columns = columns;
    this.#maker = strings.find('MAKER');
  }

  /** Adds a round trip; returns false if it is not a plain one. */
  add(trip: number): boolean {
    const contract = this.#boundaries.contractOf(trip);
    const closing = this.#closingOrders(contract, trip);
    if (closing === null) return false;
    const sums = this.#sums.get(contract.symbol) ?? this.#start();
    this.#sums.set(contract.symbol, sums);
    if (![...closing.keys()].every((order) => this.#orders.isKnown(order))) {
      sums.unknown += 1;
      return true;
    }
    for (const [order, fills] of closing) if (this.#orders.fillsOf(order) !== fills) return false;
    this.#addProfit(sums, closing);
    this.#addRows(sums, contract, trip);
    return true;
  }

  result(): readonly SummedTrips[] {
    return [...this.#sums].map(([symbol, { qty, quote, pnl, fees, ...counts }]) => ({
      symbol: this.#strings.valueOf(symbol),
      ...counts,
      qty: qty.text(),
      quote: quote.text(),
      pnl: pnl.text(),
      fees: [...fees].map(([asset, sum]) => ({
        asset: this.#strings.valueOf(asset),
        amount: sum.text(),
      })),
    }));
  }

  /** Returns the orders that closed a part of it, with their closing trades; null if the trip is not plain. */
  #closingOrders({ rows, size }: TripContract, trip: number): Map<number, number> | null {
    const boundaries = this.#boundaries;
    if (boundaries.isReversal(trip)) return null;
    const { first, last } = boundaries;
    const position = new RunningSum(size);
    const closing = new Map<number, number>();
    for (let place = first[trip]!; place <= last[trip]!; place++) {
      const row = rows[place]!;
      const side = boundaries.sideOf(row);
      const signed = side * size.signOf(row);
      if (side === 0 || signed === 0 || this.#unread.has(row)) return null;
      const held = position.sign();
      position.add(row, side);
      if (held === 0 || held < 0 === signed < 0) continue;
      const order = this.#orders.orderOf(row);
      closing.set(order, (closing.get(order) ?? 0) + 1);
    }
    return position.sign() === 0 ? closing : null;
  }

  #addProfit(sums: ContractSums, closing: ReadonlyMap<number, number>): void {
    const profit = new RunningSum(this.#columns.gross);
    for (const order of closing.keys()) {
      profit.add(order, 1);
      sums.pnl.add(order);
    }
    sums.counted += 1;
    if (profit.sign() > 0) sums.wins += 1;
    if (profit.sign() < 0) sums.losses += 1;
  }

  #addRows(sums: ContractSums, { rows }: TripContract, trip: number): void {
    const { first, last } = this.#boundaries;
    const { assets, liquidities, fee } = this.#columns;
    for (let place = first[trip]!; place <= last[trip]!; place++) {
      const row = rows[place]!;
      sums.trades += 1;
      if (liquidities[row] === this.#maker) sums.makers += 1;
      sums.qty.add(row);
      sums.quote.add(row);
      const asset = assets[row]!;
      const fees = sums.fees.get(asset) ?? new ColumnSum(fee);
      sums.fees.set(asset, fees);
      fees.add(row);
    }
  }

  #start(): ContractSums {
    const { qty, quote, gross } = this.#columns;
    return {
      counted: 0,
      wins: 0,
      losses: 0,
      unknown: 0,
      trades: 0,
      makers: 0,
      qty: new ColumnSum(qty),
      quote: new ColumnSum(quote),
      pnl: new ColumnSum(gross),
      fees: new Map(),
    };
  }
}
