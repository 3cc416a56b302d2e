import { describe, expect, it } from 'vitest';
import { tradeFigures, type TradedCoins } from './trade-stats.ts';

const COINS: Record<string, TradedCoins> = {
  'BTC-USDT-M': { base: 'BTC', quote: 'USDT', linear: true },
  'ETH-USDT-M': { base: 'ETH', quote: 'USDT', linear: true },
  'BTC-USD-M': { base: 'BTC', quote: 'USD', linear: false },
};
const coinsOf = (symbol: string): TradedCoins | null => COINS[symbol] ?? null;
const btc = {
  symbol: 'BTC-USDT-M',
  boughtQty: '0.3',
  boughtQuote: '29000.1',
  soldQty: '0.1',
  soldQuote: '9800.000000000000000001',
};
const eth = { symbol: 'ETH-USDT-M', boughtQty: '0', boughtQuote: '0', soldQty: '2', soldQuote: '6000' };
const inverse = { symbol: 'BTC-USD-M', boughtQty: '0.01', boughtQuote: '970', soldQty: '0', soldQuote: '0' };
const usdt = { asset: 'USDT', amount: '1.5' };

describe('metrics of a trade filter', () => {
  it('sum one symbol to the last digit, with average prices', () => {
    const figures = tradeFigures({ count: 3, makers: 1, unsided: 0, symbols: [btc], fees: [usdt] }, coinsOf);
    expect(figures.sums).toEqual([
      {
        quote: 'USDT',
        bought: '29000.1',
        sold: '9800.000000000000000001',
        volume: '38800.100000000000000001',
      },
    ]);
    expect(figures.single).toMatchObject({ base: 'BTC', volumeQty: '0.4', boughtAverage: '96667' });
    expect(figures.cash).toEqual({ value: '-19201.599999999999999999', quote: 'USDT', leftOut: [] });
  });

  it('have an average price with the digits of a cheap coin’s', () => {
    const cheap = { ...btc, boughtQty: '3000', boughtQuote: '0.0000370350', soldQty: '0', soldQuote: '0' };
    const { single } = tradeFigures({ count: 1, makers: 0, unsided: 0, symbols: [cheap], fees: [] }, coinsOf);
    expect(single).toMatchObject({ boughtAverage: '0.000000012345', soldAverage: null });
  });

  it('sum contracts of one quote coin, but never quantities of two symbols', () => {
    const figures = tradeFigures({ count: 2, makers: 0, unsided: 0, symbols: [btc, eth], fees: [] }, coinsOf);
    expect(figures.sums).toMatchObject([{ quote: 'USDT', sold: '15800.000000000000000001' }]);
    expect(figures.single).toBeNull();
  });

  it('list settlement coins first, and give fees in basis points only in one coin', () => {
    const btcFee = { asset: 'BTC', amount: '0.1' };
    const mixed = tradeFigures(
      { count: 2, makers: 0, unsided: 0, symbols: [inverse, btc], fees: [btcFee, usdt] },
      coinsOf,
    );
    expect(mixed.sums.map((one) => one.quote)).toEqual(['USDT', 'USD']);
    expect(mixed.fees.map((one) => one.asset)).toEqual(['USDT', 'BTC']);
    expect(mixed.feeBasisPoints).toBeNull();
    const one = tradeFigures({ count: 1, makers: 0, unsided: 0, symbols: [btc], fees: [usdt] }, coinsOf);
    expect(one.feeBasisPoints).toBe('0.39');
  });

  it('have no cash flow and no share of volume where a trade is neither bought nor sold', () => {
    const figures = tradeFigures({ count: 2, makers: 0, unsided: 1, symbols: [btc], fees: [usdt] }, coinsOf);
    expect(figures.cash).toEqual({ value: null, reason: 'a trade of unknown side' });
    expect(figures.feeBasisPoints).toBeNull();
  });

  it('name fees in other coins', () => {
    const fees = [usdt, { asset: 'BNB', amount: '0.02' }, { asset: 'BTC', amount: '0.00' }];
    const { cash } = tradeFigures({ count: 1, makers: 0, unsided: 0, symbols: [btc], fees }, coinsOf);
    expect(cash).toMatchObject({ leftOut: [{ asset: 'BNB', amount: '0.02' }] });
  });

  it('have no cash flow for two quote coins, an inverse contract or an unknown symbol', () => {
    const reasonOf = (symbols: readonly (typeof btc)[]): unknown =>
      tradeFigures({ count: 1, makers: 0, unsided: 0, symbols, fees: [usdt] }, coinsOf).cash;
    expect(reasonOf([btc, inverse])).toEqual({ value: null, reason: 'several quote coins' });
    expect(reasonOf([inverse])).toEqual({ value: null, reason: 'inverse contracts' });
    expect(reasonOf([{ ...btc, symbol: 'BTCUSDT' }])).toEqual({
      value: null,
      reason: 'unknown quote coin',
    });
  });

  it('exclude a symbol without a contract from every sum, and name it', () => {
    const figures = tradeFigures(
      { count: 2, makers: 0, unsided: 0, symbols: [btc, { ...eth, symbol: 'ETHUSDT' }], fees: [] },
      coinsOf,
    );
    expect(figures.unmatched).toEqual(['ETHUSDT']);
    expect(figures.sums).toMatchObject([{ quote: 'USDT', sold: '9800.000000000000000001' }]);
  });

  it('have no share, average or cash flow without trades', () => {
    const figures = tradeFigures({ count: 0, makers: 0, unsided: 0, symbols: [], fees: [] }, coinsOf);
    expect(figures).toMatchObject({
      sums: [],
      single: null,
      cash: { reason: 'no trades' },
    });
  });
});
