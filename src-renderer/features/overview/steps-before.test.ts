import { describe, expect, it } from 'vitest';
import type { CoinResult, StatsDaily } from '../../../src-shared/ipc/archive.ts';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { equityChart } from './equity-chart.ts';
import { stepsBefore } from './steps-before.ts';

const DAY = 86_400_000;
const MORNING = Date.parse('2026-11-22T09:00:00Z');
const TODAY = Date.parse('2026-11-22T00:00:00Z');
const day = (
  back: number,
  ...nets: (readonly [coin: string, net: string])[]
): StatsDaily['days'][number] => ({
  day: TODAY - back * DAY,
  results: nets.map(([coin, net]) => ({ coin, net }) as CoinResult),
  fees: [],
  trades: 1,
  leftOut: 0,
  funding: [],
});
const first = { at: MORNING, equity: '1000.50' };
const range = { coin: 'USDT', from: null };

describe('equity before it was recorded', () => {
  it('is the first recorded equity less the results of all later days, day by day', () => {
    const days = [day(3, ['USDT', '10'], ['BTC', '0.5']), day(1, ['USDT', '-4.25'])];
    expect(stepsBefore({ at: MORNING, days }, first, range)).toEqual([
      { at: TODAY - 3 * DAY, equity: '994.75' },
      { at: TODAY - 2 * DAY, equity: '1004.75' },
      { at: TODAY, equity: '1000.5' },
      { at: MORNING, equity: '1000.5' },
    ]);
  });
  it('is drawn also where its sums have more digits than a received figure', () => {
    const days = [day(1, ['USDT', `-${'3'.repeat(40)}.5`])];
    const before = stepsBefore({ at: MORNING, days }, { at: MORNING, equity: '9'.repeat(40) }, range);
    expect(before[0]?.equity).toMatch(/^1\d{40}\.5$/);
    const chart = { points: [], before, now: MORNING, zone: 'UTC' };
    const [, earlier] = equityChart(chart, {} as ChartColours).data.datasets;
    expect(earlier?.data).toHaveLength(before.length);
  });
  it('makes no step at the first recorded point', () => {
    const days = [day(0, ['USDT', '50'])];
    expect(stepsBefore({ at: MORNING, days }, first, range)).toEqual([
      { at: TODAY, equity: '950.5' },
      { at: MORNING, equity: '950.5' },
    ]);
  });
  it('starts with the range, and is empty without results or for another point', () => {
    const days = [day(3, ['USDT', '10']), day(1, ['USDT', '2'])];
    const from = TODAY - DAY / 2;
    expect(stepsBefore({ at: MORNING, days }, first, { coin: 'USDT', from })[0]).toEqual({
      at: from,
      equity: '998.5',
    });
    expect(stepsBefore({ at: MORNING, days }, first, { coin: 'ETH', from: null })).toEqual([]);
    expect(stepsBefore({ at: MORNING - 60_000, days }, first, range)).toEqual([]);
  });
});
