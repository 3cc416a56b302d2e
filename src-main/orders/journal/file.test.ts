/** Checks the order of file-system calls, since a test's disk does not fail. */
import type * as Files from 'node:fs/promises';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { journalFile } from './file.ts';

const { calls, disk } = vi.hoisted(() => ({
  calls: [] as string[],
  disk: { full: false, folderFails: '' },
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>();
  const open = async (...words: Parameters<typeof real.open>): Promise<Files.FileHandle> => {
    const handle = await real.open(...words);
    const writeFile = handle.writeFile.bind(handle);
    const sync = handle.sync.bind(handle);
    const close = handle.close.bind(handle);
    // As on Windows, where a file opened to append cannot be truncated (nodejs/node#3177).
    handle.truncate = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }));
    handle.close = () => {
      calls.push('close');
      return close();
    };
    handle.writeFile = async (text) => {
      calls.push('write');
      if (!disk.full) return writeFile(text);
      await writeFile('a who');
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    handle.sync = async () => {
      const isFolder = (await handle.stat()).isDirectory();
      calls.push(isFolder ? 'sync folder' : 'sync');
      if (isFolder && disk.folderFails !== '')
        throw Object.assign(new Error('no'), { code: disk.folderFails });
      return sync();
    };
    return handle;
  };
  return { ...real, open };
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-file-'));
  calls.length = 0;
  disk.full = false;
  disk.folderFails = '';
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a line is synced before its promise resolves, and so is the name of a new file', async () => {
  const file = journalFile(join(folder, 'orders.jsonl'));
  await file.append('one\n');
  const named = process.platform === 'win32' ? [] : ['sync folder', 'close'];
  expect(calls).toEqual([...named, 'write', 'sync', 'close']);
  calls.length = 0;
  await file.append('“two”\n');
  expect(calls).toEqual(['write', 'sync', 'close']);
  expect(String(await file.read())).toBe('one\n“two”\n');
});

it('what an append that failed left behind is cut off again', async () => {
  const path = join(folder, 'orders.jsonl');
  const file = journalFile(path);
  await file.append('one\n');
  disk.full = true;
  await expect(file.append('a whole line\n')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await readFile(path, 'utf8')).toBe('one\n');
  expect(calls.at(-1)).toBe('close');
});

it('a folder that cannot be synced leaves no line behind: the order of it was not sent', async () => {
  if (process.platform === 'win32') return;
  const path = join(folder, 'orders.jsonl');
  const file = journalFile(path);
  disk.folderFails = 'EIO';
  await expect(file.append('a whole line\n')).rejects.toMatchObject({ code: 'EIO' });
  expect(String(await file.read())).toBe('');
  disk.folderFails = '';
  await file.append('one\n');
  expect(await readFile(path, 'utf8')).toBe('one\n');
});

it.each(['EINVAL', 'ENOTSUP'])(
  'orders are recorded where the file system cannot sync a folder: %s',
  async (code) => {
    if (process.platform === 'win32') return;
    const path = join(folder, 'orders.jsonl');
    disk.folderFails = code;
    await journalFile(path).append('one\n');
    expect(await readFile(path, 'utf8')).toBe('one\n');
    expect(calls).toEqual(['sync folder', 'close', 'write', 'sync', 'close']);
  },
);
