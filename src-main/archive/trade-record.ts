/** A trade between its record and its row: ids that come back digit for digit, words by number, text well formed. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { compareText } from '../../src-shared/amount.ts';
import type { Trade } from '../../src-shared/interface/trade.ts';
import { asInteger, asText } from './columns.ts';
import type { Words } from './words.ts';

/** The largest 64 signed bits hold. */
const LARGEST_INTEGER = '9223372036854775807';
const ID_DIGITS = 20;

/**
 * The stored form of an id: digits, at most 20, or nothing (an order without a condition). Whoever received it has
 * looked (`f.id`, the contract's `digits`); here a million pass. What an INTEGER cannot repeat exactly (beyond 64 signed
 * bits, leading zeros) becomes `<padded to 20 digits>/<as received>`, which SQLite sorts after every integer and among
 * themselves as numbers.
 */
export function storedId(id: string): bigint | string {
  const { length } = LARGEST_INTEGER;
  const fits = id.length < length || (id.length === length && id <= LARGEST_INTEGER);
  return fits && (!id.startsWith('0') || id === '0') && id !== ''
    ? BigInt(id)
    : `${id.padStart(ID_DIGITS, '0')}/${id}`;
}

/** SQL for the id as it was received, from a column of stored ids. */
export const idText = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE substr(${column}, ${ID_DIGITS + 2}) END`;

/** The columns of `trade` that `tradeOf` reads. `t` is the table's name in the query. */
export const TRADE_ROW = `t.trade_time, t.symbol, t.side, t.price, t.executed_qty, t.executed_quote_qty, t.fee,
  t.fee_asset, t.liquidity, t."offset", ${idText('t.order_id')} AS order_id, ${idText('t.trade_id')} AS trade_id`;

export function tradeOf(row: Record<string, SQLOutputValue>, words: Words): Trade {
  return {
    tradeTime: asInteger(row['trade_time']),
    symbol: words.valueOf(asInteger(row['symbol'])),
    side: words.valueOf(asInteger(row['side'])),
    price: asText(row['price']),
    executedQty: asText(row['executed_qty']),
    executedQuoteQty: asText(row['executed_quote_qty']),
    fee: asText(row['fee']),
    feeAsset: words.valueOf(asInteger(row['fee_asset'])),
    liquidity: words.valueOf(asInteger(row['liquidity'])),
    offset: asInteger(row['offset']),
    orderId: asText(row['order_id']),
    tradeId: asText(row['trade_id']),
  };
}

/** A trade's words by their numbers in the dictionary. */
export interface TradeWords {
  readonly symbol: number;
  readonly side: number;
  readonly liquidity: number;
  readonly feeAsset: number;
}
/** Makes new words: only inside a transaction. */
export const wordsOf = (trade: Trade, words: Words): TradeWords => ({
  symbol: words.idOf(trade.symbol),
  side: words.idOf(trade.side),
  liquidity: words.idOf(trade.liquidity),
  feeAsset: words.idOf(trade.feeAsset),
});

/** `trade`'s columns after `seq`, which SQLite gives: the places of one row. */
export const TRADE_PLACES = 12;

/** Puts the values of one row, in the order of `trade`'s columns, from `at` on. */
export function putRow(into: SQLInputValue[], at: number, trade: Trade, words: TradeWords): void {
  into[at] = trade.tradeTime;
  into[at + 1] = words.symbol;
  into[at + 2] = words.side;
  into[at + 3] = trade.price;
  into[at + 4] = trade.executedQty;
  into[at + 5] = trade.executedQuoteQty;
  into[at + 6] = trade.fee;
  into[at + 7] = words.feeAsset;
  into[at + 8] = words.liquidity;
  into[at + 9] = trade.offset;
  into[at + 10] = storedId(trade.orderId);
  into[at + 11] = storedId(trade.tradeId);
}

/** Its texts as the dictionary keeps them: mended where they held half a surrogate pair, which would look like a conflict. */
export function wellFormed(trade: Trade): Trade {
  const { symbol, side, feeAsset, liquidity } = trade;
  if (symbol.isWellFormed() && side.isWellFormed() && feeAsset.isWellFormed() && liquidity.isWellFormed())
    return trade;
  return {
    ...trade,
    symbol: symbol.toWellFormed(),
    side: side.toWellFormed(),
    feeAsset: feeAsset.toWellFormed(),
    liquidity: liquidity.toWellFormed(),
  };
}

const sameNumber = (a: string, b: string): boolean => a === b || compareText(a, b) === 0;

/** The same trade told twice. `1.50` and `1.5` are one number: the text received first is kept. */
export const sameTrade = (a: Trade, b: Trade): boolean =>
  a.tradeId === b.tradeId &&
  a.symbol === b.symbol &&
  a.tradeTime === b.tradeTime &&
  a.side === b.side &&
  a.orderId === b.orderId &&
  a.feeAsset === b.feeAsset &&
  a.liquidity === b.liquidity &&
  a.offset === b.offset &&
  sameNumber(a.price, b.price) &&
  sameNumber(a.executedQty, b.executedQty) &&
  sameNumber(a.executedQuoteQty, b.executedQuoteQty) &&
  sameNumber(a.fee, b.fee);
