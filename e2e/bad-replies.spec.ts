/**
 * Wrong replies of an exchange. An unreadable figure loses that figure, a record its row. For a broken reply the
 * window names the error and the way out, marks the last values as old, keeps typed text, and sends nothing.
 */
import type { ReadEndpoint } from '../src-shared/exchange-api/endpoints.ts';
import { beside } from './accounts.ts';
import { callBridge, expect, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';
import { replaced, startScripted } from './scripted-exchange.ts';

const AVAILABLE = '98830.40474816';

test('names each wrong reply with the way out, and keeps the last values', async ({ profile }) => {
  const scripted = await startScripted();
  const without = (endpoint: ReadEndpoint, part: string): void =>
    scripted.answer(endpoint, replaced(scripted.reply(endpoint), part, '"other": '));
  without('openOrders', '"orderId": ');
  without('orderHistory', '"cancelAmount": ');
  without('symbolConfig', '"contractType": ');
  without('trades', '"fee": ');
  const { app, page } = await beside(scripted, profile);

  await test.step('a missing field loses that field, a missing id that record', async () => {
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
      '1 not in the sums',
    );
    await goTo(page, 'positions');
    const orders = JSON.parse(scripted.reply('openOrders')) as { data: readonly unknown[] };
    await expect(page.getByRole('tab', { name: /^Open orders/ })).toContainText(
      String(orders.data.length - 1),
    );
    const records = page.getByTestId('unreadable-records');
    await expect(records).toContainText('1 record of this list cannot be read');
    await records.getByText('Show as received').click();
    await expect(records).toContainText(/data\[0\]\.orderId: .*received nothing/);
    await page.getByRole('tab', { name: 'Order history' }).click();
    await expect(page.getByRole('treegrid', { name: 'Order history' }).getByRole('row')).not.toHaveCount(1);
    await expect(records).toHaveCount(0);
    await page.getByRole('tab', { name: /^Open orders/ }).click();
  });

  await test.step('a held contract that is not in the configuration', async () => {
    scripted.answer('symbolConfig', scripted.reply('symbolConfig').replaceAll('BTC-USDT-M', 'XYZ-USDT-M'));
    await callBridge(page, 'feeds.refresh', { name: 'contracts' });
    await rows(page, 'Positions', 'BTC-USDT-M').first().getByRole('button', { name: /Close/ }).click();
    const sheet = page.getByTestId('close-sheet');
    await expect(sheet).toContainText(
      /BTC-USDT-M is not in the exchange’s list of contracts\. .*on the exchange’s website/,
    );
    await expect(page.getByTestId('close-review')).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  });

  scripted.answer('symbolConfig', null);
  await callBridge(page, 'feeds.refresh', { name: 'contracts' });
  await goTo(page, 'overview');
  const good = scripted.reply('account');
  const ticket = new Ticket(page);
  const banner = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'cannot be read' });
  const usdt = rows(page, 'Balances', 'USDT').first();
  await expect(usdt).toContainText('98,830.40474816');
  await ticket.fill({ side: 'Buy', quantity: '0.010', price: '64000.0' });

  const figures: readonly (readonly [what: string, reply: string, shown: string])[] = [
    ['missing', replaced(good, `"available": "${AVAILABLE}",`, ''), '—'],
    ['with a comma', replaced(good, AVAILABLE, '98830,40'), '98830,40'],
    ['with an exponent', replaced(good, AVAILABLE, '9.883E4'), '98,830'],
    ['of 40 digits', replaced(good, AVAILABLE, '1234567890'.repeat(4)), '1,234,567,890,123'],
  ];
  for (const [what, reply, shown] of figures)
    await test.step(`a figure ${what}`, async () => {
      scripted.answer('account', reply);
      await callBridge(page, 'feeds.refresh', { name: 'account' });
      await expect(usdt.locator('[data-field="available"]')).toContainText(shown);
      await expect(banner).toBeHidden();
      await expect(page.locator('main .is-stale')).toHaveCount(0);
      await expect(page.getByTestId('ticket-review')).not.toHaveText(/too old/);
    });

  scripted.answer('account', good);
  await callBridge(page, 'feeds.refresh', { name: 'account' });
  await expect(usdt).toContainText('98,830.40474816');

  const wrong: readonly (readonly [what: string, reply: string, message: RegExp])[] = [
    ['no data', '{"code":"0","msg":"success","success":true}', /a reply without “data”/],
    ['half of it', good.slice(0, good.length / 2), /The reply does not match the exchange API: /],
    ['a web page', '<!doctype html><title>Gateway</title>', /a web page instead of JSON.*Check the base URL/],
  ];
  for (const [what, reply, message] of wrong) {
    await test.step(what, async () => {
      scripted.answer('account', reply);
      if (await banner.isVisible()) await banner.getByRole('button', { name: 'Retry' }).click();
      await expect(banner).toContainText(message);
      await expect(banner).toContainText(/heck the base URL/);
      await expect(banner).toContainText('The values below are old and marked as such. Trading is off.');
      await expect(usdt).toContainText('98,830.40474816');
      await expect(page.locator('main .is-stale').first()).toBeVisible();
      await expect(page.getByTestId('ticket-review')).toBeDisabled();
      await expect(page.getByTestId('ticket-review')).toHaveText('The account data is too old to trade on');
      await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('0.010');
      await expect(ticket.root.getByLabel('Price', { exact: true })).toHaveValue('64000.0');
    });
  }

  await test.step('a valid reply clears the error', async () => {
    scripted.answer('account', null);
    // As Retry does (banners.svelte.test.ts): a poll may clear the error before the button is pressed.
    await callBridge(page, 'feeds.refresh', { name: 'account' });
    await expect(banner).toBeHidden();
    await expect(page.locator('main .is-stale')).toHaveCount(0);
    await expect(page.getByTestId('ticket-review')).not.toHaveText(/too old/);
  });
  expect(scripted.posts()).toBe(0);
  await app.close();
  await scripted.stop();
});
