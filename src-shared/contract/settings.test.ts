import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, settingsSchema } from './settings.ts';

describe('the settings file', () => {
  it('of a version that knew no contracts is still read', () => {
    const { contracts: _, ...before } = DEFAULT_SETTINGS;
    expect(v.parse(settingsSchema, before)).toEqual(DEFAULT_SETTINGS);
  });

  it.each(['1', '0.0005x', '-0.1', '5', '0.'])('refuses %s as a fee rate', (feeRateTaker) => {
    const contracts = {
      'practice BTC-USDT-M': {
        priceDecimals: null,
        quantityDecimals: null,
        feeRateMaker: '0',
        feeRateTaker,
      },
    };
    const parsed = v.safeParse(settingsSchema, { ...DEFAULT_SETTINGS, contracts });
    expect(parsed.issues?.map((issue) => v.getDotPath(issue))).toEqual([
      'contracts.practice BTC-USDT-M.feeRateTaker',
    ]);
  });
});
