/** A random, repeatable stream of book operations for comparing and timing order books. */
import { Rng } from '../../src-practice/engine/rng.ts';

export interface Operation {
  readonly kind: 'limit' | 'market' | 'cancel';
  readonly buy: boolean;
  readonly ticks: number;
  readonly lots: number;
  /** `limit`: its own number; `cancel`: the number of the one to cancel. */
  readonly id: number;
}

/** Prices within 200 ticks of a drifting middle; a third are cancels, a tenth markets. */
export function operations(count: number, seed: number): Operation[] {
  const rng = new Rng(seed, 1);
  let middle = 10_000;
  return Array.from({ length: count }, (_, id): Operation => {
    middle += rng.below(3) - 1;
    const draw = rng.below(100);
    const buy = rng.below(2) === 0;
    const away = rng.below(200) - 12;
    const lots = 1 + rng.below(50);
    const recent = Math.max(0, id - 1 - rng.below(600));
    const kind = draw < 33 ? 'cancel' : draw < 43 ? 'market' : 'limit';
    return { kind, buy, ticks: middle + (buy ? -away : away), lots, id: kind === 'cancel' ? recent : id };
  });
}
