/** A new user can lose the practice account by a price shock, and see that all figures add up. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { add, amount, multiply, print, subtract } from '../src-shared/amount.ts';
import { expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

/** A figure as received, which grouped digits have as their title. */
async function figure(within: Locator): Promise<string> {
  const text = await within.locator('.amount').first().getAttribute('title');
  if (text === null) throw new Error('no figure there');
  return text;
}

const field = (row: Locator, name: string): Locator => row.locator(`[data-field="${name}"]`);

test('cancels orders, grants funds, liquidates by a price shock, and restarts the account with other habits', async ({
  profile,
}) => {
  // The app's own exchange, as a new user has it.
  const { app, page } = await launch(profile, null);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();

  await goTo(page, 'settings');
  const pane = page.getByRole('region', { name: 'Practice controls' });
  // Stops its clock, so that nothing else happens meanwhile.
  await pane.getByRole('radio', { name: 'Stopped' }).click();

  await test.step('an open order can be cancelled and funds granted, as by the exchange itself', async () => {
    const cancels = pane.getByRole('button', { name: /^Cancel (BUY|SELL) / });
    await expect(cancels).toHaveCount(2);
    const name = (await cancels.first().getAttribute('aria-label')) ?? '';
    await cancels.first().click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this practice order?' });
    await dialog.getByRole('button', { name: 'Keep the order' }).click();
    await expect(cancels).toHaveCount(2);
    await cancels.first().click();
    await dialog.getByRole('button', { name: 'Cancel the order' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(cancels).toHaveCount(1);
    await expect(pane.getByRole('button', { name })).toHaveCount(0);

    await goTo(page, 'positions');
    await rows(page, 'Open orders', '-M').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Cancel…' }).click();
    await dialog.getByRole('button', { name: 'Cancel the order' }).click();
    await expect(page.getByText('No open orders')).toBeVisible();
    await goTo(page, 'settings');
    await expect(pane.getByText('No open orders on the practice exchange.')).toBeVisible();

    await pane.getByLabel('Coin', { exact: true }).selectOption('ETH');
    await pane.getByLabel('Amount', { exact: true }).fill('2.5');
    await pane.getByRole('button', { name: 'Grant trial funds' }).click();
    const balances = pane.getByRole('region', { name: 'Balances' });
    await expect(balances.getByRole('status')).toContainText(/ETH balance/);
  });

  const usdt = pane.getByRole('row').filter({ hasText: 'USDT' }).first().getByRole('cell').nth(1);
  const before = await figure(usdt);
  await pane.getByLabel('Contract', { exact: true }).selectOption('SOL-USDT-M');
  await pane.getByLabel('Move in percent').fill('-20');
  await pane.getByRole('button', { name: 'Move the price' }).click();
  await expect.poll(() => figure(usdt)).not.toBe(before);
  const after = await figure(usdt);

  // The order in the window: source 2, the whole position, its fee and its loss.
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Order history' }).click();
  const order = rows(page, 'Order history', 'SOL-USDT-M').first();
  await expect(order).toContainText(/liquidation/i);
  await order.getByRole('button', { name: 'Show details' }).click();
  const details = page.locator('.details').first();
  await expect(field(details, 'source')).toContainText('2');
  const loss = await figure(field(details, 'profit'));
  const fee = await figure(field(details, 'feeAmount'));
  const filled = await figure(field(details, 'tradeQuantity'));
  expect(filled).toBe('32.0');
  expect(print(subtract(add(amount(before), amount(loss)), amount(fee)))).toBe(after);

  // Its one trade: the same quantity, price and fee, the taker's rate of the value, up to the atom.
  const price = await figure(field(details, 'avgPrice'));
  const rate = await figure(field(details, 'feeRateTaker'));
  await goTo(page, 'trades');
  const trade = page.getByRole('row').filter({ hasText: 'SOL-USDT-M' }).first();
  // A cell of the log has the received text as its title under the pointer.
  const cellTitle = async (name: string): Promise<string> => {
    await field(trade, name).hover();
    return (await field(trade, name).getAttribute('title')) ?? '';
  };
  await expect.poll(() => cellTitle('fee')).toBe(fee);
  await expect.poll(() => cellTitle('executedQty')).toBe(filled);
  await expect.poll(() => cellTitle('price')).not.toBe('');
  expect(amount(await cellTitle('price')).eq(amount(price))).toBe(true);
  const value = multiply(amount(filled), amount(price));
  const short = subtract(amount(fee), multiply(value, amount(rate)));
  expect(short.gte('0') && short.lt('0.00000001')).toBe(true);

  // As a scheduled export leaves it.
  const exported = join(profile, 'exports', 'practice-of-this-account.sqlite');
  mkdirSync(join(profile, 'exports'), { recursive: true });
  writeFileSync(exported, '');

  await goTo(page, 'settings');
  await pane.getByRole('button', { name: 'Reset account…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset account' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByTestId('liquidation-banner')).toHaveCount(0);
  await expect.poll(() => existsSync(exported)).toBe(false);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toContainText('32.0');

  await test.step('practice restarts with the habits of another exchange', async () => {
    await goTo(page, 'settings');
    const habits = pane.getByRole('region', { name: 'Exchange habits' });
    await habits.getByText(/^0 of \d\d differ from the default$/).click();
    const restart = habits.getByRole('button', { name: 'Restart practice…' });
    await expect(restart).toBeDisabled();
    await habits.getByLabel('How contracts are spelled.').selectOption('underscore');
    await expect(habits.getByText('BTC_1-USDT-M.')).toBeVisible();
    await habits.getByLabel('Names of the two trigger types').selectOption('market-fair');
    await expect(habits.getByRole('status')).toContainText('2 changed. Restart to apply.');

    await restart.click();
    const dialog = page.getByRole('dialog', { name: 'Restart practice with these habits?' });
    await expect(dialog).toContainText('upper → underscore');
    await expect(dialog).toContainText('notes and alerts of the practice account are deleted');
    await dialog.getByRole('button', { name: 'Restart practice' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(habits.getByText(/^2 of \d+ differ from the default$/)).toBeVisible();
    await expect(page.getByText('MARKET_PRICE, FAIR_PRICE')).toBeVisible();
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', 'SOL_1-USDT-M').first()).toContainText('32.0');
  });
  await app.close();

  await test.step('habits and account are restored at the next start', async () => {
    const again = await launch(profile, null);
    await goTo(again.page, 'positions');
    await expect(rows(again.page, 'Positions', 'SOL_1-USDT-M').first()).toContainText('32.0');
    await goTo(again.page, 'settings');
    await expect(again.page.getByText('MARKET_PRICE, FAIR_PRICE')).toBeVisible();
    await again.app.close();
  });
});
