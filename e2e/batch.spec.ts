/** Many orders under one confirmation: sent once, every row accounted for, also after a lost reply and a restart. */
import { expectAccessible } from './axe.ts';
import { controls, expect, launch, received, test } from './fixture.ts';
import {
  BATCH_SYMBOL as SYMBOL,
  errorRows,
  makeLadder,
  review,
  rowsOf,
  send,
  sentRows,
} from './batch-page.ts';
import { goTo } from './page-objects.ts';
import { crash } from './started.ts';

test('sends a ladder, removed rows and a file, one batch after another', async ({ page, practice }) => {
  await test.step('a ladder of 8 in one call: every row ends with an order id', async () => {
    await makeLadder(page, 8);
    await expect(page.getByTestId('ladder-remainder')).toBeVisible();
    const before = await received(practice);
    await send(page);
    await expect(page.getByTestId('batch-status')).toContainText('8 of 8 rows sent, 8 with an order ID');
    await expect(page.getByTestId('row-order-id')).toHaveCount(8);
    const ids = await page.getByTestId('row-order-id').allTextContents();
    expect(new Set(ids).size).toBe(8);
    await expect(sentRows(page).filter({ hasText: 'Matched' })).toHaveCount(8);
    const after = await received(practice);
    expect((after.batchOrders ?? 0) - (before.batchOrders ?? 0)).toBe(1);
    // A narrower window names the columns it has no space for.
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByRole('button', { name: /^Columns · \d hidden$/ })).toHaveAttribute(
      'title',
      /^No space at this width: Found, /,
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    // The draft is empty, so nothing can be sent twice from there.
    await page.getByRole('tab', { name: /Review/ }).click();
    await expect(page.getByText('No rows yet')).toBeVisible();
  });

  await test.step('unsent rows go back to the draft and are sent as a batch of their own', async () => {
    await makeLadder(page, 4);
    await page.getByTestId('batch-call-size').fill('2');
    await controls(practice, '/faults', { endpoint: 'batchOrders', action: 'reset', accept: true });
    await send(page);
    await expect(page.getByTestId('row-order-id')).toHaveCount(2);
    await page.getByTestId('batch-return').click();
    await expect(rowsOf(page, 'returned')).toHaveCount(2);
    await goTo(page, 'overview');
    await goTo(page, 'batch');
    await expect(rowsOf(page, 'returned')).toHaveCount(2);
    await send(page);
    await expect(page.getByTestId('batch-status')).toContainText('2 of 2 rows sent, 2 with an order ID');
  });

  await test.step('a file with 3 bad rows: each named, fixed in place, sent one by one', async () => {
    await goTo(page, 'batch');
    const file = [
      'price;symbol;side;type;quantity;postOnly',
      `141.00;${SYMBOL};BUY;LIMIT;1.0;true`,
      `14O,50;${SYMBOL};BUY;LIMIT;1.0;`,
      `140.00;${SYMBOL};SHORT;LIMIT;1.0;`,
      `139.50;${SYMBOL};BUY;LIMIT;;`,
    ].join('\r\n');
    await page
      .getByTestId('batch-file')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await expect(rowsOf(page, 'file')).toHaveCount(4);
    await expect(errorRows(page)).toHaveCount(3);
    const table = page.getByTestId('batch-rows');
    await expect(table).toContainText('“14O,50” contains the letter O and a comma');
    await expect(table).toContainText('side must be BUY or SELL, not “SHORT”');
    await expect(table).toContainText('quantity is missing');
    const fields = page.getByRole('button', { name: 'All fields of row 2' }).last();
    await fields.click();
    await expectAccessible(page, 'rows with faults');
    await fields.click();
    for (const [field, text] of [
      ['price', '140.50'],
      ['side', 'BUY'],
      ['quantity', '1.0'],
    ] as const) {
      await page.keyboard.press('F8');
      const cell = page.locator('[data-bad]:focus');
      await expect(cell).toHaveAttribute('data-field', field);
      await page.keyboard.press('Enter');
      await table.locator('input:focus').fill(text);
      await page.keyboard.press('Enter');
    }
    await expect(errorRows(page)).toHaveCount(0);
    await page.getByText('Send in requests of').click();
    const before = await received(practice);
    const sheet = await review(page);
    await expectAccessible(sheet, 'confirmation');
    await page.keyboard.press('Control+Enter');
    await expect(sheet).toBeHidden();
    await expect(page.getByTestId('batch-status')).toContainText('4 of 4 rows sent, 4 with an order ID');
    await expect(sentRows(page).filter({ hasText: 'Accepted' })).toHaveCount(4);
    await expectAccessible(page, 'sent');
    const after = await received(practice);
    expect([(after.order ?? 0) - (before.order ?? 0), after.batchOrders ?? 0]).toEqual([
      4,
      before.batchOrders ?? 0,
    ]);
  });
});

test('shows rows of a lost reply as unknown, then as reconciled, also after a restart', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const { page } = first;
  await makeLadder(page, 8);
  await page.getByTestId('batch-call-size').fill('4');
  // No conclusion is possible while the history fails.
  await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await controls(practice, '/faults', { endpoint: 'batchOrders', action: 'reset', accept: true });
  const before = await received(practice);
  await send(page);
  // The lost reply stops the batch: the second call was never sent.
  await expect(page.getByTestId('batch-status')).toHaveAttribute('data-state', 'stopped');
  await expect(sentRows(page).filter({ hasText: 'Outcome unknown' })).toHaveCount(4);
  await expect(sentRows(page).filter({ hasText: 'Never sent' })).toHaveCount(4);
  await expect(page.getByTestId('row-order-id')).toHaveCount(0);
  await crash(first.app);

  await controls(practice, '/faults', undefined, 'DELETE');
  const second = await launch(profile, practice);
  await goTo(second.page, 'batch');
  await second.page.getByRole('tab', { name: /Sent/ }).click();
  await expect(second.page.getByTestId('row-order-id')).toHaveCount(4);
  await expect(sentRows(second.page).filter({ hasText: 'Matched' })).toHaveCount(4);
  await expect(second.page.getByTestId('batch-status')).toContainText('4 of 8 rows sent, 4 with an order ID');
  expect((await received(practice)).batchOrders).toBe((before.batchOrders ?? 0) + 1);
  await second.app.close();
});
