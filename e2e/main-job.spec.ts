/** The main job: trade, watch, close, and export every fill as CSV, digit for digit. */
import type { Practice } from '../src-practice/index.ts';
import type { Trade } from '../src-shared/exchange-api/trade.ts';
import { clientOf, controls, expect, test } from './fixture.ts';
import { digits, exportShown, goTo, rows, saveTo, Sheet, Ticket } from './page-objects.ts';
import { rowsOfFile, rowsOfTrades } from './trade-rows.ts';

const SYMBOL = 'SOL-USDT-M';

async function positionOf(practice: Practice, symbolId: string) {
  const client = clientOf(practice);
  const account = await client.account();
  await client.close();
  if (!account.ok) throw new Error(account.failure.message);
  return account.data.positions.find((one) => one.symbolId === symbolId) ?? null;
}

test('trade, close and export', async ({ page, practice, ballast }) => {
  const ticket = new Ticket(page);
  await goTo(page, 'positions');
  const before = await positionOf(practice, SYMBOL);
  expect(before?.quantity).toBe('32.0');

  await test.step('a limit order rests and is listed', async () => {
    await ticket.choose(SYMBOL);
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    const sheet = await ticket.review();
    expect(await sheet.body()).toContain('"quantity":1.5,"price":138.50');
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    const id = await sheet.orderId();
    await sheet.done();
    await expect(rows(page, 'Open orders', id ?? 'none')).toContainText('138.50');
  });

  await test.step('a market order fills', async () => {
    await ticket.fill({ side: 'Buy', quantity: '8' });
    const sheet = await ticket.review();
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('40.0');
  });

  await test.step('the position shows the liquidation price of the exchange', async () => {
    const liquidation = (await positionOf(practice, SYMBOL))?.liquidPrice ?? '';
    expect(liquidation).toMatch(/^[1-9]/);
    const cell = rows(page, 'Positions', SYMBOL).first().locator('[data-field="liquidPrice"]');
    await expect.poll(async () => digits(await cell.textContent())).toContain(liquidation);
  });

  await test.step('close half', async () => {
    await rows(page, 'Positions', SYMBOL).first().getByRole('button', { name: /Close/ }).click();
    const close = page.getByTestId('close-sheet');
    await close.getByText('Market, part', { exact: true }).click();
    await close.getByRole('button', { name: '50%' }).click();
    await page.getByTestId('close-review').click();
    const sheet = new Sheet(page);
    expect(await sheet.body()).toMatch(/"quantity":20(\.0)?,"reduceOnly":true/);
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('20.0');
  });

  await test.step('close all of it, without a quantity in the bytes', async () => {
    await rows(page, 'Positions', SYMBOL).first().getByRole('button', { name: /Close/ }).click();
    await page.getByTestId('close-review').click();
    const sheet = new Sheet(page);
    const body = await sheet.body();
    expect(body).toContain('"reduceOnly":true');
    expect(body).not.toContain('quantity');
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    await expect(rows(page, 'Positions', SYMBOL)).toHaveCount(0);
    expect(await positionOf(practice, SYMBOL)).toBeNull();
  });

  const wanted = (await controls(practice, '/trades')) as Trade[];

  await test.step('the trade log lists every fill', async () => {
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
      `Trades ${wanted.length}`,
    );
    const state = (await controls(practice, '/state')) as { received: Record<string, number> };
    expect(state.received['order']).toBe(4);
  });

  await test.step('the exported CSV is the exchange’s own list, digit for digit', async () => {
    const path = await saveTo(ballast, 'trades.csv');
    await exportShown(page, 'trades.csv');
    expect(await rowsOfFile(path)).toEqual(rowsOfTrades(wanted));
  });
});
