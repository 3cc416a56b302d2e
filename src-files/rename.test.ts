import { mkdtempSync, readFileSync, renameSync as renameOnce, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rename, renameSync } from './rename.ts';

let folder = '';
let from = '';
let to = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-rename-'));
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
  return {
    waited,
    platform,
    rename(one: string, other: string) {
      if (left-- > 0) throw Object.assign(new Error(`${code}: held`), { code });
      renameOnce(one, other);
    },
    pause: (ms: number) => void waited.push(ms),
  };
}
const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);

describe.each([
  [
    'rename',
    (on: ReturnType<typeof holding>) =>
      rename(from, to, { ...on, pause: (ms) => Promise.resolve(on.pause(ms)) }),
  ],
  // oxlint-disable-next-line @typescript-eslint/require-await -- so that both reject
  ['renameSync', async (on: ReturnType<typeof holding>) => renameSync(from, to, on)],
])('%s', (_, run) => {
  it.each(['EPERM', 'EBUSY', 'EACCES'])(
    'waits on Windows while another program holds the file: %s',
    async (code) => {
      const on = holding(code, 4);
      await run(on);
      expect(readFileSync(to, 'utf8')).toBe('new');
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
