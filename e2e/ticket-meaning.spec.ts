/** Typed values in the ticket never change their meaning, and an order that fills at once is never called resting. */
import type { Locator, Page } from '@playwright/test';
import { expect, SHARED, stopPrices, test } from './fixture.ts';
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

test('marks a crossing limit in ticket, close sheet and batch, with its fill figures', async ({
  page,
  practice,
}) => {
  await stopPrices(practice);
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
    const price = page.getByTestId('close-price');
    await sheet.getByRole('radio', { name: 'Limit' }).click({ force: true });
    await expect(price).toBeFocused();
    // As in the ticket: a percentage of the mark, to where the order rests unless it has a sign.
    for (const [typed, least, most] of [
      ['2%', 1.01, 1.03],
      ['-2%', 0.97, 0.99],
    ] as const) {
      await price.fill('');
      await page.keyboard.type(typed);
      const got = async (): Promise<number> => parseFloat(await price.inputValue()) / mark;
      await expect.poll(got).toBeGreaterThan(least);
      expect(await got()).toBeLessThan(most);
    }
    await page.getByTestId('close-price').fill((mark * 0.97).toFixed(1));
    await expect(sheet).toContainText(/Crosses the mark: fills at once as taker, near [\d.]+/);
    await expect(sheet).not.toContainText('Rests until filled');
    await page.getByTestId('close-price').fill((mark * 1.02).toFixed(1));
    await expect(sheet).not.toContainText('Crosses the mark');
    await expect(sheet).toContainText(
      'Rests until filled. It can be cancelled in Open orders, on practice only.',
    );
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: /^Close at limit/ }).click();
    await expect(price).toBeFocused();
    await page.keyboard.press('Escape');
  });

  await test.step('a row of a batch', async () => {
    await goTo(page, 'batch');
    const head = 'symbolId,side,type,timeInForce,quantity,price';
    const row = (price: number): string => `BTC-USDT-M,BUY,LIMIT,GTC,0.010,${price.toFixed(1)}`;
    await page.getByTestId('batch-paste').fill([head, row(mark * 0.98), row(mark * 1.01)].join('\n'));
    await page.getByRole('button', { name: 'Import the text' }).click();
    const lines = page.locator('tr[data-row]');
    const crosses = lines.nth(1);
    await expect(lines.first()).toContainText('Ready');
    await expect(crosses).toContainText('Crosses');
    await expect(crosses).not.toContainText('Ready');
    await expect(page.getByText(/Crosses the mark: fills at once as taker/)).toHaveCount(1);
  });
});

test('shows the position, keeps its figures while TP and SL are empty, and leads to the wrong field', async ({
  page,
  practice,
}) => {
  await stopPrices(practice);
  const mark = await markOf(page, 'BTC-USDT-M');
  await goTo(page, 'overview');
  const ticket = new Ticket(page);
  await ticket.choose('DOGE-USDT-M');
  await expect(ticket.root.getByTestId('ticket-position')).toHaveText('No position in DOGE-USDT-M');
  await ticket.choose('BTC-USDT-M');
  await expect(ticket.root.getByTestId('ticket-now')).toContainText('Risk tier');
  const review = page.getByTestId('ticket-review');
  await expect(review).toHaveText('Enter a price');
  await review.click({ force: true });
  await expect(ticket.root.getByLabel('Price', { exact: true })).toBeFocused();

  await ticket.fill({ side: 'Buy', quantity: '0.01', price: (mark * 0.98).toFixed(1) });
  const preview = page.getByTestId('ticket-preview');
  await expect(preview).toContainText('Size');
  await expect(page.getByTestId('ticket-unchanged')).toContainText('20× cross');
  // A click on the label toggles the switch.
  await ticket.root.getByText('Take profit / stop loss').click();
  const toggle = ticket.root.getByRole('switch', { name: 'Take profit / stop loss' });
  await expect(toggle).toHaveAttribute('aria-checked', 'true');
  await expect(preview).toContainText('Size');
  await expect(review).toContainText('Enter take profit or stop loss');
  await review.click({ force: true });
  await expect(page.getByTestId('ticket-tpPrice')).toBeFocused();

  for (const id of ['ticket-tpPrice', 'ticket-slPrice'])
    await expect(page.getByTestId(id)).toHaveAttribute('placeholder', 'Price or %');
  await ticket.root.getByLabel('Stop-loss trigger type').selectOption({ label: 'Last' });
  await page.getByTestId('ticket-slPrice').fill((mark * 0.9).toFixed(1));
  await page.getByTestId('ticket-tpPrice').fill((mark * 0.9).toFixed(1));
  await expect(review).toContainText('Fix take profit to continue');
  await review.click({ force: true });
  await expect(page.getByTestId('ticket-tpPrice')).toBeFocused();
  await page.getByTestId('ticket-tpPrice').fill((mark * 1.1).toFixed(1));
  const sheet = await ticket.review();
  expect(await sheet.body()).toMatch(/"tpTriggerType": ?"MARK_PRICE"[^]*"slTriggerType": ?"LAST_PRICE"/);
  await page.keyboard.press('Escape');

  await ticket.root.getByTestId('ticket-position').click();
  await expect(page.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');
  await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toHaveAttribute('aria-expanded', 'true');
});

test('takes the size in five units, also by keys; a change of unit keeps it, or clears the field', async ({
  page,
  practice,
}) => {
  // Equity that moves between two conversions changes the size.
  await stopPrices(practice);
  const mark = await markOf(page, 'BTC-USDT-M');
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '', price: (mark * 0.95).toFixed(1) });
  const size = ticket.root.getByLabel('Size', { exact: true });
  const typed = async (): Promise<number> => parseFloat(await size.inputValue());

  await test.step('a share becomes its quantity, and the same share again', async () => {
    await sizeBy(page, '% free').click();
    await size.fill('50');
    await expect(ticket.root).toContainText(/= [\d.]+ ?BTC/);
    const shown = /= ([\d.]+) ?BTC/.exec((await ticket.root.textContent()) ?? '')?.[1] ?? '';
    await sizeBy(page, 'Qty').click();
    await expect.poll(typed).toBe(parseFloat(shown));
    // Back by the keyboard: the same share, not the quantity's digits.
    await size.press('Alt+4');
    await expect.poll(typed).toBeGreaterThan(49);
    await sizeBy(page, 'Risk').click();
    await expect(size).toHaveValue('');
  });

  await test.step('a multiple of the equity is shown in the other units', async () => {
    await size.press('Alt+3');
    await expect(sizeBy(page, '× equity')).toBeChecked();
    await size.fill('2');
    const others = ticket.root.getByTestId('ticket-equivalents');
    const unit = ticket.root.getByText(/^× [\d,.]+ USDT$/);
    await expect(unit).toBeVisible();
    expect(await unit.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    // What is typed adds to the position held: the result is a multiple, too.
    await expect(page.getByTestId('ticket-preview')).toContainText(
      /Times USDT equity ?≈\s?[01]\.\d+×→≈\s?[23]\.\d+×/,
    );
    await expect(others).toHaveText(/= ?[\d.]+ ?BTC · ≈\s?[\d,.]+ ?USDT/);
    const quantity = /= ?([\d.]+)/.exec((await others.textContent()) ?? '')?.[1] ?? '';
    for (const key of ['1', '2', '4', '3']) await size.press(`Alt+${key}`);
    await expect.poll(typed).toBeCloseTo(2, 3);
    await size.press('Alt+1');
    await expect.poll(typed).toBe(parseFloat(quantity));
    await expect(others).toContainText('2.00× USDT equity');
    await size.press('Alt+5');
    await expect(size).toHaveValue('');
  });

  await test.step('in a coin of eight decimals the fee keeps off its label', async () => {
    await ticket.choose('BTC-USD-M');
    await ticket.fill({ side: 'Buy', quantity: '2500', price: (mark * 0.95).toFixed(1) });
    const label = page.getByTestId('ticket-preview').getByText('Fee, maker');
    const fee = label.locator('xpath=following-sibling::dd[1]').getByText('≈').first();
    const between = async (): Promise<number> => {
      const [left, right] = [(await label.boundingBox())!, (await fee.boundingBox())!];
      return right.x - (left.x + left.width);
    };
    await expect.poll(between).toBeGreaterThanOrEqual(0);
  });
});

test(
  'a wide ticket has two columns without horizontal scrolling, and one where space is short',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    const ticket = new Ticket(page);
    await ticket.choose('BTC-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '12', price: '66500' });
    await ticket.root.getByText('Take profit / stop loss').click();
    await page.getByTestId('ticket-tpPrice').fill('720000.5');
    await page.getByTestId('ticket-slPrice').fill('61900.5');
    await ticket.root.getByRole('button', { name: /^Wide ticket/ }).click();
    const figures = page.getByTestId('ticket-wide-preview');
    await expect(figures).toContainText('Average entry');
    const wider = (part: typeof figures): Promise<number> =>
      part.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(() => wider(figures)).toBe(0);
    await expect.poll(async () => (await figures.boundingBox())?.width).toBeGreaterThanOrEqual(320);
    const pane = page.getByRole('region', { name: 'Positions', exact: true });
    const right = async (of: Locator): Promise<number> => {
      const { x, width } = (await of.boundingBox())!;
      return x + width;
    };
    const button = page.getByRole('button', { name: 'Close positions…' });
    await expect.poll(async () => (await right(pane)) - (await right(button))).toBeGreaterThanOrEqual(0);
    // A narrower window: figures that would be under 320 px wide move below the fields.
    await page.setViewportSize({ width: 1399, height: 900 });
    await expect(figures).toHaveCount(0);
    await expect(page.getByTestId('ticket-preview')).toBeVisible();
  },
);

test('a percentage becomes the price at that distance, in ticket, TP/SL and ladder', async ({
  page,
  practice,
}) => {
  await stopPrices(practice);
  await goTo(page, 'overview');
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Sell', quantity: '1.0', price: '' });
  const price = ticket.root.getByLabel('Price', { exact: true });
  await price.pressSequentially('3%');
  await expect(price).toHaveValue(/^\d+\.\d+$/);
  await expect(ticket.root).toContainText(/\+[23]\.\d\d% from mark/);
  await ticket.root.getByRole('switch', { name: /Take profit/ }).click();
  await ticket.root.getByLabel('TP trigger', { exact: true }).pressSequentially('5%');
  await ticket.root.getByLabel('SL trigger', { exact: true }).pressSequentially('2%');
  await expect(ticket.root.locator('[data-draft="tpSl"]')).toContainText('−5.00%');
  await expect(ticket.root.locator('[data-draft="tpSl"]')).toContainText('+2.00%');

  await goTo(page, 'batch');
  const ladder = page.getByTestId('ladder');
  await ladder.getByLabel('From', { exact: true }).pressSequentially('2%');
  await ladder.getByLabel('To', { exact: true }).pressSequentially('-10%');
  await expect(ladder).toContainText(/−[12]\.\d\d%/);
  await expect(ladder).toContainText(/−(?:9|10)\.\d\d%/);
});

test(
  'keeps every figure of an order in the row of its label, in ticket and sheet',
  SHARED,
  async ({ page }) => {
    /** Labels whose figure is above their row, or reaches into the next. */
    const astray = (within: Locator): Promise<(string | null)[]> =>
      within.locator('.facts > dt').evaluateAll((labels) =>
        labels
          .filter((label) => {
            const figure = label.nextElementSibling?.getBoundingClientRect();
            const next = label.nextElementSibling?.nextElementSibling?.getBoundingClientRect();
            const { top } = label.getBoundingClientRect();
            return figure === undefined || figure.top < top - 1 || (next && next.top < figure.bottom - 1);
          })
          .map((label) => label.textContent),
      );
    const ticket = new Ticket(page);
    for (const [symbolId, quantity] of [
      ['BTC-USDT-M', '0.850'],
      ['BTC-USD-M', '100'],
    ] as const) {
      await ticket.choose(symbolId);
      await ticket.fill({ side: 'Buy', quantity, price: '60000' });
      await expect(ticket.root.locator('dt', { hasText: /^Fee/ })).toBeVisible();
      expect(await astray(ticket.root), symbolId).toEqual([]);
      const sheet = await ticket.review();
      await expect(sheet.root.locator('dt', { hasText: /^Fee/ })).toBeVisible();
      expect(await astray(sheet.root), symbolId).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(sheet.root).toBeHidden();
    }
  },
);
