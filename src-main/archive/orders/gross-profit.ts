/**
 * Reads the profit of archived orders before fees, whatever the exchange's own is: sums are before fees, so no fee is
 * counted twice.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  grossProfit,
  PROFIT_CONVENTIONS,
  type ProfitConvention,
} from '../../../src-shared/domain/history/profit-fit.ts';
import { asText } from '../sqlite/row-types.ts';

export const CONVENTION_KEY = 'profit_convention';

/** The coin of an order's profit: that of its margin. An order that locked nothing may name none; then its fee's. */
export const PROFIT_COIN = `iif(o.lock_asset_id = (SELECT id FROM word WHERE value = ''), o.fee_asset_id, o.lock_asset_id)`;
/** Columns of `history_order AS o` that `grossOfRow` needs, and the coin of the profit. */
export const PROFIT_COLUMNS = `o.profit, o.fee_amount, o.reduce_only, ${PROFIT_COIN} AS profit_coin,
  ${PROFIT_COIN} = o.fee_asset_id AS same_coin`;

/** Returns a function that reads what the archive's profits are read as now. */
export function conventionReader(db: DatabaseSync): () => ProfitConvention {
  const read = db.prepare('SELECT value FROM meta WHERE key = ?');
  return () => {
    const value = read.get(CONVENTION_KEY)?.['value'];
    return PROFIT_CONVENTIONS.find((one) => one === value) ?? 'before-fees';
  };
}
/** Returns what the archive’s profits are read as. */
export const profitConvention = (db: DatabaseSync): ProfitConvention => conventionReader(db)();

/** Returns the profit before fees of a row of `PROFIT_COLUMNS`. */
export const grossOfRow = (row: Record<string, SQLOutputValue>, convention: ProfitConvention): string =>
  grossProfit(
    {
      profit: asText(row['profit']),
      fee: asText(row['fee_amount']),
      sameCoin: row['same_coin'] === 1,
      reduceOnly: row['reduce_only'] === 1,
    },
    convention,
  );
