/** Changes what the archive's profits are read as. */
import type { DatabaseSync } from 'node:sqlite';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { DAY_MS } from '../trades/daily-totals.ts';
import { createOrderDays } from './daily-results.ts';
import { CONVENTION_KEY, profitConvention } from './gross-profit.ts';

/** Stores the convention and rebuilds the daily results in one transaction. No effect if it is the stored one. */
export function setProfitConvention(db: DatabaseSync, convention: ProfitConvention): void {
  if (profitConvention(db) === convention) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(CONVENTION_KEY, convention);
    const days = createOrderDays(db);
    for (const { day } of db.prepare(`SELECT DISTINCT mtime / ${DAY_MS} AS day FROM history_order`).all())
      days.rebuild(asInteger(day));
    db.exec('COMMIT');
  } catch (error) {
    // A full disk may have rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
