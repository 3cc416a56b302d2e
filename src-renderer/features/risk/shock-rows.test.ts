import { describe, expect, it } from 'vitest';
import { position } from '../../../tests/domain/order-samples.ts';
import type { ShockedPosition } from '../../../src-shared/domain/risk/shocked.ts';
import { labelsThatFit, ratioPoints, ticks } from './shock-chart.ts';
import { shockRows } from './shock-rows.ts';
import { leftOutText, resultText, shockCsv, stopsText } from './shock-text.ts';

const shocked = (symbolId: string, value: string, pnl: string): ShockedPosition => ({
  position: position({ symbolId, markPrice: '100', liquidPrice: '90' }),
  coin: 'USDT',
  move: '-0.2',
  price: '80',
  value,
  pnl,
  liquidation: null,
  fills: 0,
  isClosed: false,
});
const base = (symbolId: string): string => symbolId.split('-')[0]?.replace(/\d/g, '') ?? '';
const all = [
  shocked('SOL-USDT-M', '50', '-10'),
  shocked('BTC-USDT-M', '30', '-6.5'),
  { ...shocked('BTC1225-USDT-M', '40', '8'), liquidation: { order: 2, move: '-0.0519' } },
];
const notCounted = [
  {
    position: position({ symbolId: 'AVAX-USDT-M', markPrice: null }),
    symbolId: 'AVAX-USDT-M',
    reason: 'no mark',
  },
];

it('says at which price stops are assumed filled, and nothing without one', () => {
  const [market, limit] = [{ orderPrice: null }, { orderPrice: '80' }];
  expect(stopsText([])).toBe('');
  expect(stopsText([market])).toBe('1 stop is assumed filled at trigger price. A gap or slippage is worse.');
  expect(stopsText([limit])).toContain('at order price');
  expect(stopsText([market, limit])).toContain('2 stops are assumed filled at trigger or order price');
});

it('says which orders are left out by the choice of those that fill', () => {
  const counts = { tpSl: 2, resting: 9 };
  expect(leftOutText('none', counts)).toBe('As if 2 TP/SL and 9 resting orders did not fill.');
  expect(leftOutText('tp-sl', counts)).toBe('As if 9 resting orders did not fill.');
  expect(leftOutText('all', counts)).toBe('');
  expect(leftOutText('none', { tpSl: 0, resting: 1 })).toBe('As if 1 resting order did not fill.');
  expect(leftOutText('tp-sl', { tpSl: 2, resting: 1 })).toBe('As if 1 resting order did not fill.');
  expect(leftOutText('tp-sl', { tpSl: 2, resting: 0 })).toBe('');
});

describe('the rows of a shock', () => {
  it('are grouped by underlying, the largest first, with a subtotal for more than one', () => {
    const rows = shockRows(all, notCounted, base, true);
    expect(
      rows.map((row) => (row.kind === 'group' ? `${row.coin} ${row.pnl}` : row.one.position.symbolId)),
    ).toEqual(['BTC 1.5', 'BTC1225-USDT-M', 'BTC-USDT-M', 'SOL-USDT-M', 'AVAX-USDT-M']);
    expect(shockRows(all, notCounted, base, false).map((row) => row.kind)).toEqual([
      'position',
      'position',
      'position',
      'not-counted',
    ]);
  });
  it('say what becomes of a position, and which one an order opens', () => {
    const one = shocked('BTC-USDT-M', '30', '-6.5');
    const opened = { ...one, position: { ...one.position, quantity: '0' }, fills: 1 };
    const texts = [one, { ...one, fills: 2 }, { ...one, fills: 1, isClosed: true }, opened].map(resultText);
    expect(texts).toEqual(['Survives', 'Survives, 2 fills', 'Closed by orders', 'Opened by 1 fill']);
  });
  it('make the CSV, where positions that could not be valued have their reason', () => {
    const lines = shockCsv(shockRows(all, notCounted, base, true), 'USDT', () => 1).split('\r\n');
    expect(lines[1]).toBe('BTC (2 positions),,,,,-20.00,,,,1.50,USDT,,');
    expect(lines[2]).toBe(
      'BTC1225-USDT-M,Long,Cross,2.000,100,-20.00,80.0,90,-10.00,8.00,USDT,Liquidated second at -5.19%,2',
    );
    expect(lines[5]).toContain('Not valued: no mark');
    expect(lines).toHaveLength(7);
  });
});

describe('the chart of a shock', () => {
  it('never draws one label over another', () => {
    const crowd = Array.from({ length: 200 }, (_, index) => ({
      x: 40 + index * 4,
      end: index % 2 === 0,
      text: `${100 + index} 100000MOGWAI −12.34%`,
    }));
    const shown = labelsThatFit(crowd, 0, 860);
    expect(shown.length).toBeGreaterThan(3);
    const spans = shown
      .map(({ x, end, text }) => (end ? [x - text.length * 6, x] : [x, x + text.length * 6]))
      .toSorted(([a = 0], [b = 0]) => a - b);
    for (const [index, [from = 0]] of spans.entries())
      expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0);
  });
  it('names once what is liquidated at any move, up and down', () => {
    const text = '1 BTC 0.00%';
    const both = [
      { x: 300, end: false, text },
      { x: 300, end: true, text },
    ];
    expect(labelsThatFit(both, 0, 860)).toEqual([{ x: 304, end: false, text }]);
  });
  it('names a liquidation at its edge on the side that has room', () => {
    const text = '2 BTC −49.34%';
    expect(labelsThatFit([{ x: 48, end: true, text }], 0, 860)).toEqual([{ x: 52, end: false, text }]);
    expect(labelsThatFit([{ x: 850, end: false, text }], 0, 860)).toEqual([{ x: 846, end: true, text }]);
    expect(labelsThatFit([{ x: 300, end: true, text }], 0, 860)).toEqual([{ x: 296, end: true, text }]);
  });
  it('leads the margin ratio to 100 % where the cross positions are liquidated', () => {
    const curve = [
      { move: -50, ratio: null },
      { move: -47.5, ratio: 0.14 },
      { move: 0, ratio: 0.01 },
    ];
    expect(ratioPoints(curve, [-49.3])).toEqual([{ move: -49.3, ratio: 1 }, ...curve.slice(1)]);
    expect(ratioPoints(curve, [])).toEqual(curve.slice(1));
  });
  it('has round ticks', () => {
    expect(ticks(-50, 50, 10)).toEqual([-50, -40, -30, -20, -10, 0, 10, 20, 30, 40, 50]);
    expect(ticks(0, 463_000)).toEqual([0, 100_000, 200_000, 300_000, 400_000]);
    const close = ticks(2e17, 2e17 + 64);
    expect(close).toEqual([...new Set(close)]);
  });
});
