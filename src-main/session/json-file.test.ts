import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rename } from '../../src-files/rename.ts';
import { jsonFile } from './json-file.ts';

const schema = v.strictObject({ count: v.number() });
const clock = { now: () => 1_700_000_000_000 };
let folder = '';
const moved: string[] = [];
const open = () =>
  jsonFile(join(folder, 'deep', 'settings.json'), schema, { count: 0 }, clock, (name) => moved.push(name));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'json-file-'));
  moved.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('settings file', () => {
  it('gives the fallback before the first write, then what was written last', async () => {
    const file = open();
    expect(await file.read()).toEqual({ count: 0 });
    await Promise.all([file.write({ count: 1 }), file.write({ count: 2 })]);
    expect(await open().read()).toEqual({ count: 2 });
    expect(await readdir(join(folder, 'deep'))).toEqual(['settings.json']);
  });

  it.each(['{"count":', '{"count":"1"}', ''])('moves a damaged file aside: %s', async (text) => {
    await open().write({ count: 1 });
    await writeFile(join(folder, 'deep', 'settings.json'), text);
    const file = open();
    expect(await file.read()).toEqual({ count: 0 });
    expect(moved).toEqual(['settings.json.damaged-1700000000000']);
    expect(await readFile(join(folder, 'deep', moved[0]!), 'utf8')).toBe(text);
  });

  it('does not replace a file that could not be read, until it could', async () => {
    const path = join(folder, 'deep', 'settings.json');
    await open().write({ count: 1 });
    await rename(path, join(folder, 'kept'));
    await symlink('settings.json', path);
    const file = open();
    await expect(file.read()).rejects.toThrow('ELOOP');
    await expect(file.write({ count: 2 })).rejects.toThrow('ELOOP');
    await rm(path);
    await rename(join(folder, 'kept'), path);
    expect(await file.read()).toEqual({ count: 1 });
    await file.write({ count: 2 });
    expect(await open().read()).toEqual({ count: 2 });
  });

  it('leaves the old file whole when the new one cannot be written', async () => {
    await writeFile(join(folder, 'deep'), 'a file where the folder should be');
    await expect(open().write({ count: 1 })).rejects.toThrow();
    expect(await readFile(join(folder, 'deep'), 'utf8')).toBe('a file where the folder should be');
  });
});
