/** Where the lines of an export come from: the layout chosen, as steps that each leave room for other questions. */
import type { DatabaseSync } from 'node:sqlite';
import { TAX_PRESETS, type ExportQuery, type Reconciliation } from '../../../src-shared/ipc/exports.ts';
import { TRADE_COLUMNS, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { isNothing } from '../../../src-shared/domain/history/tax-rows.ts';
import { closingOrders } from './closing-orders.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { csvLines, type CsvChunk } from './trade-lines.ts';
import type { Dialect } from './record-lines.ts';
import { orderCount, orderLines } from './order-lines.ts';
import { createTally, type Tally } from './control-totals.ts';
import { taxLines } from './tax-lines.ts';
import { conditionOf, type Condition, type TradeReader } from '../trades/query.ts';
import { conditionsOf, hasBounds } from '../trades/filter-sql.ts';
import { leftOut, totalsOf, totalsOfView } from '../trade-log/totals.ts';
import type { TradeViews } from '../trade-log/sorted-views.ts';
import type { TradeWriter } from '../trades/writer.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Positions and balances are no part of the archive: main hands them over as records. */
export type ArchiveExport = Omit<ExportQuery, 'connectionId'> & {
  readonly table: 'trades' | 'orders';
  /** The connection's name, for the tax tools' column of it. */
  readonly account: string;
};

/** Records the archive does not hold, handed over by the main process. */
export interface RecordExport extends Dialect {
  readonly table: 'positions' | 'balances';
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** When the exchange said so, wall clock ms. */
  readonly readAt: number;
}

export interface ExportSource {
  /** Rows that will be read; null until they are found. */
  readonly total: () => number | null;
  /** Chunks of lines; one without bytes only counts. */
  readonly chunks: Iterable<CsvChunk & { readonly lines?: number }>;
  reconciliation(): Reconciliation | null;
}

export interface SourcePorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly writer: TradeWriter;
  /** With the worker's sums by day: read anew for each export they would hold up every question. */
  readonly reader: TradeReader;
  readonly views: TradeViews;
}

const isTax = (preset: ExportQuery['preset']): preset is (typeof TAX_PRESETS)[number] =>
  TAX_PRESETS.some((one) => one === preset);

/** Throws ArchiveFault for an unknown zone, on the first chunk. */
export function sourceOf(
  { db, strings, writer, reader, views }: SourcePorts,
  query: ArchiveExport,
  limit?: number,
): ExportSource {
  if (query.table === 'orders') {
    const orders = orderCount(db, strings, query.filter);
    return {
      total: () => orders,
      chunks: orderLines(db, strings, query, limit),
      reconciliation: () => null,
    };
  }
  // Of one moment: nothing is stored between these two lines.
  const stored = writer.stored();
  let totals = hasBounds(query.filter) ? null : totalsOf(db, strings, query.filter, reader.days);
  const { preset } = query;
  const tally = createTally(isTax(preset));

  /** Prices and quantities are in no index: the rows are found first, a step at a time. */
  function* conditions(): Generator<CsvChunk, Iterable<Condition>> {
    if (!hasBounds(query.filter)) return [conditionOf(query.filter, strings)].filter((one) => one !== null);
    const rows = yield* silently(views.inTime(query.filter, stored));
    if (limit === undefined)
      totals = yield* silently(
        totalsOfView({ rows, stored }, views.columns, strings, leftOut(db, strings, query.filter)),
      );
    return conditionsOf(rows);
  }
  function* chunks(): Generator<CsvChunk & { readonly lines?: number }, void> {
    const wanted = yield* conditions();
    if (isTax(preset)) yield* taxLines(db, strings, { ...query, preset }, stored, tally, wanted, limit);
    else yield* tradeLines(db, strings, query, stored, tally, wanted, limit);
  }
  return {
    total: () => totals?.count ?? null,
    chunks: chunks(),
    reconciliation: () => (totals === null ? null : tally.result(totals)),
  };
}

/** The steps of a build as chunks without bytes. */
function* silently<T>(steps: Generator<unknown, T>): Generator<CsvChunk, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield { bytes: NOTHING, rows: 0 };
  }
}

function* tradeLines(
  db: DatabaseSync,
  strings: StringTable,
  query: ArchiveExport,
  stored: number,
  tally: Tally,
  conditions: Iterable<Condition>,
  limit?: number,
): Generator<CsvChunk, void> {
  const columns = query.preset === 'full' ? [...TRADE_COLUMNS] : query.columns;
  for (const chunk of csvLines(db, strings, { ...query, columns }, stored, limit, conditions)) {
    tally.trades += chunk.rows;
    yield chunk;
  }
  if (limit !== undefined) return;
  tally.unreadFees = leftOut(db, strings, query.filter, ['fee'], stored);
  yield* covered(db, strings, query.filter, stored, tally);
}

const NOTHING = new Uint8Array();
/** Rows looked through in a step that only counts. */
const ROWS_A_STEP = 20_000;

/** The profit of the same trades: no line of it is written, but the file's person is told. */
function* covered(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  stored: number,
  tally: Tally,
): Generator<CsvChunk, void> {
  const orders = closingOrders(db, strings, filter);
  const condition = conditionOf(filter, strings);
  if (orders === null || condition === null) return;
  tally.open = orders.open;
  tally.unreadProfits = orders.unread.length;
  for (let some = orders.next(); some !== null; some = orders.next()) {
    for (const { coin, profit } of some) if (!isNothing(profit)) tally.profit(coin, profit);
    yield { bytes: NOTHING, rows: 0 };
  }
  if (db.prepare('SELECT 1 FROM history_order LIMIT 1').get() === undefined) {
    tally.uncovered = tally.trades;
    return;
  }
  const count = db.prepare(
    `SELECT count(*) AS n FROM trade AS t WHERE seq > ? AND seq <= ? AND ${condition.where}
       AND NOT EXISTS (SELECT 1 FROM history_order AS o WHERE o.id = t.order_id)`,
  );
  for (let from = 0; from < stored; from += ROWS_A_STEP) {
    const found = count.get(from, Math.min(stored, from + ROWS_A_STEP), ...condition.values);
    tally.uncovered += asInteger(found?.['n']);
    yield { bytes: NOTHING, rows: 0 };
  }
}
