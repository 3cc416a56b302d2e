import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-lock-'));
  file = join(folder, 'inside', 'setup.lock');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('withLock', () => {
  it('makes the second wait until the first is done, even when it fails', async () => {
    const events: string[] = [];
    const release = Promise.withResolvers<undefined>();
    const first = withLock(file, async () => {
      events.push('first in');
      await release.promise;
      events.push('first out');
      throw new Error('first');
    });
    const second = withLock(file, () => {
      events.push('second in');
      return Promise.resolve();
    });
    release.resolve(undefined);
    await expect(first).rejects.toThrow('first');
    await second;
    expect(events).toEqual(['first in', 'first out', 'second in']);
    expect(existsSync(file)).toBe(false);
  });

  it('takes the lock of a process that died', async () => {
    await withLock(file, () => Promise.resolve());
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, String(pid));
    let ran = false;
    await withLock(file, () => {
      ran = true;
      return Promise.resolve();
    });
    expect(ran).toBe(true);
  });
});
