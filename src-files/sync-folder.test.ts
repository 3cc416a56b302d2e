/** Checks what happens where a file system cannot sync a folder, or fails to. */
import type * as Files from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type * as Promised from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replaceFile } from './atomic-file.ts';
import { syncFolder, syncFolderSync } from './sync-folder.ts';

const disk = vi.hoisted(() => ({
  code: '',
  sync: () => {
    throw Object.assign(new Error(`${disk.code}: no`), { code: disk.code });
  },
}));
vi.mock('node:fs', async (original) => ({ ...(await original<typeof Files>()), fsyncSync: disk.sync }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promised>();
  const open = async (...words: Parameters<typeof real.open>): Promise<Promised.FileHandle> =>
    Object.assign(await real.open(...words), { sync: () => Promise.resolve().then(disk.sync) });
  return { ...real, open };
});

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ballast-sync-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['syncFolder', () => syncFolder(folder)],
  ['syncFolderSync', () => Promise.resolve().then(() => syncFolderSync(folder))],
  ['a file that is replaced', () => replaceFile(join(folder, 'settings.json'), 'new')],
])('%s: allows for a file system that cannot do it, not for one that fails', async (_, run) => {
  if (process.platform === 'win32') return;
  for (const code of ['EINVAL', 'ENOTSUP']) {
    disk.code = code;
    await expect(run()).resolves.toBeUndefined();
  }
  disk.code = 'EIO';
  await expect(run()).rejects.toMatchObject({ code: 'EIO' });
});

it('leaves the new file in place where only its folder was not synced', async () => {
  disk.code = 'EINVAL';
  await replaceFile(join(folder, 'settings.json'), 'new');
  expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe('new');
});
