/** Converts errors of SQLite and the file system to failures with a way out; the error itself is never passed on. */
import { errorCode } from '../../../src-files/error-code.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';

/** An error with a failure, thrown inside the archive and converted where requests are served. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
export const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

/** SQLite's primary result code (the low byte of an extended one), or null for any other error. */
function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

/** Reports whether the file's content is damaged or no database. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Reports whether another connection holds the file. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY;

/** Reports whether a row violated a constraint. */
export const isConflict = (error: unknown): boolean => sqliteCode(error) === SQLITE_CONSTRAINT;

const SQLITE_TEXTS: Readonly<Record<number, readonly [message: string, next: string]>> = {
  [SQLITE_BUSY]: ['is used by another program', 'Close the other program, then try again.'],
  [SQLITE_READONLY]: ['cannot be written', 'Allow writing to it, then try again.'],
  [SQLITE_IOERR]: [
    'cannot be read or written: the disk reports an error',
    'Check the disk. What was stored is unchanged.',
  ],
  [SQLITE_CORRUPT]: [
    'is damaged',
    'Start Ballast again. It renames the damaged file and downloads the trades from the exchange again.',
  ],
  [SQLITE_FULL]: [
    'cannot grow: the disk is full',
    'Free up space, then try again. What was stored is unchanged.',
  ],
  [SQLITE_CANTOPEN]: ['cannot be opened', 'Check that its folder exists and that you can write to it.'],
  [SQLITE_NOTADB]: ['is not a database', 'Start Ballast again. It renames the file and begins a new one.'],
};

/** Returns the failure of an archive error, or of its file's folder; an unknown error becomes a bug with its shortened message. */
export function archiveFailure(error: unknown, file: string): Failure {
  if (error instanceof ArchiveFault) return error.failure;
  const text = SQLITE_TEXTS[sqliteCode(error) ?? -1];
  if (text !== undefined)
    return { kind: 'file', message: `The archive ${file} ${text[0]}.`, next: text[1], field: 'file' };
  if (isOfFiles(error))
    return {
      kind: 'file',
      message: `The archive ${file} cannot be used: ${reasonOf(error)}.`,
      next: 'Check its folder and the disk, then start Ballast again.',
      field: 'file',
    };
  return {
    kind: 'bug',
    message: `The archive failed: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}.`,
    next: 'What was stored is unchanged. Please report this message.',
  };
}

const FILE_TEXTS: Readonly<Record<string, readonly [message: string, next: string]>> = {
  EACCES: ['you cannot write to this folder or file', 'Choose another folder, or allow writing there.'],
  EPERM: ['you cannot write to this folder or file', 'Choose another folder, or allow writing there.'],
  EROFS: ['this disk is read-only', 'Choose a folder on another disk.'],
  ENOENT: ['the folder does not exist', 'Choose a folder that exists.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Choose a folder that exists.'],
  EEXIST: ['its folder’s name is that of a file', 'Move that file elsewhere.'],
  EISDIR: ['a folder has this name', 'Choose another name.'],
  ENOSPC: ['the disk is full', 'Free up space, or choose another disk.'],
  EDQUOT: ['your disk quota is used up', 'Free up space, or choose another disk.'],
  EFBIG: ['the file would be larger than allowed', 'Choose another disk, or export fewer rows.'],
  EBUSY: ['another program holds the file open', 'Close it there, then try again.'],
  EMFILE: ['too many files are open', 'Close other programs, then try again.'],
  ENFILE: ['too many files are open', 'Close other programs, then try again.'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter name.'],
};

/** Reports whether an error is of the file system, not of the archive. */
const isOfFiles = (error: unknown): boolean =>
  !(error instanceof ArchiveFault) && sqliteCode(error) === null && /^E(?!RR_)/.test(errorCode(error));

/** Returns why an import of `path` failed; nothing was stored. */
export function importFailure(error: unknown, path: string, archive: string): Failure {
  if (!isOfFiles(error)) return archiveFailure(error, archive);
  const why = errorCode(error) === 'ENOENT' ? 'it no longer exists' : reasonOf(error);
  return {
    kind: 'file',
    message: `${path} could not be read: ${why}. Nothing was stored.`,
    next: 'Choose the file again, or copy it to a folder that can be read.',
    field: 'path',
  };
}

/** Returns why an export to `path` failed: by the file system, or by the archive (`archive` is its file). */
export const exportFailure = (error: unknown, path: string, archive: string): Failure =>
  isOfFiles(error) ? notWritten(error, path) : archiveFailure(error, archive);

/** Returns the file system's reason as text, without a full stop. */
export const reasonOf = (error: unknown): string =>
  FILE_TEXTS[errorCode(error)]?.[0] ?? `the system reports an error (${errorCode(error) || 'no code'})`;

/** Returns why `path` was not written, for files written atomically. */
export const notWritten = (error: unknown, path: string): Failure => ({
  kind: 'file',
  message: `${path} was not written: ${reasonOf(error)}. An existing file was not changed.`,
  next: FILE_TEXTS[errorCode(error)]?.[1] ?? 'Try another folder.',
  field: 'path',
});
