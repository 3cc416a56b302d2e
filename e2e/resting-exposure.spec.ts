/** The effect of resting orders if filled, shown under them: those that fill when prices fall, and when they rise. */
import { expectAccessible } from './axe.ts';
import { clientOf, controls, expect, SHARED, test } from './fixture.ts';
import { digits, goTo } from './page-objects.ts';

test('shows position, margin and liquidation after the fills', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const panel = page.getByTestId('resting-exposure');
  await panel.getByText('If resting orders fill').click();
  await expect(panel.locator('summary')).toContainText('2 in 2 contracts');
  await expect(panel.locator('[data-symbol]')).toHaveText([/^BTC-USDT-M/, /^DOGE-USDT-M/]);
  // 0.085 held and 0.040 resting.
  await expect(panel.locator('[data-symbol="BTC-USDT-M"]')).toContainText('0.125');
  // Initial margin and taker fee are what the exchange locks for them, to the last digit.
  const figure = (name: string) =>
    panel.locator('dl > div').filter({ hasText: name }).locator('dd').textContent();
  const locked = digits(await figure('Locked for them now'));
  expect(locked).toMatch(/^[1-9]/);
  expect(digits(await figure('Margin and fees they need'))).toBe(locked);
  await expectAccessible(page);
});

test('does not net a sell above the mark with buys below it', async ({ page, practice }) => {
  const client = clientOf(practice);
  const place = (side: 'BUY' | 'SELL', price: string, quantity: string) =>
    client.placeOrder({ symbolId: 'BTC-USDT-M', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity });
  await place('SELL', '66000.0', '0.500');
  for (let n = 0; n < 8; n++) await place('BUY', `${61_500 - n * 100}.0`, '0.050');
  await client.close();
  await goTo(page, 'positions');
  const panel = page.getByTestId('resting-exposure');
  const summary = panel.locator('summary');
  // The worse side comes first; either has its own ratio.
  await expect(summary.locator('[data-move]')).toHaveText([
    /% *if prices fall, valued at mark$/,
    /% *if prices rise, valued at mark$/,
  ]);
  await summary.click();
  const row = (move: string) => panel.locator(`table[data-move="${move}"] [data-symbol="BTC-USDT-M"]`);
  // 0.085 held, 0.040 resting before and eight of 0.050; without any netting.
  await expect(row('falling')).toContainText(/9\s*Long\s*≈?\s*0\.525/);
  await expect(row('rising')).toContainText(/1\s*Short\s*≈?\s*0\.415/);
  await expect(row('rising')).toContainText(/BTC\s*mark 6\d,\d{3}/);
  await expectAccessible(page);

  await page.getByTestId('top-margin').click();
  const orders = page.getByRole('dialog', { name: 'Margin ratio' }).getByTestId('margin-orders');
  await expect(orders).toHaveText([/^10\s*open orders\s*if prices fall/, /^1\s*open order\s*if prices rise/]);
  await page.keyboard.press('Escape');

  await test.step('the age of the mark, once the account is old', async () => {
    await controls(practice, '/faults', { endpoint: 'account', action: 'status', times: 500 });
    await expect(summary).toContainText(/if prices fall, valued at mark, \d+ [sm] old/);
    await goTo(page, 'overview');
    await expect(page.getByRole('region', { name: 'Exposure by contract' })).toContainText(
      /at mark, \d+ [sm] old/,
    );
  });
});
