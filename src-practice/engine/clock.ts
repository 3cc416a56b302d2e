/**
 * Time moves in whole steps: the state at a moment is that of the last step before it, whoever asks and however
 * late a timer fires. A gap of more than two hours is leapt: walked in coarser steps; where a leap began and ended is
 * part of the input (recording.ts), so replies still repeat.
 *
 * Base coins the account has nothing in lag behind and catch up when somebody looks: their steps touch nothing but
 * themselves and the market members' balances, so it makes no difference when they are taken. Hundreds of contracts
 * then cost what the few in use cost.
 */
import { fallDue } from './fall-due.ts';
import { stepUnderlying } from './steps.ts';
import { marketOf } from './world.ts';
import type { Underlying, World } from './world.ts';

export const STEP_MS = 1000;
export const LONG_GAP_MS = 2 * 3_600_000;
const VERY_LONG_GAP_MS = 48 * 3_600_000;

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

  /** Time of the last step, as a checkpoint keeps it. */
  get at(): number {
    return this.steppedAt;
  }

  /** Goes on from a checkpoint; the base coins' own times are the world's. */
  resume(steppedAt: number): void {
    this.steppedAt = steppedAt;
  }

  /** Where a leap to `at` would begin, or `null` when the gap is short enough to be walked. */
  leapFrom(at: number): number | null {
    return at - this.steppedAt > LONG_GAP_MS ? this.steppedAt : null;
  }

  /** Walks to `at` (milliseconds) second by second; an earlier time leaves everything as it is. */
  walkTo(at: number): void {
    const { world } = this;
    if (at - this.steppedAt >= STEP_MS) {
      // Steps can end a position or an order but not begin one in another base coin.
      const followed = watched(world);
      while (at - this.steppedAt >= STEP_MS) this.step(followed, 1);
    }
    world.now = Math.max(world.now, at);
  }

  /** Steps of a minute (ten while more than two days behind) until `at` is near, then walks. */
  leapTo(at: number): void {
    this.catchUp(this.world.underlyings);
    while (at - this.steppedAt > LONG_GAP_MS) {
      this.step(this.world.underlyings, at - this.steppedAt > VERY_LONG_GAP_MS ? 600 : 60);
    }
    this.walkTo(at);
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

  /** Lets the base coin that lags most catch up: idle work that keeps later looks quick. */
  catchUpOne(): void {
    let oldest: Underlying | null = null;
    for (const underlying of this.world.underlyings) {
      if (!oldest || underlying.steppedAt < oldest.steppedAt) oldest = underlying;
    }
    if (oldest) this.catchUp([oldest]);
  }
}
