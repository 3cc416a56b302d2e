/** Risk: a what-if and an account shock over the practice account, by keyboard, in both window sizes. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { beside, serveCrowd } from './accounts.ts';
import { expect, setTheme, test } from './fixture.ts';
import { digits, goTo, saveTo } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
}

for (const theme of ['dark', 'light'] as const) {
  test(`what-if starts from the position and follows each key, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    await goTo(page, 'risk');
    await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
    const figures = page.getByTestId('what-if');
    await expect(figures).toContainText('was');
    const before = digits(await figures.textContent());
    const quantity = page.getByLabel('Quantity', { exact: true });
    await quantity.fill('2.5');
    await expect.poll(async () => digits(await figures.textContent())).not.toBe(before);
    await expect(page.getByText('Max size at')).toBeVisible();
    expect(await faults(page), 'what-if').toEqual([]);
    // Of an inverse contract eight decimals stand before and after the arrow: all within the pane.
    await page.getByRole('option', { name: /BTC-USD-M/ }).click();
    await expect(page.getByText('Margin ratio, BTC cross')).toBeVisible();
    const wider = await figures.locator('xpath=..').evaluate((pane) => pane.scrollWidth - pane.clientWidth);
    expect(wider).toBe(0);
    await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
    await page.getByRole('button', { name: 'Send sizes to ticket' }).click();
    await expect(page.getByRole('complementary', { name: 'Order ticket' })).toContainText('BTC-USDT-M');
  });

  test(`account shock names what goes first, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Account shock' }).click();
    const panel = page.getByTestId('account-shock');
    await expect(panel).toContainText('First liquidation');
    const slider = page.getByRole('slider', { name: 'Price move, percent' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', '−50%');
    await expect(panel.getByRole('listitem')).not.toHaveCount(0);
    expect(await faults(page), 'shock').toEqual([]);
  });
}

test('the tier chart goes through its tiers by keys and is saved as picture and CSV', async ({
  ballast,
  page,
}) => {
  await goTo(page, 'risk');
  await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
  const chart = page.getByRole('group', { name: /^Tiers of BTC-USDT-M/ });
  await chart.focus();
  await page.keyboard.press('End');
  await expect(chart.locator('[aria-live]')).toContainText(/^Tier (\d+) of \1:/);
  await page.keyboard.press('Home');
  await expect(chart.locator('[aria-live]')).toContainText(/^Tier 1 of /);

  const csv = await saveTo(ballast, 'tiers.csv');
  await page.getByRole('button', { name: 'CSV…' }).click();
  await expect(page.getByText('tiers.csv')).toBeVisible();
  const [head, first] = (await readFile(csv, 'utf8')).split('\r\n');
  expect(head).toMatch(/^symbolId,level,minPositionValue,/);
  expect(first).toMatch(/^BTC-USDT-M,1,0,/);

  const png = await saveTo(ballast, 'tiers.png');
  await page.getByRole('button', { name: 'Chart…' }).click();
  await expect(page.getByText('tiers.png')).toBeVisible();
  const bytes = await readFile(png);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeGreaterThan(5_000);
});

test('each contract moves by its own percent', async ({ page }) => {
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Account shock' }).click();
  await page.getByRole('radio', { name: 'Each its own' }).check({ force: true });
  const panel = page.getByTestId('account-shock');
  await panel.getByLabel('SOL-USDT-M').fill('-60');
  await expect(panel).toContainText('of these moves');
  await expect(panel.getByRole('listitem')).not.toHaveCount(0);
  await panel.getByLabel('BTC-USDT-M').fill('1,5');
  await expect(panel).toContainText('“1,5”: a plain number');
});

test.describe('with 400 contracts', () => {
  test.use({ exchange: { seed: 7, contracts: 400 } });

  test('the list is searched and walked, and only what is near the view is drawn', async ({ page }) => {
    await goTo(page, 'risk');
    const search = page.getByLabel('Find symbol');
    await expect(page.getByRole('option')).not.toHaveCount(0);
    const { longest, mean } = await page.evaluate(async () => {
      const list = document.querySelector<HTMLInputElement>('input[placeholder="Find symbol"]');
      if (list === null) throw new Error('no search');
      const taken: number[] = [];
      for (const text of ['B', 'BT', 'B', '', 'M', '', 'SOL', '']) {
        const from = performance.now();
        list.value = text;
        list.dispatchEvent(new InputEvent('input', { bubbles: true }));
        // The work of the key itself, layout in it; frames belong to the machine.
        await new Promise<void>((updated) => queueMicrotask(() => queueMicrotask(updated)));
        document.querySelector<HTMLElement>('[role="listbox"]')?.getBoundingClientRect();
        taken.push(performance.now() - from);
      }
      return { longest: Math.max(...taken), mean: taken.reduce((a, b) => a + b) / taken.length };
    });
    test.info().annotations.push({
      type: 'key in the search, ms',
      description: `longest ${longest.toFixed(1)}, mean ${mean.toFixed(1)}`,
    });
    const options = page.getByRole('option');
    expect(await options.count()).toBeLessThan(80);
    await search.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(options.last()).toBeFocused();
    await page.keyboard.press('Home');
    await expect(options.first()).toBeFocused();
    await search.fill('BTC-USDT-M');
    await expect(page.getByRole('option')).toHaveCount(1);
    expect(await faults(page)).toEqual([]);
  });
});

test('of 200 held contracts only those near the view are drawn, and keys reach all', async ({ profile }) => {
  const exchange = await startScripted();
  serveCrowd(exchange, false);
  const { app, page } = await beside(exchange, profile);
  await goTo(page, 'risk');
  const options = page.getByRole('option');
  const held = page.getByRole('group', { name: /^With a position/ }).getByRole('option');
  await expect(held.first()).toBeVisible();
  const all = Number(await held.first().getAttribute('aria-setsize'));
  expect(all).toBeGreaterThan(100);
  expect(await options.count()).toBeLessThan(120);
  await held.first().focus();
  await page.keyboard.press('End');
  await expect(options.last()).toBeFocused();
  await expect(held).toHaveCount(0);
  // From the other contracts back over the border of the groups.
  await options.first().focus();
  await page.keyboard.press('Home');
  await expect(held.first()).toBeFocused();
  await expect(held.first()).toHaveAttribute('aria-posinset', '1');
  for (let row = 2; row <= 30; row++) {
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[role="option"]:focus')).toHaveAttribute('aria-posinset', String(row));
    await expect(page.locator('[role="option"]:focus')).toBeInViewport();
  }
  await app.close();
  await exchange.stop();
});

test('in a narrow window the panes are tabs', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Tiers' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('what-if')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('account-shock')).toBeVisible();
  expect(await faults(page)).toEqual([]);
});

test('the pane that was chosen stays open, whatever becomes of the window', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Account shock' }).click();
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(page.getByRole('tab', { name: 'Tiers' })).toBeVisible();
  await expect(page.getByTestId('account-shock')).toBeVisible();
  await page.getByRole('tab', { name: 'What-if' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByTestId('what-if')).toBeVisible();
});
