import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import CancelPracticeOrder from './CancelPracticeOrder.svelte';

it('shows why an order was not cancelled; once it is, reads the open orders again and closes', async () => {
  const replies = [failed(blockedFailure('It was filled.', '')), done({})];
  const { app, requests } = await fixture('practice', { 'practice.change': () => replies.shift() as never });
  let closed = 0;
  const given = { order: openOrder({ orderId: '7' }), onclose: () => closed++ };
  render(InApp, { app, component: CancelPracticeOrder as never, given });
  const cancel = screen.getByText('Cancel the order');
  await fireEvent.click(cancel);
  expect(requests.at(-1)).toEqual({ name: 'practice.change', input: { do: 'cancel', orderId: '7' } });
  await expect.poll(() => screen.queryByRole('alert', { hidden: true })?.textContent).toBe('It was filled.');
  expect(closed).toBe(0);
  await fireEvent.click(cancel);
  await expect.poll(() => closed).toBe(1);
  expect(requests.at(-1)).toEqual({ name: 'feeds.refresh', input: { name: 'openOrders' } });
});
