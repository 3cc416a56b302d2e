/**
 * An exchange whose liquidation price differs from the estimate by its own fields: shown at the position, never
 * hidden.
 */
import { Engine } from '../src-practice/engine/engine.ts';
import type { ReadEndpoint } from '../src-shared/exchange-api/endpoints.ts';
import { beside } from './accounts.ts';
import { changeSettings, expect, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

/** The practice exchange's replies at a moment, with one position's liquidation price 2 % lower. */
function replies(symbolId: string): Record<ReadEndpoint, string> {
  const now = Date.now();
  const engine = new Engine({
    seed: 7,
    start: now,
    history: 120,
    convention: 'flat',
    order: 'desc',
    contracts: 13,
  });
  const account = JSON.parse(engine.account(now)) as {
    positions: { symbolId: string; liquidPrice: string }[];
  };
  const wrong = account.positions.find((one) => one.symbolId === symbolId)!;
  wrong.liquidPrice = (parseFloat(wrong.liquidPrice) * 0.98).toFixed(2);
  return {
    account: JSON.stringify(account),
    openOrders: engine.openOrders(now, { limit: 1000 }),
    orderHistory: engine.orderHistory(now, { limit: 1000 }),
    symbolConfig: engine.symbolConfig(now),
    trades: engine.trades(now, { page: 0, pageSize: 1000 }),
  };
}

test('tags a liquidation price that differs from the estimate, unless the limit allows it', async ({
  profile,
}) => {
  const exchange = await startScripted();
  for (const [endpoint, data] of Object.entries(replies('SOL-USDT-M')))
    exchange.answer(endpoint as ReadEndpoint, `{"code":"0","msg":"success","success":true,"data":${data}}`);
  const { app, page } = await beside(exchange, profile);
  await goTo(page, 'positions');
  const tagged = rows(page, 'Positions', 'Differs from the estimate');
  await expect(tagged).toHaveCount(1);
  await expect(tagged).toContainText('SOL-USDT-M');
  await expect(tagged).toContainText('Differs from the estimate: Liquidation price +2.0');

  await goTo(page, 'risk');
  await page.getByRole('option', { name: /SOL-USDT-M/ }).click();
  const worded = page.locator('main').getByText(/Liquidation price \+2\.0\d+%/);
  await expect(worded).toBeVisible();
  await page.getByRole('option', { name: /ETH-USDT-M/ }).click();
  await expect(worded).toHaveCount(0);

  await changeSettings(page, { risk: { divergencePercent: '3', betas: {} } });
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
  await expect(tagged).toHaveCount(0);
  await app.close();
  await exchange.stop();
});
