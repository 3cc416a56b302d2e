/** Reversing a position from its own row, and orders placed elsewhere. */
import { clientOf, expect, received, test } from './fixture.ts';
import { goTo, rows, Sheet } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';

test('reverses a long by one order, and labels only foreign orders as placed elsewhere', async ({
  page,
  practice,
}) => {
  await test.step('a long of 32 becomes a short of 32 by one order', async () => {
    await goTo(page, 'positions');
    const row = rows(page, 'Positions', SYMBOL).first();
    await expect(row).toContainText('Long');
    await row.getByRole('button', { name: `More for ${SYMBOL}` }).click();
    await page.getByRole('menuitem', { name: 'Reverse…' }).click();
    const before = (await received(practice)).order ?? 0;
    await page.getByTestId('ticket-review').click();
    const sheet = new Sheet(page);
    await expect(sheet.root).toContainText('Reverse to 32.0 SOL short');
    expect(await sheet.body()).toContain('"reverseOrder":true');
    await sheet.root.getByPlaceholder('SOL').fill('SOL');
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    await expect(row).toContainText('Short');
    await expect(row).toContainText('32.0');
    expect((await received(practice)).order).toBe(before + 1);
  });

  await test.step('orders of another client are labelled placed elsewhere, and ours are not', async () => {
    const other = clientOf(practice);
    const placed = await other.placeOrder({
      symbolId: SYMBOL,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '1.5',
      price: '120.50',
    });
    await other.close();
    const id = placed.outcome === 'accepted' ? String(placed.data) : 'none';
    await expect(rows(page, 'Open orders', '120.50')).toContainText('Elsewhere');

    await page.getByRole('button', { name: `Close ${SYMBOL} short` }).click();
    await page.getByTestId('close-review').click();
    const sheet = new Sheet(page);
    await sheet.send();
    const own = (await sheet.orderId()) ?? 'none';
    await sheet.done();
    await page.getByRole('tab', { name: 'Order history' }).click();
    const past = (orderId: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: `Trades of order ${orderId}`, exact: true }) });
    await expect(past(id)).toContainText('Elsewhere');
    await expect(past(own)).toContainText('Filled');
    await expect(past(own)).not.toContainText('Elsewhere');
  });
});
