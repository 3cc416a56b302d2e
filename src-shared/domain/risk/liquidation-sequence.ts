/**
 * Finds what a growing price move liquidates, in order (docs/accounting.md), by bisection to 10^−10. A pool with both
 * gains and losses is searched in steps of one percent (2.5 for large ones), so a dip below its requirement that is
 * narrower than a step, possible between hedged tier borders, can be missed.
 */
import {
  add,
  type Amount,
  amount,
  divide,
  greater,
  isPositive,
  multiply,
  negate,
  print,
  round,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { figuresAt, type Mover, type Pool, poolAt, priceAt, type Shock } from './price-shock.ts';
import { shown } from '../account/figure.ts';
import { finish, type Steps } from '../numeric/steps.ts';

export interface Liquidation {
  readonly position: Position;
  readonly coin: string;
  /** The move at which it is liquidated, a share: `-0.1234`. */
  readonly move: string;
  /** Its mark price then. */
  readonly price: string;
  /** Equity lost with it, signed: an isolated position's remaining equity, or its share of the coin's. */
  readonly lost: string;
}

interface Stage {
  /** Absolute move from which these pools apply. */
  readonly from: Amount;
  readonly pools: readonly Pool[];
}

export interface ShockPath {
  readonly down: boolean;
  readonly liquidations: readonly Liquidation[];
  readonly stages: readonly Stage[];
  readonly rest: Shock['rest'];
}

const STEP = amount('0.01');
/** Step of a pool so large that a percent would be slow (bench `risk`). */
const WIDE_STEP = amount('0.025');
const LARGE = 60;
const DEEPEST = amount('0.95');
const HIGHEST = amount('2');
const MOVE_DECIMALS = 10;
const PLACE = amount('0.0000000001');

/**
 * Returns the path down to −95 % or up to +200 %. Moves are shares, prices in quote units, losses in the pool's coin.
 * Never throws. Source: docs/accounting.md, `crossedMaintainMarginRate`, and the practice exchange's sequence.
 */
export const shockPath = (shock: Shock, down: boolean): ShockPath => finish(shockSteps(shock, down));

/** Computes the path one evaluation per step: a large account takes several frames. */
export function* shockSteps(shock: Shock, down: boolean): Steps<ShockPath> {
  const limit = down ? DEEPEST : HIGHEST;
  const liquidations: Liquidation[] = [];
  const stages: Stage[] = [{ from: ZERO, pools: shock.pools }];
  let [pools, from]: [readonly Pool[], Amount] = [shock.pools, ZERO];
  const next = new Map<Pool, Amount | null>();
  for (;;) {
    let first: { readonly pool: Pool; readonly at: Amount } | null = null;
    for (const pool of pools) {
      let at = next.get(pool);
      if (at === undefined) {
        at = yield* crossing(pool, from, limit, down);
        next.set(pool, at);
      }
      if (at !== null && (first === null || greater(first.at, at))) first = { pool, at };
    }
    if (first === null) return { down, liquidations, stages, rest: shock.rest };
    const { pool, at } = first;
    from = at;
    const crossed = liquidated(pool, signed(at, down));
    liquidations.push(...crossed.liquidations);
    pools = pools.flatMap((one) => (one === pool ? crossed.remaining : [one]));
    stages.push({ from, pools });
  }
}

const signed = (size: Amount, down: boolean): Amount => (down ? negate(size) : size);

const broken = (pool: Pool, move: Amount): boolean => {
  if (pool.movers.length === 0) return false;
  const { equity, due } = poolAt(pool, move);
  return !greater(equity, due);
};

/** Reports whether all positions lose value the same way, so that the pool breaks once and stays broken. */
const oneWay = ({ movers }: Pool): boolean =>
  movers.every((one) => sense(one) === sense(movers[0] ?? one) && !isZeroBeta(one));
const sense = (mover: Mover): boolean => (mover.known.position.side === 'BUY') === isPositive(mover.beta);
const isZeroBeta = ({ beta }: Mover): boolean => !isPositive(beta) && !isPositive(negate(beta));

/** Returns the smallest absolute move from `from` on at which the pool breaks; null if none up to `limit`. */
function* crossing(pool: Pool, from: Amount, limit: Amount, down: boolean): Steps<Amount | null> {
  const brokenAt = (size: Amount): boolean => broken(pool, signed(size, down));
  if (brokenAt(from)) return from;
  let [good, bad]: [Amount, Amount | null] = [from, null];
  if (oneWay(pool)) bad = brokenAt(limit) ? limit : null;
  else
    while (bad === null && greater(limit, good)) {
      const size = add(good, pool.movers.length > LARGE ? WIDE_STEP : STEP);
      const to = greater(size, limit) ? limit : size;
      if (brokenAt(to)) bad = to;
      else good = to;
      yield;
    }
  if (bad === null) return null;
  while (greater(subtract(bad, good), PLACE)) {
    const middle = round(divide(add(good, bad), amount('2')), MOVE_DECIMALS, 'up');
    if (brokenAt(middle)) bad = middle;
    else good = middle;
    yield;
  }
  return bad;
}

/**
 * Finds the smallest move in either direction that liquidates anything; null if none within the range of `shockPath`.
 */
export function* firstSteps(shock: Shock): Steps<Liquidation | null> {
  let nearest: { readonly pool: Pool; readonly at: Amount; readonly down: boolean } | null = null;
  for (const down of [true, false])
    for (const pool of shock.pools) {
      const at: Amount | null = yield* crossing(pool, ZERO, down ? DEEPEST : HIGHEST, down);
      if (at !== null && (nearest === null || greater(nearest.at, at))) nearest = { pool, at, down };
    }
  if (nearest === null) return null;
  return liquidated(nearest.pool, signed(nearest.at, nearest.down)).liquidations[0] ?? null;
}

function liquidated(
  pool: Pool,
  move: Amount,
): { readonly liquidations: readonly Liquidation[]; readonly remaining: readonly Pool[] } {
  const liquidations: Liquidation[] = [];
  const figures = new Map(pool.movers.map((mover) => [mover, figuresAt(mover, move)]));
  const due = (mover: Mover): Amount => figures.get(mover)?.due ?? ZERO;
  let { equity, due: needs } = poolAt(pool, move);
  let movers = [...pool.movers].sort((a, b) =>
    greater(due(b), due(a)) ? 1 : greater(due(a), due(b)) ? -1 : 0,
  );
  while (movers.length > 0 && !greater(equity, needs)) {
    const [largest, ...others] = movers;
    if (largest === undefined) break;
    const lost = pool.cross && isPositive(needs) ? divide(multiply(equity, due(largest)), needs) : equity;
    liquidations.push({
      position: largest.known.position,
      coin: pool.coin,
      move: print(move),
      price: priceAt(largest, move),
      lost: shown(lost),
    });
    equity = subtract(equity, lost);
    needs = subtract(needs, due(largest));
    movers = others;
  }
  const gains = movers.reduce((total, one) => add(total, figures.get(one)?.gain ?? ZERO), ZERO);
  return { liquidations, remaining: [{ ...pool, movers, backing: subtract(equity, gains) }] };
}
