/** “Am I protected, where, and for how much of it?” is answered in the row and in a table. */
import { expect, stopPrices, test } from './fixture.ts';
import { digits, goTo, rows, Ticket } from './page-objects.ts';

test('shows take profit and stop loss in the row and in the expanded table, never as raw JSON', async ({
  page,
  practice,
}) => {
  // The prices below are shares of a mark that stands.
  await stopPrices(practice);
  await page.setViewportSize({ width: 1440, height: 900 });
  await goTo(page, 'positions');
  const row = rows(page, 'Positions', 'SOL-USDT-M').first();
  const cell = row.locator('[data-field="tpSlSize"]');
  await expect(cell).toHaveText('—');
  const mark = parseFloat(digits(await row.locator('[data-field="markPrice"]').textContent()));
  const [tp, sl] = [(mark * 1.04).toFixed(2), (mark * 0.96).toFixed(2)];

  await goTo(page, 'overview');
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '2.0' });
  await ticket.root.getByRole('switch', { name: 'Take profit / stop loss' }).click();
  await ticket.root.getByLabel('TP trigger', { exact: true }).fill(tp);
  await ticket.root.getByLabel('SL trigger', { exact: true }).fill(sl);
  const sheet = await ticket.review();
  await sheet.send();
  expect(await sheet.outcome()).toBe('accepted');
  await sheet.done();

  await goTo(page, 'positions');
  // Two of the whole position: how much is said in the row and in the table.
  await expect(cell).toContainText(tp.replace(/0+$/, ''));
  await expect(cell).toContainText(sl.replace(/0+$/, ''));
  await expect(cell).toContainText(/for \d+%.*for \d+%/s);
  await row.focus();
  await page.keyboard.press('ArrowRight');
  const table = page.getByTestId('protection');
  await expect(table.locator('tr[data-kind="SL"]')).toContainText(
    /Market.*2\.0 of [\d.]+\s*\d+% of the position/s,
  );
  await expect(table).toContainText(/The stop loss covers 2 of [\d.]+ \(\d+%\)\. The rest has none/);
  await expect(table).toContainText('Reward : risk');
  await expect(page.getByRole('treegrid', { name: 'Positions' })).not.toContainText('conditionOrderId');
});
