import { expect, it } from 'vitest';
import { done } from '../../../src-shared/ipc/failures.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { tradeNumber } from '../../../tests/archive/trade-number.ts';

it('learns from trades of a contract that spell it differently', async () => {
  const { app, replies } = await fixture();
  const trade: Trade = { ...tradeNumber(0), symbol: 'SOL_USDT', price: '187.125', executedQty: '1.25' };
  replies['trades.page'] = () => done({ rows: [trade], noted: [], count: 1, stored: 1 });
  expect(app.specs.of('SOL-USDT-M')).toMatchObject({ priceDecimals: null, quantityDecimals: null });
  await app.specs.loadTrades('SOL-USDT-M');
  expect(app.specs.of('SOL-USDT-M')).toMatchObject({ priceDecimals: 3, quantityDecimals: 2 });
});
