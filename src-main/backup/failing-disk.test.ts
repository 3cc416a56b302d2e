/** Checks what a restore leaves of its plan, with a disk that fails at a chosen call. */
import type * as Files from 'node:fs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { put } from '../../tests/backup/profiles.ts';
import { placeRestored, planRestore, stagedFolder } from './place.ts';

const { disk } = vi.hoisted(() => ({ disk: { syncs: Infinity } }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>();
  return {
    ...real,
    fsyncSync: (file: number) => {
      if (disk.syncs-- <= 0) throw Object.assign(new Error('failing disk'), { code: 'EIO' });
      real.fsyncSync(file);
    },
  };
});

const folder = temporaryFolder();
const profile = join(folder.path, 'profile');
beforeEach(() => void (disk.syncs = Infinity));
afterAll(() => folder.remove());

it('plans nothing where the plan could not be made durable', () => {
  put(profile, 'settings.json', 'present');
  put(stagedFolder(profile), 'settings.json', 'backed up');
  disk.syncs = 0;
  expect(() => planRestore(profile, 'b.tar.gz', 1)).toThrow('failing disk');
  disk.syncs = Infinity;
  expect(placeRestored(profile)).toBeNull();
  expect(readFileSync(join(profile, 'settings.json'), 'utf8')).toBe('present');
});
