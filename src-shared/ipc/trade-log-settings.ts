/** Defines the user's settings of the trade log: columns and saved filters. */
import * as v from 'valibot';
import { textUpTo } from './call.ts';
import { RANGES } from '../domain/display/day-range.ts';
import { TRADE_COLUMNS } from './trades.ts';

const texts = v.pipe(v.array(textUpTo(80)), v.maxLength(500));
const typed = textUpTo(40);

/** A filter as typed, so that “30 d” stays relative. */
const typedFilterSchema = v.strictObject({
  symbols: texts,
  /** Highlights the symbols instead of filtering by them. Stored spelling. */
  lightUp: v.optional(v.boolean(), false),
  sides: texts,
  liquidities: texts,
  feeAssets: texts,
  orderId: typed,
  /** With a range, `from` and `to` are empty. */
  range: v.nullable(v.picklist(RANGES)),
  from: typed,
  to: typed,
  priceFrom: typed,
  priceTo: typed,
  qtyFrom: typed,
  qtyTo: typed,
  tags: v.optional(texts, []),
  /** Text in a note or tag. */
  note: v.optional(textUpTo(200), ''),
  /** Only what has a note or tag. */
  isNoted: v.optional(v.boolean(), false),
});
export type TypedFilter = v.InferOutput<typeof typedFilterSchema>;

export const MAX_FILTERS = 50;
export const tradeLogSettingsSchema = v.strictObject({
  /** Visible columns, in order. */
  columns: v.pipe(
    v.array(v.picklist(TRADE_COLUMNS)),
    v.minLength(1, 'choose at least one column'),
    v.maxLength(TRADE_COLUMNS.length),
  ),
  filters: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.minLength(1, 'enter a name'), v.maxLength(40)),
        filter: typedFilterSchema,
      }),
    ),
    v.maxLength(MAX_FILTERS, `at most ${MAX_FILTERS} filters`),
    v.check((list) => new Set(list.map((one) => one.name)).size === list.length, 'each name once'),
  ),
});
export type TradeLogSettings = v.InferOutput<typeof tradeLogSettingsSchema>;
