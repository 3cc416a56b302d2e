import { describe, expect, it } from 'vitest';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { ContractSpecs } from '../instrument/specs.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { compareWithEstimate } from './exchange-comparison.ts';
import { EMPTY_ASSET, LINEAR, tier } from '../../../tests/domain/order-samples.ts';
import { position } from '../../../tests/domain/positions.ts';

// docs/accounting.md's own checks: 0.5 % up to 1000 and 5 % beyond.
const config: SymbolConfig = {
  ...LINEAR,
  riskLimitConfigs: [tier(1, '0', '1000', '0.005', '100'), tier(2, '1000', '5000', '0.05', '10')],
};
const isolated = position({
  marginMode: 'ISOLATED',
  quantity: '1',
  avgEntryPrice: '1040',
  markPrice: '1050',
  entryValue: '1040',
  margin: '60',
  leverage: 10,
  liquidPrice: '1031.6',
  profitUnreal: '10',
  maintainMargin: '52.5',
});
const asset = (change: Partial<Asset> = {}): Asset => ({ ...EMPTY_ASSET, balance: '160', ...change });

function context(positions: readonly Position[], assets: readonly Asset[] = [asset()]): EstimateContext {
  const account = { assets, positions } as unknown as AccountInfo;
  return {
    account,
    contractOf: (symbolId) =>
      symbolId.startsWith('BTC') || symbolId.startsWith('ETH') ? { ...config, symbolId } : undefined,
    specs: () => ({
      priceDecimals: 1,
      quantityDecimals: 0,
      multiplier: null,
      feeRateMaker: '0',
      feeRateTaker: '0',
    }),
    convention: 'flat',
    closingFee: true,
  };
}
const lineOf = (one: Position, within: EstimateContext, name: string) => {
  const lines = compareWithEstimate(one, within);
  if (typeof lines === 'string') throw new Error(lines);
  const line = lines.find((other) => other.name === name);
  if (line === undefined) throw new Error(`no line ${name}`);
  return line;
};

describe('the comparison with the exchange', () => {
  it('computes an isolated liquidation price by docs/accounting.md', () => {
    const line = lineOf(isolated, context([isolated]), 'liquidation');
    expect(line.exchange).toBe('1031.6');
    expect(line.estimate.value?.slice(0, 8)).toBe('1031.578');
    expect(line.difference?.slice(0, 6)).toBe('-0.021');
  });

  it('shows the other values with their difference, to the last digit', () => {
    const within = context([isolated]);
    expect(lineOf(isolated, within, 'unrealised')).toMatchObject({
      estimate: { value: '10' },
      difference: '0',
    });
    expect(lineOf(isolated, within, 'maintenance')).toMatchObject({
      estimate: { value: '52.5' },
      difference: '0',
    });
    expect(lineOf(isolated, within, 'initial')).toMatchObject({
      estimate: { value: '104' },
      difference: '44',
    });
    expect(lineOf(isolated, within, 'bankruptcy')).toMatchObject({
      exchange: null,
      estimate: { value: '936' },
    });
  });

  it('computes a cross position from the whole coin, without isolated margin', () => {
    const cross = { ...isolated, marginMode: 'CROSSED' };
    expect(compareWithEstimate(cross, context([cross]))).not.toContainEqual(
      expect.objectContaining({ name: 'bankruptcy' }),
    );
    const alone = lineOf(cross, context([cross]), 'liquidation').estimate.value;
    // 160 + (p − 1040) = 0.005 p in the lower tier
    expect(alone?.slice(0, 7)).toBe('884.422');
    const locked = context([cross], [asset({ isolatedMargin: '50', isolatedLocked: '10' })]);
    expect(lineOf(cross, locked, 'liquidation').estimate.value).not.toBe(alone);
    const other = { ...cross, symbolId: 'ETH-USDT-M', avgEntryPrice: '1000', markPrice: '950' };
    const both = lineOf(cross, context([cross, other]), 'liquidation').estimate.value;
    expect(both?.slice(0, 3)).toBe('939'); // 110 − 4.75 − (1040 − p) = 0.005 p
  });

  it('names an unknown taker fee, which is not one of 0', () => {
    const within = context([isolated]);
    expect(lineOf(isolated, within, 'liquidation').basis).toContain('taker fee 0%');
    const specs = (): ContractSpecs => ({ ...within.specs(isolated.symbolId), feeRateTaker: null });
    expect(lineOf(isolated, { ...within, specs }, 'liquidation').basis).toBe(
      'isolated, from the entry; flat tiers; without closing fee: the taker fee is not known',
    );
  });

  it('takes no unknown margin mode for isolated', () => {
    const odd = { ...isolated, marginMode: 'PORTFOLIO' };
    const within = context([odd]);
    expect(lineOf(odd, within, 'liquidation')).toMatchObject({
      exchange: '1031.6',
      estimate: { value: null, reason: expect.stringContaining('margin mode of BTC-USDT-M is unknown') },
      difference: null,
    });
    expect(lineOf(odd, within, 'maintenance').difference).toBe('0');
    expect(() => lineOf(odd, within, 'bankruptcy')).toThrow('no line');
  });

  it('has a reason where it cannot compute', () => {
    const cross = { ...isolated, marginMode: 'CROSSED' };
    const unpriced = { ...cross, symbolId: 'ETH-USDT-M', markPrice: null };
    const reason = (within: EstimateContext): string | undefined =>
      lineOf(cross, within, 'liquidation').estimate.reason;
    expect(reason(context([cross, unpriced]))).toBe('ETH-USDT-M has no mark price.');
    expect(reason(context([cross], []))).toBe('No USDT in the account.');
    expect(reason(context([cross, { ...cross, symbolId: 'ZZZ-USDT-M' }]))).toContain('ZZZ-USDT-M');
    expect(compareWithEstimate({ ...cross, symbolId: 'ZZZ' }, context([]))).toContain('ZZZ');
    expect(compareWithEstimate({ ...cross, side: 'BOTH' }, context([]))).toContain('BOTH');
    expect(lineOf({ ...cross, markPrice: null }, context([cross]), 'unrealised').estimate.reason).toBe(
      'No mark price.',
    );
    const unlevered = { ...isolated, leverage: null };
    for (const name of ['bankruptcy', 'initial'] as const)
      expect(lineOf(unlevered, context([unlevered]), name).estimate.reason).toBe(
        'BTC-USDT-M leverage is not given: the exchange left it empty',
      );
  });

  it('reads a liquidation price of 0 as none, without a difference', () => {
    const safe = { ...isolated, liquidPrice: '0', margin: '2000' };
    const line = lineOf(safe, context([safe]), 'liquidation');
    expect(line).toMatchObject({
      exchange: null,
      estimate: { value: null, reason: 'No liquidation' },
      difference: null,
    });
  });
});
