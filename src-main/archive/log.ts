/** The worker's side of `log-protocol.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeTotals, TradeWindow } from '../../src-shared/contract/trades.ts';
import type { LogRequests } from './log-protocol.ts';
import { hasBounds } from './trade-condition.ts';
import { createTradeColumns } from './trade-columns.ts';
import { createTradeGroups } from './trade-groups.ts';
import { isDirect, type TradeReader } from './trade-query.ts';
import { totalsOf, totalsOfView } from './trade-totals.ts';
import { createTradeViews } from './trade-views.ts';
import type { TradeWriter } from './trade-writer.ts';
import type { Words } from './words.ts';

type Input<M extends keyof LogRequests> = LogRequests[M]['input'];
type LogMethods = {
  readonly [M in keyof LogRequests]: (
    input: Input<M>,
  ) => LogRequests[M]['answer'] | Promise<LogRequests[M]['answer']>;
};

export function logMethods(
  db: DatabaseSync,
  words: Words,
  writer: TradeWriter,
  reader: TradeReader,
): LogMethods {
  const columns = createTradeColumns(db);
  const views = createTradeViews({ db, words, columns, stored: () => writer.stored() });
  const groups = createTradeGroups({ db, words, columns, views, stored: () => writer.stored() });

  async function built({ filter, sort, offset, limit }: Input<'list'>): Promise<TradeWindow> {
    const { rows, stored } = await views.sorted('list', filter, sort.column);
    const size = Math.max(0, Math.min(limit, rows.length - offset));
    const from = sort.descending ? rows.length - offset - size : offset;
    const numbers = Array.from(rows.subarray(from, from + size));
    if (sort.descending) numbers.reverse();
    return { rows: size === 0 ? [] : reader.rows(numbers), count: rows.length, stored };
  }
  async function builtTotals(filter: Input<'listTotals'>): Promise<TradeTotals> {
    const view = await views.sorted('totals', filter, 'tradeTime');
    return views.run('totals', JSON.stringify([filter, view.stored]), () =>
      totalsOfView(view, columns, words),
    );
  }

  return {
    list: (query) =>
      isDirect(query.filter, query.sort)
        ? reader.page(query.filter, query.offset, query.limit, query.sort.descending)
        : built(query),
    listTotals: (filter) =>
      hasBounds(filter) ? builtTotals(filter) : totalsOf(db, words, filter, reader.days),
    groups: (query) => groups.page(query),
    building: () => views.progress(),
  };
}
