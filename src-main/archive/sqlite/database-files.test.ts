import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveFiles, moveAside, removeDatabaseSync } from './database-files.ts';
import { START, temporaryFolder } from '../../../tests/archive/trades.ts';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'a.sqlite');
  write('first');
});
afterEach(() => folder.remove());
const write = (text: string): void => {
  for (const part of ['', '-wal']) writeFileSync(file + part, text + part);
};

it('moves a database with its WAL to an unused name, also twice in one second', () => {
  const first = moveAside(file, 'replaced', START);
  write('second');
  const second = moveAside(file, 'replaced', START);
  expect([first, second]).toEqual([`${file}.replaced-20261025T000000Z`, `${first}-2`]);
  expect([first, `${first}-wal`, second, `${second}-wal`].map((path) => readFileSync(path, 'utf8'))).toEqual([
    'first',
    'first-wal',
    'second',
    'second-wal',
  ]);
});

it('leaves everything in place if a part cannot be moved', () => {
  mkdirSync(`${file}.damaged-20261025T000000Z-wal`);
  expect(() => moveAside(file, 'damaged', START)).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
  expect([file, `${file}-wal`].map((path) => readFileSync(path, 'utf8'))).toEqual(['first', 'first-wal']);
});

it('removes all parts, and nothing else', () => {
  writeFileSync(`${file}.part`, '');
  removeDatabaseSync(file);
  expect(readdirSync(folder.path)).toEqual(['a.sqlite.part']);
});

it('knows the files of an archive, with copies and unfinished ones, but none that was moved aside', () => {
  moveAside(file, 'damaged', START);
  const aside = readdirSync(folder.path);
  const own = ['', '-wal', '.before-schema-9', '.restoring', '.restoring-wal', '.new', '.lock'];
  for (const end of own) writeFileSync(file + end, '');
  for (const path of archiveFiles(file)) rmSync(path, { force: true });
  expect(readdirSync(folder.path)).toEqual(aside);
});
