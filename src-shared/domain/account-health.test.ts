import { describe, expect, it } from 'vitest';
import type { Position } from '../interface/account.ts';
import { accountHealth } from './account-health.ts';
import { account, asset, position } from '../../tests/domain/order-samples.ts';

const calm: Partial<Position> = { markPrice: '100', liquidPrice: '50' };
const graded = (positions: readonly Partial<Position>[], rate = '0.01') => {
  const held = positions.map((one) => position({ ...calm, ...one }));
  const { grade, cause } = accountHealth(account(held, [asset({ crossedMaintainMarginRate: rate })]));
  return [grade, cause?.by, cause === null || cause.by === 'cross ratio' ? null : cause.position.symbolId];
};

describe('the grade of an account', () => {
  it('is the cross ratio’s while nothing is worse', () => {
    expect(graded([{}])).toEqual(['healthy', 'cross ratio', null]);
    expect(graded([{}], '0.5')).toEqual(['caution', 'cross ratio', null]);
    expect(graded([{}], '0.8')).toEqual(['danger', 'cross ratio', null]);
  });
  it('is never healthy beside a position that is near its liquidation', () => {
    const near = { symbolId: 'SOL-USDT-M', liquidPrice: '97.63' };
    expect(graded([{}, near])).toEqual(['danger', 'distance', 'SOL-USDT-M']);
    expect(graded([{}, { ...near, liquidPrice: '95' }])).toEqual(['caution', 'distance', 'SOL-USDT-M']);
    expect(graded([{}, { ...near, liquidPrice: '90' }])).toEqual(['healthy', 'cross ratio', null]);
    expect(graded([{}, { ...near, side: 'SELL', liquidPrice: '104' }])).toEqual([
      'danger',
      'distance',
      'SOL-USDT-M',
    ]);
  });
  it('counts an isolated position by what stands behind it', () => {
    const isolated = { marginMode: 'ISOLATED', maintainMargin: '80', closedFee: '0', profitUnreal: '-20' };
    expect(graded([{ ...isolated, margin: '120' }])).toEqual(['danger', 'isolated ratio', 'BTC-USDT-M']);
    expect(graded([{ ...isolated, margin: '20' }])).toEqual(['danger', 'isolated ratio', 'BTC-USDT-M']);
    expect(graded([{ ...isolated, margin: '520' }])).toEqual(['healthy', 'cross ratio', null]);
  });
  it('is of nothing where nothing can be liquidated', () => {
    expect(accountHealth(account([], [asset({ crossedMaintainMarginRate: '0' })]))).toEqual({
      grade: 'healthy',
      cause: null,
    });
  });
});
