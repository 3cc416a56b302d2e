/** Copies an archive, verified, before its schema is migrated: a fault of the migration then costs nothing. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeSync } from '../../../src-files/remove.ts';
import { renameSync } from '../../../src-files/rename.ts';
import { ArchiveFault, exportFailure, isDamage } from './errors.ts';
import { asInteger, asText } from './row-types.ts';

/** Returns the copies made of an archive before migrations; none if its folder cannot be read. */
export function schemaCopies(file: string): readonly string[] {
  const start = `${basename(file)}.before-schema-`;
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(start))
      .map((name) => join(dirname(file), name));
  } catch {
    return [];
  }
}

/**
 * Writes `<file>.before-schema-<target>`, unless a migration that was interrupted has done so, and removes the copies of
 * earlier migrations. Throws ArchiveFault if it cannot be written or differs; the archive is unchanged then.
 */
export function copyBeforeMigration(db: DatabaseSync, file: string, target: number): void {
  const path = `${file}.before-schema-${target}`;
  if (!existsSync(path)) writeCopy(db, file, path);
  for (const other of schemaCopies(file)) if (other !== path) removeSync(other);
}

function writeCopy(db: DatabaseSync, file: string, path: string): void {
  const part = `${path}.part`;
  const clear = (): void => {
    if (existsSync(part)) removeSync(part);
  };
  try {
    clear();
    // Created first, so that its permissions are the owner's alone and the file system gives its own reason.
    closeSync(openSync(part, 'w', 0o600));
    db.prepare('VACUUM INTO ?').run(part);
    const wrong = differences(db, part);
    if (wrong.length > 0) throw new Error(`the copy differs: ${wrong.join(', ')}`);
    sync(part);
    renameSync(part, path);
  } catch (error) {
    if (isDamage(error)) throw error;
    const { message } = exportFailure(error, path, file);
    throw new ArchiveFault({
      kind: 'file',
      message: `The archive must be converted for this version of Ballast, and its copy could not be made first. ${message}`,
      next: 'Free up space on this disk, then start Ballast again. The archive is unchanged.',
      field: 'file',
    });
  } finally {
    clear();
  }
}

/** Returns the tables whose number of rows differs, and faults SQLite finds. */
function differences(db: DatabaseSync, part: string): string[] {
  const copy = new DatabaseSync(part, { readOnly: true });
  try {
    const check = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const rows = (of: DatabaseSync, table: string): number =>
      asInteger(of.prepare(`SELECT count(*) AS n FROM "${table.replaceAll('"', '""')}"`).get()?.['n']);
    return [
      ...(check === 'ok' ? [] : [asText(check)]),
      ...tables.map(({ name }) => asText(name)).filter((table) => rows(db, table) !== rows(copy, table)),
    ];
  } finally {
    copy.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
