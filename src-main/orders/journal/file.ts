/**
 * The journal's file: appended and synced before the promise resolves. Its name is on disk before its first line, so a
 * folder that cannot be synced leaves no line. What an append that failed left behind is cut off again: read back as
 * whole lines it would tell of a send that never was.
 */
import { open, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JournalFile } from './journal.ts';

export function journalFile(path: string): JournalFile {
  let created = false;
  return {
    async append(text) {
      if (!created) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const handle = await open(path, 'a', 0o600);
      try {
        if (!created) await syncFolder(dirname(path));
        created = true;
        const { size } = await handle.stat();
        try {
          await handle.writeFile(text, 'utf8');
          await handle.sync();
        } catch (error) {
          // A disk that refuses this too leaves the part; the next append then begins a line of its own.
          await handle.truncate(size).catch(() => undefined);
          throw error;
        }
      } finally {
        await handle.close();
      }
    },
    async read() {
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
        throw error;
      }
    },
  };
}

/** A new file's name is only safe once its folder is on disk; Windows cannot sync folders and needs not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
