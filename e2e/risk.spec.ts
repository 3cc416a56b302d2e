/** Risk: a what-if and an account shock over the practice account, by keyboard, in both window sizes. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, setTheme, test } from './fixture.ts';
import { digits, goTo } from './page-objects.ts';

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
