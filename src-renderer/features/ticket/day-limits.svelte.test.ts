import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { NO_DAY_LIMITS } from '../../../tests/renderer/day-state.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DayLimits from './DayLimits.svelte';

it('counts the resting orders that can still open a position although a limit is reached', async () => {
  const { app, push } = await fixture();
  push('day', { ...NO_DAY_LIMITS, limits: { loss: null, orders: 3 }, sent: 3 });
  const orders = [false, true, false].map((reduceOnly, index) =>
    openOrder({ orderId: String(index), reduceOnly }),
  );
  push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed(orders, 9) });
  render(InApp, { app, component: DayLimits });
  flushSync();
  expect(screen.getByTestId('ticket-day').textContent.replace(/\s+/g, ' ')).toContain(
    '2 resting orders can still open or increase a position: cancel them on the exchange’s website.',
  );
});
