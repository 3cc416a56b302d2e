/** The trade log as one list: pages in any order, a row's place in it, totals. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  TradeFilter,
  TradePageQuery,
  TradePlace,
  TradePlaceQuery,
  TradeTotals,
  TradeWindow,
} from '../../../src-shared/ipc/trades.ts';
import type { NoteStore } from '../notes/store.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { storedId } from '../sqlite/ids.ts';
import { hasBounds } from '../trades/filter-sql.ts';
import { isDirect, type TradeReader, type TradeRows } from '../trades/query.ts';
import type { TradeViews } from './sorted-views.ts';
import type { TotalsReader } from './totals.ts';

export type ListQuery = Omit<TradePageQuery, 'connectionId'>;
export type PlaceQuery = Omit<TradePlaceQuery, 'connectionId'>;

export class TradeList {
  readonly #totals: TotalsReader;
  readonly #strings: StringTable;
  readonly #reader: TradeReader;
  readonly #views: TradeViews;
  readonly #notes: NoteStore;
  readonly #findRow: StatementSync;

  constructor(
    db: DatabaseSync,
    strings: StringTable,
    reader: TradeReader,
    views: TradeViews,
    notes: NoteStore,
    totals: TotalsReader,
  ) {
    this.#totals = totals;
    this.#strings = strings;
    this.#reader = reader;
    this.#views = views;
    this.#notes = notes;
    this.#findRow = db.prepare('SELECT seq FROM trade WHERE symbol = ? AND trade_id = ?');
  }

  /** Returns a page; rejects with ArchiveFault if a newer request for another list replaced it. */
  async page(query: ListQuery): Promise<TradeWindow> {
    const window = await this.#rowsOf(query);
    return { ...window, noted: this.#notes.ofOrders(window.rows.map(({ orderId }) => orderId)) };
  }
  async #rowsOf({ filter, sort, offset, limit }: ListQuery): Promise<TradeRows> {
    if (isDirect(filter, sort)) return this.#reader.page(filter, offset, limit, sort.descending);
    const { rows, stored } = await this.#views.sorted('list', filter, sort.column);
    const size = Math.max(0, Math.min(limit, rows.length - offset));
    const from = sort.descending ? rows.length - offset - size : offset;
    const numbers = Array.from(rows.subarray(from, from + size));
    if (sort.descending) numbers.reverse();
    return { rows: size === 0 ? [] : this.#reader.rows(numbers), count: rows.length, stored };
  }

  /** Returns a row's index in the list; null if it is not in it. */
  async place({ filter, sort, row }: PlaceQuery): Promise<number | null> {
    const symbol = this.#strings.find(row.symbol);
    if (symbol === null) return null;
    const seq = this.#findRow.get(symbol, storedId(row.tradeId))?.['seq'];
    if (seq === undefined) return null;
    if (isDirect(filter, sort)) return this.#placeInTime(filter, row, sort.descending);
    const { rows } = await this.#views.sorted('list', filter, sort.column);
    const at = rows.indexOf(asInteger(seq));
    return at < 0 ? null : sort.descending ? rows.length - 1 - at : at;
  }
  /** Returns the number of rows before its millisecond plus its place within it. */
  #placeInTime(filter: TradeFilter, row: TradePlace, descending: boolean): number | null {
    const { tradeTime } = row;
    const same = { ...filter, from: tradeTime, to: tradeTime };
    if (tradeTime < (filter.from ?? 0) || tradeTime > (filter.to ?? Infinity)) return null;
    const before = descending ? { ...filter, from: tradeTime + 1 } : { ...filter, to: tradeTime - 1 };
    const found = this.#reader
      .page(same, 0, this.#reader.count(same), descending)
      .rows.findIndex((one) => one.tradeId === row.tradeId && one.symbol === row.symbol);
    return found < 0 ? null : this.#reader.count(before) + found;
  }

  /** Returns exact totals; rejects with ArchiveFault if a newer request replaced it. */
  async totals(filter: TradeFilter): Promise<TradeTotals> {
    if (!hasBounds(filter)) return this.#totals.of(filter);
    const view = await this.#views.sorted('totals', filter, 'tradeTime');
    return this.#views.run('totals', JSON.stringify([filter, view.stored]), () =>
      this.#totals.ofView(filter, view, this.#views.columns),
    );
  }
}
