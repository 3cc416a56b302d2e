import { describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import type { DayLimits as Limits } from '../../../src-shared/domain/instrument/trading-context.ts';
import { storedDayLimitsSchema } from './stored.ts';
import { dayFixture } from '../../../tests/orders/day-limits.ts';
import { acceptedAs, intent, lost, rejected, token } from '../../../tests/orders/scripted-order-service.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const at = (iso: string): number => Date.parse(iso);
const limits = (loss: string | null, orders: number | null): Limits => ({
  loss: loss === null ? null : { amount: loss, coin: 'USDT' },
  orders,
});
const set = async (d: Awaited<ReturnType<typeof dayFixture>>, next: Limits, typed: string | null = null) => {
  const reply = dataOf(await d.limits.set('practice', next, typed));
  return reply;
};

describe('daily limits, in the main process', () => {
  it('are off by default and belong to one account', async () => {
    const d = await dayFixture();
    expect(d.limits.usage('practice')).toBeNull();
    await set(d, limits('500', 3));
    expect(d.limits.usage('practice')?.limits).toEqual(limits('500', 3));
    expect(d.limits.usage('live-1')).toBeNull();
    await d.limits.forget('practice');
    expect(d.limits.usage('practice')).toBeNull();
    expect(d.stored.accounts).toEqual({});
    // There is nothing to write for an account without limits.
    d.full = true;
    await d.limits.forget('live-1');
  });

  it('of two accounts changed at the same moment are both kept', async () => {
    const d = await dayFixture();
    await Promise.all([
      d.limits.set('practice', limits('500', null), null),
      d.limits.set('live-1', limits(null, 3), null),
    ]);
    expect(['practice', 'live-1'].map((id) => d.limits.usage(id)?.limits)).toEqual([
      limits('500', null),
      limits(null, 3),
    ]);
    expect(Object.keys(d.stored.accounts)).toEqual(['practice', 'live-1']);
  });

  it('are not weakened by a change requested while a stricter one is being written', async () => {
    const d = await dayFixture();
    await set(d, limits('500', 10));
    await Promise.all([set(d, limits('100', 2)), set(d, limits('400', 8))]);
    expect(d.limits.state('practice')).toMatchObject({ limits: limits('100', 2), next: limits('400', 8) });
  });

  it('apply at once where stricter, and from midnight where weaker', async () => {
    const d = await dayFixture();
    await set(d, limits('500', 10));
    expect(await set(d, limits('900', 5))).toMatchObject({
      limits: limits('500', 5),
      next: limits('900', 5),
    });
    expect(await set(d, limits(null, null))).toMatchObject({ limits: limits('500', 5) });
    // Another coin cannot be compared.
    const btc = { loss: { amount: '0.001', coin: 'BTC' }, orders: 5 };
    expect(await set(d, btc)).toMatchObject({ limits: limits('500', 5), next: btc });
    d.orders.now = at('2026-11-22T00:00Z');
    expect(d.limits.state('practice')).toMatchObject({ limits: btc, next: null });
    // A later change starts from what is in force by then.
    expect(await set(d, limits(null, 4))).toMatchObject({ limits: { ...btc, orders: 4 } });
    const stricter = { loss: { amount: '0.0005', coin: 'BTC' }, orders: 3 };
    expect(await set(d, stricter)).toMatchObject({ limits: stricter, next: null });
  });

  it.each<[string, Limits]>([
    ['the loss', limits('900', 10)],
    ['the orders', limits('500', 11)],
    ['the coin', { loss: { amount: '500', coin: 'USDC' }, orders: 10 }],
  ])('wait for midnight where only %s is weaker', async (_what, weaker) => {
    const d = await dayFixture();
    await set(d, limits('500', 10));
    expect(await set(d, weaker)).toMatchObject({ limits: limits('500', 10), next: weaker });
    expect(v.parse(storedDayLimitsSchema, JSON.parse(JSON.stringify(d.stored)))).toEqual(d.stored);
    d.orders.now = at('2026-11-22T00:00Z');
    expect(d.limits.state('practice')).toMatchObject({ limits: weaker, next: null });
  });

  it('are weakened at once only with the word typed, which is logged', async () => {
    const d = await dayFixture();
    await set(d, limits('500', 10));
    for (const typed of ['trade', 'TRADE ', ''])
      expect(await d.limits.set('practice', limits(null, null), typed)).toMatchObject({
        ok: false,
        failure: {
          ...{ kind: 'blocked', field: 'typed' },
          ...{ message: 'TRADE was not typed.', next: 'Type TRADE in capitals.' },
        },
      });
    expect(d.limits.usage('practice')?.limits).toEqual(limits('500', 10));
    expect(await set(d, limits(null, 11), 'TRADE')).toMatchObject({ limits: limits(null, 11), next: null });
    expect(d.log).toEqual(['weakened practice']);
  });

  it('are lifted by the word until midnight, also across a restart', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    d.result = '-500';
    expect(await d.limits.lift('practice', 'no')).toMatchObject({ ok: false, failure: { field: 'typed' } });
    expect(d.orders.orders.review(intent()).ok).toBe(false);
    expect(await d.limits.lift('practice', 'TRADE')).toMatchObject({
      ok: true,
      data: { lifted: true, liftedAt: at('2026-11-21T09:00Z') },
    });
    expect(d.log).toEqual(['lifted practice']);
    expect(d.orders.orders.review(intent()).ok).toBe(true);
    expect(await set(d, limits('400', null))).toMatchObject({ lifted: true });
    expect(v.parse(storedDayLimitsSchema, JSON.parse(JSON.stringify(d.stored)))).toEqual(d.stored);

    const restarted = await dayFixture(d.stored);
    restarted.orders.now = at('2026-11-21T23:59:59.999Z');
    expect(restarted.limits.state('practice').lifted).toBe(true);
    restarted.orders.now++;
    expect(restarted.limits.state('practice')).toMatchObject({ lifted: false, liftedAt: null });
  });

  it('are not lifted for another account whose key the connection got', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    await d.limits.lift('practice', 'TRADE');
    d.account = 'https://exchange.example other';
    expect(d.limits.state('practice')).toMatchObject({ lifted: false, liftedAt: null });
    d.result = '-500';
    expect(d.orders.orders.review(intent()).ok).toBe(false);
    d.account = 'https://exchange.example one';
    expect(d.limits.state('practice').lifted).toBe(true);
  });

  it('stay lifted where an earlier version stored it', async () => {
    const lifted = { at: at('2026-11-21T08:00Z'), until: at('2026-11-22T00:00Z') };
    const accounts = { practice: { limits: limits('500', null), next: null, lifted } };
    const d = await dayFixture(v.parse(storedDayLimitsSchema, { version: 1, day: null, accounts }));
    expect(d.limits.state('practice').lifted).toBe(true);
  });

  it('lifted today still become weaker at midnight, and once they have, a lift keeps them', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    await set(d, limits('900', null));
    await d.limits.lift('practice', 'TRADE');
    const lifted = { limits: limits('500', null), next: limits('900', null), lifted: true };
    expect(d.limits.state('practice')).toMatchObject(lifted);
    d.orders.now = at('2026-11-22T00:00Z');
    await d.limits.lift('practice', 'TRADE');
    expect(d.limits.state('practice')).toMatchObject({ limits: limits('900', null), next: null });
  });

  it('keep the day that began: another zone counts from its end on, also across a restart', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    const day = { startsAt: at('2026-11-21T00:00Z'), zone: 'UTC' };
    // There it is past midnight of the 22nd already.
    d.zone = 'Pacific/Kiritimati';
    d.orders.now = at('2026-11-21T12:00Z');
    expect(d.limits.state('practice')).toMatchObject(day);
    const restarted = await dayFixture(d.stored);
    restarted.zone = 'Pacific/Kiritimati';
    restarted.orders.now = at('2026-11-21T12:00Z');
    expect(restarted.limits.state('practice')).toMatchObject(day);
    restarted.orders.now = at('2026-11-22T00:00Z');
    expect(restarted.limits.state('practice')).toMatchObject({
      zone: 'Pacific/Kiritimati',
      startsAt: at('2026-11-21T10:00Z'),
    });
  });

  it('change nothing if they cannot be written', async () => {
    const d = await dayFixture();
    await set(d, limits('500', 3));
    d.full = true;
    await expect(d.limits.set('practice', limits(null, null), 'TRADE')).rejects.toThrow('no space');
    expect(d.limits.usage('practice')?.limits).toEqual(limits('500', 3));
  });

  it('count the day before again where the clock is set back', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    d.orders.now = at('2026-11-20T23:59:59.999Z');
    expect(d.limits.state('practice')).toMatchObject({ startsAt: at('2026-11-20T00:00Z') });
    d.orders.now = at('2026-11-21T00:00Z');
    expect(d.limits.state('practice')).toMatchObject({ startsAt: d.orders.now });
  });

  it('write a new day only where there are limits, and say so where they cannot', async () => {
    const d = await dayFixture();
    d.limits.state('practice');
    await new Promise(setImmediate);
    expect(d.stored.day).toBeNull();
    await set(d, limits('500', null));
    d.full = true;
    d.orders.now = at('2026-11-22T00:00Z');
    d.limits.state('practice');
    await vi.waitFor(() => expect(d.log).toEqual(['unwritten']));
  });

  it('read the day’s result only for a limit of the loss, and report it for the open account', async () => {
    const d = await dayFixture();
    await set(d, limits(null, 3));
    expect(d.refreshed).toEqual([]);
    await set(d, limits('500', 3));
    const before = d.shown.length;
    expect(d.refreshed).toMatchObject([{ startsAt: at('2026-11-21T00:00Z') }]);
    d.result = '-20.5';
    d.refreshed[0]?.changed();
    expect(d.shown.slice(before)).toMatchObject([{ result: '-20.5' }]);
    for (const open of ['live-1', null]) {
      d.open = open;
      d.result = '-30';
      d.refreshed[0]?.changed();
      expect(d.shown).toHaveLength(before + 1);
    }
    d.limits.check();
    expect([d.refreshed.length, d.shown.length]).toEqual([1, before + 1]);
  });

  it('report the open account’s day once for each change', async () => {
    const d = await dayFixture();
    await set(d, limits('500', 3));
    const before = d.shown.length;
    d.limits.check();
    expect(d.shown).toHaveLength(before);
    d.result = '-20.5';
    d.limits.check();
    d.orders.now = at('2026-11-22T00:00:01Z');
    d.limits.check();
    expect(d.shown.slice(before)).toMatchObject([
      { result: '-20.5', startsAt: at('2026-11-21T00:00Z') },
      { startsAt: at('2026-11-22T00:00Z') },
    ]);
  });
});

describe('an order beyond a daily limit', () => {
  it('is blocked at the review and at the send, whatever the window asks', async () => {
    const d = await dayFixture();
    const { orders } = d.orders;
    const held = token(orders, intent());
    await set(d, limits('500', null));
    d.result = '-500.00000001';
    const blocked = { ok: false, failure: { kind: 'blocked', field: 'account' } };
    expect(orders.review(intent())).toMatchObject(blocked);
    expect(await orders.send(held, null)).toMatchObject(blocked);
    expect(d.orders.posts).toEqual([]);
    // Closing goes.
    const close = intent({ kind: 'close-all' }, { type: 'MARKET', side: 'SELL', reduceOnly: true });
    const { quantity: _q, price: _p, timeInForce: _t, ...request } = close.request;
    expect((await orders.send(token(orders, { ...close, request }), null)).ok).toBe(true);
    expect(d.orders.posts).toHaveLength(1);
  });

  it('passes while the loss is not known', async () => {
    const d = await dayFixture();
    await set(d, limits('500', null));
    d.unknown = 'Order history is out of date.';
    expect((await d.orders.orders.send(token(d.orders.orders, intent()), null)).ok).toBe(true);
    // Without a limit of the orders none is counted.
    expect(d.limits.state('practice').sent).toBe(0);
  });

  it('counts what was sent and may have opened: unknown outcomes too, no rejected ones, no reduce-only ones', async () => {
    const d = await dayFixture();
    await set(d, limits(null, 2));
    const { orders } = d.orders;
    d.orders.answers = [rejected];
    await orders.send(token(orders, intent()), null);
    const reduces = intent({}, { side: 'SELL', reduceOnly: true, quantity: '0.1' });
    await orders.send(token(orders, reduces), null);
    expect(d.limits.state('practice').sent).toBe(0);
    d.orders.answers = [lost];
    await orders.send(token(orders, intent()), null);
    expect(d.limits.state('practice').sent).toBe(1);
    const last = token(orders, intent({}, { side: 'SELL' }));
    const another = token(orders, intent({}, { symbolId: 'ETH-USDT-M' }));
    expect((await orders.send(last, null)).ok).toBe(true);
    expect(await orders.send(another, null)).toMatchObject({ ok: false, failure: { field: 'account' } });
    d.orders.now = at('2026-11-22T00:00Z');
    expect(d.limits.state('practice').sent).toBe(0);
    expect(orders.review(intent({}, { symbolId: 'ETH-USDT-M' })).ok).toBe(true);
  });

  it('is blocked when another order takes the last place at the same moment', async () => {
    const d = await dayFixture();
    await set(d, limits(null, 1));
    const { orders } = d.orders;
    const tokens = ['BTC-USDT-M', 'ETH-USDT-M'].map((symbolId) => token(orders, intent({}, { symbolId })));
    const sent = await Promise.all(tokens.map((one) => orders.send(one, null)));
    expect(sent.map(({ ok }) => ok)).toEqual([true, false]);
    expect(d.orders.posts).toHaveLength(1);
    // An order that could not be written does not count.
    d.orders.file.full = true;
    await set(d, limits(null, 2), 'TRADE');
    expect((await orders.send(token(orders, intent()), null)).ok).toBe(false);
    expect(d.limits.state('practice').sent).toBe(1);
  });

  it('in a batch is blocked row by row at the review, and again between its calls', async () => {
    const d = await dayFixture();
    const { batches } = d.orders.orders;
    const row = (price: string, request: object = {}) => ({
      request: { ...intent().request, price, ...request },
      reference: null,
    });
    const reduces = { side: 'SELL', reduceOnly: true } as const;
    const rows = [row('30000'), row('31000', reduces), row('30001'), row('30002')];
    await set(d, limits(null, 2));
    const blockedRows = await batches.review({ connectionId: 'practice', callSize: 2, rows });
    expect(blockedRows).toMatchObject({ data: { faults: [{ row: 3, failure: { field: 'account' } }] } });

    await set(d, limits(null, 3), 'TRADE');
    const reviewed = await batches.review({ connectionId: 'practice', callSize: 1, rows });
    if (!reviewed.ok || !('review' in reviewed.data)) throw new Error('not reviewed');
    d.orders.answers = ['11', '12', '13'].map(acceptedAs);
    const started = await batches.send(reviewed.data.review.token, []);
    expect(started.ok).toBe(true);
    // Stricter while it runs: what was sent stays, the rest is not.
    await set(d, limits(null, 2));
    for (let turn = 0; turn < 200 && batches.list('practice')[0]?.progress.state === 'sending'; turn++)
      await Promise.resolve();
    expect(batches.list('practice')[0]?.progress).toMatchObject({
      state: 'stopped',
      sent: 3,
      stoppedBy: { field: 'account', message: expect.stringContaining('Row 4') },
    });
    expect(d.orders.posts).toHaveLength(3);
  });
});
