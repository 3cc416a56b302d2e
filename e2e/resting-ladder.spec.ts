/**
 * What resting orders of both sides would do: each side by itself, by price, and the position after a price is reached,
 * compared with the exchange.
 */
import { expectAccessible } from './axe.ts';
import { changeSettings, clientOf, controls, expect, stopPrices, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

const SYMBOL = 'BTC-USDT-M';
const ORDERS = [
  ['BUY', '61000.0', '0.250'],
  ['SELL', '66000.0', '0.500'],
  ['BUY', '62000.0', '0.100'],
  ['BUY', '62000.0', '0.050'],
] as const;

test('nets no sell above the mark with buys below it, and predicts which fill when a price is reached', async ({
  page,
  practice,
}) => {
  // The shock below takes the mark past one order and not past the next.
  await stopPrices(practice);
  const client = clientOf(practice);
  for (const [side, price, quantity] of ORDERS)
    await client.placeOrder({ symbolId: SYMBOL, side, type: 'LIMIT', timeInForce: 'GTC', price, quantity });
  await goTo(page, 'positions');
  await expect(page.getByRole('tab', { name: /^Open orders/ })).toContainText('6');
  const exposure = page.getByTestId('resting-exposure');
  const summary = exposure.locator('summary');
  await test.step('a sell above the mark is not netted with buys below it', async () => {
    // The worse side comes first; either has its own ratio.
    await expect(summary.locator('[data-move]')).toHaveText([
      /% *if prices fall, valued at mark$/,
      /% *if prices rise, valued at mark$/,
    ]);
    await summary.click();
    const row = (move: string) => exposure.locator(`table[data-move="${move}"] [data-symbol="${SYMBOL}"]`);
    // 0.085 held, 0.040 resting before and 0.400 of these; without any netting.
    await expect(row('falling')).toContainText(/4\s*Long\s*≈?\s*0\.525/);
    await expect(row('rising')).toContainText(/1\s*Short\s*≈?\s*0\.415/);
    await expect(row('rising')).toContainText(/BTC\s*mark 6\d,\d{3}/);
    await expectAccessible(exposure, 'orders of both sides');
    await summary.click();

    await page.getByTestId('top-margin').click();
    const orders = page.getByRole('dialog', { name: 'Margin ratio' }).getByTestId('margin-orders');
    await expect(orders).toHaveText([
      /^5\s*open orders\s*if prices fall/,
      /^1\s*open order\s*if prices rise/,
    ]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Margin ratio' })).toBeHidden();
  });

  const view = page.getByRole('radiogroup', { name: 'Show orders as' });
  await view.getByText('By price').click();
  const ladder = page.getByTestId('resting-ladder');
  await ladder.getByLabel('Contract').selectOption(SYMBOL);
  const table = ladder.getByRole('table', { name: `${SYMBOL}: resting orders by price` });

  await test.step('levels from the highest, with mark and entry between them', async () => {
    const order = (): Promise<string[]> =>
      table
        .locator('tbody tr')
        .evaluateAll((all) => all.map((row) => row.dataset['level'] ?? row.dataset['line'] ?? ''));
    await expect.poll(order).toContain('entry');
    expect((await order()).filter((one) => one !== 'entry')).toEqual([
      '66000.0',
      'mark',
      '62000.0',
      '61000.0',
      '59749.1',
    ]);
    const level = table.locator('[data-level="62000.0"]');
    await expect(level).toContainText('0.150');
    await expect(level).toContainText('2');
    await expect(table.locator('[data-level="61000.0"]')).toContainText('0.400');
  });

  const asked = ladder.getByLabel(`If ${SYMBOL} reaches`, { exact: true });
  await test.step('a price typed, wrong or not, and moved by keys', async () => {
    await asked.fill('60,5');
    await expect(ladder.getByText(/has a comma/)).toBeVisible();
    await asked.fill('60500');
    await expect(ladder.getByText('3 of 5 orders')).toBeVisible();
    await expect(table.locator('tr', { hasText: 'fills' })).toHaveCount(2);
    const slider = ladder.getByRole('slider', { name: 'Price reached' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(ladder.getByText('4 of 5 orders')).toBeVisible();
    await asked.fill('60500');
    await expectAccessible(ladder, 'price ladder');
  });

  await test.step('hiding amounts does not hide prices and shares', async () => {
    await changeSettings(page, { privacy: true });
    await expect(table.locator('[data-level="62000.0"]')).toContainText('62,000.0');
    await expect(ladder).not.toContainText(/0\.150|9,300|469\.6|0\.485/);
    await changeSettings(page, { privacy: false });
    await expect(ladder).toContainText('9,300.00');
  });

  await test.step('the exchange fills exactly these', async () => {
    const figure = (name: string) =>
      ladder
        .locator('dl')
        .evaluate(
          (list, name) =>
            [...list.querySelectorAll('dt')].find((one) => one.textContent === name)?.nextElementSibling
              ?.textContent ?? '',
          name,
        );
    await expect(ladder.getByText('3 of 5 orders')).toBeVisible();
    const [position, entry] = [await figure('Position after'), await figure('Average entry')];
    // 0.085 held and 0.400 filled.
    expect(position).toContain('0.485');
    await controls(practice, '/shock', { symbolId: SYMBOL, share: '0.962' });
    const row = rows(page, 'Positions', SYMBOL).first();
    await expect(row.locator('[data-field="quantity"]')).toContainText('0.485');
    const digits = (text: string): string => text.replace(/[^\d.]/g, '');
    await expect(row.locator('[data-field="avgEntryPrice"]')).toContainText(/\d/);
    const filledAt = digits((await row.locator('[data-field="avgEntryPrice"]').textContent()) ?? '');
    expect(filledAt.slice(0, 7)).toBe(digits(entry).slice(0, 7));
    await expect(table.locator('[data-level="61000.0"]')).toHaveCount(0);
  });

  await test.step('the view is restored after a reload', async () => {
    await page.reload();
    await goTo(page, 'positions');
    await expect(ladder).toBeVisible();
    await view.getByText('Table').click();
    await expect(page.getByRole('treegrid', { name: 'Open orders' })).toBeVisible();
  });

  await test.step('the age of the mark, once the account is old', async () => {
    await controls(practice, '/faults', { endpoint: 'account', action: 'status', times: 500 });
    await expect(summary).toContainText(/if prices fall, valued at mark, \d+ [sm] old/);
    await goTo(page, 'overview');
    await expect(page.getByRole('region', { name: 'Exposure by contract' })).toContainText(
      /at mark, \d+ [sm] old/,
    );
  });
  await client.close();
});
