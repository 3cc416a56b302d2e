/** Files that leave or enter the archive, across the bridge: what is written how, how far it is, what it adds up to. */
import * as v from 'valibot';
import { connectionId } from './call.ts';
import type { Failure } from './failures.ts';
import { TRADE_COLUMNS, tradeFilterSchema } from './trades.ts';

/** What a file can hold. Trades in one of the layouts, the others with every field. */
export const EXPORT_TABLES = ['trades', 'orders', 'positions', 'balances'] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

/** Layouts of tax tools; `full` is every field of a trade and can be imported again, `custom` the columns chosen. */
export const TAX_PRESETS = ['koinly', 'cointracking', 'cointracker', 'rotki', 'bittytax'] as const;
export type TaxPreset = (typeof TAX_PRESETS)[number];
export const PRESETS = ['full', ...TAX_PRESETS, 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export const DECIMAL_MARKS = ['point', 'comma'] as const;
export const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;

export const COMMA_TWICE =
  'decimal comma and separator comma would be one sign for two things: choose the semicolon or the tab';

const exportFields = v.strictObject({
  connectionId,
  table: v.picklist(EXPORT_TABLES),
  preset: v.picklist(PRESETS),
  filter: tradeFilterSchema,
  /** In the file's order; `custom` only. */
  columns: v.pipe(
    v.array(v.picklist(TRADE_COLUMNS)),
    v.minLength(1, 'choose at least one column'),
    v.maxLength(TRADE_COLUMNS.length),
    v.check((names) => new Set(names).size === names.length, 'each column once'),
  ),
  /** These five do not apply to a tax tool's layout, which prescribes them. */
  timeFormat: v.picklist(['iso', 'epoch-ms']),
  timeZone: v.pipe(v.string(), v.maxLength(60)),
  decimalMark: v.picklist(DECIMAL_MARKS),
  separator: v.picklist(SEPARATORS),
  /** Long ids as text for spreadsheets, which would round them. */
  spreadsheetSafe: v.boolean(),
});
export const exportQuerySchema = v.pipe(
  exportFields,
  v.forward(
    v.check((query) => !(query.decimalMark === 'comma' && query.separator === 'comma'), COMMA_TWICE),
    ['separator'],
  ),
);
export type ExportQuery = v.InferOutput<typeof exportQuerySchema>;

export interface AssetSum {
  readonly asset: string;
  readonly amount: string;
}

/** What a finished file of trades adds up to, taken while it was written. */
export interface Reconciliation {
  /** Trades of the filter. */
  readonly trades: number;
  /** Exact sums of their fees. */
  readonly fees: readonly AssetSum[];
  /** Whether what was written gives the archive's own totals again. */
  readonly agrees: boolean;
  /** Realised profit as the order history has it; null where it cannot be told by orders (a filter of liquidity). */
  readonly profit: {
    /** Closing orders that are over. */
    readonly orders: number;
    readonly sums: readonly AssetSum[];
    /** Trades whose order is not stored: their profit is in no sum. */
    readonly uncovered: number;
    /** Stored orders that are not over yet: their profit so far is in no sum. */
    readonly open: number;
  } | null;
  /** Trades without a fee, for which a tax tool's layout has no row. */
  readonly free: number;
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
  readonly reconciliation: Reconciliation | null;
  /** Positions and balances: when the exchange said what the file holds, wall clock ms. */
  readonly readAt: number | null;
}

export interface ImportProgress {
  readonly id: string;
  readonly state: 'checking' | 'storing' | 'done' | 'cancelled' | 'failed';
  /** Rows checked, then rows stored. */
  readonly rows: number;
  /** Share of the file read, 0–100, while it is checked; of its rows while they are stored. */
  readonly share: number;
  readonly path: string;
  /** New rows. */
  readonly added: number;
  /** Rows that were stored already, with the same content. */
  readonly known: number;
  /** Rows with a stored id but other content, kept apart; the stored one stands. */
  readonly quarantined: number;
  readonly failure: Failure | null;
}
