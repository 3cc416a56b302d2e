/** Why a position is liquidated where it is: the sheet from its row, its card and Overview, with both sides added up. */
import { amount, compareText, printFixed, subtract } from '../src-shared/amount.ts';
import { expectAccessible } from './axe.ts';
import { changeSettings, clientOf, expect, SHARED, test } from './fixture.ts';
import { digits, goTo, rows } from './page-objects.ts';

test(
  'the liquidation price is explained by both sides, price by price',
  SHARED,
  async ({ page, practice, ballast }) => {
    await goTo(page, 'positions');
    const row = rows(page, 'Positions', 'SOL-USDT-M').first();
    await row.locator('td[data-field="liquidPrice"] .shown').first().click();
    const sheet = page.getByRole('dialog', { name: 'Liquidation price' });
    await expect(sheet).toBeVisible();
    const client = clientOf(practice);
    const account = await client.account();
    await client.close();
    if (!account.ok) throw new Error('the account was not read');
    const position = account.data.positions.find((one) => one.symbolId === 'SOL-USDT-M');
    expect(digits(await sheet.getByTestId('liquidation-exchange').innerText())).toContain(
      position?.liquidPrice,
    );
    await expect(sheet.getByTestId('liquidation-estimate')).toContainText('≈');
    await expect(sheet).toContainText('Bankruptcy price');

    const table = sheet.getByRole('table', { name: 'Equity and requirement by price' });
    const cells = async (line: string): Promise<string[]> =>
      (await table.locator(`[data-line="${line}"] td`).allInnerTexts()).map(digits);
    // Before and after a poll the figures of a column belong to other marks.
    await expect(async () => {
      const [equity, required, left] = [
        await cells('= Equity'),
        await cells('= Required'),
        await cells('Equity − required'),
      ];
      const sum = printFixed(subtract(amount(equity[0] ?? ''), amount(required[0] ?? '')), 2);
      expect([sum, `+${sum}`]).toContain(left[0]);
      // Nothing is left at the price that Ballast calculates.
      expect(left.at(-1)).toBe('0.00');
    }).toPass();
    const moved = await sheet.locator('[data-move="add-margin"] dd .amount').innerText();
    expect(compareText(digits(moved), position?.liquidPrice ?? '')).toBe(-1);

    await sheet.getByRole('button', { name: /^Copy the calculation$/ }).click();
    const copied = (): Promise<string> => ballast.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect
      .poll(copied)
      .toContain('SOL-USDT-M long, isolated: liquidated where equity ≤ maintenance margin');
    expect(await copied()).toContain(`exchange ${position?.liquidPrice}`);
    await expectAccessible(sheet, 'liquidation, isolated');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  },
);

test(
  'a cross position has the wallet behind it, by keys, from its card and Overview',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    const sheet = page.getByRole('dialog', { name: 'Liquidation price' });
    await rows(page, 'Positions', 'ETH-USDT-M').first().focus();
    await page.keyboard.press('e');
    await expect(sheet).toContainText('Only ETH-USDT-M moves');
    await expect(sheet).toContainText('− Isolated margin');
    await expect(sheet).not.toContainText('Bankruptcy price');
    await changeSettings(page, { privacy: true });
    for (const line of ['= Equity', '= Required', 'Equity − required'])
      await expect(sheet.locator(`[data-line="${line}"]`)).not.toContainText(/\d/);
    await changeSettings(page, { privacy: false });
    await page.setViewportSize({ width: 1024, height: 700 });
    await expectAccessible(sheet, 'liquidation, cross, 1024');
    await page.keyboard.press('Escape');
    await expect(rows(page, 'Positions', 'ETH-USDT-M').first()).toBeFocused();

    await page.setViewportSize({ width: 1440, height: 900 });
    // Nothing liquidates it: the sheet says why.
    await rows(page, 'Positions', 'BTC-USDT-M').first().focus();
    await page.keyboard.press('ArrowRight');
    const card = page.getByRole('region', { name: 'Risk line' }).first();
    await card.getByRole('button', { name: 'No liquidation' }).click();
    await expect(sheet).toContainText('No price of BTC-USDT-M liquidates it');
    await page.keyboard.press('Escape');

    await goTo(page, 'overview');
    const health = page.getByRole('region', { name: 'Margin health' });
    await health.getByRole('button', { name: /^SOL-USDT-M/ }).click();
    await expect(sheet).toContainText('Only its own margin counts');
    await sheet.getByRole('button', { name: 'Close part…' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.getByRole('dialog').filter({ hasText: 'SOL-USDT-M' })).toBeVisible();
  },
);
