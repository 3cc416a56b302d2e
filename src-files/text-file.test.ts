import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readIfPresent, readTextIfPresent } from './text-file.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ballast-text-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads a file, and null where there is none', async () => {
  writeFileSync(join(folder, 'a'), 'one\n');
  expect(await readTextIfPresent(join(folder, 'a'))).toBe('one\n');
  expect(await readTextIfPresent(join(folder, 'b'))).toBeNull();
});

it('rejects where the path is no file', async () => {
  await expect(readTextIfPresent(folder)).rejects.toMatchObject({ code: 'EISDIR' });
});

it('reads a file that Node does not read in one piece', async () => {
  writeFileSync(join(folder, 'a'), '“one”\ntwo\n');
  const refused = (): Promise<Buffer> =>
    Promise.reject(Object.assign(new Error('2 GiB'), { code: 'ERR_FS_FILE_TOO_LARGE' }));
  expect(String(await readIfPresent(join(folder, 'a'), refused))).toBe('“one”\ntwo\n');
});
