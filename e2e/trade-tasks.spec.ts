/**
 * Two tasks of a new user, by what the window shows: the fees per contract of a month, and last month for Koinly.
 * And what grouping keeps: filter, period and sort; figures of two coins are never put in one order.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { add, amount, compareText, print, ZERO } from '../src-shared/amount.ts';
import type { Trade } from '../src-shared/exchange-api/trade.ts';
import { DAY_MS } from '../src-shared/time.ts';
import { controls, expect, test } from './fixture.ts';
import { openSynced, ownFolder, saveAs, tableOf } from './page-objects.ts';

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The month of three days ago: at least as much of it is over. */
const NOW = Date.now();
const SOME_DAY = new Date(NOW - 3 * DAY_MS);
const MONTH = Date.UTC(SOME_DAY.getUTCFullYear(), SOME_DAY.getUTCMonth());
const LAST_MONTH = Date.UTC(SOME_DAY.getUTCFullYear(), SOME_DAY.getUTCMonth() - 1);
/** A past over the border of two months ends here. */
const START = MONTH + 36 * 3_600_000;
test.use({ exchange: { seed: 7, history: 3_000, start: START } });

/** Sets the window's calendar to that of the exchange: no month ends while a test runs. */
async function setCalendar(page: Page): Promise<void> {
  await page.addInitScript((behind) => {
    const { now } = Date;
    Date.now = () => now() - behind;
  }, NOW - START);
  await page.reload();
}

const total = (list: readonly Trade[]): string =>
  print(list.map(({ fee }) => amount(fee ?? '0')).reduce(add, ZERO));
const plain = (text: string): string => text.replace(/[,\s]/g, '').replace('−', '-');
/** An amount as the window shows it, without its unit and padding. */
const amountIn = async (cell: Locator): Promise<string> =>
  print(amount(plain((await cell.textContent()) ?? '').replace(/[A-Z]+$/, '')));
const groupBy = (page: Page, name: string): Promise<void> =>
  page.getByRole('radiogroup', { name: 'Group by' }).getByText(name, { exact: true }).click();
async function period(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Period: / }).click();
  await page.getByRole('dialog', { name: 'Period' }).getByRole('button', { name }).click();
  await expect(page.getByRole('button', { name: new RegExp(`^Period: ${name}`) })).toBeVisible();
}
const row = (page: Page, grid: string, name: string) =>
  tableOf(page, grid).getByRole('row').filter({ hasText: name }).first();
const column = (page: Page, grid: string, field: string): Promise<string[]> =>
  tableOf(page, grid)
    .locator(`[data-index] [data-field="${field}"]`)
    .evaluateAll((cells) =>
      cells
        .map((cell) => ({
          at: Number.parseInt(cell.closest('[data-index]')?.getAttribute('data-index') ?? '', 10),
          text: cell.textContent.trim(),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ text }) => text),
    );

/** Expects figures coin by coin, and the larger ones of each first. */
function sortedByCoin(shown: readonly string[]): void {
  expect(shown.length).toBeGreaterThan(1);
  const coins = shown.map((text) => /[A-Z]+$/.exec(text)?.[0] ?? '');
  expect(coins.filter((coin, at) => coin !== coins[at - 1]).length).toBe(new Set(coins).size);
  const amounts = shown.map((text) =>
    plain(text)
      .replace(/^≈/, '')
      .replace(/[A-Z]+$/, '')
      .replace('-', ''),
  );
  for (const [at, coin] of coins.entries())
    if (at > 0 && coin === coins[at - 1])
      expect(compareText(amounts[at - 1]!, amounts[at]!)).toBeGreaterThanOrEqual(0);
}

test('groups trades, by period and coin', async ({ page, ballast, practice }) => {
  await setCalendar(page);
  await openSynced(page);
  await test.step('the fees per contract of a month, by coin, are what the exchange charged', async () => {
    const trades = ((await controls(practice, '/trades')) as Trade[]).filter(
      ({ tradeTime }) => tradeTime >= MONTH,
    );
    expect(trades.length).toBeGreaterThan(100);
    await groupBy(page, 'Contract');
    await period(page, 'This month');
    const grid = 'Trades by contract';
    const bySymbol = Map.groupBy(trades, ({ symbol }) => symbol);
    await expect(tableOf(page, grid).locator('[data-index] [data-field="key"]')).toHaveCount(bySymbol.size);
    for (const [symbol, some] of bySymbol) {
      const fees = row(page, grid, symbol).locator('[data-field="fees"]');
      await expect(fees).toContainText(some[0]!.feeAsset);
      await expect.poll(() => amountIn(fees)).toBe(print(amount(`-${total(some)}`)));
      await expect(row(page, grid, symbol).locator('[data-field="funding"]')).toHaveText('—');
    }
    // Each coin has its own total, and none is added to another.
    for (const [coin, some] of Map.groupBy(trades, ({ feeAsset }) => feeAsset)) {
      const fees = tableOf(page, grid).locator(`[data-total="${coin}"] [data-field="fees"]`);
      await expect.poll(() => amountIn(fees)).toBe(print(amount(`-${total(some)}`)));
    }
  });
  await test.step('last month for Koinly', async () => {
    const trades = ((await controls(practice, '/trades')) as Trade[]).filter(
      ({ tradeTime }) => tradeTime >= LAST_MONTH && tradeTime < MONTH,
    );
    expect(trades.length).toBeGreaterThan(100);
    await groupBy(page, 'None');
    const path = join(await ownFolder(), 'koinly.csv');
    await saveAs(ballast, path);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    // The period is that of the list, and is chosen there or here.
    const panel = page.getByRole('region', { name: 'Export CSV' });
    await panel.getByRole('button', { name: /^Period: / }).click();
    await page.getByRole('dialog', { name: 'Period' }).getByRole('button', { name: 'Last month' }).click();
    for (const button of await page.getByRole('button', { name: /^Period: Last month/ }).all())
      await expect(button).toContainText(`${isoDay(LAST_MONTH)} to ${isoDay(MONTH - 1)}`);
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
      trades.length.toLocaleString('en'),
    );
    await panel.getByLabel('Layout').selectOption({ label: 'Koinly' });
    await panel.getByRole('button', { name: /^Export / }).click();
    await expect(page.locator('[data-export]').first()).toContainText('Saved koinly.csv');
    await expect(panel.getByRole('list', { name: 'Totals of the file' })).toContainText(
      'agrees with the archive',
    );
    const rows = parse<Record<string, string>>(await readFile(path, 'utf8'), { columns: true });
    const days = rows.map((one) => (one['Koinly Date'] ?? '').slice(0, 7));
    expect(new Set(days)).toEqual(new Set([isoDay(LAST_MONTH).slice(0, 7)]));
    expect(
      rows.filter((one) => one['Label'] === 'fee' || /fee/i.test(one['Description'] ?? '')).length,
    ).toBeGreaterThan(0);
    await panel.getByRole('button', { name: 'Close export' }).click();
  });
  await test.step('grouping keeps filter, period and sort, and sorts by coin first', async () => {
    await period(page, 'All');
    await page.getByRole('button', { name: /^Symbol: / }).click();
    const symbols = page.getByRole('dialog', { name: 'Symbol' });
    for (const symbol of ['BTC-USDT-M', 'BTC-USD-M'])
      await symbols.getByText(symbol, { exact: true }).click();
    await page.keyboard.press('Escape');

    await groupBy(page, 'Contract');
    const fees = (grid: string) => tableOf(page, grid).getByRole('columnheader', { name: 'Fees' });
    await fees('Trades by contract').getByRole('button').click();
    await expect(fees('Trades by contract')).toHaveAttribute('aria-sort', 'descending');
    for (const [name, grid] of [
      ['Day', 'Trades by day'],
      ['Month', 'Trades by month'],
      ['Round trip', 'Round trips'],
      ['Order', 'Trades by order'],
    ] as const) {
      await groupBy(page, name);
      await expect(fees(grid)).toHaveAttribute('aria-sort', 'descending');
      await expect(page.getByRole('button', { name: 'Symbol: 2 contracts' })).toBeVisible();
      await expect(page.getByRole('button', { name: /^Period: All/ })).toBeVisible();
      // The head may be drawn before its rows are read.
      await expect(async () => sortedByCoin(await column(page, grid, 'fees'))).toPass();
    }
    // The plain list too: by the fee's coin first.
    await groupBy(page, 'None');
    await tableOf(page, 'Trades')
      .getByRole('columnheader', { name: 'Fee', exact: true })
      .getByRole('button')
      .click();
    await expect(tableOf(page, 'Trades').getByRole('columnheader', { name: /^Fee/ }).first()).toHaveAttribute(
      'aria-sort',
      'descending',
    );
  });
  await test.step('chosen contracts are highlighted among all, or shown alone', async () => {
    await groupBy(page, 'Contract');
    await period(page, 'All');
    const grid = 'Trades by contract';
    const keys = tableOf(page, grid).locator('[data-index] [data-field="key"]');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(keys.nth(3)).toBeVisible();
    const all = await keys.count();
    await page.getByRole('button', { name: /^Symbol: / }).click();
    await page.getByRole('dialog', { name: 'Symbol' }).getByText('BTC-USDT-M', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(keys).toHaveCount(1);
    await page.getByRole('radiogroup', { name: 'Selected contracts' }).getByText('Highlight').click();
    await expect(keys).toHaveCount(all);
    await expect(tableOf(page, grid).locator('[aria-selected="true"]')).toHaveCount(1);
    await expect(row(page, grid, 'BTC-USDT-M')).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('radiogroup', { name: 'Selected contracts' }).getByText('Only these').click();
    await expect(keys).toHaveCount(1);
    // With a period spelled out beside it, the button still has company.
    await period(page, 'Last month');
    const top = async (one: Locator): Promise<number> => Math.round((await one.boundingBox())?.y ?? 0);
    const clear = page.getByRole('button', { name: 'Clear filter' }).first();
    const choice = page.getByRole('radiogroup', { name: 'Selected contracts' });
    await expect.poll(async () => (await top(clear)) - (await top(choice))).toBe(0);
    await clear.click();
  });
  await test.step('a range is chosen by keys and by the mouse, and both end days count', async () => {
    await groupBy(page, 'None');
    const trades = (await controls(practice, '/trades')) as Trade[];
    const days = [isoDay(MONTH - DAY_MS), isoDay(MONTH)] as const;
    const within = trades.filter(({ tradeTime }) => days.includes(isoDay(tradeTime))).length;
    const button = page.getByRole('button', { name: /^Period: / });
    const counted = page
      .getByRole('group', { name: 'Totals of this filter' })
      .locator('[data-figure="count"]');
    const day = (iso: string) => page.locator(`[data-day="${iso}"]`);

    // By the mouse, the later day first.
    await period(page, 'Last month');
    await button.click();
    await day(days[1]).click();
    await day(days[0]).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(counted).toHaveText(within.toLocaleString('en'));
    await expect(button).toContainText(`${days[0]} to ${days[1]}`);

    // By keys: from the last day of last month to the next one, over the border of the months.
    await period(page, 'Last month');
    await button.press('Enter');
    await day(days[0]).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await expect(day(days[1])).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('From, UTC')).toHaveValue(days[0]);
    await expect(page.getByLabel('Until, UTC')).toHaveValue(days[1]);
    await page.getByLabel('Until, UTC').press('Enter');
    await expect(counted).toHaveText(within.toLocaleString('en'));
    await period(page, 'All');
  });
  await test.step('net PnL by day is a chart of the days below it', async () => {
    await groupBy(page, 'Day');
    const grid = tableOf(page, 'Trades by day');
    const head = (name: RegExp) => grid.getByRole('columnheader', { name }).getByRole('button');
    await head(/^Day/).click();
    const chart = page.getByRole('region', { name: 'Net PnL by day' });
    await expect(chart).toContainText('without funding');
    const shown = chart.getByRole('table', { name: /^Net PnL and fees by day, USDT/ });
    const first = grid.getByRole('row').filter({ hasText: 'USDT' }).first();
    // The chart may be drawn before the rows are sorted.
    await expect(async () => {
      const net = await first.locator('[data-field="net"] .amount').innerText();
      expect(await shown.getByRole('row').last().innerText()).toContain(net);
    }).toPass();
    // By another column the days are no neighbours.
    await head(/^Volume/).click();
    await expect(chart).toHaveCount(0);
  });
  await test.step('a round trip’s fills are in the right columns, not cut off', async () => {
    await groupBy(page, 'Round trip');
    const grid = 'Round trips';
    await page.getByRole('button', { name: /^Symbol: / }).click();
    await page.getByRole('dialog', { name: 'Symbol' }).getByText('SHIB-USDT-M', { exact: true }).click();
    await page.keyboard.press('Escape');
    // Rows of before the filter have other places.
    await expect(
      tableOf(page, grid).locator('[data-index]').filter({ hasNotText: 'SHIB-USDT-M' }),
    ).toHaveCount(0);
    const closed = tableOf(page, grid)
      .getByRole('row')
      .filter({ hasText: 'SHIB-USDT-M' })
      .filter({ hasText: 'Long' })
      .filter({ hasNotText: /OPEN|REVERSED|SIDE\?/ })
      .first();
    await closed.focus();
    const at = Number.parseInt((await closed.getAttribute('data-index')) ?? '', 10);
    await page.keyboard.press('ArrowRight');
    const fill = (n: number) => tableOf(page, grid).locator(`[data-index="${at + n}"]`);
    await expect(fill(1)).toContainText('Buy');
    // The first fill opened the long: its price is an entry, and no exit.
    await expect(fill(1).locator('[data-field="entry"]')).toHaveText(/^0\.0000\d+$/);
    await expect(fill(1).locator('[data-field="exit"]')).toHaveText('');
    const cut = (): Promise<string[]> =>
      tableOf(page, grid)
        .locator('[data-field]')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
        );
    await expect.poll(cut).toEqual([]);
    await page.getByRole('button', { name: 'Clear filter' }).click();
  });
});
