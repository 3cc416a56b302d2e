/**
 * The synthetic price of a base coin: a random walk with volatility regimes, jumps and slow mean reversion. Index
 * and premium are whole thousandths of a tick; mark = index + premium. Every step draws the same count of random
 * numbers, whichever branch it takes, so that later steps do not change.
 */
import type { Contract } from './contracts.ts';
import { Rng } from './rng.ts';

export interface PriceProcess {
  /** The tick of the contracts that follow it. */
  readonly tick: string;
  readonly rng: Rng;
  readonly volatility: number;
  /** Thousandths of a tick. */
  index: number;
  premium: number;
  anchor: number;
  readonly floor: number;
  readonly ceiling: number;
  regime: number;
}

const FINE = 1000;
/** Calm, usual, busy: multiples of the contract's volatility, and the odds (per million seconds) of leaving them. */
const REGIMES = [
  { factor: 0.5, leave: 400 },
  { factor: 1, leave: 250 },
  { factor: 2.5, leave: 2500 },
] as const;
const JUMPS_PER_MILLION_SECONDS = 25;
const REVERSION_SECONDS = 43_200;

export function startProcess(contract: Contract, seed: number): PriceProcess {
  const anchor = contract.startTicks * FINE;
  return {
    tick: contract.tick,
    rng: new Rng(seed, contract.stream * 4 + 1),
    volatility: contract.volatility,
    index: anchor,
    premium: 0,
    anchor,
    floor: 20 * FINE,
    ceiling: anchor * 50,
    regime: 1,
  };
}

/** Moves the price by `seconds` (whole, ≥ 1). */
export function stepProcess(process: PriceProcess, seconds: number): void {
  const { rng } = process;
  const walk = rng.bell();
  const drift = rng.bell();
  const leave = rng.below(1_000_000);
  const jump = rng.below(1_000_000);
  const size = rng.below(2_000);
  const regime = REGIMES[process.regime] ?? REGIMES[1];
  const spread = Math.sqrt(seconds);
  let index = process.index;
  index += Math.trunc(((index * process.volatility * regime.factor) / 1_000_000) * spread * walk);
  index += Math.trunc(((process.anchor - index) * Math.min(seconds, REVERSION_SECONDS)) / REVERSION_SECONDS);
  if (jump < JUMPS_PER_MILLION_SECONDS * seconds) {
    const parts = 3_000 + (size >> 1) * 8;
    index += Math.trunc((index * (size % 2 === 0 ? parts : -parts)) / 1_000_000);
  }
  process.index = Math.min(Math.max(index, process.floor), process.ceiling);
  if (leave < regime.leave * seconds) process.regime = leave % 2 === 0 || process.regime !== 1 ? 1 : size % 3;
  movePremium(process, drift);
}

/** Moves the premium, which stays within ±0.08 % of the index and decays to zero. */
function movePremium(process: PriceProcess, drift: number): void {
  const bound = Math.trunc(process.index / 1_250);
  const next =
    process.premium - Math.trunc(process.premium / 50) + Math.trunc((process.index * 12 * drift) / 1_000_000);
  process.premium = Math.min(Math.max(next, -bound), bound);
}

/** Shifts the price and its reversion level, so that the shock stays. `perMillion` is the new price's share. */
export function shockProcess(process: PriceProcess, perMillion: number): void {
  const move = (value: number): number =>
    Math.min(Math.max(Math.trunc((value / 1_000_000) * perMillion), process.floor), process.ceiling);
  process.index = move(process.index);
  process.anchor = move(process.anchor);
}

export const indexTicks = (process: PriceProcess): number => Math.max(1, Math.round(process.index / FINE));
export const markTicks = (process: PriceProcess): number =>
  Math.max(1, Math.round((process.index + process.premium) / FINE));
/** Where makers centre their quotes: slightly beyond the mark. */
export const fairTicks = (process: PriceProcess): number =>
  Math.max(2, Math.round((process.index + process.premium + Math.trunc(process.premium / 2)) / FINE));
