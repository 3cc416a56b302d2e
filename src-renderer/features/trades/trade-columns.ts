/** The trade log's columns: all twelve fields, their heads, and how much room each needs. */
import { type Trade, tradeFields } from '../../../src-shared/interface/trade.ts';
import type { ScaledColumn, TradeScales } from '../../state/trade-scales.ts';

export interface TradeColumnHead {
  readonly field: keyof Trade;
  readonly label: string;
  readonly right: boolean;
}

const RIGHT: readonly (keyof Trade)[] = [
  'price',
  'executedQty',
  'executedQuoteQty',
  'fee',
  'offset',
  'orderId',
  'tradeId',
];
const SHORT: Partial<Record<keyof Trade, string>> = {
  symbol: 'Symbol',
  executedQuoteQty: 'Quote qty',
  feeAsset: 'Fee asset',
};
export const labelOf = (field: keyof Trade): string => SHORT[field] ?? tradeFields[field].label;

const FIELDS = Object.keys(tradeFields) as readonly (keyof Trade)[];
export const HEADS: readonly TradeColumnHead[] = FIELDS.map((field) => ({
  field,
  label: labelOf(field),
  right: RIGHT.includes(field),
}));

// Measured in the running app: Inter at 12px, tabular figures and capitals; 11px heads; the cells' padding.
const DIGIT = 7.85;
const MARK = 3.8;
const LETTER = 8.4;
const HEAD_LETTER = 6.1;
const PADDING = 9;
const TIME_WIDTH = 158;
const SIDE_WIDTH = 36;
const TAG_PADDING = 10;

function numberWidth(column: ScaledColumn, scales: TradeScales): number {
  const widths = scales.sizes(column).map(({ whole, decimals }) => {
    const marks = Math.floor(Math.max(0, whole - 1) / 3) + (decimals > 0 ? 1 : 0);
    return (whole + decimals) * DIGIT + marks * MARK;
  });
  return Math.max(0, ...widths);
}

/** An id gives way first: its last digits, which tell ids apart, stay; all of it on hover and by copying. */
const ID_DIGITS_KEPT = 8;

/** px a column needs for the longest text seen in it. */
function widthOf(field: keyof Trade, scales: TradeScales): number {
  switch (field) {
    case 'tradeTime':
      return TIME_WIDTH;
    case 'price':
    case 'executedQty':
    case 'executedQuoteQty':
    case 'fee':
      return numberWidth(field, scales);
    case 'orderId':
    case 'tradeId':
    case 'offset':
      return scales.length(field) * DIGIT;
    case 'side':
      return Math.max(SIDE_WIDTH, scales.length(field) * LETTER);
    case 'liquidity':
      return scales.length(field) * LETTER + TAG_PADDING;
    case 'symbol':
    case 'feeAsset':
      return scales.length(field) * LETTER;
  }
}

/** Grid of head and rows, and the width under which the list scrolls sideways, px. */
export function layoutOf(scales: TradeScales): { readonly template: string; readonly least: number } {
  const widths = HEADS.map(({ field, label }) => {
    const head = label.length * HEAD_LETTER;
    const full = Math.ceil(Math.max(widthOf(field, scales), head) + PADDING);
    const isId = field === 'orderId' || field === 'tradeId';
    const kept = Math.ceil(Math.max((ID_DIGITS_KEPT + 1) * DIGIT, head) + PADDING);
    return { full, least: isId ? Math.min(full, kept) : full };
  });
  const least = widths.reduce((total, width) => total + width.least, 0) + 16;
  return { template: widths.map((width) => `minmax(${width.least}px, ${width.full}fr)`).join(' '), least };
}

/** A trade as one line of text for a sheet: all fields as received, tabs between. */
export const rowText = (trade: Trade): string => FIELDS.map((field) => String(trade[field])).join('\t');
