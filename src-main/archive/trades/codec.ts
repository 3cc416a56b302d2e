/** Converts trades to rows and back: ids digit for digit, strings by id, text well-formed. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { compareText } from '../../../src-shared/amount.ts';
import type { Received } from '../../../src-shared/exchange-api/fields.ts';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { receivedSql, rowReader } from '../sqlite/received-text.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** The largest signed 64-bit integer. */
const LARGEST_INTEGER = '9223372036854775807';
const ID_DIGITS = 20;
const DIGITS = /^\d{1,20}$/;

/**
 * Returns the stored form of an id: an INTEGER where exact. Other digits (beyond 64 signed bits, leading zeros) and an
 * empty id become `<padded to 20 digits>/<as received>`, which SQLite sorts after integers and by value; any other text
 * becomes `/<as received>`.
 */
export function storedId(id: string): bigint | string {
  const { length } = LARGEST_INTEGER;
  if (id !== '' && !DIGITS.test(id)) return `/${id.toWellFormed()}`;
  const fits = id.length < length || (id.length === length && id <= LARGEST_INTEGER);
  return fits && (!id.startsWith('0') || id === '0') && id !== ''
    ? BigInt(id)
    : `${id.padStart(ID_DIGITS, '0')}/${id}`;
}

/** Returns the received id of a stored text. */
export const idOfStored = (stored: string): string => stored.slice(stored.indexOf('/') + 1);

/** Returns SQL for the received id, from a column of stored ids. */
export const idText = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE substr(${column}, instr(${column}, '/') + 1) END`;

/** The columns of `trade` that `tradeOf` reads. `t` is the table's name in the query. */
export const TRADE_ROW = `t.trade_time, t.symbol, t.side, t.price, t.executed_qty, t.executed_quote_qty, t.fee,
  t.fee_asset, t.liquidity, t."offset", ${idText('t.order_id')} AS order_id, ${idText('t.trade_id')} AS trade_id,
  ${receivedSql('trade_received', 't')}`;

const readTrade = rowReader<Trade>(tradeFields);

export const tradeOf = (row: Record<string, SQLOutputValue>, strings: StringTable): Trade =>
  readTrade(
    {
      tradeTime: asInteger(row['trade_time']),
      symbol: strings.valueOf(asInteger(row['symbol'])),
      side: strings.valueOf(asInteger(row['side'])),
      price: asText(row['price']),
      executedQty: asText(row['executed_qty']),
      executedQuoteQty: asText(row['executed_quote_qty']),
      fee: asText(row['fee']),
      feeAsset: strings.valueOf(asInteger(row['fee_asset'])),
      liquidity: strings.valueOf(asInteger(row['liquidity'])),
      offset: asInteger(row['offset']),
      orderId: asText(row['order_id']),
      tradeId: asText(row['trade_id']),
    },
    row['received'],
  );

/** Ids of a trade's strings in the string table. */
export interface TradeStringIds {
  readonly symbol: number;
  readonly side: number;
  readonly liquidity: number;
  readonly feeAsset: number;
}
/** Returns the ids, inserting new strings: requires a transaction. */
export const stringIdsOf = (trade: Trade, strings: StringTable): TradeStringIds => ({
  symbol: strings.idOf(trade.symbol),
  side: strings.idOf(trade.side),
  liquidity: strings.idOf(trade.liquidity),
  feeAsset: strings.idOf(trade.feeAsset),
});

/** Number of `trade`'s columns after `seq`, which SQLite assigns. */
export const TRADE_PLACES = 12;

/** Writes one row's values into `into` from `at` on, in column order; unreadable numbers as 0 (see received-text.ts). */
export function putRow(into: SQLInputValue[], at: number, trade: Trade, ids: TradeStringIds): void {
  into[at] = trade.tradeTime;
  into[at + 1] = ids.symbol;
  into[at + 2] = ids.side;
  into[at + 3] = trade.price ?? '0';
  into[at + 4] = trade.executedQty ?? '0';
  into[at + 5] = trade.executedQuoteQty ?? '0';
  into[at + 6] = trade.fee ?? '0';
  into[at + 7] = ids.feeAsset;
  into[at + 8] = ids.liquidity;
  into[at + 9] = trade.offset ?? 0;
  into[at + 10] = storedId(trade.orderId);
  into[at + 11] = storedId(trade.tradeId);
}

/** Returns the trade with lone surrogates replaced, as stored; else it would look like a conflict. */
export function wellFormed(trade: Trade): Trade {
  const { symbol, side, feeAsset, liquidity, tradeId } = trade;
  if ([symbol, side, feeAsset, liquidity, tradeId].every((text) => text.isWellFormed())) return trade;
  return {
    ...trade,
    symbol: symbol.toWellFormed(),
    side: side.toWellFormed(),
    feeAsset: feeAsset.toWellFormed(),
    liquidity: liquidity.toWellFormed(),
    tradeId: tradeId.toWellFormed(),
  };
}

type Figures = Readonly<Record<string, unknown>> & { readonly received?: Received };
/** Compares numbers by value (`1.50` = `1.5`), unreadable ones by their received text. */
export function sameFigure(a: Figures, b: Figures, name: string): boolean {
  const [one, other] = [a[name], b[name]];
  if (typeof one === 'string' && typeof other === 'string')
    return one === other || compareText(one, other) === 0;
  return one === other && (one !== null || a.received?.[name] === b.received?.[name]);
}

/** Reports whether two records are the same trade; numbers are compared by value. */
export const sameTrade = (a: Trade, b: Trade): boolean =>
  a.tradeId === b.tradeId &&
  a.symbol === b.symbol &&
  a.tradeTime === b.tradeTime &&
  a.side === b.side &&
  a.orderId === b.orderId &&
  a.feeAsset === b.feeAsset &&
  a.liquidity === b.liquidity &&
  sameFigure(a, b, 'price') &&
  sameFigure(a, b, 'executedQty') &&
  sameFigure(a, b, 'executedQuoteQty') &&
  sameFigure(a, b, 'fee') &&
  sameFigure(a, b, 'offset');
