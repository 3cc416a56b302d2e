/**
 * Finds what a growing price move liquidates and fills, in order (docs/accounting.md), by bisection to 10^−10. A pool with many
 * tier borders, or of inverse contracts with both gains and losses, is searched in steps of one percent (2.5 for large ones), so
 * a dip below its requirement that is narrower than a step can be missed.
 */
import {
  add,
  type Amount,
  amount,
  calculated,
  compare,
  divide,
  greater,
  isPositive,
  multiply,
  negate,
  ONE,
  print,
  round,
  subtract,
  ZERO,
} from '../../amount.ts';
import { attempt } from '../numeric/decimal-input.ts';
import type { NotCounted } from './after-fills.ts';
import {
  figuresAt,
  LEAST,
  type Mover,
  type Pool,
  poolAt,
  moverPriceAt,
  type Shock,
  type ShockPosition,
} from './price-shock.ts';
import { filledOnWay, type ShockState, startOf, withRealised } from './shock-fills.ts';
import { LEAST_MOVE, MOVE_DECIMALS, NO_ORDERS, reachedBy, type ShockOrder } from './shock-orders.ts';
import { shown } from '../account/figure.ts';
import type { Steps } from '../numeric/steps.ts';

export interface Liquidation {
  readonly position: ShockPosition;
  readonly coin: string;
  /** The move at which it is liquidated, a share: `-0.1234`. */
  readonly move: string;
  /** Its mark price then. */
  readonly price: string;
  /** Equity lost with it, signed: an isolated position's remaining equity, or its share of the coin's. */
  readonly lost: string;
}

/** An order that fills, and the move at which it does, a share. */
export interface ShockFill {
  readonly order: ShockOrder;
  readonly move: string;
}

interface Stage extends ShockState {
  /** Absolute move from which it applies. */
  readonly from: Amount;
}

export interface ShockPath {
  readonly down: boolean;
  readonly liquidations: readonly Liquidation[];
  readonly fills: readonly ShockFill[];
  /** Orders on the way that could not be calculated. */
  readonly notCounted: readonly NotCounted[];
  /** The first is the account before any move. */
  readonly stages: readonly [Stage, ...Stage[]];
}

const STEP = amount('0.01');
/** Step of a pool so large that a percent would be slow (bench `risk`). */
const WIDE_STEP = amount('0.025');
const LARGE = 60;
/** More points than these, two at each border, are slower than steps. */
const MOST_POINTS = 100;
const DEEPEST = amount('0.95');
const HIGHEST = amount('2');

/** How far a pool was searched, and where it breaks; null if it does not up to there. */
interface Searched {
  readonly upTo: Amount;
  readonly at: Amount | null;
}

/**
 * Computes the path down to −95 % or up to +200 %, one evaluation per step: a large account takes several frames. Moves
 * are shares, prices in quote units, losses in the pool's coin. Never throws. Source: docs/accounting.md,
 * `crossedMaintainMarginRate`, and the practice exchange's sequence.
 */
export function* shockSteps(shock: Shock, down: boolean, orders = NO_ORDERS): Steps<ShockPath> {
  const limit = down ? DEEPEST : HIGHEST;
  const liquidations: Liquidation[] = [];
  const fills: ShockFill[] = [];
  const notCounted: NotCounted[] = [];
  let [state, from]: [ShockState, Amount] = [startOf(shock), ZERO];
  const stages: [Stage, ...Stage[]] = [{ ...state, from }];
  const searched = new Map<Pool, Searched>();
  for (const reached of [...reachedBy(orders, down, limit), null]) {
    for (;;) {
      // After the first fill a pool soon changes again, so it is searched no further than the next one.
      const upTo = fills.length === 0 ? limit : (reached?.at ?? limit);
      const first = yield* firstOf(state.pools, { from, upTo, down }, searched);
      // Where both are at one move, the liquidation comes first.
      if (first === null || (reached !== null && greater(first.at, reached.at))) break;
      from = first.at;
      const lost = liquidated(first.pool, signed(from, down));
      liquidations.push(...lost);
      state = withLiquidations(state, first.pool, lost, signed(from, down));
      stages.push({ ...state, from });
    }
    if (reached === null) break;
    yield;
    from = reached.at;
    const after = attempt(() => filledOnWay(state, reached));
    if (!after.ok) notCounted.push({ id: reached.order.fill.id, reason: after.reason });
    if (!after.ok || after.value === state) continue;
    state = after.value;
    fills.push({ order: reached.order, move: print(signed(from, down)) });
    stages.push({ ...state, from });
  }
  return { down, liquidations, fills, notCounted, stages };
}

/** Returns the first pool to break; null if none does. */
function* firstOf(
  pools: readonly Pool[],
  { from, upTo, down }: { readonly from: Amount; readonly upTo: Amount; readonly down: boolean },
  searched: Map<Pool, Searched>,
): Steps<{ readonly pool: Pool; readonly at: Amount } | null> {
  let first: { readonly pool: Pool; readonly at: Amount } | null = null;
  for (const pool of pools) {
    let known = searched.get(pool);
    if (known === undefined || (known.at === null && greater(upTo, known.upTo))) {
      known = { upTo, at: yield* crossing(pool, known?.upTo ?? from, upTo, down) };
      searched.set(pool, known);
    }
    const { at } = known;
    if (at !== null && (first === null || greater(first.at, at))) first = { pool, at };
  }
  return first;
}

/** Empties a pool and books what its liquidations took. */
function withLiquidations(
  state: ShockState,
  pool: Pool,
  liquidations: readonly Liquidation[],
  move: Amount,
): ShockState {
  const empty = { ...pool, movers: [], backing: ZERO };
  let after: ShockState = { ...state, pools: state.pools.map((one) => (one === pool ? empty : one)) };
  for (const { position, lost } of liquidations) {
    const mover = pool.movers.find((one) => one.position === position);
    if (mover === undefined) continue;
    const pnl = subtract(figuresAt(mover, move).gain, calculated(lost));
    after = withRealised(after, position, mover, { pnl });
  }
  return after;
}

const signed = (size: Amount, down: boolean): Amount => (down ? negate(size) : size);

const broken = (pool: Pool, move: Amount): boolean => {
  if (pool.movers.length === 0) return false;
  const { equity, due } = poolAt(pool, move);
  return !greater(equity, due);
};

/** Reports whether all positions lose the same way, so that between tier borders the pool breaks once and stays broken. */
const oneWay = ({ movers }: Pool): boolean => movers.every((one) => sense(one) === sense(movers[0] ?? one));
const sense = (mover: Mover): boolean => (mover.leg.side === 'BUY') === isPositive(mover.beta);
const isZeroBeta = ({ beta }: Mover): boolean => !isPositive(beta) && !isPositive(negate(beta));

/** Returns the smallest absolute move from `from` on at which the pool breaks; null if none up to `limit`. */
function* crossing(pool: Pool, from: Amount, limit: Amount, down: boolean): Steps<Amount | null> {
  const brokenAt = (size: Amount): boolean => broken(pool, signed(size, down));
  if (brokenAt(from)) return from;
  let [good, bad]: [Amount, Amount | null] = [from, null];
  for (const to of [...pointsOf(pool, from, limit, down), limit]) {
    if (brokenAt(to)) bad = to;
    if (bad !== null) break;
    good = to;
    yield;
  }
  if (bad === null) return null;
  while (greater(subtract(bad, good), LEAST_MOVE)) {
    const middle = round(divide(add(good, bad), amount('2')), MOVE_DECIMALS, 'up');
    if (brokenAt(middle)) bad = middle;
    else good = middle;
    yield;
  }
  return bad;
}

/** Returns the absolute moves between `from` and `limit` at which to look, so that a pool breaks at most once between two. */
function pointsOf(pool: Pool, from: Amount, limit: Amount, down: boolean): readonly Amount[] {
  const isBetween = (size: Amount): boolean => greater(size, from) && greater(limit, size);
  // Between tier borders the excess of such a pool grows or falls all the way.
  if (oneWay(pool) || pool.movers.every(({ contractSide }) => contractSide === 'FORWARD')) {
    const borders = pool.movers
      .flatMap((one) => bordersOf(one, down))
      .filter(isBetween)
      .sort(compare);
    if (borders.length <= MOST_POINTS) return borders;
  }
  const step = pool.movers.length > LARGE ? WIDE_STEP : STEP;
  const points: Amount[] = [];
  for (let size = add(from, step); isBetween(size); size = add(size, step)) points.push(size);
  return points;
}

/** The borders of each leg, memoised: a fill changes one leg of a pool, all of which is searched again. */
const BORDERS = {
  up: new WeakMap<Mover, readonly Amount[]>(),
  down: new WeakMap<Mover, readonly Amount[]>(),
};

/**
 * Returns the absolute moves on both sides of each tier border, where a flat requirement jumps and a marginal one bends, and
 * of the least factor, where a price stays.
 */
function bordersOf(mover: Mover, down: boolean): readonly Amount[] {
  const memo = BORDERS[down ? 'down' : 'up'];
  const known = memo.get(mover);
  if (known !== undefined) return known;
  const { table, contractSide, value, beta } = mover;
  const factors = table
    .slice(0, -1)
    .map(({ max }) => (contractSide === 'FORWARD' ? divide(max, value) : divide(value, max)));
  const borders = isZeroBeta(mover)
    ? []
    : [...factors, LEAST].flatMap((factor) => {
        const move = divide(subtract(factor, ONE), beta);
        const size = round(signed(move, down), MOVE_DECIMALS, 'down');
        return [subtract(size, LEAST_MOVE), add(size, LEAST_MOVE)];
      });
  memo.set(mover, borders);
  return borders;
}

/**
 * Finds the smallest move in either direction that liquidates anything; null if none within the range of `shockSteps`.
 */
export function* firstSteps(shock: Shock): Steps<Liquidation | null> {
  let nearest: { readonly pool: Pool; readonly at: Amount; readonly down: boolean } | null = null;
  for (const down of [true, false])
    for (const pool of shock.pools) {
      const at: Amount | null = yield* crossing(pool, ZERO, down ? DEEPEST : HIGHEST, down);
      if (at !== null && (nearest === null || greater(nearest.at, at))) nearest = { pool, at, down };
    }
  if (nearest === null) return null;
  return liquidated(nearest.pool, signed(nearest.at, nearest.down))[0] ?? null;
}

/**
 * Liquidates a broken pool, the largest requirement first. Each position takes its share of the equity along, so that the
 * rest stays at its limit and goes too.
 */
function liquidated(pool: Pool, move: Amount): readonly Liquidation[] {
  const movers = pool.movers
    .map((mover) => ({ mover, due: figuresAt(mover, move).due }))
    .sort((a, b) => compare(b.due, a.due));
  let { equity, due: needs } = poolAt(pool, move);
  return movers.map(({ mover, due }) => {
    const lost = pool.cross && isPositive(needs) ? divide(multiply(equity, due), needs) : equity;
    equity = subtract(equity, lost);
    needs = subtract(needs, due);
    return {
      position: mover.position,
      coin: pool.coin,
      move: print(move),
      price: moverPriceAt(mover, move),
      lost: shown(lost),
    };
  });
}
