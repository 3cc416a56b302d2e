/** Where the lines of an export come from: the layout chosen, as steps that each leave room for other questions. */
import type { DatabaseSync } from 'node:sqlite';
import { TAX_PRESETS, type ExportQuery, type Reconciliation } from '../../src-shared/contract/exports.ts';
import { TRADE_COLUMNS, type TradeFilter } from '../../src-shared/contract/trades.ts';
import { isNothing } from '../../src-shared/domain/tax-rows.ts';
import { closingOrders } from './closing-orders.ts';
import { asInteger } from './columns.ts';
import { csvLines, type CsvChunk } from './csv-lines.ts';
import type { Dialect } from './csv-records.ts';
import { orderCount, orderLines } from './order-lines.ts';
import { createTally, type Tally } from './tally.ts';
import { taxLines } from './tax-lines.ts';
import { conditionOf, type TradeReader } from './trade-query.ts';
import { totalsOf } from './trade-totals.ts';
import type { TradeWriter } from './trade-writer.ts';
import type { Words } from './words.ts';

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
  /** Rows that will be read. */
  readonly total: number;
  /** Chunks of lines; one without bytes only counts. */
  readonly chunks: Iterable<CsvChunk & { readonly lines?: number }>;
  reconciliation(): Reconciliation | null;
}

export interface SourcePorts {
  readonly db: DatabaseSync;
  readonly words: Words;
  readonly writer: TradeWriter;
  /** With the worker's sums by day: read anew for each export they would hold up every question. */
  readonly reader: TradeReader;
}

const isTax = (preset: ExportQuery['preset']): preset is (typeof TAX_PRESETS)[number] =>
  TAX_PRESETS.some((one) => one === preset);

/** Throws ArchiveFault for an unknown zone, on the first chunk. */
export function sourceOf(
  { db, words, writer, reader }: SourcePorts,
  query: ArchiveExport,
  limit?: number,
): ExportSource {
  if (query.table === 'orders')
    return {
      total: orderCount(db, words, query.filter),
      chunks: orderLines(db, words, query, limit),
      reconciliation: () => null,
    };
  // Of one moment: nothing is stored between these two lines.
  const stored = writer.stored();
  const totals = totalsOf(db, words, query.filter, reader.days);
  const { preset } = query;
  const tally = createTally(isTax(preset));
  return {
    total: totals.count,
    chunks: isTax(preset)
      ? taxLines(db, words, { ...query, preset }, stored, tally, limit)
      : tradeLines(db, words, query, stored, tally, limit),
    reconciliation: () => tally.result(totals),
  };
}

function* tradeLines(
  db: DatabaseSync,
  words: Words,
  query: ArchiveExport,
  stored: number,
  tally: Tally,
  limit?: number,
): Generator<CsvChunk, void> {
  const columns = query.preset === 'full' ? [...TRADE_COLUMNS] : query.columns;
  for (const chunk of csvLines(db, words, { ...query, columns }, stored, limit)) {
    tally.trades += chunk.rows;
    yield chunk;
  }
  if (limit === undefined) yield* covered(db, words, query.filter, stored, tally);
}

const NOTHING = new Uint8Array();
/** Rows looked through in a step that only counts. */
const ROWS_A_STEP = 20_000;

/** The profit of the same trades: no line of it is written, but the file's person is told. */
function* covered(
  db: DatabaseSync,
  words: Words,
  filter: TradeFilter,
  stored: number,
  tally: Tally,
): Generator<CsvChunk, void> {
  const orders = closingOrders(db, words, filter);
  const condition = conditionOf(filter, words);
  if (orders === null || condition === null) return;
  tally.open = orders.open;
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
