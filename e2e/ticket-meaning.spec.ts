/** What is typed in the ticket never comes to mean something else, and what fills at once is never called resting. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixture.ts';
import { digits, goTo, rows, Ticket } from './page-objects.ts';

const sizeBy = (page: Page, name: string) =>
  new Ticket(page).root.getByRole('radiogroup', { name: 'Size by' }).getByRole('radio', { name });

/** A position's mark as the table shows it. */
async function markOf(page: Page, symbolId: string): Promise<number> {
  await goTo(page, 'positions');
  const cell = rows(page, 'Positions', symbolId).first().locator('[data-field="markPrice"]');
  await expect(cell).toHaveText(/\d/);
  return parseFloat(digits(await cell.textContent()));
}

test('switching what the size is typed in keeps the order, or empties the field', async ({ page }) => {
  const mark = await markOf(page, 'BTC-USDT-M');
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '', price: (mark * 0.95).toFixed(1) });
  const size = ticket.root.getByLabel('Size', { exact: true });
  await sizeBy(page, '% free').click();
  await size.fill('50');
  await expect(ticket.root).toContainText(/= [\d.]+ ?BTC/);
  const shown = /= ([\d.]+) ?BTC/.exec((await ticket.root.textContent()) ?? '')?.[1] ?? '';
  await sizeBy(page, 'Qty').click();
  expect(parseFloat(await size.inputValue())).toBe(parseFloat(shown));
  // Back by the keyboard: the same share, not the quantity's digits.
  await size.press('Alt+3');
  expect(parseFloat(await size.inputValue())).toBeGreaterThan(49);
  await sizeBy(page, 'Risk').click();
  await expect(size).toHaveValue('');
});

test('a limit that crosses is said in ticket, close sheet and batch, with the figures it fills at', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const mark = await markOf(page, 'BTC-USDT-M');
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '0.01', price: (mark * 1.02).toFixed(1) });
  const line = ticket.root.getByText(/Crosses the mark: fills at once as taker, near [\d.]+/);
  await expect(line.first()).toBeVisible();
  await expect(ticket.root).toContainText('Fee, taker');
  await ticket.root.getByLabel('Price', { exact: true }).fill((mark * 0.98).toFixed(1));
  await expect(line).toHaveCount(0);

  await test.step('closing below the mark is no loss at the typed price', async () => {
    const row = rows(page, 'Positions', 'BTC-USDT-M').first();
    await row.getByRole('button', { name: 'Close' }).click();
    const sheet = page.getByTestId('close-sheet');
    await sheet.getByRole('radio', { name: 'At a price' }).click({ force: true });
    await page.getByTestId('close-price').fill((mark * 0.97).toFixed(1));
    await expect(sheet).toContainText(/Crosses the mark: fills at once as taker, near [\d.]+/);
    await expect(sheet).not.toContainText('It rests until it fills');
    await page.getByTestId('close-price').fill((mark * 1.02).toFixed(1));
    await expect(sheet).not.toContainText('Crosses the mark');
    await expect(sheet).toContainText('It rests until it fills');
    await page.keyboard.press('Escape');
  });

  await test.step('a row of a batch', async () => {
    await goTo(page, 'batch');
    const head = 'symbolId,side,type,timeInForce,quantity,price';
    const row = (price: number): string => `BTC-USDT-M,BUY,LIMIT,GTC,0.010,${price.toFixed(1)}`;
    await page.getByTestId('batch-paste').fill([head, row(mark * 0.98), row(mark * 1.01)].join('\n'));
    await page.getByRole('button', { name: 'Import the text' }).click();
    const [rests, crosses] = await page.locator('tr[data-row]').all();
    await expect(rests!).toContainText('Ready');
    await expect(crosses!).toContainText('Crosses');
    await expect(crosses!).not.toContainText('Ready');
    await expect(page.getByText(/Crosses the mark: fills at once as taker/)).toHaveCount(1);
  });
});
