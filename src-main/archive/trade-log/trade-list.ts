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

interface ListPorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly reader: TradeReader;
  readonly views: TradeViews;
  readonly notes: NoteStore;
  readonly totals: TotalsReader;
}

export class TradeList {
  readonly #ports: ListPorts;
  readonly #findRow: StatementSync;

  constructor(ports: ListPorts) {
    this.#ports = ports;
    this.#findRow = ports.db.prepare('SELECT seq FROM trade WHERE symbol = ? AND trade_id = ?');
  }

  /** Returns a page; rejects with ArchiveFault if a newer request for another list replaced it. */
  async page(query: ListQuery): Promise<TradeWindow> {
    const window = await this.#rowsOf(query);
    return { ...window, noted: this.#ports.notes.ofOrders(window.rows.map(({ orderId }) => orderId)) };
  }
  async #rowsOf({ filter, sort, offset, limit }: ListQuery): Promise<TradeRows> {
    const { reader, views } = this.#ports;
    if (isDirect(filter, sort)) return reader.page(filter, offset, limit, sort.descending);
    const { rows, stored } = await views.sorted('list', filter, sort.column);
    const size = Math.max(0, Math.min(limit, rows.length - offset));
    const from = sort.descending ? rows.length - offset - size : offset;
    const numbers = Array.from(rows.subarray(from, from + size));
    if (sort.descending) numbers.reverse();
    return { rows: size === 0 ? [] : reader.rows(numbers), count: rows.length, stored };
  }

  /** Returns a row's index in the list; null if it is not in it. */
  async place({ filter, sort, row }: PlaceQuery): Promise<number | null> {
    const { strings, views } = this.#ports;
    const symbol = strings.find(row.symbol);
    if (symbol === null) return null;
    const seq = this.#findRow.get(symbol, storedId(row.tradeId))?.['seq'];
    if (seq === undefined) return null;
    if (isDirect(filter, sort)) return this.#placeInTime(filter, row, sort.descending);
    const { rows } = await views.sorted('list', filter, sort.column);
    const at = rows.indexOf(asInteger(seq));
    return at < 0 ? null : sort.descending ? rows.length - 1 - at : at;
  }
  /** Returns the number of rows before its millisecond plus its place within it. */
  #placeInTime(filter: TradeFilter, row: TradePlace, descending: boolean): number | null {
    const { reader } = this.#ports;
    const { tradeTime } = row;
    const same = { ...filter, from: tradeTime, to: tradeTime };
    if (tradeTime < (filter.from ?? 0) || tradeTime > (filter.to ?? Infinity)) return null;
    const before = descending ? { ...filter, from: tradeTime + 1 } : { ...filter, to: tradeTime - 1 };
    const found = reader
      .page(same, 0, reader.count(same), descending)
      .rows.findIndex((one) => one.tradeId === row.tradeId && one.symbol === row.symbol);
    return found < 0 ? null : reader.count(before) + found;
  }

  /** Returns exact totals; rejects with ArchiveFault if a newer request replaced it. */
  async totals(filter: TradeFilter): Promise<TradeTotals> {
    const { totals, views } = this.#ports;
    if (!hasBounds(filter)) return totals.of(filter);
    const view = await views.sorted('totals', filter, 'tradeTime');
    return views.run('totals', JSON.stringify([filter, view.stored]), () =>
      totals.ofView(filter, view, views.columns),
    );
  }
}
