import { describe, expect, it } from 'vitest';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { accountHealth } from './account-health.ts';
import type { RatioUnit } from '../margin/ratio-unit.ts';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';

const calm: Partial<Position> = { markPrice: '100', liquidPrice: '50' };
const graded = (positions: readonly Partial<Position>[], rate = '0.01') => {
  const held = positions.map((one) => position({ ...calm, ...one }));
  const { grade, cause } = accountHealth(account(held, [asset({ crossedMaintainMarginRate: rate })]), '1');
  return [grade, cause?.by, cause !== null && 'position' in cause ? cause.position.symbolId : null];
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
    // Past the price, however far.
    expect(graded([{}, { ...near, liquidPrice: '150' }])).toEqual(['danger', 'distance', 'SOL-USDT-M']);
    expect(graded([{}, { ...near, side: 'SELL', liquidPrice: '104' }])).toEqual([
      'danger',
      'distance',
      'SOL-USDT-M',
    ]);
  });
  it('is unknown beside a record that cannot be read, unless something known is worse', () => {
    const record = { record: 'position', message: 'no id', symbolId: 'SOL-USDT-M', raw: '{}' };
    const beside = (rate: string) => {
      const held = account([position(calm)], [asset({ crossedMaintainMarginRate: rate })]);
      return accountHealth(held, '1', undefined, [record]);
    };
    expect(beside('0.01')).toMatchObject({
      grade: null,
      unknown: ['a record of SOL-USDT-M cannot be read'],
    });
    expect(beside('0.8').grade).toBe('danger');
  });
  it('misses nothing of a listed position of quantity 0', () => {
    const none = { quantity: '0', markPrice: null, profitUnreal: null, liquidPrice: '97' };
    expect(graded([{}, none])).toEqual(['healthy', 'cross ratio', null]);
    expect(graded([{}, { ...none, markPrice: '100', marginMode: 'ISOLATED', margin: null }])).toEqual([
      'healthy',
      'cross ratio',
      null,
    ]);
  });
  it('names the position nearest to its liquidation', () => {
    const caution = { symbolId: 'SOL-USDT-M', liquidPrice: '91' };
    const nearer = { symbolId: 'ETH-USDT-M', side: 'SELL', liquidPrice: '107' };
    expect(graded([{}, caution, nearer])).toEqual(['caution', 'distance', 'ETH-USDT-M']);
    expect(graded([{}, nearer, caution])).toEqual(['caution', 'distance', 'ETH-USDT-M']);
  });
  it('grades an isolated position by its own margin and PnL', () => {
    const isolated = { marginMode: 'ISOLATED', maintainMargin: '80', closedFee: '0', profitUnreal: '-20' };
    expect(graded([{ ...isolated, margin: '120' }])).toEqual(['danger', 'isolated ratio', 'BTC-USDT-M']);
    expect(graded([{ ...isolated, margin: '20' }])).toEqual(['danger', 'isolated ratio', 'BTC-USDT-M']);
    expect(graded([{ ...isolated, margin: '520' }])).toEqual(['healthy', 'cross ratio', null]);
  });
  it('has no cause if nothing can be liquidated', () => {
    expect(accountHealth(account([], [asset({ crossedMaintainMarginRate: '0' })]), null)).toEqual({
      grade: 'healthy',
      cause: null,
      unknown: [],
    });
  });
});

describe('what cannot be graded', () => {
  const far = position(calm);
  const of = (changes: Partial<Asset>, held: readonly Position[] = [far], unit: RatioUnit | null = '1') => {
    const { grade, cause, unknown } = accountHealth(account(held, [asset(changes)]), unit);
    return [grade, cause?.by, unknown];
  };
  it('never makes the account healthy', () => {
    expect(of({ crossedMaintainMarginRate: null })).toEqual([
      null,
      'distance',
      ['the margin ratio of USDT cannot be read'],
    ]);
    const unread = { marginMode: 'ISOLATED', profitUnreal: null };
    expect(of({}, [position({ ...calm, ...unread })])[0]).toBeNull();
    expect(of({}, [position({ ...calm, liquidPrice: null })])[0]).toBeNull();
    expect(of({}, [position({ ...calm, markPrice: null })])[0]).toBeNull();
  });
  it('never hides a known danger', () => {
    const near = position({ ...calm, liquidPrice: '97.63' });
    expect(of({ crossedMaintainMarginRate: null }, [near]).slice(0, 2)).toEqual(['danger', 'distance']);
    const spent = { balance: '0', isolatedMargin: '0', isolatedLocked: '0', crossProfitUnreal: '-1' };
    for (const rate of [null, '0', '-5'])
      expect(of({ ...spent, crossedMaintainMargin: '5', crossedMaintainMarginRate: rate })).toEqual([
        'danger',
        'equity',
        [],
      ]);
  });
  it('includes rates of unknown unit; a rate in hundredths is graded by its unit', () => {
    expect(of({ crossedMaintainMarginRate: '60' }, [], null)).toEqual([
      null,
      undefined,
      ['the unit of the margin ratio of USDT is unknown (1 or 100 for 100%)'],
    ]);
    expect(of({ crossedMaintainMarginRate: '60' }, [], '100').slice(0, 2)).toEqual([
      'caution',
      'cross ratio',
    ]);
    expect(of({ crossedMaintainMarginRate: '0.6' }, [], '100').slice(0, 2)).toEqual([
      'healthy',
      'cross ratio',
    ]);
  });
});
