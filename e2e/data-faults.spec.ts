/**
 * Faults of the user's data: moved, removed, damaged files, an unusable folder, a full disk, a second start. Each
 * is handled and reported.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { openKeyring, skipReason } from '../tests/vault/private-keyring.ts';
import { startPractice } from '../src-practice/index.ts';
import { ending, expect, launch, received, SHARED, test } from './fixture.ts';
import { ConnectionEditor, goTo, openData, openLive, rows, stored, Ticket } from './page-objects.ts';
import { started } from './started.ts';

const SYMBOL = 'SOL-USDT-M';
const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: 'Notices' }).filter({ hasText: text });

test('moves to another computer with everything but the secret, which it asks for', async ({
  practice,
  profile,
}) => {
  test.skip(skipReason !== '', skipReason);
  const exchange = await startPractice({ seed: 11 });
  const [here, there] = [await openKeyring('unlocked'), await openKeyring('unlocked')];
  const bus = ({ env }: typeof here) => ({ DBUS_SESSION_BUS_ADDRESS: env['DBUS_SESSION_BUS_ADDRESS'] ?? '' });
  const moved = await mkdtemp(join(tmpdir(), 'ballast-'));
  try {
    const first = await launch(profile, practice, bus(here));
    await openLive(first.page, exchange);
    await expect(first.page.locator('html')).toHaveAttribute('data-account', 'live');
    await first.app.close();
    cpSync(profile, moved, { recursive: true });

    const second = await launch(moved, practice, bus(there));
    const { page } = second;
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    await goTo(page, 'settings');
    const card = page.locator('main').getByRole('button', { name: /My desk/ });
    await expect(card).toContainText('Secret missing, or the keychain is locked');
    const editor = new ConnectionEditor(page);
    await editor.fill({ Secret: exchange.credentials.secret });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await editor.test();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
    await second.app.close();
  } finally {
    await here.end();
    await there.end();
    await exchange.stop();
    await rm(moved, { recursive: true, force: true });
  }
});

test('removes all data with its secrets, and quits', async ({ practice, profile }) => {
  test.skip(skipReason !== '', skipReason);
  const exchange = await startPractice({ seed: 11 });
  const keyring = await openKeyring('unlocked');
  try {
    const { app, page } = await launch(profile, practice, {
      DBUS_SESSION_BUS_ADDRESS: keyring.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
    });
    await openLive(page, exchange);
    await openData(page);
    writeFileSync(join(profile, 'a user’s own.txt'), 'not Ballast’s');
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (...args: unknown[]) => {
        const { message, detail } = args.at(-1) as { message: string; detail: string };
        process.stdout.write(`BOX ${message} ${detail}\n`);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      };
    });
    const output: string[] = [];
    app.process().stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    await page.getByRole('button', { name: 'Remove all data…' }).click();
    const remove = page.getByRole('button', { name: 'Remove all data and quit' });
    await expect(remove).toBeDisabled();
    await page.getByLabel('Type “remove” to remove all of it').fill('remove');
    const ended = ending(app);
    await remove.click();
    await ended;
    expect(output.join('')).toContain('BOX Ballast’s data was deleted.');
    expect(readdirSync(profile)).toEqual(['a user’s own.txt']);
    const again = await launch(profile, practice, {
      DBUS_SESSION_BUS_ADDRESS: keyring.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
    });
    await goTo(again.page, 'settings');
    await expect(again.page.getByRole('button', { name: /Practice/ }).first()).toBeVisible();
    await expect(again.page.getByRole('button', { name: /My desk/ })).toHaveCount(0);
    await again.app.close();
    const look = execFileSync('sh', ['-c', 'secret-tool search --all service Ballast 2>&1 || true'], {
      env: keyring.env,
    });
    expect(look.toString()).not.toContain(exchange.credentials.secret);
  } finally {
    await keyring.end();
    await exchange.stop();
  }
});

test('loses of the settings only what cannot be read, and keeps the file as it was', async ({
  practice,
  profile,
}) => {
  const before = JSON.stringify({ theme: 'sepia', zoom: 110 });
  writeFileSync(join(profile, 'settings.json'), before);
  const { app, page } = await launch(profile, practice);
  const lost = notice(page, 'Settings that cannot be read have their defaults: theme.');
  await expect(lost).toContainText('Trading is locked');
  await expect(page.getByRole('switch', { name: 'Trading' })).not.toBeChecked();
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Appearance', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('110');
  const copies = (): string[] =>
    readdirSync(profile).filter((one) => one.startsWith('settings.json.damaged-'));
  await expect.poll(copies).toHaveLength(1);
  expect(readFileSync(join(profile, copies()[0]!), 'utf8')).toBe(before);
  await app.close();
});

test('moves damaged files aside and reports them', async ({ practice, profile }) => {
  const first = await launch(profile, practice);
  await openData(first.page);
  await expect.poll(() => stored(first.page)).not.toBe('');
  await first.app.close();
  const archives = join(profile, 'archive');
  const [archive = ''] = readdirSync(archives).filter((name) => name.endsWith('.sqlite'));
  for (const end of ['-wal', '-shm']) rmSync(join(archives, archive + end), { force: true });
  writeFileSync(join(archives, archive), 'no database any more');
  for (const name of ['connections.json', 'settings.json']) writeFileSync(join(profile, name), '{"half');

  const { app, page } = await launch(profile, practice);
  await expect(notice(page, 'The trade archive was damaged.')).toContainText('.damaged-');
  await expect(notice(page, 'The list of connections could not be read')).toBeVisible();
  // A lost limit locks trading.
  await expect(notice(page, 'The settings could not be read')).toContainText('trading is locked');
  await expect(page.getByText('Trading locked', { exact: true })).toBeVisible();
  expect(readdirSync(archives).some((name) => name.startsWith(`${archive}.damaged-`))).toBe(true);
  expect(readdirSync(profile).filter((name) => name.includes('.damaged-'))).toHaveLength(2);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  await app.close();
});

test('deletes at the start what a removal that was killed has left', async ({ practice, profile }) => {
  const names = ['archive/live-1.sqlite', 'archive/live-1.sqlite-wal', 'alerts/live-1.jsonl'];
  const aside = 'archive/live-1.sqlite.damaged-20261121T120000Z';
  for (const folder of ['archive', 'alerts']) mkdirSync(join(profile, folder), { recursive: true });
  for (const name of [...names, aside]) writeFileSync(join(profile, name), '');
  const removed = [{ id: 'live-1', archive: true }];
  const index = join(profile, 'connections.json');
  writeFileSync(index, JSON.stringify({ version: 1, activeId: 'practice', connections: [], removed }));
  const { app } = await launch(profile, practice);
  await expect.poll(() => readFileSync(index, 'utf8')).not.toContain('live-1');
  expect([...names, aside].map((name) => existsSync(join(profile, name)))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  await app.close();
});

test('says what is left of a practice account that another version wrote', async ({ profile }) => {
  for (const folder of ['practice', 'archive']) mkdirSync(join(profile, folder));
  writeFileSync(join(profile, 'practice', 'exchange.jsonl'), '{"ballastPractice":1,"engine":4,"id":"old"}\n');
  const archive = join(profile, 'archive', 'practice-old.sqlite');
  writeFileSync(archive, '');
  const { app, page } = await launch(profile, null);
  await expect(page.getByText('The practice account is damaged or of another version')).toBeVisible();
  await expect(
    page.getByText('its trade archive, with your notes, and its alerts are deleted'),
  ).toBeVisible();
  await expect.poll(() => existsSync(archive)).toBe(false);
  expect(readdirSync(join(profile, 'practice')).some((name) => name.endsWith('.set-aside'))).toBe(true);
  await app.close();
});

test('reports an unusable profile, and quits', async ({ profile }) => {
  // A file in place of the folder: fails for every user, root included.
  const file = join(profile, 'a file');
  writeFileSync(file, '');
  const { code, stdout, stderr } = await started(join(file, 'profile'));
  const output = stdout + stderr;
  expect(code).toBe(1);
  expect(output).toContain('Ballast cannot start');
  expect(output).toContain('A part of its path is a file.');
});

test('leaves a profile that a newer version wrote as it is, and quits', async ({ profile }) => {
  const index = join(profile, 'connections.json');
  const text = JSON.stringify({ version: 2, activeId: 'practice', groups: [] });
  writeFileSync(index, text);
  const { code, stdout, stderr } = await started(profile);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(`${index} was written by a newer version of Ballast.`);
  expect(readFileSync(index, 'utf8')).toBe(text);
  expect(existsSync(join(profile, 'logs'))).toBe(false);
});

test('names what it cannot use of the environment, and quits', async ({ profile }) => {
  const line = JSON.stringify({ url: 'http://[::1]:8080', key: 'k', secret: 's' });
  const { code, stdout, stderr } = await started(profile, [], {
    ...process.env,
    BALLAST_PRACTICE: line,
  });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(
    'BALLAST_PRACTICE cannot be used. Its url must be http://127.0.0.1 and a port.',
  );
});

test(
  'ends a second start on the same profile, and keeps the first running',
  SHARED,
  async ({ page, profile }) => {
    await goTo(page, 'positions');
    // The notice leaves after some seconds, which the end of the second start may take longer than.
    const second = started(profile);
    await expect(notice(page, 'Ballast is already open')).toBeVisible();
    expect((await second).code).toBe(0);
    await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  },
);

/** A small disk of its own, which only root may mount; null otherwise. */
function smallDisk(folder: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', folder]);
  } catch {
    return null;
  }
}

/** Fills the disk by appending to a file; returns what is still free. */
function spaceAfter(filler: string): number {
  const { bavail, bsize } = statfsSync(dirname(filler));
  try {
    appendFileSync(filler, Buffer.alloc(bavail * bsize + 1));
  } catch {
    // Filled.
  }
  return statfsSync(dirname(filler)).bavail;
}

test('a full disk: sends nothing, reports it, and resumes when there is space', async ({
  practice,
  profile,
}) => {
  const end = smallDisk(profile);
  test.skip(end === null, 'only root may mount a small disk');
  const { app, page } = await launch(profile, practice);
  try {
    const ticket = new Ticket(page);
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
    await ticket.choose(SYMBOL);
    const before = (await received(practice))['order'] ?? 0;
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    const sheet = await ticket.review();
    const filler = join(profile, 'filler');
    // Again while the app gives space back.
    await expect.poll(() => spaceAfter(filler)).toBe(0);
    await sheet.press();
    await expect(page.getByText(/disk is full|could not be written/i).first()).toBeVisible();
    expect((await received(practice))['order'] ?? 0).toBe(before);
    rmSync(filler);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const again = await ticket.review();
    await again.send();
    expect(await again.outcome()).toBe('accepted');
    expect((await received(practice))['order'] ?? 0).toBe(before + 1);
  } finally {
    await app.close();
    end?.();
  }
  expect(existsSync(profile)).toBe(true);
});
