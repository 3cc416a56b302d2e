/**
 * The archive's schema, step by step. A file names the steps it has been through in `meta.schema_version`; the rest
 * are applied when it is opened, each in its own transaction. A step that has been released is never edited.
 */
import { DatabaseSync } from 'node:sqlite';
import { asText } from './row-types.ts';
import { ArchiveFault } from './errors.ts';
import { TRADES } from './migrations/0001-trades.ts';
import { ORDERS } from './migrations/0002-orders.ts';
import { EQUITY } from './migrations/0003-equity.ts';
import { IMPORTS } from './migrations/0004-imports.ts';
import { IDENTITY } from './migrations/0005-identity.ts';
import { LEAN_TRADES } from './migrations/0006-lean-trades.ts';
import { RECEIVED } from './migrations/0007-received.ts';
import { TRADES_SET_ASIDE } from './migrations/0008-trades-set-aside.ts';

const STEPS: readonly string[] = [
  ...[TRADES, ORDERS, EQUITY, IMPORTS, IDENTITY, LEAN_TRADES, RECEIVED],
  ...[TRADES_SET_ASIDE],
];

/** "Ball" in ASCII: tells our files from any other SQLite file. */
const APPLICATION_ID = 0x42616c6c;

/** More objects than any archive has: a file is read no further. */
const MOST_OBJECTS = 200;

/** What SQLite has written down of a schema, in one order. */
const objectsOf = (db: DatabaseSync): readonly string[] =>
  db
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name LIMIT ?')
    .all(MOST_OBJECTS)
    .map((row) => JSON.stringify([row['type'], row['name'], row['tbl_name'], row['sql']]));

/** A fresh archive's schema after so many steps. */
function freshObjects(steps: number): readonly string[] {
  const db = new DatabaseSync(':memory:');
  try {
    begin(db, '');
    for (const step of STEPS.slice(0, steps)) db.exec(step);
    return objectsOf(db);
  } finally {
    db.close();
  }
}

/**
 * Whether the file has a fresh archive's schema and nothing beside it: no trigger, view, check or index that would run
 * with what is asked of it. Asks the schema alone, which runs nothing of the file. Throws ArchiveFault for a file of
 * another program or of a newer Ballast.
 */
export function hasOwnSchema(db: DatabaseSync): boolean {
  assertOurs(db);
  const objects = objectsOf(db);
  // Its version is in a table: only a plain one is read.
  if (!freshObjects(0).every((one) => objects.includes(one))) return false;
  const version = knownVersion(db);
  const fresh = freshObjects(version);
  return fresh.length === objects.length && fresh.every((one, index) => one === objects[index]);
}

/** Throws ArchiveFault for a file of another program, of a newer Ballast, or of another connection. */
export function migrate(db: DatabaseSync, connectionId: string): void {
  if (isEmpty(db)) begin(db, connectionId);
  assertOurs(db);
  const version = knownVersion(db);
  const owner = db.prepare("SELECT value FROM meta WHERE key = 'connection_id'").get();
  if (owner === undefined || asText(owner['value']) !== connectionId)
    throw new ArchiveFault({
      kind: 'file',
      message: 'This archive belongs to another connection.',
      next: 'Put back the file that was moved here. Nothing was written.',
    });
  for (let step = version; step < STEPS.length; step++) {
    db.exec(`BEGIN IMMEDIATE; ${STEPS[step] ?? ''}
      UPDATE meta SET value = '${step + 1}' WHERE key = 'schema_version'; COMMIT;`);
  }
}

/** Makes a file of another connection this one's: a backup that is restored. */
export function adopt(db: DatabaseSync, connectionId: string): void {
  db.prepare("UPDATE meta SET value = ? WHERE key = 'connection_id'").run(connectionId);
}

const isEmpty = (db: DatabaseSync): boolean =>
  db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;

/** Reads the header alone. */
function assertOurs(db: DatabaseSync): void {
  const application = db.prepare('PRAGMA application_id').get();
  if (application?.['application_id'] !== APPLICATION_ID)
    throw new ArchiveFault({
      kind: 'file',
      message: 'The file in the place of the archive belongs to another program.',
      next: 'Move it elsewhere and start Ballast again. Nothing was written.',
    });
}

function knownVersion(db: DatabaseSync): number {
  const row = db.prepare("SELECT CAST(value AS INTEGER) AS n FROM meta WHERE key = 'schema_version'").get();
  const version = typeof row?.['n'] === 'number' ? row['n'] : 0;
  if (version > STEPS.length)
    throw new ArchiveFault({
      kind: 'file',
      message: `This archive was written by a newer Ballast (its schema is ${version}, this one knows ${STEPS.length}).`,
      next: 'Start the newer Ballast. The file was not touched.',
    });
  return version;
}

function begin(db: DatabaseSync, connectionId: string): void {
  db.exec(`BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO meta VALUES ('schema_version', '0');`);
  db.prepare("INSERT INTO meta VALUES ('connection_id', ?)").run(connectionId);
  db.exec('COMMIT');
}
