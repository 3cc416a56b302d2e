import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import { referencesOf, type ReferenceInput } from './reference-prices.ts';

const position = (markPrice: string | null, lastPrice: string | null): Position =>
  ({ symbolId: 'BTC-USDT-M', markPrice, lastPrice }) as Position;
const input: ReferenceInput = {
  symbolId: 'BTC-USDT-M',
  positions: [position('97412.5', '97408.0')],
  positionsAt: 1_000_000,
  ownTrade: { price: '96000', at: 500_000 },
  typed: null,
  now: 1_001_000,
};

it('ignores prices from the future, which a changed clock leaves behind', () => {
  const now = 1_000_000;
  const own = (at: number) =>
    referencesOf({
      symbolId: 'BTC-USDT-M',
      positions: [],
      positionsAt: null,
      ownTrade: { price: '7', at },
      typed: { price: '8', at },
      now,
    }).map((one) => one.source);
  expect(own(now + 3_600_000)).toEqual([]);
  expect(own(now + 1_000)).toEqual(['typed', 'own-trade']);
});

describe('reference prices', () => {
  it('rank the mark first, then the last price, then an older own fill', () => {
    expect(referencesOf(input).map((one) => one.source)).toEqual(['mark', 'last', 'own-trade']);
  });

  it('rank a typed price first for a minute', () => {
    const typed = { price: '97000', at: 941_000 };
    expect(referencesOf({ ...input, typed })[0]?.source).toBe('typed');
    expect(referencesOf({ ...input, typed, now: 1_001_001 })[0]?.source).toBe('mark');
  });

  it('rank a newer own fill before a mark that is no longer updated', () => {
    expect(referencesOf({ ...input, ownTrade: { price: '96000', at: 1_000_500 } })[0]?.source).toBe(
      'own-trade',
    );
  });

  it('are one per source where both legs of a hedge are open', () => {
    const legs = [...input.positions, ...input.positions];
    expect(referencesOf({ ...input, positions: legs })).toEqual(referencesOf(input));
  });

  it('skip other contracts, empty prices and prices of 0', () => {
    expect(referencesOf({ ...input, symbolId: 'ETH-USDT-M', ownTrade: null })).toEqual([]);
    expect(
      referencesOf({ ...input, ownTrade: null, positions: [position('0', ''), position(null, null)] }),
    ).toEqual([]);
  });
});
