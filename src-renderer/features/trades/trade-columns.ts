/** The trade log's columns: all twelve fields, their heads and their widths. */
import { csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import { type Trade, tradeFields } from '../../../src-shared/exchange-api/trade.ts';
import type { TradeColumn } from '../../../src-shared/ipc/trades.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import type { ListHead } from './group-heads.ts';
import type { ScaledColumn, TradeScales } from '../../state/trades/column-precision.ts';

const RIGHT: readonly TradeColumn[] = [
  'price',
  'executedQty',
  'executedQuoteQty',
  'fee',
  'offset',
  'orderId',
  'tradeId',
];
const SHORT: Partial<Record<TradeColumn, string>> = {
  symbol: 'Symbol',
  executedQuoteQty: 'Quote qty',
  feeAsset: 'Fee coin',
};
export const labelOf = (field: TradeColumn): string => SHORT[field] ?? tradeFields[field].label;

const HELP: Partial<Record<TradeColumn, string>> = {
  fee: 'As the exchange charges it: a rebate is negative. Sums of fees show what they do to the balance.',
};
export const headOf = (field: TradeColumn, zone: string): ListHead<TradeColumn> => ({
  column: field,
  label: field === 'tradeTime' ? `${labelOf(field)}, ${zone}` : labelOf(field),
  right: RIGHT.includes(field),
  title: (HELP[field] ?? tradeFields[field].meaning) || undefined,
});

// Measured in the running app: Inter at 12px, tabular figures and capitals; 11px heads; the cells' padding.
const DIGIT = 7.85;
const MARK = 3.8;
const LETTER = 8.4;
const HEAD_LETTER = 6.1;
const PADDING = 9;
/** The dotted tail of a cut fee. */
const TAIL = 6;
const TIME_WIDTH = 158;
const SIDE_WIDTH = 36;
const TAG_PADDING = 10;
const LONGEST_ROLE = 'LIQUIDATION'.length;

function numberWidth(column: ScaledColumn, scales: TradeScales): number {
  const widths = scales.sizes(column).map(([group, { whole, decimals: most }]) => {
    const cut = column === 'fee' ? shownAs.decimalsOf(group) : null;
    const decimals = cut ? Math.max(cut.least, Math.min(cut.most, most)) : most;
    const marks = Math.floor(Math.max(0, whole - 1) / 3) + (decimals > 0 ? 1 : 0);
    return (whole + decimals) * DIGIT + marks * MARK;
  });
  return Math.max(0, ...widths);
}

/** Ids are cut first, down to their last digits; the title and the copied text have the whole id. */
const ID_DIGITS_KEPT = 8;

/** Returns the width in px for the longest text loaded in a column. */
function widthOf(field: TradeColumn, scales: TradeScales): number {
  switch (field) {
    case 'tradeTime':
      return TIME_WIDTH;
    case 'price':
    case 'executedQty':
    case 'executedQuoteQty':
      return numberWidth(field, scales);
    case 'fee':
      return numberWidth(field, scales) + TAIL;
    case 'orderId':
    case 'tradeId':
    case 'offset':
      return scales.length(field) * DIGIT;
    case 'side':
      return Math.max(SIDE_WIDTH, scales.length(field) * LETTER);
    case 'liquidity':
      // Wide enough for the longest label shown in its place: a liquidation must be readable in full.
      return Math.max(scales.length(field), LONGEST_ROLE) * LETTER + TAG_PADDING;
    case 'symbol':
    case 'feeAsset':
      return scales.length(field) * LETTER;
  }
}

export interface TradeLayout {
  readonly columns: readonly TradeColumn[];
  /** CSS grid-template-columns. */
  readonly template: string;
  /** Narrower than this, px, it would not fit. */
  readonly least: number;
}
/** Width of a head's sort mark, px. */
const MARK_WIDTH = 12;
const EDGES = 16;

/** Returns the grid of the head and the rows. */
function gridOf(columns: readonly TradeColumn[], scales: TradeScales): TradeLayout {
  const widths = columns.map((field) => {
    const head = labelOf(field).length * HEAD_LETTER + MARK_WIDTH;
    const full = Math.ceil(Math.max(widthOf(field, scales), head) + PADDING);
    const isId = field === 'orderId' || field === 'tradeId';
    const kept = Math.ceil(Math.max((ID_DIGITS_KEPT + 1) * DIGIT, head) + PADDING);
    return { full, least: isId ? Math.min(full, kept) : full };
  });
  return {
    columns,
    template: widths.map((width) => `minmax(${width.least}px, ${width.full}fr)`).join(' '),
    least: widths.reduce((total, width) => total + width.least, 0) + EDGES,
  };
}

/** Columns that a narrow table hides, in this order. */
const WIDE_ONLY: readonly TradeColumn[] = [
  'tradeId',
  'offset',
  'executedQuoteQty',
  'feeAsset',
  'orderId',
  'liquidity',
];

/** Returns the chosen columns that fit into `width` px. */
export function layoutOf(chosen: readonly TradeColumn[], scales: TradeScales, width: number): TradeLayout {
  let layout = gridOf(chosen, scales);
  for (const gone of WIDE_ONLY) {
    if (layout.least <= width) break;
    const left = layout.columns.filter((one) => one !== gone);
    if (left.length > 0) layout = gridOf(left, scales);
  }
  return layout;
}

/**
 * Returns trades as CSV for the clipboard: these columns, as received; times in UTC, so that they are the same
 * everywhere.
 */
export function csvOf(trades: readonly Trade[], columns: readonly TradeColumn[]): string {
  const cellOf = (trade: Trade, column: TradeColumn): string =>
    column === 'tradeTime'
      ? new Date(trade.tradeTime).toISOString()
      : (trade.received?.[column] ?? String(trade[column] ?? ''));
  const lines = trades.map((trade) => columns.map((column) => cellOf(trade, column)));
  return [columns, ...lines].map((line) => csvLine(line)).join('');
}
