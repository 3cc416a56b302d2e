/** Totals of a filter, exact to the last digit: whole days from their kept sums, the rest from the rows. */
import type { DatabaseSync } from 'node:sqlite';
import { add, amount, calculated, print, ZERO, type Amount } from '../../src-shared/amount.ts';
import type { TradeFilter, TradeTotals } from '../../src-shared/contract/trades.ts';
import { asInteger, asText } from './columns.ts';
import { DAY_MS } from './trade-days.ts';
import { conditionOf } from './trade-query.ts';
import type { Words } from './words.ts';

interface Part {
  readonly count: number;
  readonly symbol: string;
  readonly side: string;
  readonly liquidity: string;
  readonly feeAsset: string;
  readonly qty: Amount;
  readonly quote: Amount;
  readonly fee: Amount;
}

/** Whole UTC days inside the filter's times, first to last; null when there are none or days cannot answer it. */
function wholeDays(filter: TradeFilter): readonly [first: number, last: number] | null {
  // Days are not kept by order, price or quantity.
  const { orderId, priceFrom, priceTo, qtyFrom, qtyTo } = filter;
  if ([orderId, priceFrom, priceTo, qtyFrom, qtyTo].some((one) => one !== null)) return null;
  const first = filter.from === null ? 0 : Math.ceil(filter.from / DAY_MS);
  const last = filter.to === null ? Number.MAX_SAFE_INTEGER : Math.floor((filter.to + 1) / DAY_MS) - 1;
  return first <= last ? [first, last] : null;
}

export function totalsOf(db: DatabaseSync, words: Words, filter: TradeFilter): TradeTotals {
  const sum = createSum();
  const days = wholeDays(filter);
  if (days === null) addRows(db, words, filter, sum.add);
  else {
    const [first, last] = days;
    addDays(db, words, filter, days, sum.add);
    if (filter.from !== null && filter.from < first * DAY_MS)
      addRows(db, words, { ...filter, to: first * DAY_MS - 1 }, sum.add);
    if (filter.to !== null && filter.to >= (last + 1) * DAY_MS)
      addRows(db, words, { ...filter, from: (last + 1) * DAY_MS }, sum.add);
  }
  return sum.totals();
}

function addDays(
  db: DatabaseSync,
  words: Words,
  filter: TradeFilter,
  [first, last]: readonly [number, number],
  take: (part: Part) => void,
): void {
  const condition = conditionOf({ ...filter, from: null, to: null }, words);
  if (condition === null) return;
  const rows = db
    .prepare(
      `SELECT symbol, side, liquidity, fee_asset, count, qty, quote, fee
       FROM trade_day WHERE day >= ? AND day <= ? AND ${condition.where}`,
    )
    .iterate(first, last, ...condition.values);
  for (const row of rows)
    take({
      count: asInteger(row['count']),
      symbol: words.valueOf(asInteger(row['symbol'])),
      side: words.valueOf(asInteger(row['side'])),
      liquidity: words.valueOf(asInteger(row['liquidity'])),
      feeAsset: words.valueOf(asInteger(row['fee_asset'])),
      qty: calculated(asText(row['qty'])),
      quote: calculated(asText(row['quote'])),
      fee: calculated(asText(row['fee'])),
    });
}

function addRows(db: DatabaseSync, words: Words, filter: TradeFilter, take: (part: Part) => void): void {
  const condition = conditionOf(filter, words);
  if (condition === null) return;
  const rows = db
    .prepare(
      `SELECT symbol, side, liquidity, fee_asset, executed_qty, executed_quote_qty, fee
       FROM ${condition.source} WHERE ${condition.where}`,
    )
    .iterate(...condition.values);
  for (const row of rows)
    take({
      count: 1,
      symbol: words.valueOf(asInteger(row['symbol'])),
      side: words.valueOf(asInteger(row['side'])),
      liquidity: words.valueOf(asInteger(row['liquidity'])),
      feeAsset: words.valueOf(asInteger(row['fee_asset'])),
      qty: amount(asText(row['executed_qty'])),
      quote: amount(asText(row['executed_quote_qty'])),
      fee: amount(asText(row['fee'])),
    });
}

/** A side that is neither BUY nor SELL (open enum) counts as a trade and with its fee, but as neither bought nor sold. */
function createSum(): { readonly add: (part: Part) => void; readonly totals: () => TradeTotals } {
  const nothing = { boughtQty: ZERO, boughtQuote: ZERO, soldQty: ZERO, soldQuote: ZERO };
  const symbols = new Map<string, typeof nothing>();
  const fees = new Map<string, Amount>();
  let count = 0;
  let taker = 0;
  return {
    add(part) {
      count += part.count;
      if (part.liquidity === 'TAKER') taker += part.count;
      const before = symbols.get(part.symbol) ?? nothing;
      const after = { ...before };
      if (part.side === 'BUY') {
        after.boughtQty = add(before.boughtQty, part.qty);
        after.boughtQuote = add(before.boughtQuote, part.quote);
      } else if (part.side === 'SELL') {
        after.soldQty = add(before.soldQty, part.qty);
        after.soldQuote = add(before.soldQuote, part.quote);
      }
      symbols.set(part.symbol, after);
      fees.set(part.feeAsset, add(fees.get(part.feeAsset) ?? ZERO, part.fee));
    },
    totals: () => ({
      count,
      taker,
      symbols: byName(symbols).map(([symbol, one]) => ({
        symbol,
        boughtQty: print(one.boughtQty),
        boughtQuote: print(one.boughtQuote),
        soldQty: print(one.soldQty),
        soldQuote: print(one.soldQuote),
      })),
      fees: byName(fees).map(([asset, fee]) => ({ asset, amount: print(fee) })),
    }),
  };
}

const byName = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
