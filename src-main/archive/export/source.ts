/** Produces the lines of an export in the chosen layout, in short steps that let other requests be served. */
import { TAX_TOOLS, type TaxTool } from '../../../src-shared/domain/history/tax-tools.ts';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assetFields, positionFields } from '../../../src-shared/exchange-api/account.ts';
import type { FieldTable, RecordOf } from '../../../src-shared/exchange-api/fields.ts';
import { type ControlTotals, type ExportPreview, type ExportQuery } from '../../../src-shared/ipc/exports.ts';
import { TRADE_COLUMNS, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { closingOrders, type ProfitTime } from './closing-orders.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { type CsvChunk, csvLines, type ExportedTrades } from './trade-lines.ts';
import { CRLF, csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import { SEPARATOR_SIGNS } from '../csv/format.ts';
import { type Dialect, recordLines } from './record-lines.ts';
import { orderLines } from './order-lines.ts';
import { orderCount } from '../orders/query.ts';
import { ControlTotalsBuilder } from './control-totals.ts';
import { taxLines } from './tax-lines.ts';
import { type Condition, conditionOf, conditionsOf, hasBounds } from '../trades/filter-sql.ts';
import type { TotalsReader } from '../trade-log/totals.ts';
import type { TradeViews } from '../trade-log/sorted-views.ts';
import type { TradeWriter } from '../trades/writer.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** An export from the archive; positions and balances come from main as records. */
export type ArchiveExport = Omit<ExportQuery, 'connectionId'> & {
  readonly table: 'trades' | 'orders';
  /** The connection's name, a column of the tax layouts. */
  readonly account: string;
  /** Of a tax tool's layout; by the last fill where it is missing. */
  readonly profitsWithin?: ProfitTime;
  /** Whether a file of trades that differs from the archive's totals is discarded: nobody is there to see that it does. */
  readonly mustAgree?: boolean;
};

/** An export of records that the main process passes in. */
export interface RecordExport extends Dialect {
  readonly table: 'positions' | 'balances';
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** When they were read, wall clock ms. */
  readonly readAt: number;
}

export interface ExportSource {
  /** Returns the number of rows to read; null until they are found. */
  readonly total: () => number | null;
  /** Chunks of lines; one without bytes is a step of counting. */
  readonly chunks: Iterable<CsvChunk & { readonly lines?: number }>;
  controlTotals(): ControlTotals | null;
}

export interface SourcePorts {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly writer: TradeWriter;
  /** Has the worker's daily totals, which would take long to read again for each export. */
  readonly totals: TotalsReader;
  readonly views: TradeViews;
}

const isTax = (preset: ExportQuery['preset']): preset is TaxTool => Object.hasOwn(TAX_TOOLS, preset);

const PREVIEW_ROWS = 10;

/** Returns header and first rows as the file would have them. */
export async function exportPreview(
  ports: SourcePorts,
  query: ArchiveExport | RecordExport,
): Promise<ExportPreview> {
  const parts: Uint8Array[] = [];
  let rows = 0;
  for (const chunk of contentSource(ports, query).chunks) {
    parts.push(chunk.bytes);
    rows += chunk.lines ?? chunk.rows;
    if (rows >= PREVIEW_ROWS) break;
    await nextTurn();
  }
  const lines = Buffer.concat(parts).toString('utf8').split(CRLF);
  const shown = lines.slice(0, 1 + PREVIEW_ROWS);
  const text = [...shown, ...(lines.length > shown.length ? [''] : [])].join(CRLF);
  const named = 'preset' in query && query.preset === 'rotki';
  return { text, coins: named ? archiveCoins(ports.db, ports.strings) : [] };
}

/** Returns the lines of an export of either kind. */
export const contentSource = (ports: SourcePorts, query: ArchiveExport | RecordExport): ExportSource =>
  'records' in query ? recordSource(query) : exportSource(ports, query);

function recordSource(query: RecordExport): ExportSource {
  const fields: FieldTable = query.table === 'positions' ? positionFields : assetFields;
  const line: (record: RecordOf<FieldTable>) => string = recordLines(fields, query);
  const header = csvLine(Object.keys(fields), SEPARATOR_SIGNS[query.separator]);
  const bytes = Buffer.from(header + query.records.map(line).join(''), 'utf8');
  return {
    total: () => query.records.length,
    chunks: [{ bytes, rows: query.records.length }],
    controlTotals: () => null,
  };
}

/** Returns the lines of an export from the archive. The first chunk throws ArchiveFault for an unknown zone. */
export function exportSource(ports: SourcePorts, query: ArchiveExport): ExportSource {
  const { db, strings, writer, views } = ports;
  if (query.table === 'orders') {
    const orders = orderCount(db, strings, query.filter);
    return {
      total: () => orders,
      chunks: orderLines(db, strings, query),
      controlTotals: () => null,
    };
  }
  // Consistent: nothing is stored between these two lines.
  const stored = writer.stored();
  let totals = hasBounds(query.filter) ? null : ports.totals.of(query.filter);
  let found: Uint32Array | null = null;
  const { preset } = query;
  const control = new ControlTotalsBuilder(isTax(preset));

  /** Prices and quantities have no index, so the rows are found first, in steps. */
  function* conditions(): Generator<CsvChunk, Iterable<Condition>> {
    if (!hasBounds(query.filter)) return [conditionOf(query.filter, strings)];
    found = yield* withoutBytes(views.inTime(query.filter, stored));
    return conditionsOf(found);
  }
  function* chunks(): Generator<CsvChunk & { readonly lines?: number }, void> {
    const trades = { db, strings, stored, conditions: yield* conditions() };
    if (isTax(preset)) yield* taxLines(trades, { ...query, preset }, control);
    else yield* tradeLines(trades, ports.totals, query, control);
    if (found !== null)
      totals = yield* withoutBytes(ports.totals.ofView(query.filter, { rows: found, stored }, views.columns));
  }
  return {
    total: () => found?.length ?? totals?.count ?? null,
    chunks: chunks(),
    controlTotals: () => (totals === null ? null : control.result(totals)),
  };
}

/** Yields the steps of a build as chunks without bytes. */
function* withoutBytes<T>(steps: Generator<unknown, T>): Generator<CsvChunk, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield { bytes: NOTHING, rows: 0 };
  }
}

function* tradeLines(
  trades: ExportedTrades,
  totals: TotalsReader,
  query: ArchiveExport,
  control: ControlTotalsBuilder,
): Generator<CsvChunk, void> {
  const columns = query.preset === 'full' ? [...TRADE_COLUMNS] : query.columns;
  for (const chunk of csvLines(trades, { ...query, columns })) {
    control.trades += chunk.rows;
    yield chunk;
  }
  control.unreadFees = totals.leftOut(query.filter, ['fee'], trades.stored);
  yield* countUncovered(trades, query.filter, control);
}

const NOTHING = new Uint8Array();
/** Rows per step of counting. */
const ROWS_PER_STEP = 20_000;

/** Counts the PnL of the same trades and what is missing from it, for the control totals; writes no lines. */
function* countUncovered(
  { db, strings, stored }: ExportedTrades,
  filter: TradeFilter,
  control: ControlTotalsBuilder,
): Generator<CsvChunk, void> {
  const orders = closingOrders(db, strings, filter);
  const condition = conditionOf(filter, strings);
  if (orders === null) return;
  control.open = orders.open;
  control.unreadProfits = orders.unread.length;
  for (let some = orders.next(); some !== null; some = orders.next()) {
    for (const { coin, profit } of some) control.profit(coin, profit);
    yield { bytes: NOTHING, rows: 0 };
  }
  if (db.prepare('SELECT 1 FROM history_order LIMIT 1').get() === undefined) {
    control.uncovered = control.trades;
    return;
  }
  const count = db.prepare(
    `SELECT count(*) AS n FROM trade AS t WHERE seq > ? AND seq <= ? AND ${condition.where}
       AND NOT EXISTS (SELECT 1 FROM history_order AS o WHERE o.id = t.order_id)`,
  );
  for (let from = 0; from < stored; from += ROWS_PER_STEP) {
    const found = count.get(from, Math.min(stored, from + ROWS_PER_STEP), ...condition.values);
    control.uncovered += asInteger(found?.['n']);
    yield { bytes: NOTHING, rows: 0 };
  }
}

/** Returns the coins an export can name, of fees and of profits, from the daily totals, sorted; a filter may have fewer. */
const archiveCoins = (db: DatabaseSync, strings: StringTable): string[] =>
  db
    .prepare('SELECT fee_asset AS coin FROM trade_day UNION SELECT coin FROM order_day')
    .all()
    .map((row) => strings.valueOf(asInteger(row['coin'])))
    .filter((coin) => coin !== '')
    .sort();
