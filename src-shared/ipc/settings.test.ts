import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from './default-settings.ts';
import { settingsSchema } from './settings.ts';

const faultOf = (change: object): string | null => {
  const [issue] = v.safeParse(settingsSchema, { ...DEFAULT_SETTINGS, ...change }).issues ?? [];
  return issue === undefined ? null : `${v.getDotPath(issue)}: ${issue.message}`;
};
const alerts = (rule: string, change: object): object => ({
  alerts: {
    ...DEFAULT_SETTINGS.alerts,
    rules: {
      ...DEFAULT_SETTINGS.alerts.rules,
      [rule]: {
        ...Object.entries(DEFAULT_SETTINGS.alerts.rules).find(([name]) => name === rule)?.[1],
        ...change,
      },
    },
  },
});

it('rejects partial settings', () => {
  const { alerts: _, ...rest } = DEFAULT_SETTINGS;
  expect(v.safeParse(settingsSchema, rest).success).toBe(false);
});

describe('settings of tax files', () => {
  it.each([
    [{ rotkiAssets: { USDT: 'eip155:10/erc20:0x94b008aA00579c1307B0EF2c499aD98a8ce58e58' } }, null],
    [{ rotkiAssets: { USDT: 'two words' } }, 'tax.rotkiAssets.USDT: an identifier such as'],
    [{ rotkiAssets: { USDT: '=1+1' } }, 'tax.rotkiAssets.USDT: an identifier such as'],
    [{ koinlyHeader: 'Label' }, null],
    [{ koinlyHeader: 'Tags' }, 'tax.koinlyHeader'],
  ])('%j', (change, fault) => {
    const found = faultOf({ tax: { ...DEFAULT_SETTINGS.tax, ...change } });
    if (fault === null) expect(found).toBeNull();
    else expect(found).toContain(fault);
  });
});

describe('alert settings', () => {
  it.each([
    ['unknown', { on: false }, 'cannot be switched off'],
    ['liquidation-danger', { on: false }, 'cannot be switched off'],
    ['margin-danger', { threshold: '80.01' }, 'from 10 to 80'],
    ['liquidation-danger', { threshold: '0.5' }, 'from 1 to 50'],
    ['liquidation', { threshold: '4.99' }, 'liquidation.threshold: at least the danger threshold'],
    ['margin', { band: '50' }, 'margin.band: smaller than the threshold'],
    ['margin', { threshold: '79', on: true }, null],
    ['liquidation', { threshold: '1e1' }, 'such as 7.5'],
    ['liquidation', { repeatMinutes: 0 }, 'empty for once'],
    ['liquidation', { repeatMinutes: null }, null],
    ['stale', { afterSeconds: 9 }, 'from 10 to 3600'],
    ['equity', { windowMinutes: 1441 }, 'from 1 to 1440'],
  ])('%s %j', (rule, change, words) => {
    const fault = faultOf(alerts(rule, change));
    if (words === null) expect(fault).toBeNull();
    else expect(fault).toContain(words);
  });
});

describe('contract overrides', () => {
  const none = { priceDecimals: null, quantityDecimals: null, feeRateMaker: null, feeRateTaker: null };
  it.each(['0', '0.000', '-1', '1e3', '', '.5'])('rejects “%s” as a multiplier', (multiplier) => {
    expect(faultOf({ contracts: { 'practice BTC-USDT-M': { ...none, multiplier } } })).toMatch(
      /^contracts\.practice BTC-USDT-M\.multiplier/,
    );
  });
  it.each(['1', '0.001', '100', '12.5', null, undefined])('takes %s as one', (multiplier) => {
    expect(faultOf({ contracts: { 'practice BTC-USDT-M': { ...none, multiplier } } })).toBeNull();
  });

  it.each(['1', '0.0005x', '-0.1', '5', '0.'])('rejects %s as a fee rate', (feeRateTaker) => {
    const specs = { priceDecimals: null, quantityDecimals: null, feeRateMaker: '0', feeRateTaker };
    expect(faultOf({ contracts: { 'practice BTC-USDT-M': specs } })).toMatch(
      /^contracts\.practice BTC-USDT-M\.feeRateTaker/,
    );
  });
});
