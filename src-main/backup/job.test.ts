import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/archive/trades.ts';
import { fillProfile } from '../../tests/backup/profiles.ts';
import { startBackup } from './job.ts';
import { readManifest } from './read.ts';

const folder = temporaryFolder();
const profile = join(folder.path, 'profile');
const target = join(folder.path, 'target');
const path = join(target, 'a.tar.gz');
const write = (to = path) => ({
  ...{
    work: 'write' as const,
    profile,
    path: to,
    scratch: join(profile, 'backup-work'),
    token: 't',
    keep: 1,
  },
  origin: { version: '1.2.3', createdAt: 5, schedule: null },
});

beforeAll(async () => {
  mkdirSync(target);
  await fillProfile(profile, 3_000);
});
afterAll(() => folder.remove());

it('writes in a thread of its own, reporting its progress, and examines the result', async () => {
  const shares: number[] = [];
  const written = await startBackup(write(), (percent) => shares.push(percent)).ended;
  expect(written).toMatchObject({ ok: true, data: { written: { at: 5, path, files: 6 }, undeleted: [] } });
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  const into = join(folder.path, 'fresh');
  mkdirSync(into);
  const examined = await startBackup({ work: 'examine', profile: into, path }, () => undefined).ended;
  expect(examined).toMatchObject({ ok: true, data: { summary: { file: 'a.tar.gz', trades: 3_000 } } });
});

it('leaves the existing file and nothing else when it is cancelled', async () => {
  writeFileSync(path, 'what stood there');
  const running = startBackup(write(), () => undefined);
  await running.cancel();
  expect(await running.ended).toEqual({ ok: true, data: null });
  expect(readFileSync(path, 'utf8')).toBe('what stood there');
  expect(readdirSync(target)).toEqual(['a.tar.gz']);
  expect(existsSync(join(profile, 'backup-work'))).toBe(false);
});

it('says why it failed, with the way out', async () => {
  const nowhere = await startBackup(write(join(folder.path, 'none', 'a.tar.gz')), () => undefined).ended;
  expect(nowhere).toMatchObject({
    ok: false,
    failure: { kind: 'file', message: expect.stringContaining('the folder does not exist') as string },
  });
  writeFileSync(path, 'no backup');
  const other = await startBackup({ work: 'examine', profile, path }, () => undefined).ended;
  expect(other.ok ? '' : other.failure.message).toMatch(
    /“a.tar.gz” cannot be restored. This is not a backup/,
  );
  expect(await readManifest(path)).toBeNull();
});
