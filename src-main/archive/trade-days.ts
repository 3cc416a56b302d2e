/** Exact sums by UTC day, symbol, side, liquidity and fee asset: written with the rows, read by the totals. */
import type { DatabaseSync } from 'node:sqlite';
import { add, calculated, print } from '../../src-shared/amount.ts';
import type { Trade } from '../../src-shared/interface/trade.ts';
import { asInteger, asText } from './columns.ts';
import { createDecimalSum, type DecimalSum } from './decimal-sum.ts';
import type { Words } from './words.ts';

export const DAY_MS = 86_400_000;
/** 512^4 words × 2^17 days (to the year 2328) are below 2^53. */
const FEW_WORDS = 512;
const FEW_DAYS = 2 ** 17;

interface Sums {
  readonly key: readonly [day: number, symbol: number, side: number, liquidity: number, feeAsset: number];
  count: number;
  readonly qty: DecimalSum;
  readonly quote: DecimalSum;
  readonly fee: DecimalSum;
}

export interface DayBook {
  /** Remembers a row that was just stored. */
  count(trade: Trade): void;
  /** Writes what was counted; inside the transaction that stored the rows. */
  write(): void;
  /** Drops what was counted, after a roll-back. */
  drop(): void;
}

export function createDayBook(db: DatabaseSync, words: Words): DayBook {
  const read = db.prepare(`SELECT count, qty, quote, fee FROM trade_day
    WHERE day = ? AND symbol = ? AND side = ? AND liquidity = ? AND fee_asset = ?`);
  const put = db.prepare('INSERT OR REPLACE INTO trade_day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const counted = new Map<number | string, Sums>();

  return {
    count(trade) {
      const day = Math.floor(trade.tradeTime / DAY_MS);
      const symbol = words.idOf(trade.symbol);
      const side = words.idOf(trade.side);
      const liquidity = words.idOf(trade.liquidity);
      const feeAsset = words.idOf(trade.feeAsset);
      // Nearly always the words are few and a safe integer names them; a text costs a third of the sums.
      const few = Math.max(symbol, side, liquidity, feeAsset) < FEW_WORDS && day < FEW_DAYS;
      const name = few
        ? (((day * FEW_WORDS + symbol) * FEW_WORDS + side) * FEW_WORDS + liquidity) * FEW_WORDS + feeAsset
        : `${day} ${symbol} ${side} ${liquidity} ${feeAsset}`;
      let sums = counted.get(name);
      if (sums === undefined) {
        const key = [day, symbol, side, liquidity, feeAsset] as const;
        const [qty, quote, fee] = [createDecimalSum(), createDecimalSum(), createDecimalSum()];
        sums = { key, count: 0, qty, quote, fee };
        counted.set(name, sums);
      }
      sums.count += 1;
      sums.qty.add(trade.executedQty);
      sums.quote.add(trade.executedQuoteQty);
      sums.fee.add(trade.fee);
    },
    write() {
      for (const { key, count, ...sums } of counted.values()) {
        const [qty, quote, fee] = [sums.qty.total(), sums.quote.total(), sums.fee.total()];
        const before = read.get(...key);
        if (before === undefined) put.run(...key, count, print(qty), print(quote), print(fee));
        else
          put.run(
            ...key,
            asInteger(before['count']) + count,
            print(add(calculated(asText(before['qty'])), qty)),
            print(add(calculated(asText(before['quote'])), quote)),
            print(add(calculated(asText(before['fee'])), fee)),
          );
      }
      counted.clear();
    },
    drop: () => counted.clear(),
  };
}
