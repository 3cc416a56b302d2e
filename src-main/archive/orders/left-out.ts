/** Orders excluded from totals: profit or fee missing, unreadable or too long to calculate with. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger } from '../sqlite/row-types.ts';
import { CONVENTION_KEY, PROFIT_COIN } from './gross-profit.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

/**
 * SQL tests for a text of `order_received` (`r`) that excludes a filled order (`o`) from totals. An opening order need
 * not have a profit, and an unfilled one has neither.
 */
const LACKS_PROFIT = `r.field = 'profit' AND NOT is_figure(r.received) AND (r.received <> '' OR o.reduce_only = 1)`;
const LACKS_FEE = `r.field = 'feeAmount' AND NOT is_figure(r.received)`;
const LACKS_QUANTITY = `r.field = 'tradeQuantity' AND r.received <> '' AND NOT is_figure(r.received)`;
const IS_FILLED = `(o.trade_quantity GLOB '*[1-9]*' OR ${LACKS_QUANTITY})`;
const IS_LACKING = `(${LACKS_PROFIT} OR ${LACKS_FEE} OR ${LACKS_QUANTITY}) AND ${IS_FILLED}`;
/** SQL test whether an order `o` is excluded from totals. */
export const IS_LEFT_OUT = `EXISTS (SELECT 1 FROM order_received AS r WHERE r.seq = o.seq AND ${IS_LACKING})`;

/** Where the exchange's profit is after the order's fee, the one before it is not known without that fee (`grossProfit`). */
const LACKS_OWN_FEE = `${LACKS_FEE} AND (o.reduce_only = 1 OR o.profit GLOB '*[1-9]*') AND ${PROFIT_COIN} = o.fee_asset_id
  AND EXISTS (SELECT 1 FROM meta WHERE key = '${CONVENTION_KEY}' AND value = 'after-fees')`;

/** SQL test whether the profit before fees of a filled order `o` is unknown, by a received text `r` of it. */
export const IS_PROFIT_UNKNOWN = `(o.trade_quantity GLOB '*[1-9]*' AND (${LACKS_PROFIT} OR ${LACKS_OWN_FEE}))`;
/** SQL test whether the profit before fees of a filled order `o` is unknown. */
export const NO_PROFIT = `EXISTS (SELECT 1 FROM order_received AS r WHERE r.seq = o.seq AND ${IS_PROFIT_UNKNOWN})`;

/** Returns their number by UTC day of the last change in [from, to], ms. `symbol` null means all contracts. */
export function leftOutByDay(
  db: DatabaseSync,
  from: number,
  to: number,
  symbol: number | null,
): ReadonlyMap<number, number> {
  const rows = db
    .prepare(
      `SELECT o.mtime / ${DAY_MS} AS day, count(DISTINCT o.seq) AS n
       FROM order_received AS r CROSS JOIN history_order AS o ON o.seq = r.seq
       WHERE ${IS_LACKING}
         AND o.mtime >= ? AND o.mtime <= ? AND (? IS NULL OR o.symbol_id = ?)
       GROUP BY day`,
    )
    .all(from, to, symbol, symbol);
  return new Map(rows.map((row) => [asInteger(row['day']), asInteger(row['n'])] as const));
}
