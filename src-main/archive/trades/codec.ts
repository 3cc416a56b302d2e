/** Converts trades to rows and back (`sqlite/record-codec.ts`); rows are written without it, for speed. */
import type { SQLInputValue } from 'node:sqlite';
import { isRecord, readRecord } from '../../../src-shared/exchange-api/fields.ts';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { parseJsonOrNull } from '../../../src-shared/json.ts';
import { storedId } from '../sqlite/ids.ts';
import { recordCodec } from '../sqlite/record-codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export const {
  selected: TRADE_ROW,
  recordOf: tradeOf,
  wellFormed,
  isSame: sameTrade,
} = recordCodec<Trade>(tradeFields, 'trade_received', 't');

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

/** Number of `trade`'s columns between `seq`, which SQLite assigns, and `is_second`. */
export const TRADE_PLACES = 12;
/**
 * The values of one row in an INSERT: NULL makes SQLite assign `seq`, the largest + 1; `is_second` is no parameter, as each
 * of them takes time.
 */
export const rowValues = (isSecond = false): string =>
  `(NULL, ${Array.from({ length: TRADE_PLACES }, () => '?').join(', ')}, ${isSecond ? 1 : 0})`;

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

/** Reports whether two records of one id are the two sides of a trade of the account with itself. */
export const areSides = (one: Trade, other: Trade): boolean =>
  one.orderId !== other.orderId && [one.side, other.side].sort().join() === 'BUY,SELL';

/** Returns a quarantined trade; null if its content cannot be read, as in a damaged file. */
export function quarantinedTrade(content: string): Trade | null {
  const parsed = parseJsonOrNull(content);
  if (!isRecord(parsed)) return null;
  const received = isRecord(parsed['received']) ? parsed['received'] : {};
  const { record, fault } = readRecord(tradeFields, { ...parsed, ...received });
  // The table's reader read each field.
  return fault === null ? wellFormed(record as Trade) : null;
}
