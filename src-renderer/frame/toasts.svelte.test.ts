import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { pastOrder } from '../../tests/domain/order-samples.ts';
import { blockedFailure } from '../../src-shared/ipc/failures.ts';
import { fixture, record } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { spokenOf } from '../../tests/renderer/spoken.ts';
import OrderToasts from './OrderToasts.svelte';
import Toasts from './Toasts.svelte';

/** Draws the toasts, with those of orders. */
async function withOrders() {
  const opened = await fixture();
  const orders = Promise.resolve(OrderToasts);
  render(InApp, { app: opened.app, component: Toasts, given: { orders } });
  await orders;
  return opened;
}

it('shows every notice that stays, newest first, whatever came after them', async () => {
  const { app, push } = await fixture();
  render(InApp, { app, component: Toasts, given: { orders: new Promise(() => undefined) } });
  for (let n = 1; n <= 8; n++) push('notice', { message: `Lost file ${n}.`, next: '', stays: true });
  for (let n = 1; n <= 20; n++) push('notice', { message: `Passing ${n}.`, next: '', stays: false });
  flushSync();
  const shown = (): (string | null)[] =>
    screen.queryAllByText(/^(?:Lost file|Passing)/).map((one) => one.textContent);
  expect(shown()).toEqual(['Passing 20.', 'Passing 19.', 'Passing 18.']);
  screen.getByText('9 more. Dismiss a notice to see the next.');
  const seen: (string | null)[] = [];
  for (let n = 0; n < 12; n++) {
    seen.push(shown()[0] ?? null);
    await fireEvent.click(screen.getAllByRole('button', { name: 'Dismiss' })[0]!);
  }
  expect(seen.slice(4)).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((n) => `Lost file ${n}.`));
  expect(screen.queryByText(/more\. Dismiss/)).toBeNull();
});

it('counts two failures in the same words, which may be of two orders', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: Toasts, given: { orders: new Promise(() => undefined) } });
  const rejected = blockedFailure('The order could not be cancelled.', 'Try again.');
  for (const times of ['', '2 times']) {
    app.notices.fail(rejected);
    flushSync();
    expect(
      screen.getByText(/^The order could not be cancelled\./).querySelector('span')?.textContent ?? '',
    ).toMatch(new RegExp(`^\\s*${times}$`));
  }
});

it('names the account of a message while another one is open', async () => {
  const { app, push } = await fixture();
  render(InApp, { app, component: Toasts, given: { orders: new Promise(() => undefined) } });
  const state = app.session.state!;
  const [open] = state.connections;
  const beside = { ...open!, id: 'live-2', settings: { ...open!.settings, name: 'Harbour hedge' } };
  push('session', { ...state, connections: [open!, beside] });
  app.notices.push('warn', 'Equity fell', '', true, 'live-1');
  app.notices.push('warn', 'Equity fell', '', true, 'live-2');
  flushSync();
  const shown = (): (string | null)[] =>
    screen.getAllByText(/Equity fell/).map((one) => one.textContent.trim());
  expect(shown()).toEqual(['Harbour hedge: Equity fell', 'Equity fell']);
  push('session', { ...app.session.state!, activeId: 'live-2' });
  flushSync();
  expect(shown()).toEqual(['Equity fell', 'Meridian main: Equity fell']);
  push('session', { ...app.session.state!, connections: [beside] });
  flushSync();
  expect(shown()).toEqual(['Equity fell', 'Removed connection: Equity fell']);
});

it('has each change of an order said with its order, without the time of the change', async () => {
  const { push } = await withOrders();
  push('intent', record({ state: 'unknown', orderId: null }));
  flushSync();
  const toast = screen.getByRole('log', { name: 'Orders' }).querySelector('[aria-atomic="true"]');
  expect(spokenOf(toast!)).toMatch(/^.* BTC-USDT-M .*Outcome unknown\. Do not send it again\. Open$/);
});

it('keeps the end of an order that the order history no longer lists', async () => {
  const { app, push } = await withOrders();
  const accepted = record({ state: 'accepted', orderId: '9' });
  push('intent', accepted);
  const stage = () =>
    screen.getByRole('log', { name: 'Orders' }).querySelector<HTMLElement>('[data-stage]')?.dataset['stage'];
  let serial = 100;
  const stages = [[pastOrder({ id: '9', status: 'CANCELED' })], []].map((history) => {
    const feed = { ...app.feeds.history.feed, value: history, serial: ++serial };
    push('feed', { connectionId: 'live-1', name: 'history', feed });
    flushSync();
    return stage();
  });
  expect(stages).toEqual(['cancelled', 'cancelled']);
});

it('shows a request again whose order, seen in its sheet, turned out to be another’s', async () => {
  const { app, push } = await withOrders();
  const matched = record({ state: 'matched', orderId: '9' });
  push('intent', matched);
  app.toasts.read(matched, { ...app.toasts.progress(matched), stage: 'filled' });
  flushSync();
  expect(app.toasts.list).toEqual([]);
  push('intent', { ...matched, state: 'unknown', orderId: null });
  flushSync();
  expect(app.toasts.list.map((one) => one.progress.stage)).toEqual(['unknown']);
});

it('keeps a notice while the pointer or the focus is on it', async () => {
  const { app } = await fixture();
  const keep = vi.spyOn(app.notices, 'keep');
  render(InApp, { app, component: Toasts, given: { orders: new Promise(() => undefined) } });
  app.notices.push('warn', 'Equity fell', 'From 100 to 80.');
  flushSync();
  const toast = screen.getByText('Equity fell').closest('.toast')!;
  for (const event of ['pointerEnter', 'pointerLeave', 'focusIn', 'focusOut'] as const)
    await fireEvent[event](toast);
  const id = app.notices.list[0]?.id;
  expect(keep.mock.calls).toEqual([[id], [null], [id], [null]]);
  screen.getByRole('button', { name: 'Dismiss' }).focus();
  await fireEvent.pointerLeave(toast);
  expect(keep.mock.lastCall).toEqual([id]);
});
