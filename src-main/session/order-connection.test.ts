import { expect, it } from 'vitest';
import type { Position } from '../../src-shared/exchange-api/account.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { account, LINEAR, NOW, position } from '../../tests/domain/order-samples.ts';
import { intent } from '../../tests/orders/scripted-order-service.ts';
import { PRACTICE } from '../../tests/orders/simple-order-service.ts';
import { orderConnection } from './order-connection.ts';

const closing = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true } as const;

/** Reports whether the position that `closing` closes may be open, by an account that lists these. */
function mayHold(...listed: readonly Partial<Position>[]): boolean | undefined {
  const feeds = { account: { value: account(listed.map(position)) } };
  const session = { current: () => ({ id: 'live-1', feeds: { all: () => feeds } }), summary: () => ({}) };
  return orderConnection(
    session as never,
    'live-1',
    () => ({}) as never,
    () => null,
    { now: () => 1 },
  )?.mayHold(position().positionId, closing);
}

it('takes a position for gone once the account lists none, or one of quantity 0', () => {
  expect([mayHold({}), mayHold({ quantity: null })]).toEqual([true, true]);
  expect([mayHold(), mayHold({ side: 'SELL' }), mayHold({ quantity: '0.000' })]).toEqual([
    false,
    false,
    false,
  ]);
});

it.each([
  [undefined, true],
  ['gentle', false],
] as const)('checks an order in a hidden window by the intervals of the connection: %s', (pace, blocks) => {
  const read = <T>(value: T) => ({ value, age: 7_000, failure: null, intervalFactor: 3 });
  const feeds = {
    ...{ account: read(account([position()])), openOrders: read([]) },
    ...{ history: read([]), contracts: read([LINEAR]) },
  };
  const settings = { ...PRACTICE.settings, ...(pace === undefined ? {} : { pace }) };
  const summary = { ...PRACTICE, settings };
  const session = {
    current: () => ({ id: 'practice', feeds: { all: () => feeds } }),
    summary: () => summary,
  };
  const limits = { ...DEFAULT_SETTINGS.limits, notional: '100000000', referenceAgeSeconds: 60 };
  const orders = orderConnection(
    session as never,
    'practice',
    () => ({ ...DEFAULT_SETTINGS, limits }),
    () => null,
    { now: () => NOW },
  );
  const failure = orders?.orderFailure(intent({}, { price: '97000.0', quantity: '0.5' }), 0);
  expect(failure?.message ?? '').toMatch(blocks ? /limit on the notional cannot be checked/ : /^$/);
});
