import { expect, it } from 'vitest';
import { done } from '../../../src-shared/ipc/failures.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { quoteValue } from '../../../src-shared/domain/position/metrics.ts';
import { pastOrder, position } from '../../../tests/domain/order-samples.ts';
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

it('estimates by an order history that arrives while the account stays as it is', async () => {
  const { app, push } = await fixture();
  const taker = (): string | null | undefined => app.fit.context?.specs('BTC-USDT-M').feeRateTaker;
  expect(taker()).toBe('0.0005');
  const { feed } = app.feeds.history;
  const value = (feed.value ?? []).map((one) => ({ ...one, feeRateTaker: '0.002' }));
  push('feed', {
    connectionId: 'live-1',
    name: 'history',
    feed: { ...feed, serial: feed.serial + 1, value },
  });
  expect(taker()).toBe('0.002');
});

it('has the multiplier that fees show for a position whose entry value shows none, as for an order', async () => {
  const { app, push } = await fixture();
  const give = (name: 'account' | 'history', value: unknown): void => {
    const { feed } = app.feeds[name];
    push('feed', {
      connectionId: 'live-1',
      name,
      feed: { ...feed, serial: feed.serial + 1, value } as never,
    });
  };
  const prices = { avgEntryPrice: '50000.0', markPrice: '51860.0' };
  const atMark = position({ ...prices, quantity: '2', entryValue: '1037200.00' });
  give('account', { ...app.feeds.account.value, positions: [atMark] });
  const paid = {
    type: 'MARKET',
    tradeQuantity: '2',
    avgPrice: '50000.0',
    feeAmount: '500',
    feeAssetId: 'USDT',
  };
  give('history', [pastOrder({ ...paid, feeRateMaker: '0.0002', feeRateTaker: '0.0005' })]);
  const { symbolId } = atMark;
  const multiplier = app.specs.multiplier(symbolId);
  expect([app.specs.of(symbolId).multiplier, multiplier]).toEqual(['10', '10']);
  expect(quoteValue(atMark, app.feeds.contractBySymbol.get(symbolId), multiplier)).toBe('1037200');
});
