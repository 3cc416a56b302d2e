/** The contracts of a fresh exchange. Names are the field's; the prices that follow are synthetic. */
import { buildContract } from './contracts.ts';
import type { Contract, ContractSpec, TierSpec } from './contracts.ts';

const FEES = { makerRate: '0.0002', takerRate: '0.0005' } as const;

/** `[cap, maintenance rate, maximum leverage]` per tier. */
type Ladder = readonly (readonly [string, string, number])[];

const tiers = (ladder: Ladder): TierSpec[] =>
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

const LARGE: Ladder = [
  ['25000', '0.005', 75],
  ['100000', '0.0065', 50],
  ['500000', '0.0125', 40],
  ['1500000', '0.025', 20],
  ['5000000', '0.05', 10],
  ['15000000', '0.1', 5],
  ['30000000', '0.125', 4],
];

const SMALL: Ladder = [
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

const linear = (base: string, rest: Omit<ContractSpec, LinearDefaults>): ContractSpec => ({
  ...FEES,
  symbolId: `${base}-USDT-M`,
  base,
  quote: 'USDT',
  contractSide: 'FORWARD',
  contractType: 'PERPETUAL',
  open: true,
  ...rest,
});

const inverse = (base: string, rest: Omit<ContractSpec, LinearDefaults>): ContractSpec => ({
  ...linear(base, rest),
  symbolId: `${base}-USD-M`,
  quote: 'USD',
  contractSide: 'REVERSE',
});

type LinearDefaults =
  'symbolId' | 'base' | 'quote' | 'contractSide' | 'contractType' | 'open' | 'makerRate' | 'takerRate';

const SPECS: readonly ContractSpec[] = [
  linear('BTC', {
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
];

/** A power of ten as text: 2 → `100`, −3 → `0.001`. */
const power = (exponent: number): string =>
  exponent < 0 ? `0.${'1'.padStart(-exponent, '0')}` : `1${'0'.repeat(exponent)}`;

/**
 * Made-up contracts beyond the table, for lists that are long: prices from 0.00001 to 9,999, each with five digits,
 * a lot worth about what its mantissa says, and the tiers of a small or large coin in turn.
 */
function generated(number: number): ContractSpec {
  const exponent = (number % 9) - 5;
  const mantissa = 1 + (number % 8);
  const digits = `${mantissa}${String((number * 7919) % 10_000).padStart(4, '0')}`;
  const places = 4 - exponent;
  const padded = digits.padStart(places + 1, '0');
  const point = padded.length - places;
  return linear(`SYN${String(number).padStart(3, '0')}`, {
    tick: power(exponent - 4),
    lot: power(-exponent),
    minLots: 1,
    maxLots: 1_000_000,
    startPrice: `${padded.slice(0, point)}.${padded.slice(point)}`,
    volatility: 100 + (number % 10) * 12,
    quoteLots: Math.trunc(30_000 / mantissa),
    defaultLeverage: 5,
    defaultMarginMode: number % 2 === 0 ? 'CROSSED' : 'ISOLATED',
    tiers: tiers(number % 3 === 0 ? LARGE : SMALL),
  });
}

export const STANDARD_CONTRACTS = SPECS.length;

/** The first `count` contracts of the table, and generated ones after them. */
export function contractTable(count: number): Contract[] {
  const more = Array.from({ length: Math.max(0, count - SPECS.length) }, (_, i) => generated(i + 1));
  return [...SPECS, ...more].slice(0, count).map((spec, ordinal) => buildContract(spec, ordinal));
}
