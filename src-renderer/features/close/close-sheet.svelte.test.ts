import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { blockedFailure, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { OrderReview } from '../../../src-shared/ipc/orders.ts';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture, REVIEW } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import CloseSheet from './CloseSheet.svelte';

it('says while a price is typed how far from the mark it is, and whether it crosses', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position()]));
  app.close.start(position(), 'limit');
  render(InApp, { app, component: CloseSheet });
  const typed = (price: string): string => {
    app.close.price = price;
    flushSync();
    return screen.getByTestId('close-sheet').textContent.replaceAll(/\s+/g, ' ');
  };
  expect(typed('')).not.toContain('from mark');
  expect(typed('97970.0')).toMatch(/Price ?\+1\.00% from mark/);
  expect(typed('96030')).toMatch(/Price ?crosses, −1\.00% from mark/);
  expect(typed('96030')).toMatch(/Distance ?[−\d.]+%→/);
});

it('says of each choice what is sent, and where a limit and a take profit differ', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position()]));
  app.close.start(position(), 'limit');
  render(InApp, { app, component: CloseSheet });
  const meaning = (): string => screen.getByTestId('close-meaning').textContent;
  expect(meaning()).toBe(
    'A reduce-only limit order at any price: above the mark it rests, below it fills at once.',
  );
  app.close.choose('take-profit');
  flushSync();
  expect(meaning()).toBe(
    'A reduce-only limit order above the mark only: a price that fills at once is blocked. It has no trigger.',
  );
  const short = position({ side: 'SELL' });
  accountIs(account([short]));
  app.close.start(short, 'take-profit');
  flushSync();
  expect(meaning()).toContain('below the mark only');
});

it('shows which share is filled in as pressed', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position()]));
  app.close.start(position(), 'part');
  render(InApp, { app, component: CloseSheet });
  const pressed = () =>
    screen.getAllByRole('button', { pressed: true, hidden: true }).map((one) => one.textContent);
  expect(pressed()).toEqual(['50%']);
  app.close.size = '40';
  flushSync();
  expect(screen.queryAllByRole('button', { pressed: true, hidden: true })).toEqual([]);
  app.close.sizeByShare('75');
  flushSync();
  expect(pressed()).toEqual(['75%']);
  app.close.sizeByQuantity();
  flushSync();
  expect(pressed()).toEqual(['Quantity']);
});

it('keeps the failure of a position when the review of the one before it is left', async () => {
  const second = position({ symbolId: 'BTC-USD-M', positionId: '2', quantity: '900' });
  const { app, accountIs, replies } = await fixture('live');
  accountIs(account([position(), second]));
  const left = Promise.withResolvers<Result<OrderReview>>();
  replies['orders.review'] = () => left.promise;
  app.close.start(position());
  const submitted = app.close.submit();
  replies['orders.review'] = () => failed(blockedFailure('The disk is full.', 'Free some space.'));
  app.close.start(second);
  await app.close.submit();
  left.resolve(done(REVIEW));
  await submitted;
  expect(app.close.failure?.message).toBe('The disk is full.');
});

it('groups the digits of what it closes', async () => {
  const large = position({ quantity: '2500.000', entryValue: '237500000.00' });
  const { app, accountIs } = await fixture('live');
  accountIs(account([large]));
  app.close.start(large, 'part');
  render(InApp, { app, component: CloseSheet });
  app.close.sizeByShare('50');
  flushSync();
  expect(screen.getByTestId('close-sheet').textContent).toContain('1,250.000 BTC');
  expect(screen.getByTestId('close-review').textContent).toContain('Review close · 1,250.000 BTC');
});

it('shows what is left of the PnL after the fee of this order', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position()]));
  app.close.start(position(), 'limit');
  app.close.price = '97970.0';
  render(InApp, { app, component: CloseSheet });
  const text = screen.getByTestId('close-sheet').textContent.replaceAll(/\s+/g, ' ');
  // 2 BTC from 95,000 to 97,970, and 0.02 % of their value at that price.
  expect(text).toMatch(
    /PnL before fees ≈ ?\+5,940\.00USDT Fee, maker ≈ ?39\.19USDT .*PnL after this fee ≈ ?\+5,900\.81USDT/,
  );
});
