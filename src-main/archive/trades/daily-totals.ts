/** Exact totals by UTC day, symbol, side, liquidity and fee asset, stored in the transaction of their rows. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { DecimalSum } from '../lib/decimal-sum.ts';
import type { TradeStringIds } from './codec.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

/** 512^4 strings × 2^17 days (to the year 2328) are below 2^53. */
const FEW_STRINGS = 512;
const FEW_DAYS = 2 ** 17;

/** Most totals cached for the next page, which nearly always has the same days. */
const MAX_CACHED = 512;

interface Sums {
  readonly key: readonly [day: number, symbol: number, side: number, liquidity: number, feeAsset: number];
  count: number;
  readonly qty: DecimalSum;
  readonly quote: DecimalSum;
  readonly fee: DecimalSum;
}

export class DailyTotals {
  readonly #read: StatementSync;
  readonly #put: StatementSync;
  readonly #cached = new Map<number | string, Sums>();
  readonly #counted = new Set<Sums>();

  constructor(db: DatabaseSync) {
    this.#read = db.prepare(`SELECT count, qty, quote, fee FROM trade_day
      WHERE day = ? AND symbol = ? AND side = ? AND liquidity = ? AND fee_asset = ?`);
    this.#put = db.prepare('INSERT OR REPLACE INTO trade_day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Adds a row that was just stored. */
  count(trade: Trade, { symbol, side, liquidity, feeAsset }: TradeStringIds): void {
    const day = Math.floor(trade.tradeTime / DAY_MS);
    // Usually a safe integer can be the key; a text key takes a third of the time.
    const few = Math.max(symbol, side, liquidity, feeAsset) < FEW_STRINGS && day < FEW_DAYS;
    const name = few
      ? (((day * FEW_STRINGS + symbol) * FEW_STRINGS + side) * FEW_STRINGS + liquidity) * FEW_STRINGS +
        feeAsset
      : `${day} ${symbol} ${side} ${liquidity} ${feeAsset}`;
    let sums = this.#cached.get(name);
    if (sums === undefined) {
      sums = this.#stored([day, symbol, side, liquidity, feeAsset]);
      this.#cached.set(name, sums);
    }
    this.#counted.add(sums);
    sums.count += 1;
    sums.qty.add(trade.executedQty ?? '0');
    sums.quote.add(trade.executedQuoteQty ?? '0');
    sums.fee.add(trade.fee ?? '0');
  }

  /** Writes the changed totals. Requires the transaction that stored the rows. */
  write(): void {
    for (const { key, count, qty, quote, fee } of this.#counted)
      this.#put.run(...key, count, qty.text(), quote.text(), fee.text());
    this.#counted.clear();
    if (this.#cached.size > MAX_CACHED) this.#cached.clear();
  }

  /** Clears the cache, after a rollback or another connection's write. */
  drop(): void {
    this.#counted.clear();
    this.#cached.clear();
  }

  #stored(key: Sums['key']): Sums {
    const row = this.#read.get(...key);
    const sum = (column: 'qty' | 'quote' | 'fee'): DecimalSum =>
      new DecimalSum(row === undefined ? '0' : asText(row[column]));
    return {
      key,
      count: row === undefined ? 0 : asInteger(row['count']),
      qty: sum('qty'),
      quote: sum('quote'),
      fee: sum('fee'),
    };
  }
}
