/**
 * The lock that unloads the secret: the main process's heap holds no secret, nothing is read, shown values stay with
 * their age, and unlocking reloads the secret from a real keychain. Runs beside that keychain.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionSummary } from '../src-shared/ipc/connections.ts';
import { SIGNING_PRESETS } from '../src-shared/ipc/signing.ts';
import { startPractice, type Practice } from '../src-practice/index.ts';
import { connectionSettings } from '../tests/session/connection-settings.ts';
import { openKeyring, skipReason, type PrivateKeyring } from '../tests/vault/private-keyring.ts';
import { hitsIn, needlesOf, timesInMemory, type Hit } from './canary-search.ts';
import {
  callBridge,
  changeSettings,
  controls,
  expect,
  launch,
  received,
  test,
  type Ballast,
} from './fixture.ts';
import { goTo, openLive, rows, Ticket } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';
const SECRET = 'Nachti+gall/4b"81\\im<Kaefig>&e2=d2%Rot';
const PASSPHRASE = 'drei+ter/Vogel"77\\<pfeift>&leise=im%Laub';
const HEADER = 'X-PASSPHRASE';
const KEY = 'a-key-that-is-no-secret';
const needles = [...needlesOf(SECRET), ...needlesOf(PASSPHRASE)];

test.use({ trace: 'off', screenshot: 'off' });
test.skip(skipReason !== '', skipReason);

let keyring: PrivateKeyring;
let exchange: Practice;
test.beforeEach(async () => {
  keyring = await openKeyring('unlocked');
  exchange = await startPractice({ seed: 11, credentials: { key: KEY, secret: SECRET } });
});
test.afterEach(async () => {
  await exchange.stop();
  await keyring.end();
});

const start = (profile: string, practice: Practice): Promise<Ballast> =>
  launch(profile, practice, {
    DBUS_SESSION_BUS_ADDRESS: keyring.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
    XDG_RUNTIME_DIR: keyring.env['XDG_RUNTIME_DIR'] ?? '',
  });

/** Opens a live connection, its two secrets in the keychain. */
async function connect({ page }: Ballast): Promise<void> {
  const { profile } = SIGNING_PRESETS.practice;
  const signing = { ...profile, headers: [...profile.headers, { name: HEADER, value: '', secret: true }] };
  const { secret } = await openLive(page, exchange, { name: 'Canary', signing }, { [HEADER]: PASSPHRASE });
  expect(secret).toBe('stored');
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
}

/** Searches the main process's JavaScript heap for the secrets, after a collection. */
async function heldBy({ app }: Ballast, folder: string): Promise<readonly Hit[]> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'main.heapsnapshot');
  await app.evaluate((_electron, to) => {
    const v8 = process.getBuiltinModule('node:v8');
    v8.setFlagsFromString('--heap-snapshot-string-limit=100000');
    v8.writeHeapSnapshot(to);
  }, path);
  const heap = await readFile(path);
  await rm(path);
  expect(heap.length).toBeGreaterThan(1_000_000);
  return hitsIn('heap of the main process', heap, needles);
}

/** Counts secrets in unreferenced memory, which JavaScript cannot wipe before it is reused. */
async function unwiped({ app }: Ballast): Promise<string> {
  if (process.platform !== 'linux') return 'not searched';
  const pid = await app.evaluate(() => process.pid);
  return `${await timesInMemory(pid, Buffer.from(SECRET))} times`;
}

const reads = async (): Promise<number> => (await received(exchange))['account'] ?? 0;

test('unloads the secret, shows the last values with their age, and resumes reading once unlocked', async ({
  practice,
  profile,
}, info) => {
  const ballast = await start(profile, practice);
  const { page } = ballast;
  const banner = page.getByRole('alert').filter({ hasText: 'Locked: not reading Canary' });
  const dialog = page.getByRole('dialog', { name: 'Unlock trading?' });
  await connect(ballast);
  const before = await unwiped(ballast);
  expect(await heldBy(ballast, info.outputDir)).not.toEqual([]);

  await changeSettings(page, { unloadSecretOnLock: true, startLocked: true });
  await page.keyboard.press('Control+l');
  await expect(banner).toContainText(/Data is from \d/);
  await expect(page.getByText('Locked, not reading')).toBeVisible();
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  const held = await heldBy(ballast, info.outputDir);
  const last = await reads();
  process.stdout.write(
    `lock: ${held.length} hits in the main process's heap, ${needles.length} needles; ` +
      `its bytes in memory: ${before} before, ${await unwiped(ballast)} after\n`,
  );
  expect(held).toEqual([]);
  // Two intervals of the account, and a manual refresh: nothing more was read.
  await callBridge(page, 'feeds.refresh', { name: 'account' });
  await expect(page.locator('header').getByText(/^read (?:[3-9]|[1-9]\d) s ago|^read \d+ m/)).toBeVisible();
  expect(await reads()).toBe(last);

  // The keychain is locked by now: the message says where to unlock it, and nothing has changed.
  await keyring.lock();
  await banner.getByRole('button', { name: 'Unlock…' }).click();
  await dialog.getByRole('button', { name: 'Unlock trading' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Trading stays locked');
  await expect(dialog.getByRole('alert')).toContainText('Unlock the keychain');
  await dialog.getByRole('button', { name: 'Stay locked' }).click();
  await expect(banner).toBeVisible();

  await keyring.reopen();
  await page.keyboard.press('Control+l');
  await dialog.getByRole('button', { name: 'Unlock trading' }).click();
  await expect(dialog).toBeHidden();
  await expect(banner).toBeHidden();
  await expect(page.locator('header').getByText(/^updated/)).toBeVisible();
  expect(await reads()).toBeGreaterThan(last);
  await ballast.app.close();

  // Started locked by the same setting: nothing is fetched until it is unlocked, and the last values stay.
  const requests = await received(exchange);
  const again = await start(profile, practice);
  await expect(again.page.getByRole('alert').filter({ hasText: 'Locked: not reading Canary' })).toContainText(
    /Data is from \d/,
  );
  expect(await received(exchange)).toEqual(requests);
  // The keychain has it after a restart, too.
  await again.page.keyboard.press('Control+l');
  const unlocking = again.page.getByRole('dialog', { name: 'Unlock trading?' });
  await unlocking.getByRole('button', { name: 'Unlock trading' }).click();
  // It stays open with the reason if the secret could not be loaded.
  await expect(unlocking).toBeHidden();
  await expect(again.page.locator('header').getByText(/^updated/)).toBeVisible();
  expect(await reads()).toBeGreaterThan(requests['account'] ?? 0);
  await again.app.close();
});

test('unloads the secrets of accounts read beside the open one, too', async ({ practice, profile }, info) => {
  const ballast = await start(profile, practice);
  const { page } = ballast;
  const added = await callBridge<ConnectionSummary>(page, 'connections.add', {
    settings: connectionSettings({ name: 'Canary', baseUrl: exchange.url, apiKey: KEY, portfolio: true }),
    secret: { secret: SECRET, headers: {} },
  });
  expect(added.secret).toBe('stored');
  await expect.poll(reads).toBeGreaterThan(0);
  expect(await heldBy(ballast, info.outputDir)).not.toEqual([]);
  await goTo(page, 'portfolio');
  const row = rows(page, 'Live connections', 'Canary');
  await expect(row).toContainText('Polling');

  await callBridge(page, 'trading.setLock', { lock: 'secret' });
  await expect(row).toContainText('Locked');
  expect(await heldBy(ballast, info.outputDir)).toEqual([]);
  const last = await reads();
  await callBridge(page, 'portfolio.retry', { connectionId: added.id });
  expect(await reads()).toBe(last);

  await callBridge(page, 'trading.setLock', { lock: 'off' });
  await expect(row).toContainText('Polling');
  await expect.poll(reads).toBeGreaterThan(last);
  await ballast.app.close();
});

test('keeps the secret while an outcome is unknown, then unloads it', async ({ practice, profile }, info) => {
  const ballast = await start(profile, practice);
  const { page } = ballast;
  await connect(ballast);
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  const sheet = await ticket.review();
  await controls(exchange, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await controls(exchange, '/faults', { endpoint: 'order', action: 'reset', accept: true });
  await sheet.send();
  expect(await sheet.outcome()).toBe('unknown');
  await sheet.done();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or run a command' });
  await palette.getByRole('combobox').fill('unload the secret');
  await expect(palette.getByRole('option').first()).toContainText('unload the secret');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'the API secret is still loaded' })).toBeVisible();
  await controls(exchange, '/faults', undefined, 'DELETE');
  await expect(page.getByRole('alert').filter({ hasText: 'Locked: not reading Canary' })).toBeVisible();
  expect(await heldBy(ballast, info.outputDir)).toEqual([]);
  await goTo(page, 'activity');
  await expect(page.getByRole('row', { name: /Matched/ })).toContainText(SYMBOL);
  await ballast.app.close();
});
