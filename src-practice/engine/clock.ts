/**
 * Advances the exchange in whole steps: the state at a moment is that of the last step before it. A gap over two
 * hours is a leap, taken in coarser steps; its bounds are recorded as an input, so that a replay takes the same ones.
 * Base coins the account does not use lag behind and catch up when read, so hundreds of contracts cost little.
 */
import { fallDue } from './fall-due.ts';
import { stepUnderlying } from './steps.ts';
import { marketOf } from './world.ts';
import type { Underlying, World } from './world.ts';
import { HOUR_MS } from '../../src-shared/time.ts';

export const STEP_MS = 1000;
const LONG_GAP_MS = 2 * HOUR_MS;
const VERY_LONG_GAP_MS = 48 * HOUR_MS;

/** Base coins in which the account has a position, a resting order or a TP/SL order. */
function watched(world: World): Set<Underlying> {
  const { positions, open, triggers } = world.account;
  const found = new Set<Underlying>();
  for (const each of [...positions, ...open.values(), ...triggers]) {
    found.add(marketOf(world, each.contract).underlying);
  }
  return found;
}

export class Clock {
  /** Time of the last step. */
  private steppedAt: number;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.steppedAt = Math.trunc(world.now / STEP_MS) * STEP_MS;
    for (const underlying of world.underlyings) underlying.steppedAt = this.steppedAt;
  }

  /** Time of the last step, as stored in a checkpoint. */
  get at(): number {
    return this.steppedAt;
  }

  /** Resumes from a checkpoint. The base coins' own times are stored in the world. */
  resume(steppedAt: number): void {
    this.steppedAt = steppedAt;
  }

  /** Where a leap to `at` would begin; `null` when the gap is short enough to step through. */
  leapFrom(at: number): number | null {
    return at - this.steppedAt > LONG_GAP_MS ? this.steppedAt : null;
  }

  /** Steps second by second to `at` (milliseconds). An earlier time changes nothing. */
  stepTo(at: number): void {
    const { world } = this;
    if (at - this.steppedAt >= STEP_MS) {
      // Steps can end a position or an order but not begin one in another base coin.
      const followed = watched(world);
      while (at - this.steppedAt >= STEP_MS) this.step(followed, 1);
    }
    world.now = Math.max(world.now, at);
  }

  /** Takes steps of a minute (ten while more than two days behind) until `at` is near, then steps by seconds. */
  leapTo(at: number): void {
    this.catchUp(this.world.underlyings);
    while (at - this.steppedAt > LONG_GAP_MS) {
      this.step(this.world.underlyings, at - this.steppedAt > VERY_LONG_GAP_MS ? 600 : 60);
    }
    this.stepTo(at);
  }

  private step(underlyings: Iterable<Underlying>, seconds: number): void {
    const { world } = this;
    this.steppedAt += seconds * STEP_MS;
    world.now = Math.max(world.now, this.steppedAt);
    for (const underlying of underlyings) stepUnderlying(world, underlying, this.steppedAt, seconds);
    fallDue(world);
  }

  catchUp(underlyings: Iterable<Underlying>): void {
    for (const underlying of underlyings) {
      while (underlying.steppedAt < this.steppedAt) {
        stepUnderlying(this.world, underlying, underlying.steppedAt + STEP_MS, 1);
      }
    }
  }

  /** Lets the base coin that lags most catch up. Called when idle, so that later reads are quick. */
  catchUpOne(): void {
    let oldest: Underlying | null = null;
    for (const underlying of this.world.underlyings) {
      if (!oldest || underlying.steppedAt < oldest.steppedAt) oldest = underlying;
    }
    if (oldest) this.catchUp([oldest]);
  }
}
