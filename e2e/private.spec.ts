/** Hidden amounts: no figure of the account is left anywhere in the window, in text, titles, names or fields. */
import type { Page } from '@playwright/test';
import type { Feeds } from '../src-shared/ipc/feeds.ts';
import { beside } from './accounts.ts';
import { callBridge, changeSettings, expect, test } from './fixture.ts';
import { goTo, rows, Sheet } from './page-objects.ts';
import { GATEWAY, sendOne } from './screen-states.ts';
import { startScripted } from './scripted-exchange.ts';

/** The quantity of the sent order. */
const SENT = '0.001';
const NO_AMOUNT = /price|rate|leverage|id$|time|symbol|level/i;

/** Every amount in the records, as received. */
function amountsIn(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => amountsIn(one, key));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => amountsIn(one, name));
  const isAmount = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && !NO_AMOUNT.test(key);
  // Two digits may be anything: a count, an age.
  return isAmount && /[1-9]/.test(value) && value.replace(/\D/g, '').length > 2
    ? [value.replace('-', '')]
    : [];
}

/** All text of the page: hidden text, attributes that are read out, fields that can be read. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const parts = [document.body.innerText];
    for (const one of document.body.querySelectorAll('*')) {
      parts.push(one.textContent);
      for (const name of ['title', 'aria-label', 'aria-valuetext', 'aria-description', 'placeholder'])
        parts.push(one.getAttribute(name) ?? '');
      if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement)
        if (one.closest('[data-testid="ticket"]') === null)
          parts.push(
            getComputedStyle(one).getPropertyValue('-webkit-text-security') === 'disc' ? '' : one.value,
          );
    }
    return parts.join('\n').replaceAll(/(?<=\d)[,\u2009](?=\d)/g, '');
  });

async function found(page: Page, amounts: readonly string[]): Promise<string[]> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  const text = await textOf(page);
  return amounts.filter((one) => new RegExp(`(?<![\\d.])${one.replace('.', '\\.')}(?!\\d)`).test(text));
}

test('shows no hidden amount anywhere', async ({ profile }) => {
  const exchange = await startScripted();
  exchange.answer('placeOrder', GATEWAY);
  const { app, page } = await beside(exchange, profile);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.locator('[data-field="totalEquities"]').first()).toBeVisible();
  await sendOne(page);
  await new Sheet(page).done();
  await expect(page.getByRole('log', { name: 'Orders' })).toContainText(SENT);
  const { account, openOrders, history } = await callBridge<Feeds>(page, 'feeds.get');
  const amounts = [
    ...new Set([SENT, ...[account, openOrders, history].flatMap((one) => amountsIn(one.value))]),
  ];

  const places: Readonly<Record<string, () => Promise<void>>> = {
    overview: () => goTo(page, 'overview'),
    ...Object.fromEntries(
      ['Calendar', 'Statistics', 'By contract'].map((name) => [
        `overview, ${name}`,
        () => page.getByRole('tab', { name }).click(),
      ]),
    ),
    positions: () => goTo(page, 'positions'),
    'positions, expanded': async () => {
      await rows(page, 'Positions', 'BTC-USDT-M').first().focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('button', { name: 'Compare' }).click();
    },
    'positions, an order': async () => {
      await rows(page, 'Open orders', 'DOGE-USDT-M').first().focus();
      await page.keyboard.press('ArrowRight');
    },
    'positions, order history': () => page.getByRole('tab', { name: 'Order history' }).click(),
    'positions, journal': () => page.getByRole('tab', { name: 'Journal' }).click(),
    risk: () => goTo(page, 'risk'),
    'risk, price shock': () => page.getByRole('tab', { name: 'Price shock' }).click(),
    trades: () => goTo(page, 'trades'),
    ...Object.fromEntries(
      ['Day', 'Contract', 'Tag', 'Order', 'Round trip'].map((name) => [
        `trades, ${name}`,
        () => page.getByRole('radiogroup', { name: 'Group by' }).getByText(name, { exact: true }).click(),
      ]),
    ),
    batch: () => goTo(page, 'batch'),
    activity: async () => {
      await goTo(page, 'activity');
      await rows(page, 'Journal', 'BTC-USDT-M').first().focus();
      await page.keyboard.press('ArrowRight');
    },
    portfolio: () => goTo(page, 'portfolio'),
    alerts: () => goTo(page, 'alerts'),
    settings: () => goTo(page, 'settings'),
  };

  const visible: string[] = [];
  const left: Record<string, readonly string[]> = {};
  for (const privacy of [false, true]) {
    await changeSettings(page, { privacy });
    // The ticket keeps the typed values, since they have to be read before sending.
    await goTo(page, 'overview');
    if (privacy) await page.getByTestId('ticket').getByLabel('Size', { exact: true }).fill('');
    for (const [place, go] of Object.entries(places)) {
      await go();
      const here = await found(page, amounts);
      if (!privacy) visible.push(...here);
      else if (here.length > 0) left[place] = here;
    }
  }
  expect(left).toEqual({});
  // The search works while amounts are shown: most fields of the account, the sent order.
  expect(visible).toContain(SENT);
  expect(new Set(visible).size).toBeGreaterThan(40);
  await app.close();
  await exchange.stop();
});
