import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync as renameOnce,
  rmSync,
  type RmOptions,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remove, removeSync } from './remove.ts';
import { rename, renameSync } from './rename.ts';

let folder = '';
let from = '';
let to = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-held-'));
  from = join(folder, 'new');
  to = join(folder, 'old');
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A system whose file is held for so many tries; it records the time waited. */
function holding(code: string, tries: number, platform: NodeJS.Platform = 'win32') {
  let left = tries;
  const waited: number[] = [];
  const assertFree = (): void => {
    if (left-- > 0) throw Object.assign(new Error(`${code}: held`), { code });
  };
  return {
    waited,
    platform,
    rename(one: string, other: string) {
      assertFree();
      renameOnce(one, other);
    },
    rm(path: string, options: RmOptions) {
      assertFree();
      rmSync(path, options);
    },
    pause: (ms: number) => void waited.push(ms),
  };
}
const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
const pausing = (on: ReturnType<typeof holding>) => ({
  ...on,
  pause: (ms: number) => Promise.resolve(on.pause(ms)),
});
const isMoved = (): boolean => readFileSync(to, 'utf8') === 'new';
const isRemoved = (): boolean => !existsSync(folder);
type Run = (on: ReturnType<typeof holding>) => Promise<void>;

/* oxlint-disable @typescript-eslint/require-await -- so that the synchronous ones reject, too */
describe.each<[name: string, run: Run, isDone: () => boolean]>([
  ['rename', (on) => rename(from, to, pausing(on)), isMoved],
  ['renameSync', async (on) => renameSync(from, to, on), isMoved],
  ['remove', (on) => remove(folder, { recursive: true }, pausing(on)), isRemoved],
  ['removeSync', async (on) => removeSync(folder, { recursive: true }, on), isRemoved],
])('%s', (_, run, isDone) => {
  it.each(['EPERM', 'EBUSY', 'EACCES', 'ENOTEMPTY'])(
    'waits on Windows while another program holds the file: %s',
    async (code) => {
      const on = holding(code, 4);
      await run(on);
      expect(isDone()).toBe(true);
      expect(on.waited).toHaveLength(4);
    },
  );

  it('fails after two seconds with the system’s error and the old file intact', async () => {
    const on = holding('EBUSY', Infinity);
    await expect(run(on)).rejects.toMatchObject({ code: 'EBUSY' });
    expect(sum(on.waited)).toBe(2_000);
    expect(readFileSync(to, 'utf8')).toBe('old');
  });

  it.each([
    ['another error', 'ENOSPC', 'win32'],
    ['another system, where the folder may not be written', 'EACCES', 'linux'],
  ] as const)('does not wait for %s', async (_name, code, platform) => {
    const on = holding(code, Infinity, platform);
    await expect(run(on)).rejects.toMatchObject({ code });
    expect(on.waited).toEqual([]);
  });
});

it('removes no folder in place of a file, and nothing where there is none', async () => {
  await expect(remove(folder)).rejects.toMatchObject({ code: 'ERR_FS_EISDIR' });
  expect(() => removeSync(folder)).toThrow();
  await remove(join(folder, 'none'));
  removeSync(join(folder, 'none'));
  expect(readFileSync(to, 'utf8')).toBe('old');
});
