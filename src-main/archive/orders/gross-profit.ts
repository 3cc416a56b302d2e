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

/** Columns of `history_order AS o` that `grossOf` needs. An order that locked nothing may name no coin of its own. */
export const PROFIT_COLUMNS = `o.profit, o.fee_amount, o.reduce_only, (o.lock_asset_id = o.fee_asset_id
  OR o.lock_asset_id = (SELECT id FROM word WHERE value = '')) AS same_coin`;

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
export const grossOf = (row: Record<string, SQLOutputValue>, convention: ProfitConvention): string =>
  grossProfit(
    {
      profit: asText(row['profit']),
      fee: asText(row['fee_amount']),
      sameCoin: row['same_coin'] === 1,
      reduceOnly: row['reduce_only'] === 1,
    },
    convention,
  );
