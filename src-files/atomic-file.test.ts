import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createAtomicFile,
  partOf,
  realDisk,
  removeAbandoned,
  replaceFile,
  replaceFileSync,
  writeAtomic,
  type Disk,
} from './atomic-file.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-atomic-'));
  path = join(folder, 'settings.json');
  writeFileSync(path, 'old');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fault = (code: string) => Object.assign(new Error(`${code}: no`), { code });
const full: Disk = {
  ...realDisk,
  // Writes one byte, then none.
  write(file, bytes, from) {
    if (from === 3) throw fault('ENOSPC');
    return realDisk.write(file, bytes.subarray(0, from + 1), from);
  },
};

describe('a file that is replaced', () => {
  it('is complete, readable by its owner only, without a temporary file', async () => {
    await replaceFile(path, 'new and longer');
    expect(readFileSync(path, 'utf8')).toBe('new and longer');
    expect(readdirSync(folder)).toEqual(['settings.json']);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is unchanged when the disk fills up', async () => {
    await expect(replaceFile(path, 'new', full)).resolves.toBeUndefined();
    await expect(replaceFile(path, 'newer', full)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it('clears what a crash left under the temporary name', async () => {
    writeFileSync(join(folder, '.settings.json.tmp'), 'half');
    await replaceFile(path, 'new');
    replaceFileSync(path, Buffer.from('newer'));
    writeFileSync(join(folder, '.settings.json.tmp'), 'half again');
    replaceFileSync(path, Buffer.from('newest'));
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['newest', ['settings.json']]);
  });

  it('replaced synchronously, keeps the old file alone when it fails', () => {
    const taken = join(folder, 'taken');
    expect(() => replaceFileSync(join(taken, 'a'), Buffer.from('new'))).toThrow(/ENOENT/);
    expect(existsSync(taken)).toBe(false);
  });
});

it('uses an unused temporary name for a user’s file', async () => {
  writeFileSync(partOf(path, 't'), 'another’s');
  expect(() => createAtomicFile(path, 't')).toThrow(/EEXIST/);
  await writeAtomic(createAtomicFile(path, 'u'), Buffer.from('new'));
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder).sort()).toEqual(['settings.json', 'settings.json.ballast-t.part']);
});

it('removes what a kill left in the folder of a user’s file, and nothing else', async () => {
  const OLD_S = 86_500;
  const created = statSync(path).mtimeMs / 1000;
  const aged = (name: string, seconds: number): void => {
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), created - seconds, created - seconds);
  };
  mkdirSync(join(folder, 'folder.ballast-d.part'));
  aged('folder.ballast-d.part', OLD_S);
  aged('0.csv.ballast-e.part', OLD_S);
  aged('trades.csv.ballast-a1b2.part', OLD_S);
  aged('a.sqlite.ballast-f.part', OLD_S);
  aged('a.sqlite.ballast-f.part-journal', OLD_S);
  aged('a.tar.gz.ballast-0-1.part', 400 * OLD_S);
  const others = [
    'film.mkv.part',
    'film.mkv.x7Fq2sAb.part',
    'trades.csv',
    'ballast-a.part',
    'a.ballast-b.part.csv',
  ];
  for (const name of others) aged(name, OLD_S);
  // One that another process may be writing.
  aged('now.csv.ballast-c.part', 80_000);
  // One that cannot be deleted keeps none of those after it.
  const disk: Disk = {
    ...realDisk,
    remove(one) {
      if (one.endsWith('0.csv.ballast-e.part')) throw new Error('EPERM');
      realDisk.remove(one);
    },
  };
  const file = createAtomicFile(join(folder, 'new.csv'), 'u');
  removeAbandoned(partOf(join(folder, 'new.csv'), 'u'), disk);
  await writeAtomic(file, Buffer.from('new'));
  const left = ['0.csv.ballast-e.part', 'folder.ballast-d.part', 'now.csv.ballast-c.part'];
  expect(readdirSync(folder).sort()).toEqual([...others, ...left, 'new.csv', 'settings.json'].sort());
});
