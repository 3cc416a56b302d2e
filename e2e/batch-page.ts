/** Page object of the batch screen. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixture.ts';
import { goTo } from './page-objects.ts';

export const BATCH_SYMBOL = 'SOL-USDT-M';

/** Makes a ladder of rows below the market, so that they rest. */
export async function makeLadder(page: Page, orders: number): Promise<void> {
  await goTo(page, 'batch');
  const ladder = page.getByTestId('ladder');
  await ladder.getByLabel('Symbol').selectOption(BATCH_SYMBOL);
  await ladder.getByLabel('From', { exact: true }).fill('143.00');
  await ladder.getByLabel('To', { exact: true }).fill('136.00');
  await ladder.getByLabel('Orders', { exact: true }).fill(String(orders));
  await ladder.getByLabel('Total size', { exact: true }).fill('12');
  await ladder.getByText('Linear', { exact: true }).click();
  await page.getByTestId('ladder-add').click();
  await expect(rowsOf(page, 'ladder')).toHaveCount(orders);
}
export const rowsOf = (page: Page, source: string): Locator =>
  page.getByTestId('batch-rows').locator(`tbody[data-source="${source}"] tr[data-row]`);
export const errorRows = (page: Page): Locator => page.getByTestId('batch-rows').locator('tr.bad[data-row]');

/** Opens the review and ticks the required boxes. */
export async function review(page: Page): Promise<Locator> {
  await page.keyboard.press('F9');
  const sheet = page.getByRole('dialog').filter({ has: page.getByTestId('batch-sheet') });
  await expect(sheet).toBeVisible();
  for (const box of await sheet.getByRole('checkbox').all()) await box.check({ force: true });
  await expect(page.getByTestId('batch-send')).toBeEnabled();
  return sheet;
}
/** Sends by the keyboard. */
export async function send(page: Page): Promise<void> {
  const sheet = await review(page);
  await page.keyboard.press('Control+Enter');
  await expect(sheet).toBeHidden();
}
export const sentRows = (page: Page): Locator =>
  page
    .getByRole('grid', { name: 'Rows of the sent batch' })
    .locator('tbody tr, [role=row]')
    .filter({ hasText: BATCH_SYMBOL });
