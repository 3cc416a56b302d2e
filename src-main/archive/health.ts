/** The archive's own state of health: is it whole, what is in quarantine, a copy of it. */
import { renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { add, amount, calculated, equal, print, ZERO, type Amount } from '../../src-shared/amount.ts';
import type { ArchiveBackup, ArchiveCheck, QuarantinedRecord } from '../../src-shared/contract/archive.ts';
import { asInteger, asText } from './columns.ts';
import { ArchiveFault, exportFailure } from './faults.ts';
import { ALL_CONTRACTS, createOrderDays, DAY_STRETCH, stretchOf, type Stretches } from './order-days.ts';
import { ORDER_ROW, orderOf } from './order-record.ts';
import { DAY_MS } from './trade-days.ts';
import { storedId, TRADE_ROW, tradeOf } from './trade-record.ts';
import type { Words } from './words.ts';

export interface Health {
  check(): ArchiveCheck;
  backup(path: string): ArchiveBackup;
  quarantine(): readonly QuarantinedRecord[];
  bytes(): number;
}

/** Shown at once; more than a page of contradictions is a broken exchange, not a list to read. */
const MOST_SHOWN = 500;
/** Not bound: a number of JavaScript is bound as a REAL, and the quotient would be one. */
const DAY_OF = `mtime / ${DAY_MS}`;

export function createHealth(db: DatabaseSync, words: Words, file: string): Health {
  const orderDays = createOrderDays(db);

  const bytes = (): number =>
    ['', '-wal'].reduce(
      (all, part) => all + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

  function pages(): string[] {
    const found = db.prepare('PRAGMA integrity_check(20)').all();
    return found.map((row) => asText(row['integrity_check'])).filter((line) => line !== 'ok');
  }

  /** Every row into its day, and every day beside what is kept of it. */
  function tradeDays(): string[] {
    const made = new Map<string, { count: number; qty: Amount; quote: Amount; fee: Amount }>();
    const nothing = { count: 0, qty: ZERO, quote: ZERO, fee: ZERO };
    for (const row of db
      .prepare(
        'SELECT trade_time, symbol, side, liquidity, fee_asset, executed_qty, executed_quote_qty, fee FROM trade',
      )
      .iterate()) {
      const day = Math.floor(asInteger(row['trade_time']) / DAY_MS);
      const key = [day, row['symbol'], row['side'], row['liquidity'], row['fee_asset']].join(' ');
      const before = made.get(key) ?? nothing;
      made.set(key, {
        count: before.count + 1,
        qty: add(before.qty, amount(asText(row['executed_qty']))),
        quote: add(before.quote, amount(asText(row['executed_quote_qty']))),
        fee: add(before.fee, amount(asText(row['fee']))),
      });
    }
    const faults: string[] = [];
    for (const row of db.prepare('SELECT * FROM trade_day').iterate()) {
      const key = [row['day'], row['symbol'], row['side'], row['liquidity'], row['fee_asset']].join(' ');
      const sums = made.get(key) ?? nothing;
      made.delete(key);
      const same =
        sums.count === row['count'] &&
        (['qty', 'quote', 'fee'] as const).every((name) => equal(sums[name], calculated(asText(row[name]))));
      if (!same) faults.push(dayWords(asInteger(row['day'])));
    }
    for (const key of made.keys()) faults.push(dayWords(Number.parseInt(key, 10)));
    return faults;
  }

  function orderSums(): string[] {
    const made: Stretches = new Map();
    const faults: string[] = [];
    const days = db.prepare(`SELECT DISTINCT ${DAY_OF} AS day FROM history_order`).all();
    const kept = db.prepare(`SELECT symbol_id, coin, ${DAY_STRETCH} FROM order_day WHERE day = ?`);
    for (const { day } of days) {
      const number = Math.floor(asInteger(day));
      made.clear();
      orderDays.rows(number * DAY_MS, (number + 1) * DAY_MS - 1, made);
      let same = true;
      for (const row of kept.all(number)) {
        const symbols = made.get(asInteger(row['coin']));
        const own = symbols?.get(asInteger(row['symbol_id']));
        const there = stretchOf(row);
        same &&= own !== undefined && own.orders === there.orders && print(own.net) === print(there.net);
        symbols?.delete(asInteger(row['symbol_id']));
      }
      if (!same || [...made.values()].some((symbols) => symbols.size > 0)) faults.push(dayWords(number));
    }
    const stray = db
      .prepare(
        `SELECT DISTINCT day FROM order_day WHERE symbol_id = ? AND day NOT IN (SELECT ${DAY_OF} FROM history_order)`,
      )
      .all(ALL_CONTRACTS);
    return [...faults, ...stray.map(({ day }) => dayWords(asInteger(day)))];
  }

  function counts(): string[] {
    return (['trade', 'history_order'] as const).flatMap((table) => {
      const row = db.prepare(`SELECT count(*) AS n, coalesce(max(seq), 0) AS last FROM ${table}`).get();
      const n = asInteger(row?.['n']);
      const last = asInteger(row?.['last']);
      return n === last ? [] : [`${table} has ${n} rows and numbers up to ${last}`];
    });
  }

  function judged(name: string, right: string, faults: readonly string[]): ArchiveCheck['checks'][number] {
    const detail = faults.length === 0 ? right : faults.slice(0, 5).join('; ');
    return { name, ok: faults.length === 0, detail };
  }

  return {
    bytes,
    check() {
      const checks = [
        judged('The file', 'Every page, index and constraint is in order.', pages()),
        judged('Rows', 'No row is missing from the count of trades or orders.', counts()),
        judged('Sums of trades by day', 'Each day’s sums equal its rows.', tradeDays()),
        judged('Results of orders by day', 'Each day’s results equal its rows.', orderSums()),
      ];
      return { ok: checks.every((one) => one.ok), checks };
    },
    backup(path) {
      if (resolve(path) === resolve(file))
        throw notWritten(path, 'this is the archive itself', 'Choose another name.');
      const part = `${path}.part`;
      try {
        rmSync(part, { force: true });
        db.prepare('VACUUM INTO ?').run(part);
        renameSync(part, path);
      } catch (error) {
        rmSync(part, { force: true });
        const { message } = exportFailure(error, path, file);
        throw notWritten(path, message, 'Choose a folder that may be written and has room.');
      }
      return { path, bytes: statSync(path).size };
    },
    quarantine() {
      const trade = db.prepare(`SELECT ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ?`);
      const order = db.prepare(`SELECT ${ORDER_ROW} FROM history_order o WHERE id = ?`);
      const trades = db
        .prepare('SELECT * FROM quarantine ORDER BY id DESC LIMIT ?')
        .all(MOST_SHOWN)
        .map((row): QuarantinedRecord => {
          const symbol = asText(row['symbol']);
          const id = asText(row['trade_id']);
          const found = trade.get(words.find(symbol) ?? -1, storedId(id));
          return {
            resource: 'trades',
            symbol,
            id,
            receivedAt: asInteger(row['received_at']),
            stored: found === undefined ? null : JSON.stringify(tradeOf(found, words)),
            told: asText(row['content']),
          };
        });
      const orders = db
        .prepare('SELECT * FROM order_quarantine ORDER BY id DESC LIMIT ?')
        .all(MOST_SHOWN)
        .map((row): QuarantinedRecord => {
          const id = asText(row['order_id']);
          const found = order.get(storedId(id));
          return {
            resource: 'orders',
            symbol: asText(row['symbol']),
            id,
            receivedAt: asInteger(row['received_at']),
            stored: found === undefined ? null : JSON.stringify(orderOf(found, words)),
            told: asText(row['content']),
          };
        });
      return [...trades, ...orders].sort((a, b) => b.receivedAt - a.receivedAt);
    },
  };
}

const notWritten = (path: string, why: string, next: string): ArchiveFault =>
  new ArchiveFault({
    kind: 'file',
    message: `The backup ${path} was not written: ${why}`,
    next,
    field: 'path',
  });

const dayWords = (day: number): string =>
  `${new Date(day * DAY_MS).toISOString().slice(0, 10)} differs from its rows`;
