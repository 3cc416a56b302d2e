/** Every field of every record of the exchange API is shown in the window. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, ROOT, SHARED, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';

interface Described {
  readonly records: Readonly<Record<string, readonly { readonly field: string }[]>>;
  readonly openOrderTpSl: readonly string[];
}
/** The exchange API's own tables, copied by a script. */
const described = JSON.parse(
  readFileSync(join(ROOT, 'src-shared', 'exchange-api', 'samples', 'interface-fields.json'), 'utf8'),
) as Described;
const fieldsOf = (record: string): string[] => (described.records[record] ?? []).map((one) => one.field);

/** Names of the API's fields shown under `place`, each with a value or a dash. */
async function shownIn(place: Locator): Promise<string[]> {
  const found = await place
    .locator('[data-field]')
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.textContent.trim() !== '')
        .map((cell) => (cell as HTMLElement).dataset['field'] ?? ''),
    );
  return [...new Set(found)];
}

async function expand(page: Page, table: string, text: string): Promise<Locator> {
  const row = rows(page, table, text).first();
  await row.focus();
  await page.keyboard.press('ArrowRight');
  await expect(row).toHaveAttribute('aria-expanded', 'true');
  return page.getByRole('treegrid', { name: table });
}

/** Checks that all are shown, once they are read. */
async function complete(record: string, wanted: readonly string[], place: Locator): Promise<void> {
  const missing = async (): Promise<string[]> => {
    const shown = await shownIn(place);
    return wanted.filter((name) => !shown.includes(name));
  };
  await expect.poll(missing, `${record}: not shown`).toEqual([]);
}

test('every field of every record', SHARED, async ({ page }) => {
  const main = page.locator('main');
  await test.step('account: totals and assets', async () => {
    await goTo(page, 'overview');
    await complete('asset', fieldsOf('asset'), await expand(page, 'Balances', 'USDT'));
    await complete('totals', fieldsOf('accountTotals'), main);
  });
  await test.step('positions', async () => {
    await goTo(page, 'positions');
    const table = await expand(page, 'Positions', 'SOL-USDT-M');
    await table.getByText(/^All \d+ fields$/).click();
    await expect(table.locator('[data-field="tpSlOrders"]')).toBeVisible();
    await complete('position', fieldsOf('position'), table);
  });
  await test.step('open orders', async () => {
    const tpSl = described.openOrderTpSl.map((name) => `tpSl.${name}`);
    const table = await expand(page, 'Open orders', 'BTC-USDT-M');
    await complete('open order', [...fieldsOf('openOrder'), ...tpSl], table);
  });
  await test.step('order history', async () => {
    await page.getByRole('tab', { name: 'Order history' }).click();
    const table = await expand(page, 'Order history', 'BTC-USDT-M');
    await complete('past order', fieldsOf('orderHistory'), table);
  });
  await test.step('trading pair configuration and risk tiers', async () => {
    await goTo(page, 'risk');
    await expect(main.locator('[data-field="symbolId"]').first()).toBeVisible();
    await complete('configuration', [...fieldsOf('symbolConfig'), ...fieldsOf('riskTier')], main);
  });
  await test.step('trades', async () => {
    // All twelve columns side by side; in a smaller window the chooser shows which are hidden.
    await page.setViewportSize({ width: 2200, height: 900 });
    await goTo(page, 'trades');
    await expect(main.locator('[data-field="tradeId"]').first()).toBeVisible();
    await complete('trade', fieldsOf('trade'), main);
  });
});

test('sets every field of an order request by the ticket', SHARED, async ({ page }) => {
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1', price: '140.00' });
  await ticket.root.getByText('Post-only').click();
  await ticket.root.getByRole('switch', { name: 'Take profit / stop loss' }).click();
  await ticket.root.getByLabel('TP trigger').fill('160.00');
  await ticket.root.getByLabel('TP order price').fill('161.00');
  await ticket.root.getByLabel('SL trigger').fill('136.00');
  await ticket.root.getByLabel('SL order price').fill('135.00');
  const opening = await (await ticket.review()).body();
  await page.keyboard.press('Escape');
  // Reverse is sent only when chosen, and cannot have a take-profit.
  await ticket.root.getByRole('switch', { name: 'Take profit / stop loss' }).click();
  await ticket.root.getByText('Post-only').click();
  await ticket.root.getByText('Reverse', { exact: true }).click();
  await ticket.fill({ side: 'Sell', quantity: '1' });
  const reversing = await (await ticket.review()).body();
  for (const name of [...fieldsOf('orderRequest'), ...fieldsOf('tpSl')])
    expect(opening + reversing).toContain(`"${name}":`);
});

test(
  'offers a time in force for a market order, and a trigger each for take profit and stop loss',
  SHARED,
  async ({ page }) => {
    const ticket = new Ticket(page);
    await ticket.choose('SOL-USDT-M');
    await ticket.root.getByText('Market', { exact: true }).click();
    await ticket.fill({ side: 'Buy', quantity: '1' });
    const plain = await (await ticket.review()).body();
    expect(plain).not.toContain('timeInForce');
    await page.keyboard.press('Escape');
    await ticket.root.getByRole('radio', { name: 'FOK' }).click();
    await ticket.root.getByRole('switch', { name: 'Take profit / stop loss' }).click();
    await ticket.root.getByLabel('Take-profit trigger type').selectOption('LAST_PRICE');
    await ticket.root.getByLabel('TP trigger').fill('200.00');
    await ticket.root.getByLabel('SL trigger').fill('140.00');
    const chosen = await (await ticket.review()).body();
    expect(chosen).toContain('"timeInForce":"FOK"');
    expect(chosen).toContain('"tpTriggerType":"LAST_PRICE"');
    expect(chosen).toContain('"slTriggerType":"MARK_PRICE"');
  },
);
