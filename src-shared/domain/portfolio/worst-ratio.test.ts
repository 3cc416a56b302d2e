import { describe, expect, it } from 'vitest';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import { worstRatio } from './worst-ratio.ts';

const coin = (name: string, rate: string | null) =>
  asset({ coin: name, crossedMaintainMarginRate: rate, crossedMaintainMargin: '0' });

describe('the worst margin ratio of an account', () => {
  it('is the highest of its coins, in the unit the connection says', () => {
    const held = account([], [coin('BTC', '0.3'), coin('USDT', '0.1874')]);
    expect(worstRatio(held, '1')).toEqual({ share: '0.3', of: 'BTC', unrated: [] });
    expect(worstRatio(account([], [coin('USDT', '18.74')]), '100')).toMatchObject({ share: '0.1874' });
  });

  it('is 1 where no equity is left, which a rate below 0 says', () => {
    const held = account([], [coin('BTC', '0.3'), coin('USDT', '-5')]);
    expect(worstRatio(held, '1')).toEqual({ share: '1', of: 'USDT', unrated: [] });
  });

  it('names what it cannot rate', () => {
    expect(worstRatio(account([], [coin('BTC', '0.3'), coin('ETH', null)]), undefined)).toEqual({
      share: null,
      of: null,
      unrated: ['BTC', 'ETH'],
    });
  });

  it('counts an isolated position by its own margin', () => {
    const isolated = position({
      marginMode: 'ISOLATED',
      margin: '10',
      profitUnreal: '0',
      maintainMargin: '4',
      closedFee: '1',
    });
    expect(worstRatio(account([isolated], []), undefined)).toMatchObject({
      share: '0.5',
      of: isolated.symbolId,
    });
  });

  it('is nothing without a requirement', () => {
    expect(worstRatio(account([], [coin('USDT', '0')]), undefined)).toEqual({
      share: null,
      of: null,
      unrated: [],
    });
  });
});
