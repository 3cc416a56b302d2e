import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src-shared/contract/failures.ts';
import { openArchive, type Archive } from './archive.ts';
import { putInPlace } from './restore.ts';
import { START, temporaryFolder, trades } from '../../tests/archive/trades.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const file = at('mine.sqlite');
const backup = at('backup.sqlite');
const clock = { now: () => START };

function data<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.data;
}
const words = (result: Result<unknown>): string => (result.ok ? 'done' : result.failure.message);
const opened: Archive[] = [];
async function open(path: string, connectionId: string): Promise<Archive> {
  const archive = data(await openArchive({ file: path, connectionId, clock }));
  opened.push(archive);
  return archive;
}

beforeAll(async () => {
  const other = await open(at('other.sqlite'), 'there');
  data(await other.insertTrades(trades(0, 2_000), null));
  data(await other.backup(backup));
  await other.close();
});
afterEach(async () => {
  for (const archive of opened.splice(0)) await archive.close();
});
afterAll(() => folder.remove());

const left = (): string[] => readdirSync(folder.path).filter((name) => name.includes('.restoring'));

describe('a restore', () => {
  it('puts the backup of another computer in place, as this connection’s, and keeps what it replaces', async () => {
    const mine = await open(file, 'here');
    data(await mine.insertTrades(trades(5_000, 5_010), null));
    const ready = data(await mine.readyBackup(backup))!;
    expect(ready).toMatchObject({ trades: 2_000, orders: 0 });
    // Until it is closed nothing has changed.
    expect(data(await mine.state()).stored).toBe(10);
    await mine.close();
    const replaced = data(putInPlace(ready.part, file, START));
    const restored = await open(file, 'here');
    expect(data(await restored.state()).stored).toBe(2_000);
    expect(data(await restored.check())).toMatchObject({ ok: true });
    await restored.close();
    const before = await open(replaced, 'here');
    expect(data(await before.state()).stored).toBe(10);
    expect(left()).toEqual([]);
  });

  it.each<[what: string, make: (path: string) => void, said: RegExp]>([
    [
      'a damaged file',
      (path) => writeFileSync(path, readFileSync(backup).fill(7, 5_000, 60_000)),
      /damaged or no archive/,
    ],
    ['no database', (path) => writeFileSync(path, 'trades, perhaps'), /damaged or no archive/],
    [
      'another program’s database',
      (path) => new DatabaseSync(path).exec('CREATE TABLE note (text TEXT)'),
      /it is no archive of Ballast/,
    ],
    [
      'a newer Ballast’s',
      (path) => {
        copyFileSync(backup, path);
        new DatabaseSync(path).exec("UPDATE meta SET value = '99' WHERE key = 'schema_version'");
      },
      /a newer Ballast wrote it/,
    ],
    ['nothing', () => undefined, /folder does not exist/],
  ])('of %s is refused in words, and the archive is as it was', async (what, make, said) => {
    const path = at(`${what.replaceAll(/\W+/g, '-')}.sqlite`);
    make(path);
    const mine = await open(file, 'here');
    const before = data(await mine.state()).stored;
    const refusal = words(await mine.readyBackup(path));
    expect(refusal).toMatch(said);
    expect(refusal).toContain('was not restored');
    expect(data(await mine.state()).stored).toBe(before);
    expect(left()).toEqual([]);
  });

  it('of the archive itself is refused', async () => {
    const mine = await open(file, 'here');
    expect(words(await mine.readyBackup(file))).toContain('this is the archive itself');
  });

  it('that cannot be put in place leaves the archive where it was', () => {
    const before = readFileSync(file);
    const failedWith = putInPlace(at('no such copy'), file, START + 60_000);
    expect(failedWith.ok).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder.path).some((name) => name.includes('20261025T000100'))).toBe(false);
    expect(existsSync(file)).toBe(true);
  });
});
