import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_BATCH_BYTES } from '../../src-shared/ipc/batch.ts';
import { csvOf, readOpened } from './opened-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opened-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = async (name: string, bytes: string | Uint8Array): Promise<string> => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};
const fault = async (path: string): Promise<string> => {
  const opened = await readOpened(path);
  return 'failure' in opened ? `${opened.failure.message} ${opened.failure.next}` : 'read';
};

describe('a file the system opens', () => {
  it.each([
    [['/opt/ballast', '/home/a/rows.csv'], '/home/a/rows.csv'],
    [['electron', '.', 'rows.CSV'], '/work/rows.CSV'],
    [['/opt/ballast', 'file:///home/a/my%20rows.csv'], '/home/a/my rows.csv'],
    [['/opt/ballast', 'file://other-computer/rows.csv'], '/work/file:/other-computer/rows.csv'],
    [['/opt/ballast', 'file:///home/a/rows%2'], null],
    [['/opt/ballast', '--open=rows.csv'], null],
    [['/opt/ballast.csv'], null],
    [['/opt/ballast', 'rows.txt'], null],
  ])('%j: %s', (argv, path) => {
    expect(csvOf(argv, '/work')).toBe(path === null ? null : resolve(path));
  });

  it('is read whole, by its name alone', async () => {
    const path = await put('rows.csv', 'symbolId,side\r\nBTC-USDT-M,BUY\r\n');
    expect(await readOpened(path)).toEqual({
      name: 'rows.csv',
      text: 'symbolId,side\r\nBTC-USDT-M,BUY\r\n',
    });
  });

  it('reports why it cannot be opened: type, size, bytes, absence', async () => {
    expect(await fault(await put('rows.txt', 'x'))).toContain('is not a .csv file');
    expect(await fault(await put('big.csv', 'x'.repeat(MAX_BATCH_BYTES + 1)))).toContain('Split the file');
    expect(await fault(await put('odd.csv', Uint8Array.of(0xff, 0xfe, 0x41)))).toContain('not UTF-8');
    expect(await fault(join(folder, 'none.csv'))).toContain('ENOENT');
  });

  it.skipIf(process.platform === 'win32')('waits for no pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.csv')]);
    expect(await fault(join(folder, 'pipe.csv'))).toContain('is not a file');
  });

  it('of exactly the largest size is read', async () => {
    const opened = await readOpened(await put('full.csv', 'x'.repeat(MAX_BATCH_BYTES)));
    expect('text' in opened && opened.text.length).toBe(MAX_BATCH_BYTES);
  });
});
