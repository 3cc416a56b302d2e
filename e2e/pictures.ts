/** Screenshots of every screen and its notable states, from the running app: `npm run pictures`. */
import type { Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startPractice } from '../src-practice/index.ts';
import { connectionSettings } from '../tests/session/connection-settings.ts';
import { makeLadder, review } from './batch-page.ts';
import { callBridge, controls, expect, ROOT, setTheme, test } from './fixture.ts';
import { goTo, openLive, rows, screensOf, Ticket } from './page-objects.ts';

const FOLDER = join(ROOT, 'resources', 'pictures');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 1024, height: 700 };
const THEMES = ['dark', 'light'] as const;

const BATCH_FILE = [
  'symbol,side,type,quantity,price,tpTriggerType,tpPrice,slTriggerType,slPrice',
  'BTC-USDT-M,BUY,LIMIT,0.120,60500.0,,,,',
  'BTC-USDT-M,BUY,LIMIT,0.180,"60,0O0.0",,,,',
  'SOL-USDT-M,SHORT,LIMIT,6.0,152.40,,,,',
  'SOL-USDT-M,SELL,LIMIT,6.0,155.00,,,,',
  'SOL-USDT-M,BUY,LIMIT,6.0,141.00,MARK_PRICE,140.00,NONE,',
  '',
].join('\r\n');

test.use({ exchange: { seed: 7 } });
test.setTimeout(240_000);
test.beforeAll(() => mkdir(FOLDER, { recursive: true }));

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A property of the machine that takes the screenshots as root, not of Ballast.
    const mark = [...document.querySelectorAll('footer button')].find((one) =>
      one.textContent.includes('sandbox'),
    );
    if (mark instanceof HTMLElement) mark.style.display = 'none';
  });
  await page.screenshot({ animations: 'disabled', path: join(FOLDER, `${name}.png`) });
}

/** Both themes at full size, and dark in the smallest window, where a ticket in use stays over the screen. */
async function states(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await setTheme(page, theme);
    await picture(page, `${name}-${theme}-${WIDE.width}`);
  }
  await setTheme(page, 'dark');
  await page.setViewportSize(NARROW);
  await picture(page, `${name}-dark-${NARROW.width}`);
  await page.setViewportSize(WIDE);
}

async function fillTicket(page: Page): Promise<Ticket> {
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '0.850', price: '62950.5' });
  return ticket;
}

test('every screen', async ({ page }) => {
  const screens = await screensOf(page);
  for (const theme of THEMES) {
    await setTheme(page, theme);
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size);
      for (const screen of screens) {
        await goTo(page, screen);
        await picture(page, `${screen}-${theme}-${size.width}`);
      }
    }
  }
});

test('risk: a price shock', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  await page.getByRole('slider', { name: 'Price move, percent' }).press('Home');
  await states(page, 'risk-shock');
});

test('a position compared with the estimates', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'positions');
  await rows(page, 'Positions', 'BTC-USDT-M').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Compare' }).click();
  await states(page, 'position-compare');
});

test('an expanded position, the ticket and its confirmation', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'positions');
  await rows(page, 'Positions', 'SOL-USDT-M').first().focus();
  await page.keyboard.press('ArrowRight');
  await states(page, 'position');
  await goTo(page, 'overview');
  const ticket = await fillTicket(page);
  await ticket.root.getByRole('switch', { name: 'Take profit / stop loss' }).click();
  await page.getByTestId('ticket-tpPrice').fill('65900');
  await page.getByTestId('ticket-slPrice').fill('61900');
  await states(page, 'ticket');
  await ticket.root.getByRole('button', { name: /^Wide ticket/ }).click();
  await ticket.root.getByLabel('Size', { exact: true }).fill('8');
  for (const theme of THEMES) {
    await setTheme(page, theme);
    await picture(page, `ticket-wide-${theme}-${WIDE.width}`);
  }
  await ticket.root.getByLabel('Size', { exact: true }).fill('0.850');
  await ticket.root.getByRole('button', { name: 'Narrow ticket' }).click();
  const sheet = await ticket.review();
  await sheet.root.getByRole('checkbox').first().check({ force: true });
  await states(page, 'confirm');
});

test('a batch', async ({ page, practice }) => {
  await page.setViewportSize(WIDE);
  await makeLadder(page, 8);
  await page.getByTestId('batch-file').setInputFiles({
    name: 'orders-2026-11-21.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(BATCH_FILE),
  });
  await states(page, 'batch-rows');
  await review(page);
  await states(page, 'batch-confirm');
  await controls(practice, '/faults', { endpoint: 'batchOrders', action: 'reset', accept: true });
  await page.getByTestId('batch-send').click();
  await expect(page.getByTestId('batch-status')).not.toHaveAttribute('data-state', 'sending');
  await expect(page.getByTestId('row-order-id').first()).toBeVisible();
  await states(page, 'batch-sent');
});

test('the trade log by its states', async ({ page, practice }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'trades');
  const groups = page.getByRole('radiogroup', { name: 'Group by' });
  await groups.getByText('Round trip', { exact: true }).click();
  await page.getByRole('treegrid', { name: 'Round trips' }).getByRole('row').nth(1).click();
  await states(page, 'trades-trips');
  await groups.getByText('Order', { exact: true }).click();
  await states(page, 'trades-orders');
  await groups.getByText('None', { exact: true }).click();
  await page.getByRole('button', { name: /^Symbol: / }).click();
  const symbols = page.getByRole('dialog', { name: 'Symbol' });
  await symbols.getByText('BTC-USDT-M', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(symbols).toBeHidden();
  await expect(page.getByRole('button', { name: 'Symbol: BTC-USDT-M' })).toBeVisible();
  const price = page.getByRole('columnheader', { name: 'Price' });
  await price.getByRole('button').click();
  await expect(price).toHaveAttribute('aria-sort', 'descending');
  await states(page, 'trades-filtered');
  await controls(practice, '/faults', { endpoint: 'trades', action: 'delay', ms: 30_000, times: 0 });
  await page.getByRole('button', { name: 'Read the newest trades again' }).click();
  await states(page, 'trades-syncing');
});

test('the export', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'trades');
  await page.keyboard.press('Control+e');
  await expect(page.getByRole('region', { name: 'Export CSV' })).toBeVisible();
  await states(page, 'export');
});

test('the form of a connection', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Add connection' }).click();
  await page.getByLabel('Name', { exact: true }).first().fill('Meridian main');
  await page.getByLabel('Base URL').fill('https://api.meridian.example');
  await states(page, 'connect');
});

test('the data of an archive', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await expect(page.locator('[data-resource="Order history"]')).toContainText('Complete');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Result of the check' })).toBeVisible();
  await states(page, 'data');
});

test('an unknown outcome', async ({ page, practice }) => {
  await page.setViewportSize(WIDE);
  await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: false });
  const ticket = await fillTicket(page);
  const sheet = await ticket.review();
  await sheet.send();
  expect(await sheet.outcome()).toBe('unknown');
  await sheet.done();
  await goTo(page, 'activity');
  await states(page, 'unknown');
});

test('portfolio', async ({ page }) => {
  await page.setViewportSize(WIDE);
  const exchanges = [await startPractice({ seed: 11 }), await startPractice({ seed: 12 })];
  const [main, hedge] = exchanges;
  await openLive(page, main!, { name: 'Meridian main', portfolio: true });
  for (const [name, secret] of [
    ['Harbour hedge', hedge!.credentials.secret],
    ['Delta arb', 'not its secret'],
  ] as const)
    await callBridge(page, 'connections.add', {
      settings: connectionSettings({
        ...{ name, baseUrl: hedge!.url, portfolio: true },
        apiKey: name === 'Delta arb' ? 'another-key' : hedge!.credentials.key,
      }),
      secret: { secret, headers: {} },
    });
  await goTo(page, 'portfolio');
  for (const [coin, rate] of [
    ['BTC', '64210.5'],
    ['ETH', '3284.16'],
  ] as const) {
    await page.getByRole('textbox', { name: `Rate of ${coin} in USDT` }).fill(rate);
    await page.keyboard.press('Enter');
    await expect(rows(page, 'Sums by coin', coin).getByText('no rate')).toBeHidden();
  }
  await expect(page.getByTestId('portfolio-total')).toContainText('2 of 3 read');
  // A line needs two samples, a minute apart.
  await expect(page.getByRole('img', { name: /^Change of equity/ })).toBeVisible({ timeout: 150_000 });
  await states(page, 'portfolio');
  for (const one of exchanges) await one.stop();
});

test('alerts', async ({ page, practice }) => {
  await page.setViewportSize(WIDE);
  await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });
  await expect(page.getByTestId('alert-banner')).toBeVisible();
  await goTo(page, 'alerts');
  await states(page, 'alert-log');
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Alerts').click();
  await states(page, 'alert-settings');
});

test('offline', async ({ page, practice }) => {
  await page.setViewportSize(WIDE);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M')).not.toHaveCount(0);
  await controls(practice, '/faults', { endpoint: '*', action: 'reset', times: 0 });
  await expect(page.getByText('The account cannot be read')).toBeVisible({ timeout: 30_000 });
  await states(page, 'offline');
});
