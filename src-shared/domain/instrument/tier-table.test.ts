import { describe, expect, it } from 'vitest';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { LINEAR, tier } from '../../../tests/domain/order-samples.ts';
import { largestValue, tierLines, type TierInput } from './tier-table.ts';

const config: SymbolConfig = {
  ...LINEAR,
  riskLimitConfigs: [
    tier(1, '0', '250000', '0.005', '100'),
    tier(2, '250000', '1000000', '0.01', '50'),
    tier(3, '1000000', '2500000', '0.015', '33'),
  ],
};
const ask = (part: Partial<TierInput> = {}) => {
  const result = tierLines({
    config,
    convention: 'flat',
    price: '97412.5',
    multiplier: null,
    position: '959513.13',
    draft: '1042313.75',
    ...part,
  });
  if (!result.ok) throw new Error(result.reason);
  return result.lines;
};

describe('the tier table', () => {
  it('has maintenance margin at the top by either convention', () => {
    expect(ask().map((line) => line.maintenanceAtTop)).toEqual(['1250', '10000', '37500']);
    const marginal = ask({ convention: 'marginal' });
    expect(marginal.map((line) => line.maintenanceAtTop)).toEqual(['1250', '8750', '31250']);
  });

  it('has the size that fills a tier, linear and inverse, never rounded up', () => {
    expect(ask()[0]?.topQuantity).toBe('2.5664057487');
    const inverse = { ...config, contractSide: 'REVERSE' };
    expect(ask({ config: inverse })[0]?.topQuantity).toBe('24353125000');
    expect(ask({ multiplier: '10' })[0]?.topQuantity).toBe('0.2566405748');
    expect(ask({ config: inverse, multiplier: '100' })[0]?.topQuantity).toBe('243531250');
    expect(ask({ price: null })[0]?.topQuantity).toBeNull();
  });

  it('places the position and the draft', () => {
    expect(ask().map((line) => line.use)).toEqual([
      { kind: 'passed' },
      { kind: 'position', share: '0.959513' },
      { kind: 'draft', higher: true },
    ]);
    expect(ask({ draft: '10' }).map((line) => line.use)).toEqual([
      { kind: 'draft', higher: false },
      { kind: 'position', share: '0.959513' },
      null,
    ]);
    expect(ask({ position: null, draft: null }).map((line) => line.use)).toEqual([null, null, null]);
  });

  it('has a reason when tiers cannot be calculated', () => {
    const base = { convention: 'flat', price: null, multiplier: null, position: null, draft: null } as const;
    expect(tierLines({ ...base, config: { ...config, contractSide: 'QUANTO' } })).toMatchObject({
      ok: false,
    });
    const [first, , third] = config.riskLimitConfigs;
    const torn = { ...config, riskLimitConfigs: [first!, third!] };
    expect(tierLines({ ...base, config: torn })).toMatchObject({ ok: false });
  });

  it('uses the larger leg', () => {
    expect(largestValue(['9.5', '10.25', '3'])).toBe('10.25');
    expect(largestValue([])).toBeNull();
  });
});
