import { describe, expect, it } from 'vitest';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { CloseMode } from '../close/close.svelte.ts';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { type Replies, fixture, record, REVIEW } from '../../../tests/renderer/app-fixture.ts';

async function reviewed(replies: Replies = {}) {
  const all = await fixture('live', replies);
  all.app.navigation.symbol = 'BTC-USDT-M';
  all.app.ticket.fields.price = '97000.0';
  all.app.ticket.fields.size = '0.100';
  await all.app.ticket.submit();
  return { ...all, review: all.app.review, ticket: all.app.ticket };
}

describe('the confirmation', () => {
  it('sends once, however often it is pressed before the reply', async () => {
    let reply: (value: ReturnType<typeof done<IntentRecord>>) => void = () => {};
    const slow = new Promise<ReturnType<typeof done<IntentRecord>>>((resolve) => (reply = resolve));
    const { review, count } = await reviewed({ 'orders.send': () => slow });
    const presses = Array.from({ length: 1000 }, () => review.send(null));
    expect(review.phase).toBe('sending');
    review.close(); // has no effect while sending
    expect(review.shown).toBe(true);
    reply(done(record()));
    await Promise.all(presses);
    expect(count('orders.send')).toBe(1);
    expect(review.outcome?.orderId).toBe('734829105569911040');
    await review.send(null);
    expect(count('orders.send')).toBe(1);
  });

  it('clears the size only when the order was accepted', async () => {
    const { review, ticket } = await reviewed();
    await review.send(null);
    expect(ticket.fields.size).toBe('');
    const lost = await reviewed({ 'orders.send': () => done(record({ state: 'unknown', orderId: null })) });
    await lost.review.send(null);
    expect(lost.review.outcome?.state).toBe('unknown');
    expect(lost.ticket.fields.size).toBe('0.100');
  });

  it('discards the token when it is closed without sending', async () => {
    const { review, requests, count } = await reviewed();
    review.close();
    expect(requests.find((one) => one.name === 'orders.discard')?.input).toEqual({ token: 'token-1' });
    await review.send(null);
    expect(count('orders.send')).toBe(0);
  });

  it('opens no sheet once its request was left, by a switch or by Back from the close sheet, and can be asked anew', async () => {
    const replies: (() => void)[] = [];
    const slow = () =>
      new Promise<ReturnType<typeof done>>((resolve) => replies.push(() => resolve(done(REVIEW))));
    const { app } = await fixture('live', { 'orders.review': slow as never });
    for (const leave of [() => app.review.close(), () => app.close.cancel()]) {
      app.close.start(position());
      const late = app.close.submit();
      leave();
      expect(app.review.isRequesting).toBe(false);
      replies.pop()?.();
      await late;
      expect([app.review.shown, app.close.failure]).toEqual([false, null]);
    }
    app.close.start(position());
    const wanted = app.close.submit();
    replies.pop()?.();
    await wanted;
    expect(app.review.shown).toBe(true);
  });

  it('does not open over the sheet of a closing that was begun while it was requested', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof done<typeof REVIEW>>>();
    const { app } = await fixture('live', { 'orders.review': () => reply.promise });
    app.navigation.symbol = 'BTC-USDT-M';
    Object.assign(app.ticket.fields, { price: '97000.0', size: '0.100' });
    const requests = [() => app.close.start(position()), () => app.closePositions.start()].map((begin) => {
      const late = app.ticket.submit();
      expect(app.review.isRequesting).toBe(true);
      begin();
      return late;
    });
    reply.resolve(done(REVIEW));
    await Promise.all(requests);
    expect([app.review.shown, app.closePositions.shown]).toEqual([false, true]);
  });

  it('asks for a new review after expiry and when the position or the price changed', async () => {
    const { review, passes, accountIs, count } = await reviewed();
    expect([review.expired, review.changed]).toEqual([false, null]);
    accountIs(account([position({ quantity: '1.500' })]));
    expect(review.changed).toContain('from long 2.000 to long 1.500');
    await review.send(null);
    accountIs(account([position({ markPrice: '97484.9' })]));
    expect(review.changed).toBeNull(); // 0.4999 %
    accountIs(account([position({ markPrice: '97485.1' })]));
    expect(review.changed).toContain('from 97000.0 to 97485.1');
    await review.send(null);
    accountIs(account([position()]));
    passes(120_000);
    expect(review.expired).toBe(true);
    await review.send(null);
    expect(count('orders.send')).toBe(0);
    accountIs(account([position()]));
    await review.again();
    expect(count('orders.review')).toBe(2);
    expect(count('orders.discard')).toBe(1);
  });

  it('shows why the order was not sent', async () => {
    const blocked = failed(blockedFailure('Trading is locked.', 'Unlock it.', 'account'));
    const { review } = await reviewed({ 'orders.send': () => blocked });
    await review.send(null);
    expect(review.failure?.message).toBe('Trading is locked.');
    expect(review.outcome).toBeNull();
  });

  it('requires a tick when the tier rises, and the base coin typed above the limit for closing', async () => {
    const { ticket, review } = await reviewed();
    review.close();
    ticket.fields.size = '0.600'; // 2.6 × 97,000 exceeds tier 1's limit of 250,000
    await ticket.submit();
    expect(review.question?.ticks).toEqual(['I accept tier 2, 1.00% maintenance']);
  });

  it('requires the tick for a first position in a higher tier, too', async () => {
    const { ticket, review, accountIs } = await reviewed();
    review.close();
    accountIs(account([]));
    ticket.fields.size = '3.000';
    await ticket.submit();
    expect(review.question?.ticks).toContain('I accept tier 2, 1.00% maintenance');
  });

  it('requires a tick for the ratio of an isolated position, and for a mark past its liquidation price', async () => {
    const { ticket, review, accountIs } = await reviewed();
    const isolated = { marginMode: 'ISOLATED', margin: '3000' } as const;
    const ticks = async (changes: Parameters<typeof position>[0]) => {
      review.close();
      accountIs(account([position({ ...isolated, ...changes })]));
      ticket.fields.size = '0.001';
      ticket.fields.price = changes?.markPrice ?? '97000.0';
      await ticket.submit();
      return review.question?.ticks;
    };
    expect(await ticks({ profitUnreal: '-1500' })).toEqual([
      'I accept a margin ratio of ≈ 70.9%; liquidation is at 100%',
      'I accept liquidation ≈ 3.07% from the mark',
    ]);
    expect(await ticks({ profitUnreal: '4000', markPrice: '88000.0' })).toEqual([
      'I accept that the mark is past the liquidation price',
    ]);
  });
});

describe('closing a position', () => {
  it('sends all of it as a close-all: reduce-only, without quantity', async () => {
    const { app, requests } = await fixture();
    app.close.start(position());
    expect(app.close.open).toBe(true);
    await app.close.submit();
    expect(requests.find((one) => one.name === 'orders.review')?.input).toMatchObject({
      kind: 'close-all',
      request: { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true },
    });
    const request = app.review.question?.intent.request ?? {};
    expect(Object.hasOwn(request, 'quantity')).toBe(false);
    // The close sheet is hidden during the confirmation and returns when that is closed.
    expect(app.close.open).toBe(false);
    app.review.close();
    expect(app.close.open).toBe(true);
  });

  it('closes the leg that was chosen, also if both legs of a hedge have one id', async () => {
    const { app, accountIs, requests } = await fixture();
    const short = position({ side: 'SELL', positionMode: 'HEDGE', quantity: '0.700' });
    accountIs(account([position({ positionMode: 'HEDGE' }), short]));
    app.close.start(short);
    await app.close.submit();
    expect(requests.find((one) => one.name === 'orders.review')?.input).toMatchObject({
      request: { side: 'BUY', reduceOnly: true },
    });
  });

  it('sends a part rounded down, at market, with its quantity', async () => {
    const { app } = await fixture();
    app.close.start(position({ quantity: '2.000' }), 'part');
    app.close.size = '33';
    await app.close.submit();
    expect(app.review.question?.intent).toMatchObject({
      kind: 'order',
      request: { type: 'MARKET', side: 'SELL', quantity: '0.660', reduceOnly: true },
    });
  });

  it('begins each way of closing with its own share, by whatever way it is reached, and keeps a typed one', async () => {
    const { app } = await fixture();
    app.close.start(position({ quantity: '2.000' }));
    const sizes = (modes: readonly CloseMode[]): string[] =>
      modes.map((mode) => {
        app.close.choose(mode);
        return app.close.size;
      });
    // Arrow keys go through the choices in between.
    expect(sizes(['part', 'limit', 'take-profit', 'part'])).toEqual(['50', '100', '100', '50']);
    app.close.size = '25';
    expect(sizes(['take-profit', 'part'])).toEqual(['25', '25']);
    expect(sizes(['all', 'limit'])[1]).toBe('100');
    app.close.start(position({ quantity: '2.000' }), 'part', '50');
    expect(sizes(['limit'])).toEqual(['50']);
  });

  it('requires a take-profit price beyond a fresh price', async () => {
    const { app } = await fixture();
    app.close.start(position(), 'take-profit');
    expect(app.close.missing).toBe('Enter a price');
    app.close.price = '97000.0';
    expect(app.close.wrongAt('price')).toContain('must be above the mark (97000.0)');
    await app.close.submit();
    expect(app.review.shown).toBe(false);
    app.close.price = '98000.0';
    await app.close.submit();
    expect(app.review.question?.intent.request).toMatchObject({
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '2.000',
      reduceOnly: true,
    });
  });

  it('asks for nothing while trading is locked', async () => {
    const { app, count } = await fixture();
    app.session.replace({ ...app.session.state!, locked: true });
    app.close.start(position());
    expect([app.close.missing, app.close.ready]).toEqual(['Trading is locked', false]);
    await app.close.submit();
    expect(count('orders.review')).toBe(0);
  });

  it('says that the position is gone', async () => {
    const { app, accountIs } = await fixture();
    app.close.start(position());
    accountIs(account([]));
    expect(app.close.checks[0]?.message).toContain('already closed');
    expect(app.close.ready).toBe(false);
  });

  it('requires the base coin typed above the user’s own limit', async () => {
    const { app } = await fixture();
    app.settings.value = {
      ...app.settings.value,
      limits: { ...app.settings.value.limits, notional: '1000' },
    };
    app.close.start(position());
    await app.close.submit();
    expect(app.review.question?.typed?.word).toBe('BTC');
    expect(app.review.reviewed).toEqual(REVIEW);
  });
});
