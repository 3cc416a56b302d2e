/** The effect of resting orders if filled, shown under them. Orders of both sides: resting-ladder.spec.ts. */
import { expectAccessible } from './axe.ts';
import { expect, SHARED, test } from './fixture.ts';
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
  const locked = digits(await figure('Locked for the orders now'));
  expect(locked).toMatch(/^[1-9]/);
  expect(digits(await figure('Margin and fees of the orders'))).toBe(locked);
  await expectAccessible(panel);
});
