/**
 * Migrates the archive's schema. `meta.schema_version` counts the applied steps; the rest are applied on opening, each
 * in its own transaction. A released step is never edited.
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
import { NOTES } from './migrations/0009-notes.ts';
import { TRADE_SIDES } from './migrations/0010-trade-sides.ts';

/** In the order of their numbers; a new one is added at the end. */
const STEPS: readonly string[] = [
  TRADES,
  ORDERS,
  EQUITY,
  IMPORTS,
  IDENTITY,
  LEAN_TRADES,
  RECEIVED,
  TRADES_SET_ASIDE,
  NOTES,
  TRADE_SIDES,
];

/** "Ball" in ASCII; identifies Ballast's files. */
const APPLICATION_ID = 0x42616c6c;

/** The file is of a newer version of Ballast. */
export class NewerArchive extends ArchiveFault {}

/** More objects than any archive has; the rest of a schema is not read. */
const MAX_OBJECTS = 200;

/** Returns the schema's objects as text, sorted. */
const schemaObjects = (db: DatabaseSync): readonly string[] =>
  db
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name LIMIT ?')
    .all(MAX_OBJECTS)
    .map((row) => JSON.stringify([row['type'], row['name'], row['tbl_name'], row['sql']]));

/** Returns a new archive's schema objects after that many steps. */
function freshObjects(steps: number): readonly string[] {
  const db = new DatabaseSync(':memory:');
  try {
    initialize(db, '');
    for (const step of STEPS.slice(0, steps)) db.exec(step);
    return schemaObjects(db);
  } finally {
    db.close();
  }
}

/**
 * Reports whether the file has exactly a new archive's schema: no other trigger, view, check or index that queries
 * would run. Reads the schema only, which executes nothing of the file. Throws ArchiveFault for another program's file
 * or a newer Ballast's.
 */
export function hasOwnSchema(db: DatabaseSync): boolean {
  assertOwnFile(db);
  const objects = schemaObjects(db);
  // The version is read from a table only if that is a plain one.
  if (!freshObjects(0).every((one) => objects.includes(one))) return false;
  const version = knownVersion(db);
  const fresh = freshObjects(version);
  return fresh.length === objects.length && fresh.every((one, index) => one === objects[index]);
}

/**
 * Returns the schema version a migration would bring the file to; null if it is new or current. Throws ArchiveFault for
 * another program's file or a newer Ballast's.
 */
export function pendingVersion(db: DatabaseSync): number | null {
  if (isEmpty(db)) return null;
  assertOwnFile(db);
  return knownVersion(db) < STEPS.length ? STEPS.length : null;
}

/** Applies missing steps. Throws ArchiveFault for another program's, a newer Ballast's or another connection's file. */
export function migrate(db: DatabaseSync, connectionId: string): void {
  if (isEmpty(db)) initialize(db, connectionId);
  assertOwnFile(db);
  const version = knownVersion(db);
  const owner = db.prepare("SELECT value FROM meta WHERE key = 'connection_id'").get();
  if (owner === undefined || asText(owner['value']) !== connectionId)
    throw new ArchiveFault({
      kind: 'file',
      message: 'This archive belongs to another connection.',
      next: 'Move the file back to where it was, then start Ballast again. Nothing was written.',
    });
  for (let step = version; step < STEPS.length; step++) {
    db.exec(`BEGIN IMMEDIATE; ${STEPS[step] ?? ''}
      UPDATE meta SET value = '${step + 1}' WHERE key = 'schema_version'; COMMIT;`);
  }
}

/** Assigns another connection's file, a restored backup, to this one. */
export function assignConnection(db: DatabaseSync, connectionId: string): void {
  db.prepare("UPDATE meta SET value = ? WHERE key = 'connection_id'").run(connectionId);
}

const isEmpty = (db: DatabaseSync): boolean =>
  db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;

/** Checks the file's header. Throws ArchiveFault. */
function assertOwnFile(db: DatabaseSync): void {
  const application = db.prepare('PRAGMA application_id').get();
  if (application?.['application_id'] !== APPLICATION_ID)
    throw new ArchiveFault({
      kind: 'file',
      message: 'The file in place of the archive belongs to another program.',
      next: 'Move it to another folder, then start Ballast again. Nothing was written.',
    });
}

function knownVersion(db: DatabaseSync): number {
  const row = db.prepare("SELECT CAST(value AS INTEGER) AS n FROM meta WHERE key = 'schema_version'").get();
  const version = typeof row?.['n'] === 'number' ? row['n'] : 0;
  if (version > STEPS.length)
    throw new NewerArchive({
      kind: 'file',
      message: `This archive was written by a newer version of Ballast (schema ${version}; this version reads up to ${STEPS.length}).`,
      next: 'Open it with the newer version. The file was not changed.',
    });
  return version;
}

function initialize(db: DatabaseSync, connectionId: string): void {
  db.exec(`BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO meta VALUES ('schema_version', '0');`);
  db.prepare("INSERT INTO meta VALUES ('connection_id', ?)").run(connectionId);
  db.exec('COMMIT');
}
