/** The effect of all resting orders if filled, shown under them. */
import { expectAccessible } from './axe.ts';
import { expect, SHARED, test } from './fixture.ts';
import { digits, goTo } from './page-objects.ts';

test('shows position, margin and liquidation after all fills', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const panel = page.getByTestId('resting-exposure');
  await panel.getByText('If all resting orders fill').click();
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
