import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { done } from '../../../src-shared/ipc/failures.ts';
import ClosePositionsSheet from './ClosePositionsSheet.svelte';

it('shows what a part closes: its size, its PnL, and the orders of its contracts that can open it again', async () => {
  const { app, accountIs, push } = await fixture('live', {
    'orders.reviewBatch': () => done({ faults: [] }),
  });
  accountIs(account([position({ quantity: '2.000', profitUnreal: '-50.5' })]));
  const orders = ['BTC-USDT-M', 'DOGE-USDT-M', 'DOGE-USDT-M', 'BTC-USDT-M'].map((symbolId, index) =>
    openOrder({ symbolId, orderId: String(index), reduceOnly: index === 3 }),
  );
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed(orders, 2) });
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  const sheet = (): string => screen.getByTestId('close-positions').textContent.replaceAll(/\s+/g, ' ');
  expect(sheet()).toContain('2.000BTC');
  expect(sheet()).toContain('Unrealised −50.5');
  expect(sheet()).toContain('3 resting orders stay');
  expect(screen.getAllByTestId('slippage-note')).toHaveLength(1);
  app.closePositions.part = '25';
  flushSync();
  expect(sheet()).toContain('0.500BTC of 2.000');
  expect(sheet()).toContain('Unrealised ≈ −12.6');
  app.closePositions.word = 'close 1';
  await app.closePositions.send();
  flushSync();
  expect(sheet()).toContain('0.500BTC of 2.000');
});

it('counts only the resting orders of what it closes, where something else stays open', async () => {
  const { app, accountIs, push } = await fixture();
  accountIs(account([position(), position({ symbolId: 'BTC-USD-M', positionId: '2' })]));
  const orders = ['BTC-USDT-M', 'DOGE-USDT-M'].map((symbolId) =>
    openOrder({ symbolId, orderId: symbolId, reduceOnly: false }),
  );
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed(orders, 2) });
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  expect(screen.getByTestId('close-positions').textContent).toContain('2 resting orders stay');
  app.closePositions.tick('BTC-USD-M BUY 2', false);
  flushSync();
  expect(screen.getByTestId('close-positions').textContent).toContain('1 resting order stays');
});
