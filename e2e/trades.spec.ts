/**
 * A long history: synced with a pause and a kill, filtered, sorted, grouped, exported, and the file read by another
 * program's CSV reader. `BALLAST_E2E_TRADES=200000` is the long form.
 */
import type { Locator, Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trade } from '../src-shared/exchange-api/trade.ts';
import { add, amount, compareText, print, ZERO } from '../src-shared/amount.ts';
import { controls, expect, launch, test, type Ballast } from './fixture.ts';
import { digits, exportShown, goTo, saveTo, settled } from './page-objects.ts';
import { crash } from './started.ts';

const TRADES = Number.parseInt(process.env['BALLAST_E2E_TRADES'] ?? '6000', 10);
const LONG_MS = 120_000 + TRADES * 2;
const SYMBOL = 'BTC-USDT-M';

test.use({ exchange: { seed: 7, history: TRADES } });

/** Compares the exchange's list with the file, cell by cell, by Python's own reader. */
const COMPARE = `
import csv, datetime, json, sys
wanted = {t['tradeId']: t for t in json.load(open(sys.argv[1]))}
found = list(csv.DictReader(open(sys.argv[2], newline='', encoding='utf-8')))
wrong = 0
for row in found:
    trade = wanted.get(row['tradeId'])
    if trade is None: wrong += 1; continue
    for name, value in trade.items():
        text = str(value)
        if name == 'tradeTime':
            at = datetime.datetime.fromisoformat(row[name].replace('Z', '+00:00'))
            wrong += round(at.timestamp() * 1000) != value
        else: wrong += row[name] != text
print(len(wanted), len(found), len({row['tradeId'] for row in found}), wrong)
`;

class TradeLog {
  readonly page: Page;
  readonly strip: Locator;
  readonly totals: Locator;
  readonly grid: Locator;
  constructor(page: Page) {
    this.page = page;
    this.strip = page.getByRole('region', { name: 'Trade sync' });
    this.totals = page.getByRole('group', { name: 'Totals of this filter' });
    this.grid = page.getByRole('grid').or(page.getByRole('treegrid'));
  }
  async stored(): Promise<number> {
    return Number.parseInt(digits(await this.strip.locator('[data-figure="stored"]').textContent()), 10);
  }
  count(): Promise<string> {
    return this.totals.locator('[data-figure="count"]').textContent().then(digits);
  }
  cells(field: string): Promise<string[]> {
    return this.grid.locator(`[data-field="${field}"]`).evaluateAll((cells) =>
      cells
        .map((cell) => ({
          at: Number.parseInt(cell.closest('[data-index]')?.getAttribute('data-index') ?? '', 10),
          text: cell.textContent.replace(/[,\s]/g, ''),
        }))
        .sort((a, b) => a.at - b.at)
        .map((cell) => cell.text),
    );
  }
  async sortBy(head: string): Promise<void> {
    await this.grid.getByRole('columnheader', { name: head }).getByRole('button').click();
  }
}

test('a long history: pause, kill, resume, filters, orders, groups, export', async ({
  practice,
  profile,
}) => {
  test.setTimeout(600_000 + LONG_MS);
  // After some pages each of the others takes so long that pause and kill come in the middle, on a busy machine too.
  const slow = { endpoint: 'trades', action: 'delay', nth: 7, times: 0, ms: 4_000 };
  await controls(practice, '/faults', slow);
  let ballast: Ballast = await launch(profile, practice);
  let log = new TradeLog(ballast.page);
  await goTo(ballast.page, 'trades');

  await test.step('pauses and resumes', async () => {
    await expect.poll(() => log.stored()).toBeGreaterThan(500);
    await log.strip.getByRole('button', { name: 'Pause' }).click();
    await expect(log.strip).toContainText('Paused');
    expect(await log.stored()).toBeLessThan(TRADES);
    await log.strip.getByRole('button', { name: 'Resume' }).click();
    await expect(log.strip).toContainText('Syncing');
  });

  await test.step('is killed in the middle, and resumes after a start', async () => {
    const before = await log.stored();
    await expect.poll(() => log.stored()).toBeGreaterThan(before);
    await crash(ballast.app);
    ballast = await launch(profile, practice);
    log = new TradeLog(ballast.page);
    await goTo(ballast.page, 'trades');
    // While it loads there is no number.
    await expect.poll(() => log.stored()).toBeGreaterThanOrEqual(before);
    await controls(practice, '/faults', undefined, 'DELETE');
    await expect(log.strip).toContainText('Complete', { timeout: LONG_MS });
  });

  const wanted = (await controls(practice, '/trades')) as Trade[];
  const { page } = ballast;
  await test.step('totals are exact', async () => {
    await expect.poll(() => log.count()).toBe(String(wanted.length));
    const fees = wanted.filter((one) => one.feeAsset === 'USDT').map((one) => amount(one.fee ?? '0'));
    const total = print(fees.reduce(add, ZERO));
    const shown = log.totals.locator('[data-fee="USDT"]');
    await expect.poll(async () => digits(await shown.textContent())).toBe(`-${total}USDT`);
  });

  await test.step('filters by symbol, side and quantity', async () => {
    await page.getByRole('button', { name: /^Symbol: / }).click();
    await page.getByRole('dialog', { name: 'Symbol' }).getByText(SYMBOL, { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('radiogroup', { name: 'Side' }).getByText('Buy', { exact: true }).click();
    const some = wanted.filter((one) => one.symbol === SYMBOL && one.side === 'BUY');
    expect(some.length).toBeGreaterThan(10);
    await expect.poll(() => log.count()).toBe(String(some.length));
  });

  await test.step('sorts by price both ways, and jumps to the ends', async () => {
    const prices = wanted
      .filter((one) => one.symbol === SYMBOL && one.side === 'BUY')
      .map((one) => one.price ?? '0')
      .sort((a, b) => compareText(b, a));
    await log.sortBy('Price');
    await expect.poll(async () => (await log.cells('price')).slice(0, 12)).toEqual(prices.slice(0, 12));
    await log.sortBy('Price');
    await expect.poll(async () => (await log.cells('price'))[0]).toBe(prices.at(-1));
    await page.keyboard.press('End');
    await expect.poll(async () => (await log.cells('price')).at(-1)).toBe(prices[0]);
  });

  await test.step('groups by order and by round trip, with profit from order history', async () => {
    const groups = page.getByRole('radiogroup', { name: 'Group by' });
    const place = await settled(() => groups.boundingBox());
    await groups.getByText('Order', { exact: true }).click();
    await expect(page.getByRole('button', { name: 'Columns' })).toBeHidden();
    expect(await groups.boundingBox()).toEqual(place);
    const orders = page.getByRole('treegrid', { name: 'Trades by order' });
    const row = orders.getByRole('row').nth(1);
    await expect(row).toHaveAttribute('aria-expanded', 'false');
    await row.click();
    await expect(row).toHaveAttribute('aria-expanded', 'true');
    await expect(orders.locator('[aria-level="2"] [title="Trade ID"]').first()).toBeVisible();
    await groups.getByText('Round trip', { exact: true }).click();
    const trips = page.getByRole('treegrid', { name: 'Round trips' });
    await expect(trips.getByRole('row').nth(1)).toContainText(SYMBOL);
    // A position that is open has no profit yet: its dash ends where the digits of the other rows do.
    const ends = (): Promise<number[]> =>
      trips.locator('[role="row"] > [data-field="pnl"] > .shown').evaluateAll((all) =>
        all.map((one) => {
          // What is cut off takes no width.
          const cut = one.querySelector('.cut')?.getBoundingClientRect().left;
          return cut ?? one.getBoundingClientRect().right;
        }),
      );
    await expect(trips.locator('[data-field="pnl"]').first()).toHaveText('—');
    const places = await ends();
    expect(Math.max(...places) - Math.min(...places)).toBeLessThanOrEqual(1);
    await groups.getByText('None', { exact: true }).click();
  });

  await test.step('jumps to a date, and copies the selected rows', async () => {
    await log.sortBy('Time');
    const some = wanted
      .filter((one) => one.symbol === SYMBOL && one.side === 'BUY')
      .sort((a, b) => b.tradeTime - a.tradeTime);
    const middle = some[Math.floor(some.length / 2)]!;
    const moment = new Date(middle.tradeTime).toISOString().slice(0, 19).replace('T', ' ');
    await page.getByLabel('Go to date, UTC').fill(moment);
    await page.keyboard.press('Enter');
    const row = log.grid.getByRole('row').filter({ hasText: moment }).first();
    await expect(row).toBeVisible();
    await row.click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await expect(page.getByText('Copied 2 trades as CSV')).toBeVisible();
    const copied = await ballast.app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied.trim().split(/\r?\n/)).toHaveLength(3);
    expect(copied).toContain(middle.price);
    const at = (by: number) =>
      row.evaluate((one, by) => `[data-index="${Number.parseInt(one.dataset['index'] ?? '', 10) + by}"]`, by);
    await log.grid.locator(await at(4)).click({ modifiers: ['Control'] });
    await page.keyboard.press('Control+c');
    await expect(page.getByText('Copied 3 trades as CSV')).toBeVisible();
    const three = (await ballast.app.evaluate(({ clipboard }) => clipboard.readText())).trim();
    expect(three.startsWith(copied.trim())).toBe(true);
    expect(three.split(/\r?\n/)).toHaveLength(4);
  });

  await test.step('saves a filter by name, restores it after a restart, renames and deletes it', async () => {
    const some = wanted.filter((one) => one.symbol === SYMBOL && one.side === 'BUY').length;
    const open = (): Promise<void> =>
      ballast.page.getByRole('button', { name: 'Filters', exact: true }).click();
    await open();
    await page.getByLabel('Save this filter as').fill('Bitcoin bought');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Rename Bitcoin bought' })).toBeVisible();
    await page.keyboard.press('Escape');
    await ballast.app.close();
    ballast = await launch(profile, practice);
    log = new TradeLog(ballast.page);
    await goTo(ballast.page, 'trades');
    await expect.poll(() => log.count()).toBe(String(wanted.length));
    await open();
    const saved = ballast.page.getByRole('dialog', { name: 'Saved filters' });
    await saved.getByRole('button', { name: 'Rename Bitcoin bought' }).click();
    await saved.getByLabel('New name of Bitcoin bought').fill('BTC in');
    await ballast.page.keyboard.press('Enter');
    await saved.getByRole('button', { name: 'BTC in', exact: true }).click();
    await expect.poll(() => log.count()).toBe(String(some));
    await open();
    await saved.getByRole('button', { name: 'Delete BTC in' }).click();
    await expect(saved.getByRole('button', { name: 'BTC in', exact: true })).toHaveCount(0);
    await ballast.page.keyboard.press('Escape');
    await ballast.page.getByRole('button', { name: 'Clear filter' }).click();
    await expect.poll(() => log.count()).toBe(String(wanted.length));
  });

  await test.step('the file is the exchange’s own list, by Python’s reader', async () => {
    const file = await saveTo(ballast, 'trades.csv');
    const list = join(profile, 'exchange.json');
    await writeFile(list, JSON.stringify(wanted));
    await exportShown(ballast.page, 'trades.csv', LONG_MS);
    const counts = execFileSync('python3', ['-c', COMPARE, list, file], { encoding: 'utf8' }).trim();
    const { length } = wanted;
    expect(counts).toBe(`${length} ${length} ${length} 0`);
  });
  await ballast.app.close();
});
