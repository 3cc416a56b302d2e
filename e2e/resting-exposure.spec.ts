/** What all resting orders would do if filled, shown under them. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, setTheme, test } from './fixture.ts';
import { digits, goTo } from './page-objects.ts';

for (const theme of ['dark', 'light'] as const) {
  test(`position, margin and liquidation after all fills, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
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
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(
      violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`)),
    ).toEqual([]);
  });
}
