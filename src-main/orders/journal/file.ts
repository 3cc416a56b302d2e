/**
 * The journal's file. An append is synced before it resolves; the folder is synced before the first line. A failed
 * append is truncated again: its rest, read back as lines, would describe a send that never happened.
 */
import { open, mkdir, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../src-files/sync-folder.ts';
import { readIfPresent } from '../../../src-files/text-file.ts';
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
          // By path: Windows truncates no file that is open to append. If it fails too the part stays, and the next append
          // starts a new line.
          await truncate(path, size).catch(() => undefined);
          throw error;
        }
      } finally {
        await handle.close();
      }
    },
    read: () => readIfPresent(path),
  };
}
