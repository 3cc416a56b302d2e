import { describe, expect, it } from 'vitest';
import { position } from '../../../tests/domain/positions.ts';
import { nudged, riskLine } from './risk-line.ts';

const tpSl = (kind: string, triggerPrice: string) => ({ kind, triggerPrice, quantity: '1' });
const shape = (changes: Parameters<typeof position>[0]) =>
  riskLine(position({ tpSlOrders: [], tpSl: null, tpSlSize: 0, ...changes })).map(({ kind, at }) => [
    kind,
    at,
  ]);

describe('the risk line', () => {
  it('is linear from liquidation to take profit, for longs and shorts', () => {
    const prices = { avgEntryPrice: '120', markPrice: '140', liquidPrice: '100' };
    const orders = [tpSl('TAKE_PROFIT', '200'), tpSl('STOP_LOSS', '110')];
    const long = [
      ['liquidation', 0],
      ['sl', 0.1],
      ['entry', 0.2],
      ['mark', 0.4],
      ['tp', 1],
    ];
    expect(shape({ side: 'BUY', ...prices, tpSlOrders: orders })).toEqual(long);
    const short = { avgEntryPrice: '180', markPrice: '160', liquidPrice: '200' };
    const turned = [tpSl('TAKE_PROFIT', '100'), tpSl('STOP_LOSS', '190')];
    expect(shape({ side: 'SELL', ...short, tpSlOrders: turned })).toEqual(long);
  });
  it('starts at the stop loss if there is no liquidation, else at the worst price', () => {
    const prices = { side: 'BUY', avgEntryPrice: '120', markPrice: '140', liquidPrice: '0' } as const;
    expect(shape({ ...prices, tpSlOrders: [tpSl('STOP_LOSS', '100')] })[0]).toEqual(['sl', 0]);
    expect(shape(prices)).toEqual([
      ['entry', 0],
      ['mark', 1],
    ]);
  });
  it('includes a mark beyond the liquidation price', () => {
    const past = { side: 'BUY', avgEntryPrice: '120', markPrice: '90', liquidPrice: '100' } as const;
    expect(shape(past).map(([kind]) => kind)).toEqual(['mark', 'liquidation', 'entry']);
  });
  it('is empty unless two prices differ', () => {
    expect(shape({ avgEntryPrice: '120', markPrice: null, liquidPrice: '0' })).toEqual([]);
    expect(shape({ avgEntryPrice: '120', markPrice: '120', liquidPrice: null })).toEqual([]);
  });
});

describe('labels of a line', () => {
  it('stand at their points where there is space', () => {
    expect(
      nudged(
        [
          { at: 50, width: 40 },
          { at: 200, width: 40 },
        ],
        288,
      ),
    ).toEqual([30, 180]);
  });
  it('are moved apart, but stay within the line', () => {
    expect(
      nudged(
        [
          { at: 0, width: 40 },
          { at: 10, width: 40 },
        ],
        288,
      ),
    ).toEqual([0, 48]);
    expect(
      nudged(
        [
          { at: 280, width: 60 },
          { at: 288, width: 60 },
        ],
        288,
      ),
    ).toEqual([160, 228]);
  });
});
