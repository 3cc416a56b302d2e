/**
 * Checks an archive: SQLite's integrity check, row counts, and every stored daily total against its rows. Runs in one
 * read transaction, so that rows and totals are consistent, and yields its progress every few thousand rows.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { add, amount, calculated, equal, ZERO, type Amount } from '../../../src-shared/amount.ts';
import type { ArchiveCheck } from '../../../src-shared/ipc/archive.ts';
import { defineFunctions } from '../sqlite/functions.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import {
  OrderDays,
  DAY_RESULT_COLUMNS,
  resultOfRow,
  type ResultsByCoin,
  resultValues,
} from '../orders/daily-results.ts';
import { DAY_MS, utcDay } from '../../../src-shared/time.ts';

/** Not a bound parameter: JavaScript numbers bind as REAL, and so would the quotient. */
const DAY_OF = `mtime / ${DAY_MS}`;

/** Rows between two progress reports. */
const STEP = 20_000;
/** Progress at the end of each part, percent, by its share of the time. */
const [PAGES_DONE, TRADES_DONE] = [35, 80];

/** Yields progress, 0–100, and returns the result. */
export function* checkArchive(db: DatabaseSync): Generator<number, ArchiveCheck> {
  yield 0;
  defineFunctions(db);
  db.exec('BEGIN');
  try {
    const file = checkOf('The file', 'Every page, index and constraint is in order.', damagedPages(db));
    yield PAGES_DONE;
    const rows = checkOf('Rows', 'No row is missing from the count of trades or orders.', missingRows(db));
    const trades = yield* wrongTradeDays(db);
    const orders = yield* wrongOrderDays(db);
    const checks = [
      file,
      rows,
      checkOf('Sums of trades by day', 'Each day’s sums equal its rows.', trades),
      checkOf('Results of orders by day', 'Each day’s results equal its rows.', orders),
    ];
    return { ok: checks.every((one) => one.ok), checks };
  } finally {
    db.exec('COMMIT');
  }
}

function checkOf(name: string, right: string, faults: readonly string[]): ArchiveCheck['checks'][number] {
  const detail = faults.length === 0 ? right : faults.slice(0, 5).join('; ');
  return { name, ok: faults.length === 0, detail };
}

function damagedPages(db: DatabaseSync): string[] {
  const found = db.prepare('PRAGMA integrity_check(20)').all();
  return found.map((row) => asText(row['integrity_check'])).filter((line) => line !== 'ok');
}

/** Rows are numbered from 1 and never deleted. */
function missingRows(db: DatabaseSync): string[] {
  return (['trade', 'history_order'] as const).flatMap((table) => {
    const row = db.prepare(`SELECT count(*) AS n, coalesce(max(seq), 0) AS last FROM ${table}`).get();
    const n = asInteger(row?.['n']);
    const last = asInteger(row?.['last']);
    return n === last ? [] : [`${table} has ${n} rows and numbers up to ${last}`];
  });
}

interface DaySums {
  readonly count: number;
  readonly qty: Amount;
  readonly quote: Amount;
  readonly fee: Amount;
}
const NO_SUMS: DaySums = { count: 0, qty: ZERO, quote: ZERO, fee: ZERO };

/** Compares the stored daily totals with sums of every row. */
function* wrongTradeDays(db: DatabaseSync): Generator<number, string[]> {
  const made = yield* tradeDaySums(db);
  const faults: string[] = [];
  for (const row of db.prepare('SELECT * FROM trade_day').iterate()) {
    const key = dayKey(asInteger(row['day']), row);
    const sums = made.get(key) ?? NO_SUMS;
    made.delete(key);
    const same =
      sums.count === row['count'] &&
      (['qty', 'quote', 'fee'] as const).every((name) => equal(sums[name], calculated(asText(row[name]))));
    if (!same) faults.push(dayText(asInteger(row['day'])));
  }
  for (const key of made.keys()) faults.push(dayText(Number.parseInt(key, 10)));
  return faults;
}

function* tradeDaySums(db: DatabaseSync): Generator<number, Map<string, DaySums>> {
  const all = asInteger(db.prepare('SELECT count(*) AS n FROM trade').get()?.['n']);
  const rows = db.prepare(
    'SELECT trade_time, symbol, side, liquidity, fee_asset, executed_qty, executed_quote_qty, fee FROM trade',
  );
  const sums = new Map<string, DaySums>();
  let done = 0;
  for (const row of rows.iterate()) {
    const key = dayKey(Math.floor(asInteger(row['trade_time']) / DAY_MS), row);
    const before = sums.get(key) ?? NO_SUMS;
    sums.set(key, {
      count: before.count + 1,
      qty: add(before.qty, amount(asText(row['executed_qty']))),
      quote: add(before.quote, amount(asText(row['executed_quote_qty']))),
      fee: add(before.fee, amount(asText(row['fee']))),
    });
    if (++done % STEP === 0) yield PAGES_DONE + ((TRADES_DONE - PAGES_DONE) * done) / all;
  }
  return sums;
}

const dayKey = (day: number, row: Record<string, SQLOutputValue>): string =>
  [day, row['symbol'], row['side'], row['liquidity'], row['fee_asset']].join(' ');

/** Compares the stored results of each day with those of its orders. */
function* wrongOrderDays(db: DatabaseSync): Generator<number, string[]> {
  const orderDays = new OrderDays(db);
  const days = db.prepare(`SELECT DISTINCT ${DAY_OF} AS day FROM history_order`).all();
  const stored = db.prepare(`SELECT symbol_id, coin, ${DAY_RESULT_COLUMNS} FROM order_day WHERE day = ?`);
  const faults: string[] = [];
  let done = 0;
  for (const { day } of days) {
    const number = Math.floor(asInteger(day));
    const made: ResultsByCoin = new Map();
    orderDays.rows(number * DAY_MS, (number + 1) * DAY_MS - 1, made);
    if (!areSame(made, stored.all(number))) faults.push(dayText(number));
    yield TRADES_DONE + ((100 - TRADES_DONE) * ++done) / days.length;
  }
  const stray = db.prepare(
    `SELECT DISTINCT day FROM order_day WHERE day NOT IN (SELECT ${DAY_OF} FROM history_order)`,
  );
  return [...faults, ...stray.all().map(({ day }) => dayText(asInteger(day)))];
}

/** Reports whether the stored rows are those results; takes them out of `made`. */
function areSame(made: ResultsByCoin, stored: readonly Record<string, SQLOutputValue>[]): boolean {
  let same = true;
  for (const row of stored) {
    const symbols = made.get(asInteger(row['coin']));
    const own = symbols?.get(asInteger(row['symbol_id']));
    same &&= own !== undefined && String(resultValues(own)) === String(resultValues(resultOfRow(row)));
    symbols?.delete(asInteger(row['symbol_id']));
  }
  return same && [...made.values()].every((symbols) => symbols.size === 0);
}

const dayText = (day: number): string => `${utcDay(day * DAY_MS)} differs from its rows`;
