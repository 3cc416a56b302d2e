import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, NOW, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture, record, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
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

it('leaves no toast of an order whose end its row has shown', async () => {
  const progress = { id: 'closing-1', connectionId: 'live-1', state: 'sending', rows: 1, sent: 0 } as const;
  const { app, push } = await fixture('live', {
    'orders.reviewBatch': () =>
      done({ review: { token: 'token-1', expiresAt: NOW + 120_000, calls: [], heldBy: [] } }),
    'orders.sendBatch': () => done({ ...progress, stoppedBy: null, startedAt: NOW, closing: true }),
  });
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  app.closePositions.word = 'close all';
  await app.closePositions.send();
  const batch = { id: 'closing-1', row: 0, of: 1, call: 0, closing: true } as const;
  push('intent', record({ id: 'row-0', state: 'rejected', orderId: null, code: '700022', batch }));
  push('batch', { ...progress, state: 'done', sent: 1, stoppedBy: null, startedAt: NOW, closing: true });
  flushSync();
  app.closePositions.close();
  flushSync();
  expect(app.toasts.list).toEqual([]);
});

it('says once more of what is closed which resting orders can open it again', async () => {
  const progress = { id: 'closing-1', connectionId: 'live-1', state: 'sending', rows: 1, sent: 0 } as const;
  const sending = { ...progress, stoppedBy: null, startedAt: NOW, closing: true } as const;
  const { app, accountIs, push } = await fixture('live', {
    'orders.reviewBatch': () =>
      done({ review: { token: 'token-1', expiresAt: NOW + 120_000, calls: [], heldBy: [] } }),
    'orders.sendBatch': () => done(sending),
  });
  accountIs(account([position()]));
  const orders = [openOrder({ reduceOnly: false })];
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed(orders, 2) });
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  const note = (): HTMLElement | null =>
    screen.queryByText(/^1 resting order stays: .* can open a position\.$/);
  expect(note()).toBeTruthy();
  app.closePositions.word = 'close all';
  await app.closePositions.send();
  flushSync();
  expect(note()).toBeNull();
  push('batch', { ...sending, state: 'done', sent: 1 });
  accountIs(account([]));
  flushSync();
  expect(app.closePositions.phase).toBe('over');
  expect(note()).toBeTruthy();
});

it('says that a stop was not heard, until it is', async () => {
  const progress = { id: 'closing-1', connectionId: 'live-1', state: 'sending', rows: 2, sent: 1 } as const;
  const sending = { ...progress, stoppedBy: null, startedAt: NOW, closing: true } as const;
  let stopped: Result<null> = failed({ kind: 'bug', message: 'No reply.', next: 'Press it again.' });
  const { app, push } = await fixture('live', {
    'orders.reviewBatch': () =>
      done({ review: { token: 'token-1', expiresAt: NOW + 120_000, calls: [], heldBy: [] } }),
    'orders.sendBatch': () => done(sending),
    'orders.stopBatch': () => stopped,
  });
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  app.closePositions.word = 'close all';
  await app.closePositions.send();
  flushSync();
  const shown = (): boolean =>
    screen
      .getByTestId('close-positions-status')
      .textContent.includes('Not stopped. No reply. Press it again.');
  const press = async (): Promise<void> => {
    await fireEvent.click(screen.getByRole('button', { name: 'Stop after this one' }));
    await settled();
    flushSync();
  };
  expect(shown()).toBe(false);
  await press();
  expect(shown()).toBe(true);
  stopped = done(null);
  await press();
  expect(shown()).toBe(false);
  expect(screen.getByRole('button', { name: 'Stopping…' })).toBeTruthy();
  push('batch', { ...sending, state: 'stopped' });
  flushSync();
  expect(shown()).toBe(false);
});
