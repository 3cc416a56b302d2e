import { expect, it } from 'vitest';
import { heldCoins } from './held-coins.ts';

const price = (coin: string) =>
  coin === 'BTC'
    ? { before: '60000', after: '48000' }
    : coin === 'ETH'
      ? { before: '3000', after: '2400' }
      : null;

it('adds what coins held lose by their price and by their own positions', () => {
  const equity = new Map([
    ['BTC', { before: '0.5', after: '0.4' }],
    ['ETH', { before: '5', after: '5' }],
  ]);
  // 0.4 × 48,000 − 0.5 × 60,000 = −10,800; 5 × 2,400 − 5 × 3,000 = −3,000.
  expect(heldCoins(equity, price)).toEqual({
    change: '-13800',
    valued: ['BTC', 'ETH'],
    unpriced: [],
    unread: [],
  });
});

it('names a coin without a price instead of counting it, and no coin of which nothing is held', () => {
  const equity = new Map([
    ['XYZ', { before: '7', after: '7' }],
    ['BTC', { before: '0.000', after: '0' }],
  ]);
  expect(heldCoins(equity, price)).toEqual({ change: '0', valued: [], unpriced: ['XYZ'], unread: [] });
});
