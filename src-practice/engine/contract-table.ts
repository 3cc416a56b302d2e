/** The terms of the standard contracts. The names are real ones; the prices that follow are synthetic. */
import type { ContractSpec, TierSpec } from './contracts.ts';

const FEES = { makerRate: '0.0002', takerRate: '0.0005' } as const;

/** `[cap, maintenance rate, maximum leverage]` per tier. */
type Ladder = readonly (readonly [string, string, number])[];

export const tiers = (ladder: Ladder): TierSpec[] =>
  ladder.map(([cap, rate, leverage]) => ({ cap, rate, leverage }));

const MAJOR: Ladder = [
  ['50000', '0.004', 125],
  ['250000', '0.005', 100],
  ['1000000', '0.01', 50],
  ['5000000', '0.025', 20],
  ['20000000', '0.05', 10],
  ['50000000', '0.1', 5],
  ['100000000', '0.125', 4],
  ['200000000', '0.15', 3],
];

export const LARGE: Ladder = [
  ['25000', '0.005', 75],
  ['100000', '0.0065', 50],
  ['500000', '0.0125', 40],
  ['1500000', '0.025', 20],
  ['5000000', '0.05', 10],
  ['15000000', '0.1', 5],
  ['30000000', '0.125', 4],
];

export const SMALL: Ladder = [
  ['5000', '0.01', 50],
  ['25000', '0.015', 25],
  ['100000', '0.025', 20],
  ['250000', '0.05', 10],
  ['1000000', '0.1', 5],
  ['3000000', '0.25', 2],
];

const COIN_BTC: Ladder = [
  ['0.5', '0.004', 125],
  ['5', '0.005', 100],
  ['25', '0.01', 50],
  ['100', '0.025', 20],
  ['250', '0.05', 10],
  ['500', '0.1', 5],
  ['1000', '0.125', 4],
];

const COIN_ETH: Ladder = [
  ['12.5', '0.005', 75],
  ['100', '0.0065', 50],
  ['500', '0.01', 40],
  ['2000', '0.02', 25],
  ['5000', '0.05', 10],
  ['15000', '0.1', 5],
];

export const linear = (
  base: string,
  rest: Omit<ContractSpec, LinearDefaults> & { open?: boolean },
): ContractSpec => ({
  ...FEES,
  symbolId: `${base}-USDT-M`,
  base,
  quote: 'USDT',
  contractSide: 'FORWARD',
  contractType: 'PERPETUAL',
  open: true,
  expiry: null,
  ...rest,
});

const inverse = (base: string, rest: Omit<ContractSpec, LinearDefaults>): ContractSpec => ({
  ...linear(base, rest),
  symbolId: `${base}-USD-M`,
  quote: 'USD',
  contractSide: 'REVERSE',
});

type LinearDefaults =
  | 'symbolId'
  | 'base'
  | 'quote'
  | 'contractSide'
  | 'contractType'
  | 'open'
  | 'expiry'
  | 'makerRate'
  | 'takerRate';

export const SPECS: readonly ContractSpec[] = [
  linear('BTC', {
    stream: 0,
    tick: '0.1',
    lot: '0.001',
    minLots: 1,
    maxLots: 120_000,
    startPrice: '64000',
    volatility: 80,
    quoteLots: 700,
    defaultLeverage: 20,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(MAJOR),
  }),
  linear('ETH', {
    stream: 1,
    tick: '0.01',
    lot: '0.01',
    minLots: 1,
    maxLots: 200_000,
    startPrice: '3200',
    volatility: 100,
    quoteLots: 1_400,
    defaultLeverage: 20,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(MAJOR),
  }),
  linear('SOL', {
    stream: 2,
    tick: '0.01',
    lot: '0.1',
    minLots: 1,
    maxLots: 500_000,
    startPrice: '145',
    volatility: 140,
    quoteLots: 2_400,
    defaultLeverage: 10,
    defaultMarginMode: 'ISOLATED',
    tiers: tiers(LARGE),
  }),
  linear('DOGE', {
    stream: 3,
    tick: '0.00001',
    lot: '1',
    minLots: 10,
    maxLots: 20_000_000,
    startPrice: '0.16',
    volatility: 160,
    quoteLots: 120_000,
    defaultLeverage: 10,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(LARGE),
  }),
  linear('SHIB', {
    stream: 4,
    tick: '0.000000001',
    lot: '1000',
    minLots: 10,
    maxLots: 5_000_000,
    startPrice: '0.00002',
    volatility: 180,
    quoteLots: 600_000,
    defaultLeverage: 5,
    defaultMarginMode: 'ISOLATED',
    tiers: tiers(SMALL),
  }),
  inverse('BTC', {
    stream: 5,
    tick: '0.1',
    lot: '10',
    minLots: 1,
    maxLots: 500_000,
    startPrice: '64000',
    volatility: 80,
    quoteLots: 5_000,
    defaultLeverage: 10,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(COIN_BTC),
  }),
  inverse('ETH', {
    stream: 6,
    tick: '0.01',
    lot: '10',
    minLots: 1,
    maxLots: 300_000,
    startPrice: '3200',
    volatility: 100,
    quoteLots: 3_000,
    defaultLeverage: 5,
    defaultMarginMode: 'ISOLATED',
    tiers: tiers(COIN_ETH),
  }),
  linear('XRP', {
    stream: 5_000,
    tick: '0.0001',
    lot: '0.1',
    minLots: 10,
    maxLots: 20_000_000,
    startPrice: '0.62',
    volatility: 130,
    quoteLots: 300_000,
    defaultLeverage: 10,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(LARGE),
  }),
  linear('LINK', {
    stream: 5_001,
    tick: '0.001',
    lot: '0.1',
    minLots: 1,
    maxLots: 2_000_000,
    startPrice: '14.2',
    volatility: 140,
    quoteLots: 12_000,
    defaultLeverage: 10,
    defaultMarginMode: 'ISOLATED',
    tiers: tiers(LARGE),
  }),
  linear('YFI', {
    stream: 5_002,
    tick: '1',
    lot: '0.0001',
    minLots: 1,
    maxLots: 500_000,
    startPrice: '100000',
    volatility: 150,
    quoteLots: 2_000,
    defaultLeverage: 5,
    defaultMarginMode: 'CROSSED',
    tiers: tiers(SMALL),
  }),
  linear('LUNC', {
    stream: 5_003,
    open: false,
    tick: '0.0000001',
    lot: '100',
    minLots: 10,
    maxLots: 5_000_000,
    startPrice: '0.00012',
    volatility: 200,
    quoteLots: 500_000,
    defaultLeverage: 5,
    defaultMarginMode: 'ISOLATED',
    tiers: tiers(SMALL),
  }),
];
