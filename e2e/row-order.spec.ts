/** Rows keep their places under the pointer: a press acts on the row it was aimed at, whatever a poll brings. */
import { controls, expect, SHARED, stopPrices, test } from './fixture.ts';
import { goTo, rows, settled } from './page-objects.ts';

test('holds rows that would move between pointer down and up, so that the press acts on its row', async ({
  page,
  practice,
}) => {
  await stopPrices(practice);
  await goTo(page, 'positions');
  const table = page.getByRole('treegrid', { name: 'Positions' });
  const order = (): Promise<(string | null)[]> =>
    table.locator('tbody tr[data-key] td[data-field="symbolId"] .semi').allTextContents();
  const row = rows(page, 'Positions', 'ETH-USDT-M').first();
  const mark = row.locator('[data-field="markPrice"]');
  await expect(mark).toHaveText(/\d/);
  await table.getByRole('button', { name: 'Unrealised' }).click();
  const before = await settled(order);
  const unrealised = row.locator('[data-field="profitUnreal"]');
  const shown = await unrealised.textContent();

  // A large move of this price takes the row to the other end.
  const button = row.getByRole('button', { name: 'Close' });
  const box = (await settled(() => button.boundingBox()))!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const closing = page.getByRole('button', { name: 'Close positions…' });
  const place = await closing.boundingBox();
  await page.mouse.down();
  const gains = before[0] !== 'ETH-USDT-M';
  const short = (await row.locator('[data-field="side"]').textContent()) === 'Short';
  await controls(practice, '/shock', { symbolId: 'ETH-USDT-M', share: gains === short ? '0.93' : '1.07' });
  await expect(unrealised).not.toHaveText(shown ?? '');
  await expect(page.getByRole('button', { name: /^Sorting paused/ })).toBeVisible();
  // It stands in the pane's head, moves nothing there, and covers no column's.
  expect(await closing.boundingBox()).toEqual(place);
  const paused = (await page.getByRole('button', { name: /^Sorting paused/ }).boundingBox())!;
  expect(paused.y + paused.height).toBeLessThanOrEqual((await table.boundingBox())!.y);
  // Held while it is pressed, and until a second after pointer and focus have left, as for the dialog.
  expect(await order()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByRole('dialog')).toContainText('Close ETH-USDT-M');
  await page.keyboard.press('Escape');

  await page.mouse.move(5, 5);
  await page.getByTestId('ticket').getByLabel('Size', { exact: true }).focus();
  await expect.poll(order).not.toEqual(before);
});

test('does not rank amounts of different coins together, and shows their coin', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const table = page.getByRole('treegrid', { name: 'Positions' });
  await expect(rows(page, 'Positions', 'BTC-USD-M').first()).toBeVisible();
  await table.getByRole('button', { name: 'Unrealised' }).click();
  const last = table.locator('tbody tr[data-key]').last();
  await expect(last).toContainText('BTC-USD-M');
  await expect(
    rows(page, 'Positions', 'BTC-USD-M').first().locator('[data-field="profitUnreal"]'),
  ).toContainText('BTC');
  await table.getByRole('button', { name: 'Unrealised' }).click();
  await expect(last).toContainText('BTC-USD-M');
});
