/**
 * Finds out what the exchange's profit is from the newest closed positions (`domain/history/profit-fit.ts`), and makes
 * the archive read its orders so.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { add, amount, print, ZERO } from '../../../src-shared/amount.ts';
import type { GroupContract } from '../../../src-shared/ipc/trade-groups.ts';
import type { ProfitFinding } from '../../../src-shared/ipc/profit.ts';
import {
  type ClosedPosition,
  fitProfit,
  type ProfitConvention,
} from '../../../src-shared/domain/history/profit-fit.ts';
import { contractFinder } from '../../../src-shared/domain/instrument/traded-contract.ts';
import type { RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import { IS_PROFIT_UNKNOWN, NO_PROFIT } from '../orders/left-out.ts';
import { CONVENTION_KEY, profitConvention } from '../orders/gross-profit.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { storedId } from '../sqlite/ids.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import { OrderDays } from '../orders/daily-results.ts';
import type { TradeGroupPages } from './groups.ts';

/** Positions that are looked at, newest first: a convention may have changed long ago. */
const MOST_POSITIONS = 200;

export interface ProfitQuery {
  readonly contracts: readonly GroupContract[];
  /** The connection's setting; null while undecided. */
  readonly setting: ProfitConvention | null;
}

interface ProfitStores {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly groups: TradeGroupPages;
}

/** Compares the newest positions and applies what they show, else the setting, else before fees. */
export async function findProfit(
  stores: ProfitStores,
  { contracts, setting }: ProfitQuery,
): Promise<ProfitFinding> {
  const { db, groups } = stores;
  const contractOf = contractFinder(contracts);
  const trips = await groups.newestTrips(contracts, MOST_POSITIONS);
  const fit = fitProfit(
    trips.flatMap((trip) => {
      const contract = contractOf(trip.symbol);
      const isOver = !trip.flags.includes('open');
      return contract === undefined || !isOver ? [] : [closedPosition(stores, trip, contract)];
    }),
  );
  // All fees cannot be taken out order by order: then only those of opening are counted twice.
  const found = fit.found === 'after-all-fees' ? 'after-fees' : fit.found;
  for (const _step of profitChange(db, found ?? setting ?? 'before-fees')) await nextTurn();
  return { ...fit, convention: profitConvention(db) };
}

/** Adds up a position's closing orders as received. */
function closedPosition(
  { db, strings }: ProfitStores,
  trip: RoundTrip,
  { inverse, margin }: GroupContract,
): ClosedPosition {
  const read = db.prepare(
    `SELECT o.profit, o.fee_amount, o.fee_asset_id, o.lock_asset_id, o.is_final, o.position_mode, ${NO_PROFIT} AS unread,
       EXISTS (SELECT 1 FROM order_received AS r
         WHERE r.seq = o.seq AND r.field = 'feeAmount' AND NOT is_figure(r.received)) AS unread_fee
     FROM history_order AS o WHERE o.id = ?`,
  );
  const unknown = { trip, inverse, coin: margin, profit: null, closingFee: null };
  let profit = ZERO;
  let closingFee = ZERO;
  for (const id of trip.closingOrders) {
    const row = read.get(storedId(id));
    if (row?.['is_final'] !== 1 || row['unread'] === 1 || row['unread_fee'] === 1) return unknown;
    const text = (column: string): string => strings.valueOf(asInteger(row[column]));
    // In hedge mode trades alone do not say which leg they belong to.
    if (text('position_mode') === 'HEDGE') return unknown;
    profit = add(profit, amount(asText(row['profit'])));
    if (text('fee_asset_id') === margin) closingFee = add(closingFee, amount(asText(row['fee_amount'])));
  }
  return { ...unknown, profit: print(profit), closingFee: print(closingFee) };
}

/** The last rebuilt day while results are being rebuilt: an interrupted rebuild continues after it. */
const REBUILT_KEY = 'profit_rebuilt_to';
/**
 * Which days of older versions are rebuilt: from 1 on those with an order that locked nothing, whose coin they did not
 * know; from 2 on those with an unknown profit, of which they took the fee for a win.
 */
const REBUILT_FOR_KEY = 'profit_coins_found';
const HAS_NO_COIN = "SELECT 1 FROM order_day WHERE coin = (SELECT id FROM word WHERE value = '') LIMIT 1";
const HAS_NO_PROFIT = `SELECT 1 FROM order_received AS r CROSS JOIN history_order AS o ON o.seq = r.seq
  WHERE ${IS_PROFIT_UNKNOWN} LIMIT 1`;
/** Longest step, ms. */
const STEP_MS = 8;

/**
 * Interprets profits by `convention` from the first step on, and rebuilds the daily results day by day, in short steps:
 * a hundred thousand orders take seconds.
 */
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

  const rebuiltFor = asInteger(read.get(REBUILT_FOR_KEY)?.['day'] ?? 0);
  const isOld =
    (rebuiltFor < 1 && db.prepare(HAS_NO_COIN).get() !== undefined) ||
    (rebuiltFor < 2 && db.prepare(HAS_NO_PROFIT).get() !== undefined);
  if (isOld || profitConvention(db) !== convention)
    inTransaction(db, () => {
      put.run(CONVENTION_KEY, convention);
      put.run(REBUILT_KEY, '-1');
      put.run(REBUILT_FOR_KEY, '2');
    });
  while (inTransaction(db, rebuild)) yield;
}
