import { expect, it } from 'vitest';
import type { Position } from '../../src-shared/exchange-api/account.ts';
import { account, position } from '../../tests/domain/order-samples.ts';
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
