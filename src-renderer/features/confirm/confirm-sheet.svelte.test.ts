import { cleanup, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { flushSync } from 'svelte';
import InApp from '../../../tests/renderer/InApp.svelte';
import SheetTest from '../../../tests/renderer/SheetTest.svelte';
import { type Replies, fixture, record, REVIEW, settled } from '../../../tests/renderer/app-fixture.ts';
import type { TicketFields } from '../../state/ticket/ticket-fields.svelte.ts';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import OrderSteps from './OrderSteps.svelte';
import { spokenOf } from '../../../tests/renderer/spoken.ts';
import Outcome from './Outcome.svelte';

const NO_MATCH = {
  at: 1,
  since: 0,
  reads: [],
  verdict: 'absent',
  candidates: [],
  hints: [],
  nextAt: 2,
} as const;

async function opened(
  replies: Replies = {},
  kind: 'live' | 'practice' = 'live',
  typed: Partial<TicketFields> = {},
  read?: AccountInfo,
) {
  const all = await fixture(kind, replies);
  if (read) all.accountIs(read);
  all.app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(all.app.ticket.fields, { price: '97000.0', size: '0.100', ...typed });
  render(SheetTest, { app: all.app });
  await all.app.ticket.submit();
  flushSync();
  return all;
}
const sendButton = (): HTMLButtonElement => screen.getByTestId<HTMLButtonElement>('confirm-send');
const press = (init: KeyboardEventInit, on: EventTarget = window): boolean =>
  on.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));

describe('the confirmation sheet', () => {
  it('shows the order as a sentence, the account and the exact bytes', async () => {
    await opened();
    expect(screen.getByText('▲ Buy 0.100 BTC')).toBeTruthy();
    expect(screen.getByText('at 97,000.0 USDT')).toBeTruthy();
    expect(screen.getByText('real money')).toBeTruthy();
    expect(screen.getByTestId('confirm-body').textContent).toBe(REVIEW.body);
    expect(sendButton().textContent).toContain('Send LIVE buy');
  });

  it('has no control in its hidden title', async () => {
    await opened();
    const title = screen.getByRole('heading', { level: 2 });
    expect(title.parentElement?.className).toContain('hidden-text');
    expect(title.parentElement?.querySelector('button')).toBeNull();
    expect(document.activeElement).toBe(sendButton());
  });

  it('names the fee of what the order will do, its distance from the mark, and what rests', async () => {
    await opened({}, 'live', { price: '96000.0' });
    const text = (): string => screen.getByTestId('confirm-sheet').textContent.replaceAll(/\s+/g, ' ');
    expect(text()).toContain('at 96,000.0 USDT −1.03% from mark');
    expect(text()).toMatch(/Fee, maker ≈ ?[\d.]+ ?USDT ?· taker ≈ ?[\d.]+/);
    expect(text()).toContain(
      'Rests until filled. Ballast cannot cancel it; cancel on the exchange’s website.',
    );
    cleanup();

    await opened({}, 'practice', { price: '96000.0' });
    expect(text()).toContain('Rests until filled. It can be cancelled in Open orders, on practice only.');
    cleanup();

    await opened({}, 'live', { price: '97100.0' });
    expect(text()).toMatch(/Fee, taker ≈ ?[\d.]+ ?USDT/);
    expect(screen.getByTestId('confirm-caution').textContent).toMatch(/^Crosses the/);
    expect(text()).toContain('What does not fill at once rests until filled.');
    cleanup();

    await opened({}, 'live', { price: '97100.0', timeInForce: 'IOC' });
    expect(screen.queryByTestId('resting-note')).toBeNull();
    cleanup();

    await opened({}, 'live', { type: 'MARKET', timeInForce: 'GTC' });
    expect(text()).toMatch(/Fee, taker ≈/);
    expect(text()).not.toContain('maker');
    expect([screen.queryByTestId('resting-note'), screen.queryByTestId('confirm-distance')]).toEqual([
      null,
      null,
    ]);
  });

  it('shows every digit of the free margin now, which a table would cut', async () => {
    const money = { balance: '98700.51092877', isolatedMargin: '0', locked: '0', crossProfitUnreal: '0' };
    shownAs.quoteCoins = new Set(['USDT']);
    await opened({}, 'live', {}, account([], [asset(money)]));
    const free = screen.getByText('Free margin').nextElementSibling;
    expect(free?.querySelector('.cut')).toBeNull();
    expect(free?.textContent).toContain('98,700.51092877');
    expect(free?.textContent).toMatch(/USDT$/);
  });

  it('names whose margin ratio it shows, and marks each estimate', async () => {
    await opened({}, 'live', {}, account([position({ marginMode: 'ISOLATED' })]));
    const after = (label: string): string | undefined =>
      screen.getByText(label).nextElementSibling?.textContent.replaceAll(/\s+/g, ' ').trim();
    expect(after('Margin ratio, isolated')).toMatch(/^7\.90%→≈ 8\.01%$/);
    expect(after('USDT cross ratio')).toContain('→≈ ');
    expect(after('Distance')).toContain('→≈ −');
  });

  it('calls a liquidation price that cannot be read not known, never none', async () => {
    for (const [liquidPrice, shown] of [
      [null, 'not known'],
      ['0', 'No liquidation'],
    ] as const) {
      await opened({}, 'live', {}, account([position({ liquidPrice })]));
      expect(screen.getByText('Liquidation').nextElementSibling?.textContent.trim()).toMatch(
        new RegExp(`^${shown}→`),
      );
      cleanup();
    }
  });

  it('warns of a size that looks like a slipped digit', async () => {
    await opened({}, 'live', { size: '5.500', price: '96000.0' });
    expect(screen.getByTestId('confirm-caution').textContent).toContain('5.0× your USDT equity');
    cleanup();
    await opened({}, 'live', { price: '96000.0' });
    expect(screen.queryByTestId('confirm-caution')).toBeNull();
  });

  it('says that slippage is not estimated for a market order only', async () => {
    await opened();
    expect(screen.queryByTestId('slippage-note')).toBeNull();
    cleanup();
    await opened({}, 'live', { type: 'MARKET' });
    expect(screen.getByTestId('slippage-note').textContent).toContain('no order book');
  });

  it('says what becomes of the TP/SL orders of a position it closes', async () => {
    const stop = { kind: 'STOP_LOSS', triggerPrice: '90000', quantity: '2.000' };
    const held = account([position({ tpSlOrders: [stop] })]);
    await opened({}, 'live', { side: 'SELL', type: 'MARKET', size: '1.000' }, held);
    expect(screen.getByTestId('confirm-caution').textContent).toContain('its TP/SL order');
  });

  it('says what becomes of the position, and that it turns over', async () => {
    await opened({}, 'live', { side: 'SELL', type: 'MARKET', size: '2.500' });
    const position = () => screen.getByText('Position').nextElementSibling?.textContent;
    expect(position()).toBe('Long 2.000→Short 0.500BTC');
    expect(screen.getByTestId('confirm-caution').textContent).toContain('opens a short of 0.5 BTC');
    cleanup();
    await opened({}, 'live', { side: 'SELL', type: 'MARKET', size: '2.000' });
    expect(position()).toBe('Long 2.000→none');
    expect(screen.queryByTestId('confirm-caution')).toBeNull();
  });

  it('says how much of the position TP and SL are for, and about what they make', async () => {
    await opened({}, 'live', {
      price: '96000.0',
      tpSlOn: true,
      slTriggerType: 'MARK_PRICE',
      slPrice: '95000.0',
      slExecutePrice: '94900.0',
    });
    expect(screen.getByText('TP/SL for').nextElementSibling?.textContent).toBe('0.100 of 2.1 BTC');
    expect(screen.getByText(/^Stop loss/).textContent).toContain('limit 94,900.0');
    const stop = screen.getByText(/^Stop loss/).nextElementSibling;
    expect(stop?.textContent.replaceAll(/\s+/g, ' ')).toMatch(/^95,000\.0 ≈ −1\d\d\.\d\d$/);
  });

  it('looks different on a practice account', async () => {
    await opened({}, 'practice');
    expect(screen.getByText('no real money')).toBeTruthy();
    expect(sendButton().textContent).toContain('Send PRACTICE buy');
  });

  it('sends once by Ctrl+Enter, not by F9 or a held key', async () => {
    const { count } = await opened();
    press({ key: 'F9' });
    press({ key: 'Enter' });
    press({ key: 'Enter', ctrlKey: true, repeat: true });
    expect(count('orders.send')).toBe(0);
    press({ key: 'Enter', ctrlKey: true });
    for (let held = 0; held < 200; held++) press({ key: 'Enter', ctrlKey: true, repeat: true });
    press({ key: 'Enter', ctrlKey: true });
    await settled();
    expect(count('orders.send')).toBe(1);
  });

  it('sends nothing by a key in a dialog that opened over it', async () => {
    const { count } = await opened();
    const over = document.body.appendChild(document.createElement('dialog'));
    press({ key: 'Enter', ctrlKey: true }, over.appendChild(document.createElement('button')));
    over.remove();
    await settled();
    expect(count('orders.send')).toBe(0);
  });

  it('sends by its button, but not by the second half of a double click or by Enter alone', async () => {
    const { count } = await opened();
    expect(press({ key: 'Enter' }, sendButton())).toBe(false); // prevented, so no click follows
    expect(press({ key: ' ' }, sendButton())).toBe(false);
    sendButton().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    expect(count('orders.send')).toBe(0);
    sendButton().click();
    flushSync();
    // It has the focus, which a disabled button would drop.
    expect(sendButton().getAttribute('aria-disabled')).toBe('true');
    sendButton().click();
    await settled();
    expect(count('orders.send')).toBe(1);
  });

  it('ignores Enter for 400 ms after its content changed', async () => {
    // A clock that stands: on a busy machine the real one may pass 400 ms before the event.
    const changedAt = 5_000;
    vi.spyOn(performance, 'now').mockReturnValue(changedAt);
    await opened({ 'orders.send': () => done(record({ state: 'accepted' })) });
    sendButton().click();
    await settled();
    flushSync();
    const doneButton = screen.getByRole('button', { name: 'Done' });
    const enterAfter = (ms: number): boolean => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: changedAt + ms });
      return doneButton.dispatchEvent(event);
    };
    expect(enterAfter(0)).toBe(false); // prevented, so no click follows
    expect(enterAfter(399)).toBe(false);
    expect(enterAfter(400)).toBe(true);
  });

  it('says why a review has to be made again, and moves the focus there', async () => {
    const { passes, accountIs, count } = await opened();
    const again = (): HTMLElement => screen.getByRole('button', { name: 'Review again' });
    accountIs(account([position({ quantity: '1.500' })]));
    flushSync();
    expect(screen.getByRole('alert').textContent).toContain('from long 2.000 to long 1.500');
    expect(document.activeElement).toBe(again());
    again().click();
    await settled();
    flushSync();
    expect(count('orders.review')).toBe(2);
    expect(document.activeElement).toBe(sendButton());
    passes(120_000);
    flushSync();
    expect(screen.getByRole('alert').textContent).toContain('This review has expired');
    expect(document.activeElement).toBe(again());
  });

  it('accepts Ctrl+Enter for the next order at once, however soon after the last one', async () => {
    const { app, count } = await opened({ 'orders.send': () => done(record({ state: 'accepted' })) });
    sendButton().click();
    await settled();
    flushSync();
    screen.getByRole('button', { name: 'Done' }).click();
    app.ticket.fields.size = '0.200';
    await app.ticket.submit();
    flushSync();
    press({ key: 'Enter', ctrlKey: true });
    await settled();
    expect(count('orders.send')).toBe(2);
  });

  it('requires the symbol typed while an outcome on its side is unknown', async () => {
    const held = { ...REVIEW, heldBy: ['intent-0'] };
    const { requests, count } = await opened({ 'orders.review': () => done(held) });
    expect(sendButton().disabled).toBe(true);
    expect(sendButton().textContent).toContain('Type BTC-USDT-M to continue');
    press({ key: 'Enter', ctrlKey: true });
    expect(count('orders.send')).toBe(0);
    const input = screen.getByTestId<HTMLInputElement>('confirm-release');
    input.value = 'BTC-USDT-M';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    sendButton().click();
    await settled();
    expect(requests.find((one) => one.name === 'orders.send')?.input).toEqual({
      token: 'token-1',
      release: 'BTC-USDT-M',
    });
  });

  it('opens a resting order in its list, from whichever screen', async () => {
    const orderId = '734829105569911040';
    const { app } = await opened({ 'orders.send': () => done(record({ state: 'accepted', orderId })) });
    app.navigation.screen = 'positions';
    sendButton().click();
    await settled();
    flushSync();
    screen.getByRole('button', { name: 'Show the order' }).click();
    expect(app.navigation.link).toEqual({ symbolId: 'BTC-USDT-M', orderId });
    expect(app.review.shown).toBe(false);
  });

  it('leads to the position of a filled order, which no ticket covers then', async () => {
    const held = position({ positionId: '8' });
    const replies = { 'orders.send': () => done(record({ state: 'accepted', orderId: '7' })) };
    const { app } = await opened(replies, 'live', {}, account([held]));
    app.navigation.narrow = true;
    app.navigation.showTicket(true);
    sendButton().click();
    await settled();
    flushSync();
    screen.getByRole('button', { name: 'Show in Positions' }).click();
    expect(app.navigation.link).toEqual({ symbolId: 'BTC-USDT-M', positionId: '8', side: held.side });
    expect(app.navigation.ticketShown).toBe(false);
  });

  it('leads from an unknown outcome to its checks, and does not call it done', async () => {
    const lost = record({ state: 'unknown', orderId: null });
    const { app, push } = await opened({ 'orders.send': () => done(lost) });
    sendButton().click();
    push('intent', lost);
    await settled();
    flushSync();
    expect(screen.queryByRole('button', { name: 'Done' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }));
    screen.getByRole('button', { name: 'Show in Activity' }).click();
    expect(app.navigation.screen).toBe('activity');
    expect(app.navigation.link).toEqual({ intentId: lost.id });
    expect(app.review.shown).toBe(false);
    // Where it leads to says more than a toast, which leads there, too.
    expect(app.toasts.list).toEqual([]);
  });

  it('shows how far the order is while its reply is awaited', async () => {
    let reply: (value: ReturnType<typeof done<IntentRecord>>) => void = () => {};
    const slow = new Promise<ReturnType<typeof done<IntentRecord>>>((resolve) => (reply = resolve));
    const { push, passes } = await opened({ 'orders.send': () => slow });
    const earlier = record({ id: 'intent-0', body: REVIEW.body, state: 'unknown', orderId: null });
    const sent = record({ body: REVIEW.body, state: 'sending', orderId: null, events: [] });
    sendButton().click();
    push('intent', earlier);
    await settled();
    flushSync();
    // Not yet recorded; an earlier order of the same bytes is not this one.
    expect(screen.queryByTestId('confirm-waiting')).toBeNull();

    push('intent', sent);
    passes(4_000);
    await settled();
    flushSync();
    expect(screen.getByTestId('confirm-waiting').textContent).toContain('Sending to the exchange.');
    expect(screen.getByTestId('confirm-waiting').textContent).toContain('can be closed as soon as');
    expect(screen.getByText('Sending').nextElementSibling?.textContent).toBe('4 s');
    expect(sendButton().textContent).toContain('Sending…');

    // The journal is ahead of the reply: the sheet does not go back to the review.
    push('intent', { ...sent, state: 'accepted', orderId: '734829105569911040' });
    await settled();
    flushSync();
    expect(screen.getByTestId('confirm-waiting').textContent).toContain('Accepted');
    reply(done(record()));
    await settled();
    flushSync();
    expect(screen.queryByTestId('confirm-waiting')).toBeNull();
    expect(screen.getByTestId('confirm-outcome').dataset['state']).toBe('accepted');
  });

  it.each([
    ['accepted', '734829105569911040', 'Accepted, resting.'],
    ['unknown', null, 'Outcome unknown. Do not send it again.'],
    ['not-sent', null, 'Not sent. Nothing was placed.'],
  ] as const)('shows an order that is %s', async (state, orderId, words) => {
    await opened({ 'orders.send': () => done(record({ state, orderId })) });
    sendButton().click();
    await settled();
    flushSync();
    expect(screen.getByTestId('confirm-outcome').dataset['state']).toBe(state);
    expect(screen.getByText(words)).toBeTruthy();
    if (orderId === null) return;
    expect(screen.getByTestId('confirm-order-id').textContent).toBe(orderId);
    // The last step is as green as the text below says.
    const steps = [...screen.getByRole('list', { name: 'Progress of the order' }).children];
    expect(steps.at(-1)?.textContent).toContain('Resting');
    expect(steps.every((one) => one.classList.contains('done'))).toBe(true);
  });
});

it('names the order of a match once', async () => {
  const { app } = await fixture();
  const orderId = '734829105569911040';
  const text = `Found as order ${orderId} in order history: the only match`;
  const outcome = record({ state: 'matched', orderId, events: [{ at: 1_000, state: 'matched', text }] });
  const progress = { stage: 'resting', matched: true, fill: null } as const;
  render(InApp, { app, component: Outcome, given: { outcome, progress } });
  const box = screen.getByTestId('confirm-outcome').textContent;
  expect(box).toContain(text);
  expect(box.split(orderId)).toHaveLength(2);
});

it('names the code of a failure once', async () => {
  const { app } = await fixture();
  const progress = { stage: 'unknown', matched: false, fill: null } as const;
  for (const message of ['The exchange replied with code 700106.', 'The reply was cut off.']) {
    const failure = { kind: 'unknown', message, next: '', code: '700106' } as const;
    const outcome = record({ state: 'unknown', events: [{ at: 1, state: 'unknown', text: '', failure }] });
    const { unmount } = render(InApp, { app, component: Outcome, given: { outcome, progress } });
    expect(screen.getByTestId('confirm-outcome').textContent.split('700106')).toHaveLength(2);
    unmount();
  }
});

it('groups the digits of the time each step of the order took', async () => {
  const { app } = await fixture();
  const events = [
    { at: 1_000, state: 'recorded', text: '' },
    { at: 1_001, state: 'sending', text: '' },
    { at: 3_345, state: 'accepted', text: '' },
  ] as const;
  const progress = { stage: 'accepted', matched: false, fill: null } as const;
  render(InApp, {
    app,
    component: OrderSteps,
    given: { record: record({ createdAt: 1_000, events }), progress },
  });
  expect(screen.getByText('Accepted').nextElementSibling?.textContent).toBe('+2,345 ms');
});

it('says that no reply came to an unknown order only where none did', async () => {
  const { app } = await fixture();
  for (const [more, shown] of [
    [{}, 'no reply'],
    [{ status: 429 }, '+40 ms'],
  ] as const) {
    const failure = { kind: 'unknown', message: '', next: '', ...more } as const;
    const events = [
      { at: 1_000, state: 'recorded', text: '' },
      { at: 1_040, state: 'unknown', text: '', failure },
    ] as const;
    const progress = { stage: 'unknown', matched: false, fill: null } as const;
    const given = { record: record({ createdAt: 1_000, events }), progress };
    const { unmount } = render(InApp, { app, component: OrderSteps, given });
    expect(screen.getByText('Unknown').nextElementSibling?.textContent).toBe(shown);
    unmount();
  }
});

it.each([
  ['sending', [], ['Recorded', 'Sending', 'Reply', 'Fill']],
  ['accepted', ['sending', 'accepted'], ['Recorded', 'Sent', 'Accepted', 'Fill']],
  ['filled', ['sending', 'accepted'], ['Recorded', 'Sent', 'Accepted', 'Filled']],
  ['rejected', ['sending', 'rejected'], ['Recorded', 'Sent', 'Rejected']],
  ['unknown', ['sending', 'unknown'], ['Recorded', 'Sent', 'Unknown', 'Fill']],
  ['not sent', ['sending', 'not-sent'], ['Recorded', 'Not sent']],
] as const)('names only the steps that an order which is %s took or can still take', async (...given) => {
  const [stage, states, steps] = given;
  const { app } = await fixture();
  const events = states.map((state, index) => ({ at: 1_000 + index, state, text: '' }));
  render(InApp, {
    app,
    component: OrderSteps,
    given: {
      record: record({ createdAt: 1_000, events }),
      progress: { stage, matched: false, fill: null },
      waited: stage === 'sending' ? '1 s' : undefined,
    },
  });
  const shown = [...screen.getByRole('list', { name: 'Progress of the order' }).children];
  expect(shown.map((one) => one.firstElementChild?.textContent)).toEqual(steps);
});

it('has the outcome said, but not every round of the search for the order', async () => {
  const { app } = await fixture();
  const progress = { stage: 'unknown', matched: false, fill: null } as const;
  const said: string[] = [];
  for (const round of [1, 2]) {
    const check = { ...NO_MATCH, round, text: `Round ${round}: no match.` };
    const finding = { checks: [check], rounds: round, absent: round };
    const outcome = record({ state: 'unknown', orderId: null, finding });
    const { unmount } = render(InApp, { app, component: Outcome, given: { outcome, progress } });
    screen.getByText(check.text);
    said.push(spokenOf(screen.getByRole('status')));
    unmount();
  }
  expect(said[0]).toContain('Outcome unknown. Do not send it again.');
  expect(said[1]).toBe(said[0]);
});
