import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account, context, openOrder, position } from '../../../tests/domain/order-samples.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { DayUsage, OrderContext } from '../instrument/trading-context.ts';
import { lossState, ordersState, withAhead } from './day-rules.ts';
import { checkOrder } from './rules.ts';

const day = (changes: Partial<DayUsage> = {}): DayUsage => ({
  limits: { loss: { amount: '500', coin: 'USDT' }, orders: 10 },
  lifted: false,
  zone: 'Europe/Berlin',
  sent: 0,
  result: '0',
  unknown: null,
  ...changes,
});
const order = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'MARKET',
  quantity: '0.100',
  ...changes,
});
/** States of the two rules about the day, by name; nothing for a rule that does not apply. */
const states = (request: OrderRequest, usage: DayUsage | null, where: OrderContext = context()) =>
  checkOrder({ kind: 'order', request }, { ...where, day: usage })
    .filter(({ id }) => id.startsWith('day-'))
    .map(({ id, state }) => `${id} ${state}`);
const text = (usage: DayUsage, id: string) =>
  checkOrder({ kind: 'order', request: order() }, { ...context(), day: usage }).find((one) => one.id === id);

const LOST = day({ result: '-500', limits: { loss: { amount: '500', coin: 'USDT' }, orders: null } });
const hedge = context({
  account: account([position({ positionMode: 'HEDGE' })]),
});

describe('daily limits', () => {
  it('say nothing without a limit, and pass below 80%', () => {
    expect(states(order(), null)).toEqual([]);
    const none = day({ limits: { loss: null, orders: null } });
    expect(states(order(), none)).toEqual([]);
    expect([lossState(none), ordersState(none)]).toEqual([null, null]);
    expect(states(order(), day({ sent: 7, result: '-399.99' }))).toEqual([
      'day-loss pass',
      'day-orders pass',
    ]);
    expect(states(order(), day({ result: '9000' }))).toContain('day-loss pass');
  });

  it('warn from 80% on, and block at the limit itself', () => {
    expect(states(order(), day({ sent: 8, result: '-400' }))).toEqual(['day-loss warn', 'day-orders warn']);
    expect(states(order(), day({ sent: 9, result: '-499.99999999' }))).toEqual([
      'day-loss warn',
      'day-orders warn',
    ]);
    expect(states(order(), day({ sent: 10, result: '-500' }))).toEqual(['day-loss fail', 'day-orders fail']);
    expect(text(day({ result: '-600' }), 'day-loss')).toMatchObject({
      field: 'account',
      message:
        'Today’s loss has reached your limit. Opening orders are blocked until midnight (Europe/Berlin).',
      next: 'Closing with reduce-only is always possible.',
    });
    expect(text(day({ sent: 11 }), 'day-orders')?.message).toContain('Your limit of 10 opening orders a day');
  });

  it('name no amount of the account, which may be hidden', () => {
    for (const result of ['-1', '-400.25', '-612.25'])
      expect(text(day({ result }), 'day-loss')?.message).not.toMatch(/500|[.]25/);
  });

  it('only warn while lifted', () => {
    expect(states(order(), day({ lifted: true, sent: 10, result: '-500' }))).toEqual([
      'day-loss warn',
      'day-orders warn',
    ]);
  });

  it('never block closing', () => {
    const close = order({ side: 'SELL', reduceOnly: true });
    const all = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true } as const;
    for (const usage of [LOST, day({ sent: 99, result: '-999' })]) {
      expect(states(close, usage)).toEqual([]);
      expect(states(close, usage, context({ account: null }))).toEqual([]);
      const checks = checkOrder({ kind: 'close-all', request: all }, { ...context(), day: usage });
      expect(checks.filter(({ id }) => id.startsWith('day-'))).toEqual([]);
    }
  });

  it('let an order without reduce-only pass if it only closes the position as last read', () => {
    // One-way, long 2.
    expect(states(order({ side: 'SELL', quantity: '2' }), LOST)).toEqual([]);
    expect(states(order({ side: 'SELL', quantity: '2.001' }), LOST)).toEqual(['day-loss fail']);
    // In hedge mode it opens a short.
    expect(states(order({ side: 'SELL', quantity: '1' }), LOST, hedge)).toEqual(['day-loss fail']);
    // The position is not known.
    expect(states(order({ side: 'SELL' }), LOST, context({ account: null }))).toEqual(['day-loss fail']);
    // Nothing is known of the order without a price.
    const unpriced = order({ side: 'SELL', quantity: '1' });
    expect(states(unpriced, LOST, context({ references: [] }))).toEqual(['day-loss fail']);
  });

  it('block a reverse order, whose second part opens', () => {
    const reverse = order({ side: 'SELL', quantity: '1', reverseOrder: true });
    const where = context({ kind: 'practice', reverseQuantity: 'new-position', openOrders: [openOrder()] });
    expect(states(reverse, LOST, where)).toEqual(['day-loss fail']);
  });

  it('warn that a loss is not checked while it is not known, unless what is known reaches it', () => {
    const unread = { result: null, unknown: 'Order history has not been read yet.' };
    expect(states(order(), day({ ...unread }))).toEqual(['day-loss unknown', 'day-orders pass']);
    expect(text(day(unread), 'day-loss')?.message).toContain('Order history has not been read yet.');
    const old = 'Order history is out of date.';
    expect(states(order(), day({ result: '-499', unknown: old }))).toContain('day-loss unknown');
    expect(states(order(), day({ result: '-500', unknown: old }))).toContain('day-loss fail');
  });

  it('count the rows of a batch before this one', () => {
    const where = context({ day: day({ sent: 8 }) });
    const ahead = [0, 1, 2].map((rows) => withAhead(where, rows).day!.sent);
    expect(ahead).toEqual([8, 9, 10]);
    expect(withAhead(context(), 3).day).toBeNull();
  });

  it('block more with each loss and each order, never less', () => {
    const grade = { free: 0, near: 1, met: 2, unknown: -1 } as const;
    const of = (usage: DayUsage) =>
      [lossState(usage), ordersState(usage)].map((one) => grade[one ?? 'unknown']);
    const cents = fc.integer({ min: -100_000, max: 100_000 }).map((one) => (one / 100).toFixed(2));
    fc.assert(
      fc.property(cents, cents, fc.nat(20), fc.nat(20), (a, b, sent, more) => {
        const worse = Number(a) < Number(b) ? a : b;
        const better = worse === a ? b : a;
        const [before, after] = [day({ result: better, sent }), day({ result: worse, sent: sent + more })];
        const [was, is] = [of(before), of(after)];
        expect(is[0]).toBeGreaterThanOrEqual(was[0]!);
        expect(is[1]).toBeGreaterThanOrEqual(was[1]!);
      }),
    );
  });
});
