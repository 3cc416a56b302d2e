/**
 * Time moves in whole steps: the state at a moment is that of the last step before it, whoever asks and however
 * late a timer fires. A long gap is walked in coarser steps; the gap is part of the input, so replies still repeat.
 */
import { FUNDING_EVERY, settleFunding } from './funding.ts';
import { liquidate } from './liquidation.ts';
import { fairTicks, indexTicks, markTicks, stepProcess } from './process.ts';
import { noise, quote } from './traders.ts';
import type { Market, Underlying, World } from './world.ts';

export const STEP_MS = 1000;
const COARSE_SECONDS = 60;
const LONG_GAP_MS = 2 * 3_600_000;

/** One base coin: its price by `seconds`, then for each contract the makers and perhaps a noise trade. */
export function stepUnderlying(world: World, underlying: Underlying, seconds: number): void {
  stepProcess(underlying.process, seconds);
  for (const market of underlying.markets) {
    showPrices(market);
    quote(world, market);
    noise(world, market);
  }
}

export function showPrices(market: Market): void {
  market.index = indexTicks(market.process);
  market.mark = markTicks(market.process);
  if (market.last === 0) market.last = fairTicks(market.process);
}

export class Clock {
  /** Time of the last step. */
  private steppedAt: number;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.steppedAt = Math.trunc(world.now / STEP_MS) * STEP_MS;
  }

  /** Walks to `at` (milliseconds); an earlier time leaves everything as it is. */
  advanceTo(at: number): void {
    const { world } = this;
    while (at - this.steppedAt >= STEP_MS) {
      const seconds = at - this.steppedAt > LONG_GAP_MS ? COARSE_SECONDS : 1;
      const before = this.steppedAt;
      this.steppedAt += seconds * STEP_MS;
      world.now = Math.max(world.now, this.steppedAt);
      for (const underlying of world.underlyings) stepUnderlying(world, underlying, seconds);
      if (Math.trunc(before / FUNDING_EVERY) !== Math.trunc(this.steppedAt / FUNDING_EVERY))
        settleFunding(world);
      liquidate(world);
    }
    world.now = Math.max(world.now, at);
  }
}
