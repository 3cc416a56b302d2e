/**
 * Writes a file whole or not at all: to a temporary file in the same folder, synced, renamed over the old one.
 * Whatever goes wrong before the rename leaves the old bytes as they were and removes the temporary file.
 */
import { closeSync, fsync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The few things done to the disk; a test hands in a disk that fills up. */
export interface Disk {
  /** Opens a file that must not exist yet, for writing. */
  create(path: string): number;
  open(path: string): number;
  write(file: number, bytes: Uint8Array, from: number): number;
  /** Off this thread: a large file takes longer than a question may wait. */
  sync(file: number): Promise<void>;
  close(file: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

export const realDisk: Disk = {
  create: (path) => openSync(path, 'wx'),
  open: (path) => openSync(path, 'r'),
  write: (file, bytes, from) => writeSync(file, bytes, from),
  sync: promisify(fsync),
  close: (file) => closeSync(file),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
};

export interface AtomicFile {
  /** Returns the bytes written so far. */
  append(chunk: Uint8Array): number;
  /** Everything on disk, then in its place. */
  commit(): Promise<void>;
  /** Leaves no trace. Harmless after commit. */
  discard(): void;
}

/** `token` makes the temporary name (`<path>.<token>.part`) unique. Every method fails with the system's error. */
export function createAtomicFile(path: string, token: string, disk: Disk = realDisk): AtomicFile {
  const temporary = `${path}.${token}.part`;
  const file = disk.create(temporary);
  let bytes = 0;
  let open = true;
  let finished = false;

  function close(): void {
    if (!open) return;
    open = false;
    disk.close(file);
  }
  return {
    append(chunk) {
      for (let from = 0; from < chunk.length;) from += disk.write(file, chunk, from);
      bytes += chunk.length;
      return bytes;
    },
    async commit() {
      await disk.sync(file);
      close();
      disk.rename(temporary, path);
      finished = true;
      await syncFolder(dirname(path), disk);
    },
    discard() {
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

/** The new name is only safe once its folder is on disk; Windows cannot sync folders and needs not. */
async function syncFolder(path: string, disk: Disk): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = disk.open(path);
  try {
    await disk.sync(folder);
  } finally {
    disk.close(folder);
  }
}
