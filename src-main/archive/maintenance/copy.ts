/** Copies an archive consistently while it is in use, by SQLite's own backup. */
import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { ArchiveFault, archiveFailure } from '../sqlite/errors.ts';

/** Pages per step: 4 MB, for some dozen progress reports a second. */
const PAGES_PER_STEP = 1_000;

/** `reportPercent` gets percentages. Rejects with SQLite's error. */
export async function copyDatabase(
  db: DatabaseSync,
  to: string,
  reportPercent: (percent: number) => void,
): Promise<void> {
  // In one transaction; otherwise every page the sync stores would restart the copy.
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM meta').get();
  await backup(db, to, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) =>
      reportPercent((100 * (totalPages - remainingPages)) / totalPages),
  });
}

/** Copies the archive in `file` to a new file, which SQLite then checks. Rejects with ArchiveFault, or the system's error. */
export async function copySoundArchive(
  file: string,
  to: string,
  reportPercent: (percent: number) => void,
): Promise<void> {
  // Created by the file system, whose error gives the reason; its permissions are the owner's alone.
  closeSync(openSync(to, 'wx', 0o600));
  try {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      await copyDatabase(db, to, reportPercent);
    } finally {
      db.close();
    }
    const copy = new DatabaseSync(to, { readOnly: true });
    try {
      const found = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
      if (found !== 'ok') throw damaged(file);
    } finally {
      copy.close();
    }
  } catch (error) {
    throw new ArchiveFault(archiveFailure(error, file));
  }
}

const damaged = (file: string): ArchiveFault =>
  new ArchiveFault({
    kind: 'file',
    message: `The archive ${file} is damaged.`,
    next: 'Open its connection: the damaged file is renamed then, and a new one is downloaded. Then back up again.',
    field: 'file',
  });
