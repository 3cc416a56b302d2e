/**
 * Portfolio: live accounts side by side, read by clients that cannot send, summed without practice, and not read once
 * the lock has unloaded their secrets.
 */
import type { Page } from '@playwright/test';
import { startPractice, type Practice } from '../src-practice/index.ts';
import type { ConnectionSummary } from '../src-shared/ipc/connections.ts';
import { add, amount, compareText, isDecimal, print } from '../src-shared/amount.ts';
import { connectionSettings } from '../tests/session/connection-settings.ts';
import { expectAccessible } from './axe.ts';
import {
  callBridge,
  changeSettings,
  clientOf,
  controls,
  expect,
  received,
  SHARED,
  test as base,
} from './fixture.ts';
import { digits, goTo, rows } from './page-objects.ts';

/** Two more exchanges, for two live connections. */
const test = base.extend<{ others: readonly [Practice, Practice] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  others: async ({}, use) => {
    const others = [await startPractice({ seed: 11 }), await startPractice({ seed: 12 })] as const;
    await use(others);
    await Promise.all(others.map((one) => one.stop()));
  },
});

const NAMES = ['Meridian main', 'Harbour hedge'] as const;

/** Adds a connection without opening it. */
async function addLive(page: Page, name: string, { url, credentials }: Practice): Promise<ConnectionSummary> {
  return callBridge<ConnectionSummary>(page, 'connections.add', {
    settings: connectionSettings({ name, baseUrl: url, apiKey: credentials.key }),
    secret: { secret: credentials.secret, headers: {} },
  });
}

/** The account's equity in a coin, as the exchange says now. */
async function equityOf(practice: Practice, coin: string): Promise<string> {
  const client = clientOf(practice);
  const read = await client.account();
  await client.close();
  if (!read.ok) throw new Error(read.failure.message);
  return read.data.assets.find((one) => one.coin === coin)?.equities ?? '0';
}

const include = (page: Page, name: string) => page.getByRole('switch', { name: `Include ${name}` });
const account = (page: Page, name: string) => rows(page, 'Live connections', name);
const total = (page: Page) => page.getByTestId('portfolio-total');
/** Requests an exchange has received, all endpoints. */
const requests = async (practice: Practice): Promise<number> =>
  Object.values(await received(practice)).reduce((sum, one) => sum + one, 0);

test('reads the accounts that are included, and sums them coin by coin', SHARED, async ({ page, others }) => {
  await goTo(page, 'portfolio');
  await expect(page.getByText('No live connection yet')).toBeVisible();
  for (const [at, other] of others.entries()) {
    // Marks stand still, so the figures of both readings agree.
    await controls(other, '/clock', { speed: 0 });
    await addLive(page, NAMES[at]!, other);
  }
  await expect(page.getByText('No account is included yet')).toBeVisible();
  await expect(account(page, NAMES[0])).toContainText('Not included');
  const before = await Promise.all(others.map(requests));
  const begun = performance.now();
  for (const name of NAMES) {
    await include(page, name).click();
    await expect(account(page, name)).toContainText('Polling');
  }
  await expect(total(page)).toContainText('2 of 2 read');

  const held = await Promise.all(others.map((one) => equityOf(one, 'USDT')));
  const sum = print(held.map(amount).reduce(add));
  const usdt = rows(page, 'Sums by coin', /^USDT/);
  const cells = (await usdt.getByRole('gridcell').allTextContents()).map(digits);
  for (const figure of [...held, sum])
    expect(cells.some((cell) => isDecimal(cell) && compareText(cell, figure) === 0)).toBe(true);

  // A coin without a rate is left out and named, until one is typed.
  const rate = page.getByRole('textbox', { name: 'Rate of BTC in USDT' });
  await expect(total(page)).toContainText(/BTC.* not included/);
  await rate.fill('97412.5');
  await rate.press('Enter');
  await expect(total(page)).not.toContainText('BTC');
  await expect(total(page)).toContainText('≈');
  await expect(total(page)).toContainText('at rates you typed');
  // Text that cannot be a rate is not stored.
  await rate.fill('1e5');
  await rate.press('Enter');
  await expect(rate).toHaveAttribute('aria-invalid', 'true');
  await rate.fill('97412.5');
  await rate.press('Enter');

  await expectAccessible(page);
  await changeSettings(page, { privacy: true });
  await expect(total(page)).toContainText('hidden');
  await expect(usdt).not.toContainText(held[0]!.slice(0, 6));
  await changeSettings(page, { privacy: false });

  // Few reads, and nothing was ever sent.
  for (const [at, other] of others.entries()) {
    const { order = 0, batchOrders = 0 } = await received(other);
    expect([order, batchOrders]).toEqual([0, 0]);
    // One every 30 s, beside those of the start.
    const rounds = (performance.now() - begun) / 30_000;
    expect((await requests(other)) - before[at]!).toBeLessThan(8 + rounds);
  }
});

test('a rejected account is in no sum, which says so', SHARED, async ({ page, others }) => {
  const [good, refusing] = others;
  await addLive(page, NAMES[0], good);
  await callBridge(page, 'connections.add', {
    settings: connectionSettings({ name: NAMES[1], baseUrl: refusing.url, apiKey: refusing.credentials.key }),
    secret: { secret: 'another', headers: {} },
  });
  await goTo(page, 'portfolio');
  for (const name of NAMES) await include(page, name).click();
  await expect(account(page, NAMES[1])).toContainText('Rejected');
  await expect(total(page)).toContainText('1 of 2 read');
  await expect(total(page)).toContainText(NAMES[1]);
  await expect(rows(page, 'Sums by coin', /^USDT/)).toContainText('partial');
  await expect(rows(page, 'Sums by coin', /^Total/)).toContainText('1 of 2 read');
  await expect(account(page, NAMES[1]).getByRole('button', { name: 'Edit key…' })).toBeVisible();
  await expectAccessible(page);
});

test('a small window shows every state whole beside the buttons', SHARED, async ({ page, others }) => {
  const [good, refusing] = others;
  const names = [NAMES[0], 'The same with a second connection', NAMES[1]];
  for (const name of names.slice(0, 2)) await addLive(page, name, good);
  await callBridge(page, 'connections.add', {
    settings: connectionSettings({ name: NAMES[1], baseUrl: refusing.url, apiKey: refusing.credentials.key }),
    secret: { secret: 'another', headers: {} },
  });
  await goTo(page, 'portfolio');
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const name of names) await include(page, name).click();
  await expect(account(page, NAMES[1])).toContainText('Rejected');
  await expect(page.getByText('same account as Meridian main')).toBeVisible();
  const table = page.getByRole('grid', { name: 'Live connections' });
  const over = (): Promise<number> =>
    table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
  await expect.poll(over).toBe(0);
});

test(
  'opens an account at its nearest liquidation, whose own feeds serve it from then on',
  SHARED,
  async ({ page, others }) => {
    const [one] = others;
    const added = await addLive(page, NAMES[0], one);
    await goTo(page, 'portfolio');
    await include(page, NAMES[0]).click();
    await expect(account(page, NAMES[0])).toContainText('every 30 s');
    await account(page, NAMES[0]).getByRole('button', { name: /-M/ }).click();
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    await expect(page.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');
    await goTo(page, 'portfolio');
    await expect(account(page, NAMES[0])).toContainText('in use');
    await expect(account(page, NAMES[0])).toContainText('every 1.0 s');
    await expect(total(page)).toContainText('1 of 1 read');
    // Back on practice it is read beside it again.
    await callBridge(page, 'connections.select', { connectionId: 'practice' });
    await expect(account(page, NAMES[0])).toContainText('every 30 s');
    await callBridge(page, 'connections.remove', {
      connectionId: added.id,
      leaveSecret: true,
      deleteArchive: true,
    });
    await expect(page.getByText('No live connection yet')).toBeVisible();
  },
);

test('the lock that unloads secrets ends all reading', SHARED, async ({ page, others }) => {
  for (const [at, other] of others.entries()) await addLive(page, NAMES[at]!, other);
  await goTo(page, 'portfolio');
  for (const name of NAMES) await include(page, name).click();
  await expect(total(page)).toContainText('2 of 2 read');
  // The lock for orders alone reads on.
  await callBridge(page, 'trading.setLock', { lock: 'orders' });
  await expect(total(page)).toContainText('2 of 2 read');
  await callBridge(page, 'trading.setLock', { lock: 'secret' });
  await expect(total(page)).toContainText('0 of 2 read');
  for (const name of NAMES) await expect(account(page, name)).toContainText('Locked');
  const last = await Promise.all(others.map(requests));
  for (const { id } of (await callBridge<{ connections: { id: string }[] }>(page, 'session.get')).connections)
    await callBridge(page, 'portfolio.retry', { connectionId: id });
  expect(await Promise.all(others.map(requests))).toEqual(last);
  await expectAccessible(page);
  await callBridge(page, 'trading.setLock', { lock: 'off' });
  await expect(total(page)).toContainText('2 of 2 read');
});
