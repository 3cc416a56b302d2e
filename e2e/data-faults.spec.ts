/**
 * What can happen to a person's data (issue 8): restored, moved, removed; damaged files, a folder that cannot be used, a
 * full disk, a second start. Each does the sensible thing and says it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openKeyring, skipReason } from '../tests/vault/private-keyring.ts';
import { startPractice, type Practice } from '../src-practice/index.ts';
import { expect, launch, received, test, type Ballast } from './fixture.ts';
import { ConnectionEditor, goTo, rows, Ticket } from './page-objects.ts';
import { started } from './started.ts';

const SYMBOL = 'SOL-USDT-M';
/** Nothing of the machine's own keychain: the secret is in memory for the run. */
const NO_KEYCHAIN = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: 'Notices' }).filter({ hasText: text });

async function addLive(page: Page, exchange: Practice, name = 'My desk'): Promise<void> {
  const editor = await ConnectionEditor.add(page, {
    Name: name,
    'Base URL': exchange.url,
    'API key': exchange.credentials.key,
    Secret: exchange.credentials.secret,
  });
  await editor.save();
  await editor.test();
  await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
  await page.getByRole('button', { name: 'Switch to it' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
}

async function openData(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
}
const stored = async (page: Page): Promise<string> => {
  const text = await page.locator('dd').filter({ hasText: 'trades ·' }).textContent();
  return /([\d,]+) trades/.exec(text ?? '')?.[1] ?? '';
};

/** The dialogs of files, answered. */
async function answerDialogs({ app }: Ballast, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
}

test('a backup is restored, a bad one is refused, and the archive before it is kept', async ({
  practice,
  profile,
}, info) => {
  test.setTimeout(120_000);
  const exchange = await startPractice({ seed: 11, history: 3_000 });
  const ballast = await launch(profile, practice, NO_KEYCHAIN);
  const { page } = ballast;
  await addLive(page, exchange);
  await openData(page);
  await expect.poll(() => stored(page)).not.toMatch(/^\d{0,3}$/);

  const backup = info.outputPath('backup.sqlite');
  await answerDialogs(ballast, backup);
  await page.getByRole('button', { name: 'Back up…' }).click();
  await expect(page.getByText('Backed up,')).toBeVisible();

  const restore = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('button', { name: 'Choose the backup…' }).click();
  };
  const damaged = info.outputPath('damaged.sqlite');
  writeFileSync(damaged, readFileSync(backup).fill(7, 5_000, 60_000));
  await answerDialogs(ballast, damaged);
  await restore();
  await expect(page.getByRole('alert').filter({ hasText: 'damaged.sqlite was not restored' })).toContainText(
    'The archive is as it was.',
  );

  await answerDialogs(ballast, backup);
  await restore();
  await expect(page.getByText('Restored from backup.sqlite')).toBeVisible();
  const kept = readdirSync(join(profile, 'archive')).filter((name) => name.includes('.replaced-'));
  expect(kept).not.toEqual([]);
  await expect.poll(() => stored(page)).not.toMatch(/^\d{0,3}$/);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  await ballast.app.close();
  await exchange.stop();
});

test('moved to another computer, all is there but the secret, which is asked for', async ({
  practice,
  profile,
}) => {
  test.skip(skipReason !== '', skipReason);
  test.setTimeout(120_000);
  const exchange = await startPractice({ seed: 11 });
  const [here, there] = [await openKeyring('unlocked'), await openKeyring('unlocked')];
  const bus = ({ env }: typeof here) => ({ DBUS_SESSION_BUS_ADDRESS: env['DBUS_SESSION_BUS_ADDRESS'] ?? '' });
  const moved = await mkdtemp(join(tmpdir(), 'ballast-'));
  try {
    const first = await launch(profile, practice, bus(here));
    await addLive(first.page, exchange);
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

test('all data is removed, with its secrets, and the app ends', async ({ practice, profile }) => {
  test.skip(skipReason !== '', skipReason);
  test.setTimeout(120_000);
  const exchange = await startPractice({ seed: 11 });
  const keyring = await openKeyring('unlocked');
  try {
    const { app, page } = await launch(profile, practice, {
      DBUS_SESSION_BUS_ADDRESS: keyring.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
    });
    await addLive(page, exchange);
    await openData(page);
    writeFileSync(join(profile, 'a person’s own.txt'), 'not Ballast’s');
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (...args: unknown[]) => {
        const { message, detail } = args.at(-1) as { message: string; detail: string };
        process.stdout.write(`BOX ${message} ${detail}\n`);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      };
    });
    const said: string[] = [];
    app.process().stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    await page.getByRole('button', { name: 'Remove all data…' }).click();
    const remove = page.getByRole('button', { name: 'Remove all data and quit' });
    await expect(remove).toBeDisabled();
    await page.getByLabel('Type remove to remove all of it').fill('remove');
    const ended = app.waitForEvent('close');
    await remove.click();
    await ended;
    expect(said.join('')).toContain('BOX Ballast’s data is removed.');
    expect(readdirSync(profile)).toEqual(['a person’s own.txt']);
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

test('damaged files are set aside, kept, and told', async ({ practice, profile }) => {
  test.setTimeout(120_000);
  const exchange = await startPractice({ seed: 11 });
  const first = await launch(profile, practice, NO_KEYCHAIN);
  await addLive(first.page, exchange);
  await openData(first.page);
  await expect.poll(() => stored(first.page)).not.toBe('');
  await first.app.close();
  const archives = join(profile, 'archive');
  const live = readdirSync(archives).find((name) => /^live-.*\.sqlite$/.test(name)) ?? '';
  for (const end of ['-wal', '-shm']) rmSync(join(archives, live + end), { force: true });
  writeFileSync(join(archives, live), 'no database any more');

  const second = await launch(profile, practice, NO_KEYCHAIN);
  await expect(notice(second.page, 'The trade archive was damaged.')).toContainText('.damaged-');
  expect(readdirSync(archives).some((name) => name.startsWith(`${live}.damaged-`))).toBe(true);
  await second.app.close();

  for (const name of ['connections.json', 'settings.json']) writeFileSync(join(profile, name), '{"half');
  const third = await launch(profile, practice, NO_KEYCHAIN);
  await expect(notice(third.page, 'The list of connections could not be read')).toBeVisible();
  await expect(notice(third.page, 'The settings could not be read')).toBeVisible();
  expect(readdirSync(profile).filter((name) => name.includes('.damaged-'))).toHaveLength(2);
  await goTo(third.page, 'positions');
  await expect(rows(third.page, 'Positions', SYMBOL).first()).toBeVisible();
  await third.app.close();
  await exchange.stop();
});

test('a profile that cannot be used is said, and the app ends', async ({ profile }) => {
  // A file where the folder should be: refused to everybody, root too.
  const file = join(profile, 'a file');
  writeFileSync(file, '');
  const { code, said } = await started(join(file, 'profile'));
  expect(code).toBe(1);
  expect(said).toContain('Ballast cannot start');
  expect(said).toContain('A part of its path is a file.');
});

test('a second start on the same profile ends, and the first goes on', async ({ page, profile }) => {
  await goTo(page, 'positions');
  const { code } = await started(profile);
  expect(code).toBe(0);
  await expect(notice(page, 'Ballast is already open')).toBeVisible();
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
});

/** A small disk of its own, which only root may mount; null elsewhere. */
function smallDisk(folder: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', folder]);
  } catch {
    return null;
  }
}

test('a full disk: nothing is sent, it is said, and all goes on when there is room', async ({
  practice,
  profile,
}) => {
  test.setTimeout(120_000);
  const end = smallDisk(profile);
  test.skip(end === null, 'only root may mount a small disk');
  const { app, page } = await launch(profile, practice);
  try {
    const ticket = new Ticket(page);
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
    await ticket.choose(SYMBOL);
    const filler = join(profile, 'filler');
    const { bavail, bsize } = statfsSync(profile);
    try {
      writeFileSync(filler, Buffer.alloc(bavail * bsize + 1));
    } catch {
      // As much as went in.
    }
    expect(statfsSync(profile).bavail).toBe(0);
    const before = (await received(practice))['order'] ?? 0;
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    const sheet = await ticket.review();
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
