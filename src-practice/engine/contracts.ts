/** A contract: its price and quantity grid, its tiers, and the value of a fill in whole atoms. */
import { COIN_DECIMALS, min, parseUnits, printPlaces, RATE_DECIMALS, units } from './atoms.ts';
import type { ContractSide, MarginMode } from '../../src-shared/exchange-api/enums.ts';

/** One row of the tier table: up to `cap` (quote coin, or the coin of an inverse contract). */
export interface TierSpec {
  cap: string;
  rate: string;
  leverage: number;
}

export interface ContractSpec {
  symbolId: string;
  base: string;
  quote: string;
  contractSide: ContractSide;
  contractType: 'PERPETUAL' | 'DELIVERY';
  tick: string;
  lot: string;
  /** In lots. */
  minLots: number;
  maxLots: number;
  /** Where the price process starts, and the level it reverts to. */
  startPrice: string;
  /** Parts per million per square root of a second. */
  volatility: number;
  /** Lots of a maker's best quote. */
  quoteLots: number;
  defaultLeverage: number;
  defaultMarginMode: MarginMode;
  makerRate: string;
  takerRate: string;
  open: boolean;
  /** Selects its random streams: adding a contract must not shift the draws of the others. */
  stream: number;
  /** When a delivery contract settles, in milliseconds since 1970; `null` for a perpetual. */
  expiry: number | null;
  tiers: readonly TierSpec[];
}

export interface Tier {
  level: number;
  /** Atoms of the settlement coin; a value belongs to the tier with min < value ≤ max. */
  min: bigint;
  max: bigint;
  rate: bigint;
  leverage: number;
  /** Marginal convention: subtracted from `rate × value` so that the requirement is continuous. In 1e-16. */
  deduction: bigint;
}

export interface Contract extends ContractSpec {
  ordinal: number;
  coin: string;
  tickDecimals: number;
  lotDecimals: number;
  tickUnits: bigint;
  lotUnits: bigint;
  startTicks: number;
  /** Linear: atoms of one tick × one lot. Inverse: atoms × ticks of one lot. */
  valueUnit: bigint;
  maker: bigint;
  taker: bigint;
  steps: readonly Tier[];
}

const decimals = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);

function tierSteps(specs: readonly TierSpec[]): Tier[] {
  const tiers: Tier[] = [];
  let floor = 0n;
  let deduction = 0n;
  let lastRate = 0n;
  for (const [i, spec] of specs.entries()) {
    const rate = units(spec.rate, RATE_DECIMALS);
    deduction += i === 0 ? 0n : floor * (rate - lastRate);
    const max = units(spec.cap, COIN_DECIMALS);
    if (max <= floor || rate <= lastRate) throw new Error(`tiers must rise: ${spec.cap}`);
    tiers.push({ level: i + 1, min: floor, max, rate, leverage: spec.leverage, deduction });
    floor = max;
    lastRate = rate;
  }
  return tiers;
}

/** Derives the integer grid of a contract. Throws when a fill's value would not be a whole number of atoms. */
export function buildContract(spec: ContractSpec, ordinal: number): Contract {
  const tickDecimals = decimals(spec.tick);
  const lotDecimals = decimals(spec.lot);
  const tickUnits = units(spec.tick, tickDecimals);
  const lotUnits = units(spec.lot, lotDecimals);
  const linear = spec.contractSide === 'FORWARD';
  const scale = 10n ** BigInt(COIN_DECIMALS);
  const down = 10n ** BigInt(tickDecimals + lotDecimals);
  const numerator = linear
    ? tickUnits * lotUnits * scale
    : lotUnits * scale * 10n ** BigInt(tickDecimals) * 10n ** BigInt(tickDecimals);
  const divisor = linear ? down : tickUnits * down;
  if (numerator % divisor !== 0n) throw new Error(`${spec.symbolId}: tick and lot are too fine for the coin`);
  const start = units(spec.startPrice, tickDecimals);
  return {
    ...spec,
    ordinal,
    coin: linear ? spec.quote : spec.base,
    tickDecimals,
    lotDecimals,
    tickUnits,
    lotUnits,
    startTicks: Number(start / tickUnits),
    valueUnit: numerator / divisor,
    maker: units(spec.makerRate, RATE_DECIMALS),
    taker: units(spec.takerRate, RATE_DECIMALS),
    steps: tierSteps(spec.tiers),
  };
}

/** +1 when profit rises with the value (linear), −1 when it falls with it (inverse). */
export const sense = (contract: Contract): 1n | -1n => (contract.contractSide === 'FORWARD' ? 1n : -1n);

/** Value in atoms of the settlement coin. Linear: exact. Inverse: quantity / price, floored once. */
export function valueOf(contract: Contract, lots: number, ticks: number): bigint {
  if (contract.contractSide === 'FORWARD') {
    const product = lots * ticks;
    return Number.isSafeInteger(product)
      ? BigInt(product) * contract.valueUnit
      : BigInt(lots) * BigInt(ticks) * contract.valueUnit;
  }
  return (BigInt(lots) * contract.valueUnit) / BigInt(ticks);
}

export const printPrice = (contract: Contract, ticks: number): string =>
  printPlaces(BigInt(ticks) * contract.tickUnits, contract.tickDecimals);

export const printLots = (contract: Contract, lots: number): string =>
  printPlaces(BigInt(lots) * contract.lotUnits, contract.lotDecimals);

/** Prints `price × quantity`, also for inverse contracts, where it is not a value; `sum` is Σ ticks × lots. */
export function printProduct(contract: Contract, sum: bigint): string {
  const text = printPlaces(
    sum * contract.tickUnits * contract.lotUnits,
    contract.tickDecimals + contract.lotDecimals,
  );
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Price text as ticks; `null` when it is off the grid, not above 0 or too large. */
export function parseTicks(contract: Contract, text: string): number | null {
  const value = parseUnits(text, contract.tickDecimals);
  if (value === null || value <= 0n || value % contract.tickUnits !== 0n) return null;
  const ticks = value / contract.tickUnits;
  return ticks > 1_000_000_000_000n ? null : Number(ticks);
}

/** Quantity text as lots; `null` when it is off the grid or not above 0. Clamped beyond any limit. */
export function parseLots(contract: Contract, text: string): number | null {
  const value = parseUnits(text, contract.lotDecimals);
  if (value === null || value <= 0n || value % contract.lotUnits !== 0n) return null;
  const lots = value / contract.lotUnits;
  return Number(min(lots, 9_000_000_000_000n));
}

/** A share such as `0.9` in parts per million, above 0 and at most a hundredfold; `null` for anything else. */
export function parseShare(text: string): number | null {
  const parts = parseUnits(text, 6);
  return parts === null || parts <= 0n || parts > 100_000_000n ? null : Number(parts);
}
