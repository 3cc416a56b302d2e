import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { openDatabase } from './database.ts';
import { schemaCopies } from './schema-copy.ts';
import { checkArchive } from '../maintenance/integrity.ts';
import { TradeWriter } from '../trades/writer.ts';
import { StringTable } from './string-table.ts';
import { TRADES } from './migrations/0001-trades.ts';
import { ORDERS } from './migrations/0002-orders.ts';
import { EQUITY } from './migrations/0003-equity.ts';
import { IMPORTS } from './migrations/0004-imports.ts';
import { IDENTITY } from './migrations/0005-identity.ts';
import { openHere, START, temporaryFolder, trades } from '../../../tests/archive/trades.ts';

let folder = temporaryFolder();
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const ROWS = trades(0, 300);

/** Columns of schema 5. */
const TRADE_COLUMNS =
  'seq, trade_time, symbol, side, price, executed_qty, executed_quote_qty, fee, fee_asset, liquidity, "offset", order_id, trade_id';

/** An archive of schema 5 in the middle of a first pass, without the index by symbol. */
function ofVersion5(file: string): void {
  const now = openDatabase(join(folder.path, 'now.sqlite'), 'one', START).db;
  new TradeWriter(now, new StringTable(now)).insert(ROWS, null, START);
  now.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA foreign_keys = OFF; PRAGMA application_id = 1113681004;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO meta VALUES ('schema_version', '5'), ('connection_id', 'one');
    ${TRADES} ${ORDERS} ${EQUITY} ${IMPORTS} ${IDENTITY}
    DROP INDEX trade_by_symbol;
    CREATE INDEX trade_by_symbol ON trade (trade_time, trade_id, symbol, side, liquidity);
    INSERT INTO sync_state VALUES ('trades', 'page 7');
    INSERT INTO sync_seen VALUES (3), (4), (5), (9), (10), (300);
    ATTACH '${join(folder.path, 'now.sqlite')}' AS now;
    INSERT INTO word SELECT * FROM now.word;
    INSERT INTO trade SELECT ${TRADE_COLUMNS} FROM now.trade;
    INSERT INTO trade_day SELECT * FROM now.trade_day;`);
  old.close();
  now.close();
}

const schemaOf = (db: DatabaseSync): unknown =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();

it('migrates an archive of schema 5 with rows, totals and the pass in progress', () => {
  const file = join(folder.path, 'old.sqlite');
  ofVersion5(file);
  const { db, movedAside, writer, reader } = openHere(file, 'one');
  expect(movedAside).toBeNull();
  expect(reader.page(NO_FILTER, 0, 500).rows).toEqual([...ROWS].reverse());
  const one = { ...NO_FILTER, symbols: ['ETH-USDT-M'] };
  expect(reader.page(one, 0, 500).rows).toEqual(
    ROWS.filter(({ symbol }) => symbol === 'ETH-USDT-M').reverse(),
  );
  expect(writer.state()).toMatchObject({ stored: 300, checkpoint: 'page 7' });
  // Seen before: rows 3–5, 9, 10 and 300; now 5–8 (trades 4–7), of which three are new to the pass.
  expect(writer.insert(ROWS.slice(4, 8), 'page 8', START)).toMatchObject({ known: 4, seen: 9 });
  const check = checkArchive(db);
  for (let step = check.next(); ; step = check.next())
    if (step.done === true) {
      expect(step.value.ok).toBe(true);
      break;
    }
  const fresh = openDatabase(':memory:', 'one', START).db;
  expect(schemaOf(db)).toEqual(schemaOf(fresh));
  fresh.close();
  db.close();
});

it('keeps a verified copy from before a migration, until the next one', () => {
  const file = join(folder.path, 'old.sqlite');
  ofVersion5(file);
  writeFileSync(`${file}.before-schema-5`, 'of an earlier migration');
  openDatabase(file, 'one', START).db.close();
  const [path = '', ...others] = schemaCopies(file);
  expect(others).toEqual([]);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  const copy = new DatabaseSync(path, { readOnly: true });
  expect(copy.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()).toEqual({ value: '5' });
  expect(copy.prepare('SELECT count(*) AS n FROM trade').get()).toEqual({ n: 300 });
  copy.close();
  const written = statSync(path).mtimeMs;
  openDatabase(file, 'one', START).db.close();
  expect(statSync(path).mtimeMs).toBe(written);
});

it('does not migrate when the copy cannot be written', () => {
  // A name that is too long once the copy's ending is added.
  const file = join(folder.path, `${'a'.repeat(232)}.sqlite`);
  ofVersion5(file);
  expect(() => openDatabase(file, 'one', START)).toThrow(
    /its copy could not be made first.*the name is too long/,
  );
  const db = new DatabaseSync(file, { readOnly: true });
  expect(db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()).toEqual({ value: '5' });
  db.close();
  expect(schemaCopies(file)).toEqual([]);
});

it('keeps the first copy when the migration was interrupted', () => {
  const file = join(folder.path, 'old.sqlite');
  ofVersion5(file);
  openDatabase(file, 'one', START).db.close();
  const [copy = ''] = schemaCopies(file);
  writeFileSync(copy, 'of the first try');
  const db = new DatabaseSync(file);
  db.exec(`UPDATE meta SET value = '9' WHERE key = 'schema_version'; DROP INDEX trade_identity;
    ALTER TABLE trade DROP COLUMN is_second; CREATE UNIQUE INDEX trade_identity ON trade (trade_id, symbol);`);
  db.close();
  openDatabase(file, 'one', START).db.close();
  expect(readFileSync(copy, 'utf8')).toBe('of the first try');
});
