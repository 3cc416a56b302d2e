/** Exact sums by UTC day, symbol, side, liquidity and fee asset: written with the rows, read by the totals. */
import type { DatabaseSync } from 'node:sqlite';
import { add, amount, calculated, print, ZERO, type Amount } from '../../src-shared/amount.ts';
import type { Trade } from '../../src-shared/interface/trade.ts';
import { asInteger, asText } from './columns.ts';
import type { Words } from './words.ts';

export const DAY_MS = 86_400_000;

interface Sums {
  readonly key: readonly [day: number, symbol: number, side: number, liquidity: number, feeAsset: number];
  count: number;
  qty: Amount;
  quote: Amount;
  fee: Amount;
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
  const counted = new Map<string, Sums>();

  return {
    count(trade) {
      const key = [
        Math.floor(trade.tradeTime / DAY_MS),
        words.idOf(trade.symbol),
        words.idOf(trade.side),
        words.idOf(trade.liquidity),
        words.idOf(trade.feeAsset),
      ] as const;
      const name = key.join(' ');
      const sums = counted.get(name) ?? { key, count: 0, qty: ZERO, quote: ZERO, fee: ZERO };
      sums.count += 1;
      sums.qty = add(sums.qty, amount(trade.executedQty));
      sums.quote = add(sums.quote, amount(trade.executedQuoteQty));
      sums.fee = add(sums.fee, amount(trade.fee));
      counted.set(name, sums);
    },
    write() {
      for (const { key, count, qty, quote, fee } of counted.values()) {
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
