/** Syncs a folder: the names in it are durable only then. Windows cannot sync folders and does not need to. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Errors of a file system that cannot sync a folder, such as a network share. */
const CANNOT: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP']);

function tolerate(error: unknown): void {
  if (!CANNOT.has(errorCode(error))) throw error;
}

export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    tolerate(error);
  } finally {
    await folder.close();
  }
}

/** Does the same synchronously, for a start that waits for it anyway. */
export function syncFolderSync(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    tolerate(error);
  } finally {
    closeSync(folder);
  }
}
