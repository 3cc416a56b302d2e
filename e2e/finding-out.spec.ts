/** Answers that are lost: the app says so, finds out, and asks the person only when counting cannot tell. */
import { createClient } from '../src-main/exchange/client.ts';
import { controls, expect, launch, received, test } from './fixture.ts';
import { goTo, Ticket } from './page-objects.ts';
import { crash } from './started.ts';

const SYMBOL = 'SOL-USDT-M';
const order = { side: 'Buy', quantity: '1.5', price: '138.50' } as const;

test('an order whose answer was lost is found, and was sent once', async ({ page, practice }) => {
  await goTo(page, 'activity');
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill(order);
  const sheet = await ticket.review();
  const before = await received(practice);
  await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: true });
  await sheet.send();
  // The sheet goes on with its order: it may be found before this is read.
  expect(await sheet.outcome()).toMatch(/unknown|landed/);
  await sheet.done();
  await expect(page.getByRole('row', { name: /Landed, inferred/ })).toContainText(SYMBOL);
  await expect(page.getByRole('region', { name: /^Outcome unknown/ })).toHaveCount(0);
  expect((await received(practice)).order).toBe((before.order ?? 0) + 1);
});

test('of two orders that fit, the person says which is theirs', async ({ page, practice }) => {
  await goTo(page, 'activity');
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill(order);
  const sheet = await ticket.review();
  await controls(practice, '/faults', { endpoint: 'order', action: 'truncated', accept: true });
  // Nothing can be concluded while the history fails: time for another client's identical order.
  await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await sheet.send();
  expect(await sheet.outcome()).toBe('unknown');
  await sheet.done();
  const other = createClient({
    baseUrl: practice.url,
    credentials: practice.credentials,
    signing: 'practice',
    clock: { now: () => Date.now() },
  });
  const placed = await other.placeOrder({
    symbolId: SYMBOL,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: order.quantity,
    price: order.price,
  });
  expect(placed.outcome).toBe('accepted');
  await other.close();
  const card = page.getByRole('region', { name: /^Outcome unknown/ });
  await expect(card).toContainText('order history could not be read');
  await controls(practice, '/faults', undefined, 'DELETE');
  await card.getByRole('button', { name: 'Check now' }).click();
  await expect(card).toContainText('2 orders have its terms');

  const theirs = placed.outcome === 'accepted' ? String(placed.data) : 'none';
  const mine = card.locator('label.candidate').filter({ hasNotText: theirs });
  await mine.getByRole('radio').check();
  await card.getByLabel(`Type ${SYMBOL}`).fill(SYMBOL);
  await card.getByRole('button', { name: 'This is mine' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Claimed by you/ })).toContainText(SYMBOL);
});

test('killed while the answer was on its way: found after the next start, not sent again', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const ticket = new Ticket(first.page);
  await ticket.choose(SYMBOL);
  await ticket.fill(order);
  const sheet = await ticket.review();
  const before = (await received(practice)).order ?? 0;
  await controls(practice, '/faults', { endpoint: 'order', action: 'delay', accept: true, ms: 14_000 });
  for (const box of await sheet.root.getByRole('checkbox').all()) await box.check({ force: true });
  await first.page.getByTestId('confirm-send').click();
  await expect.poll(async () => (await received(practice)).order).toBe(before + 1);
  await crash(first.app);
  await first.app.waitForEvent('close');

  const second = await launch(profile, practice);
  await goTo(second.page, 'activity');
  await expect(second.page.getByRole('row', { name: /Landed, inferred/ })).toContainText(SYMBOL);
  expect((await received(practice)).order).toBe(before + 1);
  await second.app.close();
});
