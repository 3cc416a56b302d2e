/** The worker's handlers of `protocol.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeTotals, TradeWindow } from '../../../src-shared/ipc/trades.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { LogRequests } from './protocol.ts';
import { hasBounds } from '../trades/filter-sql.ts';
import { TradeGroupPages } from './groups.ts';
import { ProfitFindings } from './profit-finding.ts';
import { isDirect, type TradeReader } from '../trades/query.ts';
import { storedId } from '../trades/codec.ts';
import { leftOut, totalsOf, totalsOfView } from './totals.ts';
import type { TradeViews } from './sorted-views.ts';
import type { TradeWriter } from '../trades/writer.ts';
import type { StringTable } from '../sqlite/string-table.ts';

type Input<M extends keyof LogRequests> = LogRequests[M]['input'];
type LogMethods = {
  readonly [M in keyof LogRequests]: (
    input: Input<M>,
  ) => LogRequests[M]['answer'] | Promise<LogRequests[M]['answer']>;
};

export function logMethods(
  db: DatabaseSync,
  strings: StringTable,
  writer: TradeWriter,
  reader: TradeReader,
  views: TradeViews,
): LogMethods {
  const { columns } = views;
  const findRow = db.prepare('SELECT seq FROM trade WHERE symbol = ? AND trade_id = ?');
  const stored = (): number => writer.stored();
  const groups = new TradeGroupPages({ db, strings, columns, views, days: reader.days, stored });

  const profits = new ProfitFindings(db, strings, (contracts, limit) => groups.newestTrips(contracts, limit));

  async function built({ filter, sort, offset, limit }: Input<'list'>): Promise<TradeWindow> {
    const { rows, stored } = await views.sorted('list', filter, sort.column);
    const size = Math.max(0, Math.min(limit, rows.length - offset));
    const from = sort.descending ? rows.length - offset - size : offset;
    const numbers = Array.from(rows.subarray(from, from + size));
    if (sort.descending) numbers.reverse();
    return { rows: size === 0 ? [] : reader.rows(numbers), count: rows.length, stored };
  }
  async function place({ filter, sort, row }: Input<'place'>): Promise<number | null> {
    const symbol = strings.find(row.symbol);
    if (symbol === null) return null;
    const seq = findRow.get(symbol, storedId(row.tradeId))?.['seq'];
    if (seq === undefined) return null;
    if (!isDirect(filter, sort)) {
      const { rows } = await views.sorted('list', filter, sort.column);
      const at = rows.indexOf(asInteger(seq));
      return at < 0 ? null : sort.descending ? rows.length - 1 - at : at;
    }
    // The number of rows before its millisecond plus its place within it.
    const { tradeTime } = row;
    const same = { ...filter, from: tradeTime, to: tradeTime };
    if (tradeTime < (filter.from ?? 0) || tradeTime > (filter.to ?? Infinity)) return null;
    const before = sort.descending ? { ...filter, from: tradeTime + 1 } : { ...filter, to: tradeTime - 1 };
    const found = reader
      .page(same, 0, reader.count(same), sort.descending)
      .rows.findIndex((one) => one.tradeId === row.tradeId && one.symbol === row.symbol);
    return found < 0 ? null : reader.count(before) + found;
  }
  async function builtTotals(filter: Input<'listTotals'>): Promise<TradeTotals> {
    const view = await views.sorted('totals', filter, 'tradeTime');
    return views.run('totals', JSON.stringify([filter, view.stored]), () =>
      totalsOfView(view, columns, strings, leftOut(db, strings, filter)),
    );
  }

  return {
    list: (query) =>
      isDirect(query.filter, query.sort)
        ? reader.page(query.filter, query.offset, query.limit, query.sort.descending)
        : built(query),
    place,
    listTotals: (filter) =>
      hasBounds(filter) ? builtTotals(filter) : totalsOf(db, strings, filter, reader.days),
    groups: (query) => groups.page(query),
    building: () => views.progress(),
    profit: (query) => profits.find(query),
  };
}
