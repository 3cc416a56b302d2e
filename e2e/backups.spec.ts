/**
 * Settings, Data: backups of everything. A schedule with a number of files to keep, one by hand, a damaged one refused,
 * and the restore on a computer that has nothing yet: everything is there digit for digit, without secrets.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { BackupState } from '../src-shared/ipc/backup.ts';
import type { SessionState } from '../src-shared/ipc/calls.ts';
import { startPractice } from '../src-practice/index.ts';
import { expectAccessible } from './axe.ts';
import { hitsIn, needlesOf } from './canary-search.ts';
import { callBridge, changeSettings, clientOf, ending, expect, launch, test } from './fixture.ts';
import {
  goTo,
  openData,
  openFrom,
  openLive,
  ownFolder,
  saveTo,
  stored,
  synced,
  Ticket,
} from './page-objects.ts';

/** What a user has that is nowhere else, as the window gets it. */
async function holdings(page: Page, connectionId: string): Promise<unknown> {
  const all = { connectionId, from: null, to: null, symbol: null };
  const session = await callBridge<SessionState>(page, 'session.get');
  return {
    connections: session.connections
      .filter(({ kind }) => kind === 'live')
      .map(({ id, settings, createdAt }) => ({ id, settings, createdAt })),
    settings: await callBridge(page, 'settings.get'),
    journal: await callBridge(page, 'journal.list', { connectionId }),
    statistics: await callBridge(page, 'stats.summary', all),
    days: await callBridge(page, 'stats.daily', all),
  };
}

const pane = (page: Page) => page.getByRole('region', { name: 'Backups of everything' });
/** The finished ones: each is written under another name first. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tar.gz'))
    .sort();

test('backs up on a schedule, keeps a number of files, and sets up another computer from one', async ({
  practice,
  profile,
}) => {
  const secret = 'n33dle-9f8e7d6c5b4a';
  const exchange = await startPractice({ seed: 11, history: 600, credentials: { key: 'mk_backup', secret } });
  const folder = join(await ownFolder(), 'backups');
  mkdirSync(folder);
  const first = await launch(profile, practice);
  const { page } = first;
  const { id } = await openLive(page, exchange);
  await changeSettings(page, {
    precision: 'received',
    // The order is to rest far from the market.
    limits: {
      priceDeviationPercent: null,
      notional: null,
      equitySharePercent: null,
      referenceAgeSeconds: 60,
    },
  });
  await synced(page);
  const ticket = new Ticket(page);
  await goTo(page, 'positions');
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '100.50' });
  await (await ticket.review()).send();
  await page.keyboard.press('Escape');
  await openData(page);

  await test.step('off by default, and nothing was ever backed up', async () => {
    await expect(pane(page)).toContainText('Never backed up');
    await expect(page.getByRole('checkbox', { name: 'Back up on a schedule' })).toBeDisabled();
    await expectAccessible(page, 'backups, off');
  });

  await test.step('the first one is written at once, and older ones are deleted', async () => {
    await openFrom(first, folder);
    await page.getByRole('button', { name: 'Choose folder…' }).click();
    await expect(pane(page)).toContainText(folder);
    await page.getByLabel('Files to keep').selectOption({ label: 'The newest 3 files' });
    await page.getByRole('checkbox', { name: 'Back up on a schedule' }).check({ force: true });
    await expect.poll(() => filesIn(folder)).toHaveLength(1);
    const [oldest = ''] = filesIn(folder);
    const own = join(folder, 'Ballast 2020-01-01 00.00.00Z.tar.gz');
    writeFileSync(own, 'not of this schedule');
    const now = page.getByRole('button', { name: 'Back up here now' });
    for (let count = 2; count <= 4; count++) {
      const newest = filesIn(folder).at(-1);
      await now.click();
      // Its name has the time: it is the last one in order.
      await expect.poll(() => filesIn(folder).at(-1)).not.toBe(newest);
      await expect(pane(page)).toContainText(filesIn(folder).at(-1) ?? 'none');
      await expect(now).toBeEnabled();
      await expect(pane(page).getByText('Backed up everything')).toBeVisible();
    }
    await expect.poll(() => filesIn(folder)).toHaveLength(4);
    expect(filesIn(folder)).toContain('Ballast 2020-01-01 00.00.00Z.tar.gz');
    expect(filesIn(folder)).not.toContain(oldest);
    await expect(pane(page)).toContainText('verified');
    await expectAccessible(pane(page), 'backups, written');
  });

  await test.step('a folder that is gone is reported, with the way out', async () => {
    await rm(folder, { recursive: true });
    await callBridge(page, 'backup.writeScheduled').catch(() => undefined);
    await expect(
      pane(page).getByRole('alert').filter({ hasText: 'The folder does not exist or' }),
    ).toBeVisible();
    await expect(pane(page).getByRole('alert').filter({ hasText: 'was not written' })).toBeVisible();
    await expectAccessible(pane(page), 'backups, failed');
    await page.getByRole('checkbox', { name: 'Back up on a schedule' }).uncheck({ force: true });
  });

  const path = await saveTo(first, 'everything.tar.gz');
  await test.step('by hand, to a file of one’s own, with no byte of the secret', async () => {
    await pane(page).getByRole('button', { name: 'Back up everything now…' }).click();
    await expect(pane(page)).toContainText('everything.tar.gz');
    await expect(pane(page).getByText('Backed up everything')).toBeVisible();
    expect(hitsIn(path, gunzipSync(readFileSync(path)), needlesOf(secret))).toEqual([]);
  });
  const held = await holdings(page, id);
  const trades = await stored(page);
  await first.app.close();

  const fresh = await mkdtemp(join(tmpdir(), 'ballast-'));
  const second = await launch(fresh, practice);
  await openData(second.page);
  const sheet = second.page.getByRole('dialog').filter({ hasText: 'Restore everything?' });
  await test.step('a damaged file is refused by name', async () => {
    const damaged = join(await ownFolder(), 'damaged.tar.gz');
    const bytes = readFileSync(path);
    writeFileSync(damaged, bytes.subarray(0, bytes.length - 2_000));
    await openFrom(second, damaged);
    await pane(second.page).getByRole('button', { name: 'Restore everything…' }).click();
    await sheet.getByRole('button', { name: 'Choose the backup…' }).click();
    await expect(sheet.getByRole('alert')).toContainText('“damaged.tar.gz” cannot be restored.');
    expect(readdirSync(fresh)).not.toContain('restore');
  });

  await test.step('a sound one is summed up, and restored after a word is typed', async () => {
    await openFrom(second, path);
    await sheet.getByRole('button', { name: 'Choose the backup…' }).click();
    await expect(sheet).toContainText(`${trades} trades`);
    await expect(sheet).toContainText(exchange.url);
    await expectAccessible(sheet, 'restore');
    await second.page.setViewportSize({ width: 1024, height: 640 });
    await expectAccessible(sheet, 'restore, small');
    const restore = sheet.getByRole('button', { name: 'Restore and restart Ballast' });
    await expect(restore).toBeDisabled();
    await sheet.getByLabel('Type “restore” to restore all of it').fill('restore');
    // The driver starts it again below.
    await second.app.evaluate(({ app }) => {
      app.relaunch = () => void process.stdout.write('RELAUNCH\n');
    });
    const said: string[] = [];
    second.app.process().stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const ended = ending(second.app);
    await second.page.keyboard.press('Tab');
    await second.page.keyboard.press('Tab');
    await restore.focus();
    // The page may be gone before the driver hears that the key was pressed.
    await second.page.keyboard.press('Enter').catch(() => undefined);
    await ended;
    expect(said.join('')).toContain('RELAUNCH');
  });

  const third = await launch(fresh, practice);
  await test.step('everything is there, and trading waits for the user and the secret', async () => {
    const { page } = third;
    await expect(page.getByText('Everything in “everything.tar.gz” was restored.')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    const state = await callBridge<SessionState>(page, 'session.get');
    expect(state.locked).toBe(true);
    expect(state.connections.find((one) => one.id === id)).toMatchObject({
      secret: 'missing',
      verified: false,
    });
    await expect.poll(() => holdings(page, id)).toEqual(held);
    await openData(page);
    await expect.poll(() => stored(page)).toBe(trades);
    expect(await callBridge<BackupState>(page, 'backup.get')).toMatchObject({ schedule: { on: false } });
    expect(readdirSync(fresh).some((name) => name.startsWith('before-restore-'))).toBe(true);

    const { settings } = state.connections.find((one) => one.id === id)!;
    await callBridge(page, 'connections.update', {
      ...{ connectionId: id, settings },
      secret: { secret, headers: {} },
    });
    await callBridge(page, 'trading.setLock', { lock: 'off' });
    await goTo(page, 'positions');
    await expect(page.getByText('SOL-USDT-M').first()).toBeVisible();
    const client = clientOf(exchange);
    const orders = await client.openOrders({});
    expect(
      orders.ok && orders.data.filter(({ price }) => price === '100.50' || price === '100.5'),
    ).toHaveLength(1);
  });
  await third.app.close();
  await exchange.stop();
  await rm(fresh, { recursive: true, force: true });
});
