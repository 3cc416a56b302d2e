/** Defines exports from and imports into the archive: formats, progress and control totals. */
import * as v from 'valibot';
import { TAX_TOOLS, type TaxTool } from '../domain/history/tax-tools.ts';
import type { AssetAmount } from '../domain/history/trade-stats.ts';
import { connectionId, textUpTo } from './call.ts';
import type { Failure } from './failures.ts';
import { taxOptionsSchema } from './tax-settings.ts';
import { TRADE_COLUMNS, tradeFilterSchema } from './trades.ts';

/** Tables that can be exported: trades in one of the layouts, the others with every field. */
const EXPORT_TABLES = ['trades', 'orders', 'positions', 'balances'] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

/** Layouts: a tax tool's, `full` with every field, which can be imported again, or `custom` columns. */
export const TAX_PRESETS = Object.keys(TAX_TOOLS) as readonly TaxTool[];
export const PRESETS = ['full', ...TAX_PRESETS, 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

/** Columns of the user's own, after those of the exchange API: tags with a comma between them, and text. */
export const NOTE_COLUMNS = ['Tags', 'Note'] as const;

const DECIMAL_MARKS = ['point', 'comma'] as const;
const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;

export const COMMA_TWICE = 'a decimal comma needs semicolon or tab as separator';

const exportFields = v.strictObject({
  connectionId,
  table: v.picklist(EXPORT_TABLES),
  preset: v.picklist(PRESETS),
  filter: tradeFilterSchema,
  /** In file order; `custom` only. */
  columns: v.pipe(
    v.array(v.picklist(TRADE_COLUMNS)),
    v.minLength(1, 'choose at least one column'),
    v.maxLength(TRADE_COLUMNS.length),
    v.check((names) => new Set(names).size === names.length, 'each column once'),
  ),
  /** These six are ignored for a tax tool's layout, which prescribes them. */
  timeFormat: v.picklist(['iso', 'epoch-ms']),
  timeZone: textUpTo(60),
  decimalMark: v.picklist(DECIMAL_MARKS),
  separator: v.picklist(SEPARATORS),
  /** Writes long ids as text, since spreadsheets would round them. */
  spreadsheetSafe: v.boolean(),
  /** Adds `NOTE_COLUMNS` of the row's order at the end; trades in the layouts full and custom, and orders. */
  notes: v.optional(v.boolean(), false),
  /** Used by the tax tools' layouts only. */
  tax: taxOptionsSchema,
});
export const exportQuerySchema = v.pipe(
  exportFields,
  v.forward(
    v.check((query) => !(query.decimalMark === 'comma' && query.separator === 'comma'), COMMA_TWICE),
    ['separator'],
  ),
);
export type ExportQuery = v.InferOutput<typeof exportQuerySchema>;

/** The beginning of a file, before it is written. */
export interface ExportPreview {
  readonly text: string;
  /** Coins of the whole archive, for a layout that names coins by identifiers; empty for the others. */
  readonly coins: readonly string[];
}

/** Control totals of a finished trade file, computed while writing. */
export interface ControlTotals {
  /** Trades that match the filter. */
  readonly trades: number;
  /** Exact sums of their fees, by asset. */
  readonly fees: readonly AssetAmount[];
  /** Whether the written file matches the archive's totals. */
  readonly agrees: boolean;
  /** Closed PnL from the order history; null if the filter does not select whole orders (liquidity). */
  readonly profit: {
    /** Closing orders in a final state. */
    readonly orders: number;
    readonly sums: readonly AssetAmount[];
    /** Trades whose order is not stored; excluded from the sums. */
    readonly uncovered: number;
    /** Stored orders that are not final; excluded from the sums. */
    readonly open: number;
    /** Final orders whose profit before fees is not known, or in a tax tool's layout its coin; excluded from the sums. */
    readonly unread: number;
  } | null;
  /** Trades without a fee, for which a tax tool's layout has no row. */
  readonly free: number;
  /** Trades whose fee is missing or unreadable; excluded from the sums and from a tax tool's rows. */
  readonly unreadFees: number;
}

export interface ExportProgress {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  readonly rows: number;
  readonly total: number;
  readonly bytes: number;
  readonly path: string;
  readonly failure: Failure | null;
  /** Trades only, once done. */
  readonly controlTotals: ControlTotals | null;
  /** Positions and balances: when the data was received, wall clock in ms. */
  readonly readAt: number | null;
}
/** The first step of an export. */
export const EXPORT_BEGINS: Omit<ExportProgress, 'id' | 'path'> = {
  state: 'running',
  rows: 0,
  total: 0,
  bytes: 0,
  failure: null,
  controlTotals: null,
  readAt: null,
};

export interface ImportProgress {
  readonly id: string;
  readonly state: 'checking' | 'storing' | 'done' | 'cancelled' | 'failed';
  /** Rows checked, then rows stored. */
  readonly rows: number;
  /** Percentage of the file checked, then of the rows stored. */
  readonly percent: number;
  readonly path: string;
  /** New rows. */
  readonly added: number;
  /** Rows already stored with the same content. */
  readonly known: number;
  /** Rows with a stored id but other content, quarantined; the stored version is kept. */
  readonly quarantined: number;
  readonly failure: Failure | null;
}
/** The first step of an import. */
export const IMPORT_BEGINS: Omit<ImportProgress, 'id' | 'path'> = {
  state: 'checking',
  rows: 0,
  percent: 0,
  added: 0,
  known: 0,
  quarantined: 0,
  failure: null,
};
