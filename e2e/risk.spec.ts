/** Risk: a what-if and an account shock over the practice account, by keyboard, in both window sizes. */
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, SHARED, test } from './fixture.ts';
import { digits, goTo, saveTo } from './page-objects.ts';

test('what-if starts from the position and follows each key', SHARED, async ({ page }) => {
  await goTo(page, 'risk');
  await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
  const figures = page.getByTestId('what-if');
  await expect(figures).toContainText('was');
  const before = digits(await figures.textContent());
  const quantity = page.getByLabel('Quantity', { exact: true });
  await quantity.fill('2.5');
  await expect.poll(async () => digits(await figures.textContent())).not.toBe(before);
  await expect(page.getByText('Max size at')).toBeVisible();
  await expectAccessible(page, 'what-if');
  // Of an inverse contract eight decimals stand before and after the arrow: all within the pane.
  await page.getByRole('option', { name: /BTC-USD-M/ }).click();
  await expect(page.getByText('Margin ratio, BTC cross')).toBeVisible();
  const wider = await figures.locator('xpath=..').evaluate((pane) => pane.scrollWidth - pane.clientWidth);
  expect(wider).toBe(0);
  await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
  await page.getByRole('button', { name: 'Send sizes to ticket' }).click();
  await expect(page.getByRole('complementary', { name: 'Order ticket' })).toContainText('BTC-USDT-M');
});

test(
  'account shock names what goes first, by one percent or by each contract’s own',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Account shock' }).click();
    const panel = page.getByTestId('account-shock');
    await expect(panel).toContainText('First liquidation');
    const slider = page.getByRole('slider', { name: 'Price move, percent' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', '−50%');
    await expect(panel.getByRole('listitem')).not.toHaveCount(0);
    await expectAccessible(page, 'shock');

    await page.getByRole('radio', { name: 'Each its own' }).check({ force: true });
    await panel.getByLabel('SOL-USDT-M').fill('-60');
    await expect(panel).toContainText('of these moves');
    await expect(panel.getByRole('listitem')).not.toHaveCount(0);
    await panel.getByLabel('BTC-USDT-M').fill('1,5');
    await expect(panel).toContainText('“1,5”: a plain number');
  },
);

test(
  'the tier chart goes through its tiers by keys and is saved as picture and CSV',
  SHARED,
  async ({ ballast, page }) => {
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
  },
);

test(
  'in a narrow window the panes are tabs; the one that was chosen stays open in any window',
  SHARED,
  async ({ page }) => {
    const narrow = { width: 1024, height: 700 };
    await page.setViewportSize(narrow);
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Tiers' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByTestId('what-if')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await expectAccessible(page);

    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await page.setViewportSize(narrow);
    await expect(page.getByRole('tab', { name: 'Tiers' })).toBeVisible();
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await page.getByRole('tab', { name: 'What-if' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByTestId('what-if')).toBeVisible();
  },
);
