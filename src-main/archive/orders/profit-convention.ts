/** Changes how the archive's profits are interpreted, in short steps: a hundred thousand orders take seconds. */
import type { DatabaseSync } from 'node:sqlite';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import { OrderDays } from './daily-results.ts';
import { CONVENTION_KEY, profitConvention } from './gross-profit.ts';

/** The last rebuilt day while results are being rebuilt: an interrupted rebuild continues after it. */
const REBUILT_KEY = 'profit_rebuilt_to';
/** Longest step, ms. */
const STEP_MS = 8;

/** Interprets profits by `convention` from the first step on, and rebuilds the daily results day by day. */
export function* profitChange(
  db: DatabaseSync,
  convention: ProfitConvention,
  stepMs = STEP_MS,
): Generator<undefined, void> {
  const days = new OrderDays(db);
  const read = db.prepare('SELECT CAST(value AS INTEGER) AS day FROM meta WHERE key = ?');
  const put = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  const nextDay = db.prepare('SELECT min(day) AS day FROM order_day WHERE day > ?');

  /** Rebuilds days until the step is over. Returns whether any is left. */
  function rebuild(): boolean {
    const until = performance.now() + stepMs;
    for (;;) {
      const after = read.get(REBUILT_KEY)?.['day'];
      if (after === undefined) return false;
      const day = nextDay.get(after)?.['day'] ?? null;
      if (day === null) db.prepare('DELETE FROM meta WHERE key = ?').run(REBUILT_KEY);
      else {
        days.rebuild(asInteger(day));
        put.run(REBUILT_KEY, String(day));
      }
      if (performance.now() >= until) return day !== null;
    }
  }

  if (profitConvention(db) !== convention)
    inTransaction(db, () => {
      put.run(CONVENTION_KEY, convention);
      put.run(REBUILT_KEY, '-1');
    });
  while (inTransaction(db, rebuild)) yield;
}
