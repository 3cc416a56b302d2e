import { describe, expect, it } from 'vitest';
import type { Feed, Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { account, INVERSE, LINEAR, NOW, pastOrder, position } from '../../../tests/domain/order-samples.ts';
import { PRACTICE } from '../../../tests/orders/simple-order-service.ts';
import { intent } from '../../../tests/orders/scripted-order-service.ts';
import { orderFailure, type CheckInputs } from './order-failure.ts';
import { feedOf } from '../../../tests/shared/feed-of.ts';

const read = <T>(value: T | null, age = 0): Feed<T> =>
  feedOf(value, value === null ? {} : { receivedAt: NOW, age });
const basis = (
  feeds: Partial<CheckInputs['feeds']>,
  limits: Partial<typeof DEFAULT_SETTINGS.limits> = {},
): CheckInputs => ({
  summary: PRACTICE,
  feeds: {
    account: read(account([position()])),
    openOrders: read<NonNullable<Feeds['openOrders']['value']>>([]),
    history: read<NonNullable<Feeds['history']['value']>>([]),
    contracts: read([LINEAR]),
    ...feeds,
  },
  settings: { contracts: {}, limits: { ...DEFAULT_SETTINGS.limits, ...limits } },
  day: null,
  now: NOW,
});
const opens = intent({}, { price: '97000.0', quantity: '0.5' });
const { price: _p, timeInForce: _t, ...rest } = opens.request;
const closes: OrderIntent = {
  ...opens,
  request: { ...rest, type: 'MARKET', side: 'SELL', quantity: '1', reduceOnly: true },
};

describe('the checks of the main process', () => {
  it('block an order beyond a limit', () => {
    expect(orderFailure(opens, basis({}, { notional: '1000' }))).toMatchObject({
      kind: 'blocked',
      field: 'size',
      message: expect.stringContaining('above your limit'),
    });
  });

  it.each<[string, Partial<CheckInputs['feeds']>]>([
    ['contracts are unread', { contracts: read<(typeof LINEAR)[]>(null) }],
    ['account is unread', { account: read<ReturnType<typeof account>>(null) }],
    ['account was read long ago', { account: read(account([position()]), 7_000) }],
  ])('block opening, and let close, while the %s and a limit needs it', (_what, feeds) => {
    const limited = basis(feeds, { notional: '1000', priceDeviationPercent: null });
    expect(orderFailure(opens, limited)).toMatchObject({
      kind: 'blocked',
      message: expect.stringContaining('Your limit on the notional cannot be checked'),
      next: expect.stringMatching(/read/),
    });
    expect(orderFailure(closes, limited)).toBeNull();
  });

  it('name the way out that a rule suggests, or the rule’s own', () => {
    expect(orderFailure(opens, basis({}, { notional: '1000' }))?.next).toBe('Use 0.01 BTC.');
    const noPrice = { ...opens, request: { ...opens.request, price: '0' } };
    expect(orderFailure(noPrice, basis({}))?.next).toBe('Enter a price above 0.');
    // It may be of the ticket, a batch or a closing.
    const reducesNothing: OrderIntent = { ...closes, request: { ...closes.request, side: 'BUY' } };
    expect(orderFailure(reducesNothing, basis({}))?.next).toBe('Change the order, then review it again.');
  });

  it('block a contract with a record that could not be read', () => {
    const unreadable = [{ symbolId: 'BTC-USDT-M', record: 'positions[0]', message: 'no side', raw: '{}' }];
    const other = [{ ...unreadable[0]!, symbolId: 'ETH-USDT-M' }];
    const messageOf = (feeds: Partial<CheckInputs['feeds']>) => orderFailure(opens, basis(feeds))?.message;
    expect(messageOf({ account: { ...read(account([])), unreadable } })).toContain('positions[0]');
    expect(messageOf({ openOrders: { ...read([]), unreadable } })).toContain('positions[0]');
    expect(messageOf({ account: { ...read(account([])), unreadable: other } }) ?? '').not.toContain(
      'positions[0]',
    );
  });
});

describe('the reference price', () => {
  const limits = { priceDeviationPercent: '1', referenceAgeSeconds: 2 };
  const failureAt = (age: number, reference: OrderIntent['reference'] = null) =>
    orderFailure({ ...opens, reference }, basis({ account: read(account([position()]), age) }, limits));

  it('is as old as the account it came with', () => {
    expect(failureAt(1_500)).toBeNull();
    expect(failureAt(3_000)).toMatchObject({ field: 'reference' });
  });

  it('may come with the order, by its source', () => {
    const typed = { price: '97000.0', source: 'typed', at: NOW } as const;
    expect(failureAt(3_000, typed)).toBeNull();
    expect(failureAt(3_000, { ...typed, source: 'own-trade' })).toBeNull();
    // A typed price is for a minute, an own trade as old as the limit allows.
    const old = { ...typed, at: NOW - 70_000 };
    const patient = basis({ account: read(account([])) }, { ...limits, referenceAgeSeconds: 90 });
    expect(orderFailure({ ...opens, reference: { ...old, source: 'own-trade' } }, patient)).toBeNull();
    expect(orderFailure({ ...opens, reference: old }, patient)).toMatchObject({ field: 'reference' });
    // The window cannot say what the mark is.
    expect(failureAt(3_000, { ...typed, source: 'mark' })).toMatchObject({ field: 'reference' });
  });
});

describe('the contract’s specs', () => {
  const contracts = read([LINEAR, INVERSE]);
  const limits = { notional: '1000', priceDeviationPercent: null };
  const failureOf = (one: OrderIntent, feeds: Partial<CheckInputs['feeds']>) =>
    orderFailure(one, basis({ contracts, ...feeds }, limits));

  it('follow the newest reply of the same contracts: a limit is applied to what a unit is worth now', () => {
    const inThousandths = position({ entryValue: '190.00' });
    expect(failureOf(opens, {})?.field).toBe('size');
    expect(failureOf(opens, { account: read(account([inThousandths])) })).toBeNull();
    expect(failureOf(opens, {})?.field).toBe('size');
    // Another contract's position says nothing about this one.
    const other = position({ ...inThousandths, symbolId: 'ETH-USDT-M' });
    expect(failureOf(opens, { account: read(account([other])) })?.field).toBe('size');
  });
});

/** A stop of a long that nothing but the liquidation price can block. */
function stopAt(slPrice: string) {
  return { slTriggerType: 'MARK_PRICE', slPrice } as const;
}

/** An isolated long of 4 BTC; its maintenance margin shows the tier convention. */
function isolated(maintainMargin: string, liquidPrice = '0') {
  const held = { quantity: '4', entryValue: '380000', margin: '19000', marginMode: 'ISOLATED' };
  return { account: read(account([position({ ...held, maintainMargin, liquidPrice })])) };
}

describe('the liquidation price a stop is compared with', () => {
  const stopped: OrderIntent = {
    ...opens,
    request: { ...opens.request, quantity: '0.001', tpSl: { tpTriggerType: 'NONE', ...stopAt('90000') } },
  };
  const priceBy = (feeds: Partial<CheckInputs['feeds']>, convention: 'flat' | 'marginal' = 'flat') => {
    const inputs = basis(feeds);
    const settings = { ...PRACTICE.settings, convention };
    const failure = orderFailure(stopped, { ...inputs, summary: { ...PRACTICE, settings } });
    return /≈ ([\d.]+)/.exec(failure?.message ?? '')?.[1];
  };

  it('follows the tier convention the positions show, else the connection’s', () => {
    expect(priceBy(isolated('3880'))).toBe('91162.1');
    expect(priceBy(isolated('2630'))).toBe('90846.6');
    expect(priceBy(isolated('3880'), 'marginal')).toBe('91162.1');
    expect(priceBy(isolated('3900'))).toBe('91162.1');
    expect(priceBy(isolated('3900'), 'marginal')).toBe('90846.6');
  });

  it('includes the closing fee unless the positions show that it does not', () => {
    const history = read([pastOrder()]);
    expect(priceBy({ ...isolated('3880'), history })).toBe('91208.2');
    expect(priceBy({ ...isolated('3880', '91207.6'), history })).toBe('91208.2');
    expect(priceBy({ ...isolated('3880', '91161.6'), history })).toBe('91162.1');
  });

  it('is computed anew for the same account when the fee rates became known', () => {
    const feeds = { ...isolated('2630', '91207.6'), contracts: read([LINEAR]) };
    expect(priceBy(feeds)).toBe('90846.6');
    expect(priceBy({ ...feeds, history: read([pastOrder()]) })).toBe('91208.2');
  });

  it('is computed anew for the same account when the contracts changed', () => {
    const feeds = isolated('3880');
    expect(priceBy(feeds, 'marginal')).toBe('91162.1');
    const [first, second, ...more] = LINEAR.riskLimitConfigs;
    const tiers = [first!, { ...second!, maintainMarginRate: '0.02' }, ...more];
    const contracts = read([{ ...LINEAR, riskLimitConfigs: tiers }]);
    // They explain the margin by no convention, so the connection’s counts.
    expect(priceBy({ ...feeds, contracts }, 'marginal')).toBe('91136.0');
    expect(priceBy(feeds, 'marginal')).toBe('91162.1');
  });
});
