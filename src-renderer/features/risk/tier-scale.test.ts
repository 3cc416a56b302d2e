import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { logTicks, shortNumber, steps, valueScale } from './tier-scale.ts';

const tier = (level: number, min: string, max: string) => ({
  level,
  minPositionValue: min,
  maxPositionValue: max,
  maintainMarginRate: '0.01',
  maxLeverage: '50',
});
const tiers = [tier(1, '0', '250000'), tier(2, '250000', '1000000')];

describe('the tier chart’s geometry', () => {
  it('spans all tiers and every marked value', () => {
    expect(valueScale(tiers, [])).toEqual({ min: 50_000, max: 1_000_000 });
    expect(valueScale(tiers, ['16000', '2000000'])).toEqual({ min: 10_000, max: 2_200_000 });
  });

  it('ignores upper limits of 0, which a log axis does not have', () => {
    const last = tier(3, '1000000', '0');
    expect(valueScale([...tiers, last], [])).toEqual({ min: 50_000, max: 1_000_000 });
    for (const scale of [valueScale([tier(1, '0', '0')], []), valueScale([tier(1, '0', '-5')], ['100'])]) {
      expect(scale.min).toBeGreaterThan(0);
      expect(scale.max).toBeGreaterThan(scale.min);
    }
    expect(valueScale([tier(1, '0', `0.${'0'.repeat(39)}1`)], [])).toEqual({ min: 0.2, max: 1 });
  });

  it('has no ticks for an axis without an end', () => {
    expect(logTicks({ min: 0, max: 1 })).toEqual([]);
    expect(logTicks({ min: 1, max: Infinity })).toEqual([]);
  });

  it('stands still while a marked value moves with the price', () => {
    const still = { min: 3_400, max: 2_300_000 };
    for (const value of ['5443', '5450.25', '5499.9'])
      expect(valueScale(tiers, [value, '2010000'])).toEqual(still);
    expect(valueScale(tiers, ['5439.9']).min).toBe(3_300);
    expect(valueScale(tiers, ['0.0123']).min).toBeCloseTo(0.0076, 12);
  });

  it('steps at the tiers’ borders, the last one to the end of the axis', () => {
    const corners = steps(tiers, { min: 50_000, max: 2_000_000 }, (one) => one.level);
    expect(corners.map((one) => one.x)).toEqual([50_000, 250_000, 250_000, 2_000_000]);
    expect(corners.map((one) => one.y)).toEqual([1, 1, 2, 2]);
  });

  it('ticks at 1, 2 and 5, and at powers alone over a long range', () => {
    expect(logTicks({ min: 50_000, max: 1_000_000 })).toEqual([50_000, 100_000, 200_000, 500_000, 1_000_000]);
    expect(logTicks({ min: 1, max: 1e9 })).toHaveLength(10);
  });

  it('shortens its labels', () => {
    expect([250_000, 1_000_000, 2_500_000_000, 0.5, 20].map(shortNumber)).toEqual([
      '250k',
      '1M',
      '2.5B',
      '0.5',
      '20',
    ]);
  });

  it('writes axis labels with the chosen marks', () => {
    shownAs.value = { ...DEFAULT_SETTINGS, decimalMark: 'comma', grouping: 'space' };
    expect([2_500_000_000, 0.5, 1e15].map(shortNumber)).toEqual(['2,5B', '0,5', '1\u2009000T']);
    shownAs.value = DEFAULT_SETTINGS;
  });
});
