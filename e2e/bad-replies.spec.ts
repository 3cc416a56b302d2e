/**
 * What an exchange gets wrong: the window names the field and the way out, the last values stay and are marked,
 * what was typed is still there, and nothing is sent.
 */
import { expect, launch, test as base, type Ballast } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';
import { replaced, startScripted, type ScriptedExchange } from './scripted-exchange.ts';

const test = base.extend<{ scripted: ScriptedExchange; beside: () => Promise<Ballast> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  scripted: async ({}, use) => {
    const scripted = await startScripted();
    await use(scripted);
    await scripted.stop();
  },
  /** The app beside the scripted exchange, started when the test asks. */
  beside: async ({ scripted, profile }, use) => {
    let ballast: Ballast | null = null;
    await use(async () => {
      const line = JSON.stringify({ url: scripted.url, key: 'key', secret: 'secret' });
      ballast = await launch(profile, null, { BALLAST_PRACTICE: line });
      return ballast;
    });
    await (ballast as Ballast | null)?.app.close();
  },
});

const EQUITY = '"available": "98830.40474816"';
const FORTY = '1234567890123456789012345678901234567890';

test('an account that cannot be read', async ({ scripted, beside }) => {
  const good = scripted.reply('account');
  const { page } = await beside();
  const ticket = new Ticket(page);
  const banner = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'cannot be read' });
  const usdt = rows(page, 'Balances', 'USDT').first();
  await expect(usdt).toContainText('98,830.40474816');
  await ticket.fill({ side: 'Buy', quantity: '0.010', price: '64000.0' });

  const wrong: readonly (readonly [what: string, reply: string, said: RegExp])[] = [
    [
      'a record lacking a field',
      replaced(good, `${EQUITY},`, ''),
      /data\.assets\[0\]\.available: expected plain decimal text, received nothing/,
    ],
    [
      'a comma',
      replaced(good, '98830.40474816', '98830,40'),
      /assets\[0\]\.available: .*received "98830,40"/,
    ],
    [
      'an exponent',
      replaced(good, '98830.40474816', '9.883E4'),
      /assets\[0\]\.available: .*received "9\.883E4"/,
    ],
    ['40 digits', replaced(good, '98830.40474816', FORTY), /assets\[0\]\.available: .*received "1234567890/],
    ['no data', '{"code":"0","msg":"success","success":true}', /an envelope without “data”/],
    ['half of it', good.slice(0, good.length / 2), /The answer breaks the interface: /],
    ['a web page', '<!doctype html><title>Gateway</title>', /a web page instead of JSON.*Check the base URL/],
  ];
  for (const [what, reply, said] of wrong) {
    await test.step(what, async () => {
      scripted.answer('account', reply);
      if (await banner.isVisible()) await banner.getByRole('button', { name: 'Retry' }).click();
      await expect(banner).toContainText(said);
      await expect(banner).toContainText(/heck the base URL/);
      await expect(banner).toContainText('The last values stay below, marked as old. Sending is off.');
      await expect(usdt).toContainText('98,830.40474816');
      await expect(page.locator('main .is-stale').first()).toBeVisible();
      await expect(page.getByTestId('ticket-review')).toBeDisabled();
      await expect(page.getByTestId('ticket-review')).toHaveText('The account data is too old to trade on');
      await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('0.010');
      await expect(ticket.root.getByLabel('Price', { exact: true })).toHaveValue('64000.0');
    });
  }

  await test.step('a good answer ends it', async () => {
    scripted.answer('account', null);
    await banner.getByRole('button', { name: 'Retry' }).click();
    await expect(banner).toBeHidden();
    await expect(page.locator('main .is-stale')).toHaveCount(0);
    await expect(page.getByTestId('ticket-review')).not.toHaveText(/too old/);
  });
  expect(scripted.posts()).toBe(0);
});

test('lists that cannot be read', async ({ scripted, beside }) => {
  const without = (endpoint: 'openOrders' | 'orderHistory' | 'symbolConfig' | 'trades', part: string): void =>
    scripted.answer(endpoint, replaced(scripted.reply(endpoint), part, '"other": '));
  without('openOrders', '"avgPrice": ');
  without('orderHistory', '"cancelAmount": ');
  without('symbolConfig', '"contractType": ');
  without('trades', '"liquidity": ');
  const { page } = await beside();

  await goTo(page, 'positions');
  const main = page.locator('main');
  await expect(main).toContainText(/data\[0\]\.avgPrice: .*received nothing.*Check the base URL/);
  await page.getByRole('tab', { name: 'Order history' }).click();
  await expect(main).toContainText(/data\[0\]\.cancelAmount: .*received nothing.*Check the base URL/);
  await goTo(page, 'risk');
  await expect(main).toContainText(/data\[0\]\.contractType: .*received nothing.*Check the base URL/);
  await goTo(page, 'trades');
  await expect(main).toContainText(/data\.data\[0\]\.liquidity: .*received nothing/);
  expect(scripted.posts()).toBe(0);
});

test('a held contract that is not in the configuration', async ({ scripted, beside }) => {
  scripted.answer('symbolConfig', scripted.reply('symbolConfig').replaceAll('BTC-USDT-M', 'XYZ-USDT-M'));
  const { page } = await beside();
  const said = /BTC-USDT-M is not in the exchange's list of contracts\. .*on the exchange's own page/;

  await goTo(page, 'positions');
  await rows(page, 'Positions', 'BTC-USDT-M').first().getByRole('button', { name: /Close/ }).click();
  await expect(page.getByTestId('close-sheet')).toContainText(said);
  await expect(page.getByTestId('close-review')).toBeDisabled();
  expect(scripted.posts()).toBe(0);
});
