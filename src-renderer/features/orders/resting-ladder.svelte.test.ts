import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { account, INVERSE, LINEAR, NOW, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { Ladder } from './resting-ladder.svelte.ts';
import RestingLadder from './RestingLadder.svelte';

it.each([
  ['without a position', [], 'No mark: only positions carry one, and you hold none in this contract.'],
  [
    'of a position',
    [position({ markPrice: null, lastPrice: null, profitUnreal: null })],
    'No mark: the exchange sent none with your position.',
  ],
] as const)('says why there is no mark: %s', async (_, positions, text) => {
  const { app, accountIs } = await fixture();
  accountIs(account(positions));
  render(InApp, { app, component: RestingLadder, given: { preferred: 'BTC-USDT-M' } });
  await settled();
  expect(await screen.findByText(text)).toBeDefined();
});

const READ = { receivedAt: NOW, age: 0, latencyMs: 80, failure: null, failingSince: null, serial: 9 };

it('shows what one contract would fill at a price for no other contract', async () => {
  const { app, push } = await fixture();
  const orders = [LINEAR, INVERSE].map(({ symbolId }, n) =>
    openOrder({ symbolId, orderId: String(n + 1), reduceOnly: false, side: 'BUY' }),
  );
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: { ...READ, value: orders } });
  let ladder: Ladder | undefined;
  const stop = $effect.root(() => {
    ladder = new Ladder(app, '');
  });
  onTestFinished(stop);
  const show = (symbolId: string): void => {
    app.navigation.symbol = symbolId;
    flushSync();
  };
  ladder!.typed = '50000';
  show(LINEAR.symbolId);
  expect(ladder!.reached).toMatchObject({ price: '50000', filled: 1 });
  // From here on each step takes longer than a slice may, once the levels are there.
  let now = app.clock.time.now();
  vi.spyOn(app.clock.time, 'now').mockImplementation(() =>
    ladder?.levels?.symbolId === INVERSE.symbolId ? (now += 1_000) : now,
  );
  show(INVERSE.symbolId);
  expect([ladder!.levels?.symbolId, ladder!.price, ladder!.reached]).toEqual([
    INVERSE.symbolId,
    '50000',
    null,
  ]);
});
