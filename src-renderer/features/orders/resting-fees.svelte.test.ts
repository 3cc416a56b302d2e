import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { Feed } from '../../../src-shared/ipc/feeds.ts';
import { NOW, openOrder } from '../../../tests/domain/order-samples.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import RestingExposure from './RestingExposure.svelte';
import RestingLadder from './RestingLadder.svelte';

// The fixture's history has a fee of BTC-USDT-M only.
it.each([
  ['BTC-USDT-M', 'Cum. margin + fees', null],
  ['BTC-USD-M', 'Cum. margin, no fees', 'without fees of BTC-USD-M: rate not known'],
])('says whether the margin for resting orders of %s includes fees', async (symbolId, head, note) => {
  const { app, push } = await fixture();
  const value: readonly OpenOrder[] = [
    openOrder({ symbolId, side: 'BUY', price: '90000', reduceOnly: false }),
  ];
  const feed: Feed<readonly OpenOrder[]> = {
    ...{ value, receivedAt: NOW, age: 0, latencyMs: 80, failure: null, failingSince: null, serial: 99 },
  };
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed });
  render(InApp, { app, component: RestingLadder, given: { preferred: symbolId } });
  render(InApp, { app, component: RestingExposure });
  await settled();
  expect(await screen.findByRole('columnheader', { name: head })).toBeDefined();
  const table = await screen.findByTestId('resting-exposure');
  await fireEvent.click(within(table).getByText('If resting orders fill'));
  expect(await within(table).findByText('Margin and fees of the orders')).toBeDefined();
  expect(within(table).queryByText(/^without fees/)?.textContent ?? null).toBe(note);
});
