import { describe, expect, it } from 'vitest';
import type { Feed, Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/settings.ts';
import { account, LINEAR, NOW, position } from '../../../tests/domain/order-samples.ts';
import { PRACTICE } from '../../../tests/orders/simple-order-service.ts';
import { intent } from '../../../tests/orders/scripted-order-service.ts';
import { orderFailure, type CheckInputs } from './order-failure.ts';

const read = <T>(value: T | null, age = 0): Feed<T> => ({
  value,
  receivedAt: value === null ? null : NOW,
  age: value === null ? null : age,
  latencyMs: 1,
  failure: null,
  failingSince: null,
  serial: 1,
});
const basis = (
  feeds: Partial<CheckInputs['feeds']>,
  limits: Partial<typeof DEFAULT_SETTINGS.limits> = {},
) => ({
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
});
