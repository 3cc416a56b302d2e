/**
 * Writes a file atomically: to a temporary file in the same folder, synced, renamed over the old one. A failure
 * before the rename leaves the old bytes and removes the temporary file.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, lstatSync, openSync, readdirSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeSync } from './remove.ts';
import { rename, renameSync } from './rename.ts';
import { syncFolder } from './sync-folder.ts';

/** The disk operations used here; a test injects a disk that fills up. */
export interface Disk {
  /** Opens a file that must not exist yet, for writing. */
  create(path: string, mode: number): number;
  write(file: number, bytes: Uint8Array, from: number): number;
  /** Runs off this thread: syncing a large file takes too long for the event loop. */
  sync(file: number): Promise<void>;
  close(file: number): void;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): void;
}

export const realDisk: Disk = {
  create: (path, mode) => openSync(path, 'wx', mode),
  write: (file, bytes, from) => writeSync(file, bytes, from),
  sync: promisify(fsync),
  close: (file) => closeSync(file),
  rename,
  remove: (path) => removeSync(path),
};

export type AtomicFile = ReturnType<typeof atomicFile>;

const ANYONE_MAY_READ = 0o666; // minus the umask, as the user's other files
const OWNER_ONLY = 0o600;

/** Returns the name of a file while it is written; `token` makes it unique. */
export const partOf = (path: string, token: string): string => `${path}.ballast-${token}.part`;
/** Also the journal of a database that is copied to such a file. */
const PART = /\.ballast-[\w-]+\.part(-journal)?$/;
const DAY_MS = 86_400_000;

/** Begins the file `partOf(path, token)`. Every method fails with the system's error. */
export const createAtomicFile = (
  path: string,
  token: string = randomUUID(),
  disk: Disk = realDisk,
): AtomicFile => atomicFile(path, partOf(path, token), ANYONE_MAY_READ, disk);

/** Like `createAtomicFile`; only the owner may read the file. */
export const createPrivateFile = (path: string, token: string = randomUUID()): AtomicFile =>
  atomicFile(path, partOf(path, token), OWNER_ONLY, realDisk);

/**
 * Removes the unfinished files beside a new one that were last written a day before it, by the clock of their file
 * system: those of a killed process. Never throws, since the new one is not worse for them. Only for worker threads: a
 * network folder may respond late.
 */
export function removeAbandoned(part: string, disk: Disk = realDisk): void {
  const folder = dirname(part);
  try {
    const { mtimeMs } = lstatSync(part);
    for (const name of readdirSync(folder)) {
      if (!PART.test(name)) continue;
      try {
        const found = lstatSync(join(folder, name));
        if (found.isFile() && mtimeMs - found.mtimeMs > DAY_MS) disk.remove(join(folder, name));
      } catch {
        // It stays until the next file is written here.
      }
    }
  } catch {
    // All stay until then.
  }
}

/** Writes content in memory in one call. Rejects with the system's error and then leaves nothing behind. */
export async function writeAtomic(file: AtomicFile, content: Uint8Array): Promise<void> {
  try {
    file.append(content);
    await file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/**
 * Replaces a file that only its owner may read. Only one write per path at a time: the temporary name is fixed, so
 * that the next write clears what a crash left.
 */
export async function replaceFile(path: string, text: string, disk: Disk = realDisk): Promise<void> {
  const temporary = temporaryOf(path);
  disk.remove(temporary);
  await writeAtomic(atomicFile(path, temporary, OWNER_ONLY, disk), Buffer.from(text, 'utf8'));
}

/** Replaces a file synchronously, for a worker that may not reply before the file is on disk. */
export const replaceFileSync = (path: string, content: Uint8Array): void =>
  replaceInPiecesSync(path, [content]);

/** Like `replaceFileSync`, for a content too large for the memory. */
export function replaceInPiecesSync(path: string, pieces: Iterable<Uint8Array>): void {
  const temporary = temporaryOf(path);
  removeSync(temporary);
  try {
    const file = openSync(temporary, 'wx', OWNER_ONLY);
    try {
      for (const piece of pieces)
        for (let from = 0; from < piece.length;) from += writeSync(file, piece, from);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeSync(temporary);
    throw error;
  }
}

/** Returns the name of a small file while it is replaced. */
export const temporaryOf = (path: string): string => join(dirname(path), `.${basename(path)}.tmp`);

function atomicFile(path: string, temporary: string, mode: number, disk: Disk) {
  const file = disk.create(temporary, mode);
  let bytes = 0;
  let open = true;
  let finished = false;

  function close(): void {
    if (!open) return;
    open = false;
    disk.close(file);
  }
  return {
    /** Returns the bytes written so far. */
    append(chunk: Uint8Array): number {
      for (let from = 0; from < chunk.length;) from += disk.write(file, chunk, from);
      bytes += chunk.length;
      return bytes;
    },
    /** Syncs the content, then renames it over the old file. */
    async commit(): Promise<void> {
      await disk.sync(file);
      close();
      await disk.rename(temporary, path);
      finished = true;
      await syncFolder(dirname(path));
    },
    /** Removes the temporary file. Harmless after commit. */
    discard(): void {
      if (finished) return;
      finished = true;
      try {
        close();
      } finally {
        disk.remove(temporary);
      }
    },
  };
}
