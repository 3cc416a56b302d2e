import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OtherAccounts } from './other-account.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ballast-other-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The connection finds its archive again each time it is opened, until the file is gone. */
function connection(file: string) {
  writeFileSync(file, '');
  const notices: string[] = [];
  let openings = 0;
  const accounts = new OtherAccounts({
    notice: (message) => notices.push(message),
    clock: { now: () => 0 },
  });
  function open(): void {
    if (++openings > 9) throw new Error('opened without end');
    if (!existsSync(file)) return;
    accounts.found(file, (between) => {
      between();
      open();
    });
  }
  open();
  return { notices, open, openings: () => openings };
}

it('moves the file while the connection is closed, and opens it again', () => {
  const { notices, openings } = connection(join(folder, 'a.sqlite'));
  expect(openings()).toBe(2);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^a\.sqlite\.other-account/)]);
  expect(notices).toEqual([expect.stringMatching(/It was moved to /)]);
});

it('says so once where it cannot be moved, and tries again when the connection is opened again', () => {
  // Its new name would be too long.
  const { notices, open, openings } = connection(join(folder, 'a'.repeat(250)));
  const stuck = expect.stringMatching(/could not be moved/) as unknown;
  expect([openings(), notices]).toEqual([2, [stuck]]);
  open();
  expect([openings(), notices]).toEqual([4, [stuck, stuck]]);
});
