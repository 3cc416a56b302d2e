/** Lost replies: the app shows them, reconciles them, and asks the user only when counting cannot decide. */
import { clientOf, controls, expect, launch, received, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';
import { crash } from './started.ts';

const SYMBOL = 'SOL-USDT-M';
const order = { side: 'Buy', quantity: '1.5', price: '138.50' } as const;

test('reconciles a lost reply, lets the user choose between two orders, survives a kill, and sends each once', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const { page } = first;
  const sent = async (): Promise<number> => (await received(practice))['order'] ?? 0;
  const found = rows(page, 'Journal', 'Matched');
  const known = page.locator('footer').last();
  await goTo(page, 'activity');
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);

  await test.step('an order whose reply was lost is found, and was sent once', async () => {
    await ticket.fill(order);
    const sheet = await ticket.review();
    await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: true });
    await sheet.send();
    // The sheet follows its order: it may be reconciled before this is read.
    expect(await sheet.outcome()).toMatch(/unknown|matched/);
    await sheet.done();
    await expect(found).toHaveCount(1);
    await expect(found).toContainText(SYMBOL);
    await expect(page.getByRole('region', { name: /^Outcome unknown/ })).toHaveCount(0);
    // Its two times are of two clocks, which say which they are.
    await expect(
      page
        .getByRole('region', { name: /^Found: / })
        .first()
        .getByRole('row', { name: /^Created/ }),
    ).toContainText(/\d this computer.*\d exchange/s);
    await expect(known).toContainText('all outcomes known');
    expect(await sent()).toBe(1);
  });

  await test.step('of two orders that match, the user chooses theirs', async () => {
    const price = '138.00';
    await ticket.fill({ ...order, price });
    const sheet = await ticket.review();
    await controls(practice, '/faults', { endpoint: 'order', action: 'truncated', accept: true });
    // No conclusion is possible while the history fails: time for another client's identical order.
    await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
    await sheet.send();
    expect(await sheet.outcome()).toBe('unknown');
    // The box does not grow with what is found out, so that the sheet keeps its size.
    await expect(page.getByTestId('confirm-outcome')).toContainText(/Round \d/);
    const hidden = await page
      .getByTestId('confirm-outcome')
      .evaluate((one) => one.scrollHeight - one.clientHeight);
    expect(hidden).toBe(0);
    await sheet.done();
    const other = clientOf(practice);
    const placed = await other.placeOrder({
      symbolId: SYMBOL,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: order.quantity,
      price,
    });
    expect(placed.outcome).toBe('accepted');
    await other.close();
    const card = page.getByRole('region', { name: /^Outcome unknown/ });
    await expect(card).toContainText('order history could not be read');
    // A smaller window keeps the end of the checks in view.
    await page.setViewportSize({ width: 1440, height: 640 });
    await expect(card.getByText('Do not send it again; check Open orders')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
    await controls(practice, '/faults', undefined, 'DELETE');
    await card.getByRole('button', { name: 'Check now' }).click();
    await expect(card).toContainText('2 orders match');

    const theirs = placed.outcome === 'accepted' ? String(placed.data) : 'none';
    const mine = card.locator('label.candidate').filter({ hasNotText: theirs });
    await mine.getByRole('radio').check();
    await card.getByLabel(`Type ${SYMBOL}`).fill(SYMBOL);
    await card.getByRole('button', { name: 'This is mine' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole('row', { name: /Matched by you/ })).toContainText(SYMBOL);
  });

  await test.step('killed while waiting for the reply: found after the next start, not sent again', async () => {
    const before = await sent();
    await ticket.fill({ ...order, price: '137.50' });
    const sheet = await ticket.review();
    await controls(practice, '/faults', { endpoint: 'order', action: 'delay', accept: true, ms: 60_000 });
    await sheet.press();
    await expect.poll(sent).toBe(before + 1);
    await crash(first.app);

    const second = await launch(profile, practice);
    await goTo(second.page, 'activity');
    await expect(rows(second.page, 'Journal', /Matched(?! by you)/)).toHaveCount(2);
    expect(await sent()).toBe(before + 1);
    await second.app.close();
  });
});
