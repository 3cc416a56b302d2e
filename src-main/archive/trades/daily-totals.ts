/** Exact sums by UTC day, symbol, side, liquidity and fee asset: written with the rows, read by the totals. */
import type { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { createDecimalSum, type DecimalSum } from '../lib/decimal-sum.ts';
import type { TradeStringIds } from './codec.ts';

export const DAY_MS = 86_400_000;
/** 512^4 words × 2^17 days (to the year 2328) are below 2^53. */
const FEW_STRINGS = 512;
const FEW_DAYS = 2 ** 17;

/** Sums held for the next page: it nearly always goes on with the same days. */
const HELD = 512;

interface Sums {
  readonly key: readonly [day: number, symbol: number, side: number, liquidity: number, feeAsset: number];
  count: number;
  readonly qty: DecimalSum;
  readonly quote: DecimalSum;
  readonly fee: DecimalSum;
}

export interface DayBook {
  /** Remembers a row that was just stored. */
  count(trade: Trade, ids: TradeStringIds): void;
  /** Writes what was counted; inside the transaction that stored the rows. */
  write(): void;
  /** Drops what is held: after a roll-back, or when another connection has written. */
  drop(): void;
}

export function createDayBook(db: DatabaseSync): DayBook {
  const read = db.prepare(`SELECT count, qty, quote, fee FROM trade_day
    WHERE day = ? AND symbol = ? AND side = ? AND liquidity = ? AND fee_asset = ?`);
  const put = db.prepare('INSERT OR REPLACE INTO trade_day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const held = new Map<number | string, Sums>();
  const counted = new Set<Sums>();

  function stored(key: Sums['key']): Sums {
    const row = read.get(...key);
    const sum = (column: 'qty' | 'quote' | 'fee'): DecimalSum =>
      createDecimalSum(row === undefined ? '0' : asText(row[column]));
    return {
      key,
      count: row === undefined ? 0 : asInteger(row['count']),
      qty: sum('qty'),
      quote: sum('quote'),
      fee: sum('fee'),
    };
  }

  return {
    count(trade, { symbol, side, liquidity, feeAsset }) {
      const day = Math.floor(trade.tradeTime / DAY_MS);
      // Nearly always the words are few and a safe integer names them; a text costs a third of the sums.
      const few = Math.max(symbol, side, liquidity, feeAsset) < FEW_STRINGS && day < FEW_DAYS;
      const name = few
        ? (((day * FEW_STRINGS + symbol) * FEW_STRINGS + side) * FEW_STRINGS + liquidity) * FEW_STRINGS +
          feeAsset
        : `${day} ${symbol} ${side} ${liquidity} ${feeAsset}`;
      let sums = held.get(name);
      if (sums === undefined) {
        sums = stored([day, symbol, side, liquidity, feeAsset]);
        held.set(name, sums);
      }
      counted.add(sums);
      sums.count += 1;
      sums.qty.add(trade.executedQty ?? '0');
      sums.quote.add(trade.executedQuoteQty ?? '0');
      sums.fee.add(trade.fee ?? '0');
    },
    write() {
      for (const { key, count, qty, quote, fee } of counted)
        put.run(...key, count, qty.text(), quote.text(), fee.text());
      counted.clear();
      if (held.size > HELD) held.clear();
    },
    drop() {
      counted.clear();
      held.clear();
    },
  };
}
