import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeRunFolder, temporaryFolder, type TemporarySystem } from './temporary.mjs';

const mounts = (options: string): string =>
  `proc /proc proc rw 0 0\ntmpfs /dev/shm tmpfs ${options} 0 0\n/dev/vda / ext4 rw 0 0\n`;
const system = (more: Partial<TemporarySystem> = {}): TemporarySystem => ({
  platform: 'linux',
  chosen: undefined,
  mounts: () => mounts('rw,nosuid,nodev'),
  free: () => 8e9,
  ...more,
});

it('keeps temporary files in memory, unless the user has chosen a folder', () => {
  expect(temporaryFolder(system())).toBe('/dev/shm');
  expect(temporaryFolder(system({ chosen: '/var/tmp' }))).toBe(tmpdir());
});

it.each<[string, Partial<TemporarySystem>]>([
  ['another system', { platform: 'darwin' }],
  ['no such mount', { mounts: () => '/dev/vda / ext4 rw 0 0\n' }],
  ['one that runs no programs', { mounts: () => mounts('rw,noexec') }],
  ['one that is read-only', { mounts: () => mounts('ro') }],
  ['little space, as in a container', { free: () => 64e6 }],
])('leaves them on the disk with %s', (_, more) => {
  expect(temporaryFolder(system(more))).toBe(tmpdir());
});

it.runIf(process.platform === 'linux')('removes the folders of killed runs, and of no others', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ballast-runs-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const user = process.getuid?.() ?? 0;
  // No process can have this number: the largest is 2^22.
  const killed = 99_999_999;
  const left = [`ballast-run-${user}-${process.pid}-b`, `ballast-run-${user + 1}-${killed}-c`, 'other'];
  for (const name of [`ballast-run-${user}-${killed}-a`, ...left])
    mkdirSync(join(parent, name, 'home'), { recursive: true });
  const own = makeRunFolder(parent);
  expect(readdirSync(parent).sort()).toEqual([...left, basename(own)].sort());
});
