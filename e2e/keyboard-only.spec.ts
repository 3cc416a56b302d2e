/**
 * A session without a mouse: the main job, a batch, an export and a new connection. Nothing here clicks, fills or
 * focuses: only keys are pressed, and every Tab stop on the way must show that it has the focus.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startPractice } from '../src-practice/index.ts';
import { controls, expect, received, SHARED, test } from './fixture.ts';
import { Keys } from './keys.ts';
import { resize, rows, saveTo, Sheet } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';
const heading = (page: Page) => page.locator('main').getByRole('heading', { level: 1 });

/** By the palette, like a user who knows no other key. */
async function run(keys: Keys, text: string): Promise<void> {
  await keys.press('Control+k');
  const palette = keys.page.getByRole('dialog', { name: 'Search or run a command' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keys.page.keyboard.insertText(text);
  await expect(palette.getByRole('option').first()).toContainText(text);
  await keys.press('Enter');
}

/** Ticks the required boxes, sends, and leaves the sheet. */
async function send(keys: Keys): Promise<void> {
  const { page } = keys;
  const sheet = new Sheet(page);
  await expect(sheet.root).toBeVisible();
  for (const box of await sheet.root.getByRole('checkbox').all()) {
    await keys.tabTo(box);
    await keys.press('Space');
    await expect(box).toBeChecked();
  }
  await expect(page.getByTestId('confirm-send')).toBeEnabled();
  await keys.press('Control+Enter');
  await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', 'accepted');
  await keys.tabTo(sheet.root.getByRole('button', { name: 'Done' }));
  // An Enter within 400 ms of a change was meant for what the sheet showed before.
  await expect(async () => {
    await keys.press('Enter');
    await expect(sheet.root).toBeHidden({ timeout: 500 });
  }).toPass();
}

test('a trade, its close, a batch, an export and a connection, by keys', async ({
  ballast,
  page,
  practice,
}) => {
  const keys = new Keys(page);
  await expect(page.locator('header').first()).toContainText('Local');

  await test.step('a market order, from the palette to its fill', async () => {
    await keys.press('Control+2');
    await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('32.0');
    await run(keys, SYMBOL);
    const ticket = page.getByTestId('ticket');
    await expect(page.getByTestId('ticket-symbol')).toContainText(SYMBOL);
    await expect(ticket.locator(':focus').or(ticket.and(page.locator(':focus')))).toHaveCount(1);
    await keys.press('m');
    await keys.fill(ticket.getByLabel('Size', { exact: true }), '8');
    await keys.press('F9');
    await send(keys);
    await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('40.0');
  });

  await test.step('the whole position closed from its row', async () => {
    await keys.press('Control+1');
    await keys.press('Control+2');
    await expect(page.locator('main [data-loading]')).toHaveCount(0);
    const row = rows(page, 'Positions', SYMBOL).first();
    // The one row that Tab reaches.
    await keys.tabTo(page.getByRole('treegrid', { name: 'Positions' }).locator('tr[tabindex="0"]'));
    for (let at = 0; at < 6 && !(await row.evaluate((one) => one === document.activeElement)); at++)
      await keys.press('ArrowDown');
    await expect(row).toBeFocused();
    await keys.see();
    await keys.press('c');
    await keys.tabTo(page.getByTestId('close-review'));
    await keys.press('Enter');
    await send(keys);
    await expect(row).toHaveCount(0);
  });

  await test.step('a ladder of four', async () => {
    await keys.press('Control+5');
    const ladder = page.getByTestId('ladder');
    await keys.tabTo(ladder.getByLabel('Symbol'));
    // A list forgets the letters before a pause of a second: a busy machine may type them again.
    await expect(async () => {
      await page.keyboard.type(SYMBOL);
      await expect(ladder.getByLabel('Symbol')).toHaveValue(SYMBOL, { timeout: 2_000 });
    }).toPass();
    for (const [label, text] of [
      ['From', '143.00'],
      ['To', '136.00'],
      ['Orders', '4'],
      ['Total size', '12'],
    ] as const)
      await keys.fill(ladder.getByLabel(label, { exact: true }), text);
    await keys.press('Enter');
    await expect(page.getByTestId('batch-rows').locator('tr[data-row]')).toHaveCount(4);
    await keys.press('F9');
    const sheet = page.getByRole('dialog').filter({ has: page.getByTestId('batch-sheet') });
    await expect(sheet).toBeVisible();
    for (const box of await sheet.getByRole('checkbox').all()) {
      await keys.tabTo(box);
      await keys.press('Space');
    }
    await expect(page.getByTestId('batch-send')).toBeEnabled();
    await keys.press('Control+Enter');
    await expect(page.getByTestId('batch-status')).toContainText('4 of 4 rows sent, 4 with an order ID');
    expect((await received(practice))['batchOrders']).toBe(1);
  });

  await test.step('every trade as CSV', async () => {
    const path = await saveTo(ballast, 'by-keys.csv');
    await keys.press('Control+4');
    await expect(heading(page)).toHaveText('Trades');
    const wanted = (await controls(practice, '/trades')) as unknown[];
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
      `Trades ${wanted.length}`,
    );
    const panel = page.getByRole('region', { name: 'Export CSV' });
    const filters = page.getByRole('button', { name: 'Filters', exact: true });
    await keys.tabTo(filters);
    await keys.press('Control+e');
    await expect(panel).toBeFocused();
    await keys.press('Escape');
    await expect(filters).toBeFocused();
    await keys.press('Control+e');
    await expect(panel).toBeFocused();
    await keys.tabTo(panel.getByRole('button', { name: /^Export \d/ }));
    await keys.press('Enter');
    await expect(page.locator('[data-export]')).toHaveAttribute('data-export', 'done');
    await expect(panel.locator(':focus')).toHaveText(/Export/);
    expect((await readFile(path, 'utf8')).trim().split('\r\n')).toHaveLength(wanted.length + 1);
  });

  await test.step('a new connection: filled in, saved, tested, used', async () => {
    const other = await startPractice({ seed: 11 });
    await run(keys, 'Connections');
    await keys.tabTo(page.getByRole('button', { name: 'Add connection' }));
    await keys.press('Enter');
    const form = page.locator('form').filter({ has: page.getByLabel('Base URL') });
    await expect(form.getByLabel('Name', { exact: true }).first()).toBeFocused();
    for (const [label, text] of [
      ['Name', 'By keys'],
      ['Base URL', other.url],
      ['API key', other.credentials.key],
      ['Secret', other.credentials.secret],
    ] as const)
      await keys.fill(form.getByLabel(label, { exact: true }).first(), text);
    await keys.press('Enter');
    await expect(page.getByRole('button', { name: /By keys/ })).toContainText('Not tested yet');
    await keys.tabTo(page.getByRole('button', { name: 'Test', exact: true }));
    await keys.press('Enter');
    await expect(page.locator('[data-step="account"]')).toHaveAttribute('data-state', 'passed');
    await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeFocused();
    await run(keys, 'Switch to By keys');
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    // Its first use is locked until it is unlocked.
    const trading = page.getByRole('switch', { name: 'Trading' });
    await expect(trading).not.toBeChecked();
    await keys.press('Control+l');
    await keys.tabTo(page.getByRole('button', { name: 'Unlock trading' }));
    await keys.press('Enter');
    await expect(trading).toBeChecked();
    // The dialog closes with the reply, after the push that unlocked: until then it has the keys.
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await run(keys, 'Switch to Practice');
    await expect(page.locator('html')).toHaveAttribute('data-account', 'practice');
    await other.stop();
  });
});

const WIDE = { width: 1440, height: 900 };
const SMALL = { width: 1024, height: 700 };

test('moves by Tab once through every screen, in order, with a visible focus', SHARED, async ({ page }) => {
  const keys = new Keys(page);
  await expect(page.locator('header').first()).toContainText('Local');
  // No sync is running, whose buttons would appear and disappear.
  await expect(page.locator('footer').last()).toContainText('complete');
  for (const screen of [
    'Overview',
    'Positions',
    'Risk',
    'Trades',
    'Batch',
    'Activity',
    'Portfolio',
    'Alerts',
    'Settings',
  ]) {
    await page.setViewportSize(WIDE);
    await run(keys, screen);
    await expect(heading(page)).toHaveText(screen);
    await expect(page.locator('main [data-loading], main [aria-busy="true"]')).toHaveCount(0);
    expect((await tabRound(keys, 'Tab')).length, screen).toBeGreaterThan(3);

    // In a small window the ticket is not beside it: fewer stops, and the same ones backwards.
    await resize(page, SMALL);
    // It stays over the screen while it has the focus.
    if ((await page.locator('[data-ticket]:focus-within').count()) > 0) await keys.press('Escape');
    await expect(page.getByTestId('ticket')).toBeHidden();
    const parts = await tabRound(keys, 'Tab');
    expect(parts.length, `${screen}, small`).toBeGreaterThan(3);
    const back = await tabRound(keys, 'Shift+Tab');
    expect(back.toSorted(), `${screen} backwards`).toEqual(parts.toSorted());
  }
});

/** One full round: every stop in view and marked. */
async function tabRound(keys: Keys, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const stops = await keys.round(key);
  for (const stop of stops)
    expect(stop, `${stop.what} in ${stop.part}`).toMatchObject({ inView: true, marked: true });
  // Figures change meanwhile.
  return stops.map(({ part, what }) => `${part}: ${what.replace(/[\d.,+−%≈]+/g, '')}`);
}
