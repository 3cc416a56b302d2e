/** Checks restores on a disk that fails at a chosen call, or that cannot do it. */
import type * as Files from 'node:fs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { put } from '../../tests/backup/profiles.ts';
import { placeRestored, planRestore, stagedFolder } from './place.ts';

const { disk } = vi.hoisted(() => ({ disk: { /** Of folders. */ syncs: Infinity, code: 'EIO' } }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>();
  return {
    ...real,
    fsyncSync: (file: number) => {
      const fails = real.fstatSync(file).isDirectory() && disk.syncs-- <= 0;
      if (fails) throw Object.assign(new Error('failing disk'), { code: disk.code });
      real.fsyncSync(file);
    },
  };
});

const folder = temporaryFolder();
const profile = join(folder.path, 'profile');
beforeEach(() => Object.assign(disk, { syncs: Infinity, code: 'EIO' }));
afterAll(() => folder.remove());

it('plans nothing where the plan could not be made durable', () => {
  if (process.platform === 'win32') return;
  put(profile, 'settings.json', 'present');
  put(stagedFolder(profile), 'settings.json', 'backed up');
  disk.syncs = 0;
  expect(() => planRestore(profile, 'b.tar.gz', 1)).toThrow('failing disk');
  disk.syncs = Infinity;
  expect(placeRestored(profile)).toBeNull();
  expect(readFileSync(join(profile, 'settings.json'), 'utf8')).toBe('present');
});

it('restores where the file system cannot sync a folder', () => {
  if (process.platform === 'win32') return;
  put(profile, 'settings.json', 'present');
  put(stagedFolder(profile), 'settings.json', 'backed up');
  Object.assign(disk, { syncs: 0, code: 'EINVAL' });
  planRestore(profile, 'b.tar.gz', 1);
  const restored = placeRestored(profile);
  expect(readFileSync(join(profile, 'settings.json'), 'utf8')).toBe('backed up');
  expect(existsSync(join(profile, restored?.aside ?? '', 'settings.json'))).toBe(true);
});
