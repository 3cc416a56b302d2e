/**
 * Computes the account at a given price move: what each position gains or loses, liquidations on the way included.
 * Estimates (≈); the changes of a coin's positions add up to the change of its equity.
 */
import {
  absolute,
  add,
  type Amount,
  calculated,
  divide,
  greater,
  isNegative,
  isPositive,
  multiply,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { ShockPath } from './liquidation-sequence.ts';
import type { ShockOrder } from './shock-orders.ts';
import { figuresAt, type Mover, type Pool, poolAt, moverPriceAt, type ShockPosition } from './price-shock.ts';
import { shown } from '../account/figure.ts';
import type { Steps } from '../numeric/steps.ts';

export interface ShockedPosition {
  readonly position: ShockPosition;
  readonly coin: string;
  /** Change of its mark, a share. */
  readonly move: string;
  /** Its mark after the move. */
  readonly price: string;
  /** Value at the mark before the move, in its coin. */
  readonly value: string;
  /** Its effect on the coin's equity: change of PnL, fills less fees, and what its liquidation costs. */
  readonly pnl: string;
  /** Its place in the sequence of liquidations, from 1, and the move at which it happens; null if it survives. */
  readonly liquidation: { readonly order: number; readonly move: string } | null;
  /** Orders that filled on the way, and whether they closed all of it. */
  readonly fills: number;
  readonly isClosed: boolean;
}

/** A coin's account at a move. */
export interface CoinAt {
  readonly equity: string;
  /** Maintenance and fees ÷ equity of its cross positions; null without any, or with nothing left. */
  readonly ratio: string | null;
}

/** The paths of both directions; `down` is null where the scale has only one direction. */
export interface ShockPaths {
  readonly down: ShockPath | null;
  readonly up: ShockPath;
}

const pathAt = ({ down, up }: ShockPaths, move: Amount): ShockPath =>
  down !== null && isNegative(move) ? down : up;

const stageAt = ({ stages }: ShockPath, move: Amount): ShockPath['stages'][number] =>
  stages.findLast((one) => !greater(one.from, absolute(move))) ?? stages[0];

const moversOf = (pools: readonly Pool[]): Map<ShockPosition, Mover> =>
  new Map(pools.flatMap(({ movers }) => movers.map((one) => [one.position, one])));

/** Returns every valued position at `move`, a share. Source: docs/accounting.md, "Liquidation price". */
export function positionsAt(paths: ShockPaths, move: string): ShockedPosition[] {
  const at = calculated(move);
  const path = pathAt(paths, at);
  const gone = new Map<ShockPosition, { readonly order: number; readonly move: string }>();
  for (const [index, one] of path.liquidations.entries())
    if (!greater(absolute(calculated(one.move)), absolute(at)))
      gone.set(one.position, { order: index + 1, move: one.move });
  const stage = stageAt(path, at);
  const start = moversOf(path.stages[0].pools);
  const now = moversOf(stage.pools);
  const left = [...stage.realised].map(([position, { template }]) => [position, template] as const);
  return [...new Map([...start, ...left, ...now])].map(([position, template]) => {
    const [before, after] = [start.get(position), now.get(position)];
    const realised = stage.realised.get(position);
    const gain = subtract(
      after === undefined ? ZERO : figuresAt(after, at).gain,
      before === undefined ? ZERO : figuresAt(before, ZERO).gain,
    );
    return {
      position,
      coin: template.coin,
      move: shown(multiply(template.beta, at)),
      price: moverPriceAt(template, at),
      value: shown(before?.value ?? ZERO),
      pnl: shown(add(gain, realised?.pnl ?? ZERO)),
      liquidation: gone.get(position) ?? null,
      fills: realised?.fills ?? 0,
      isClosed: realised?.isClosed === true,
    };
  });
}

/** Returns the orders that filled at `move`, a share. */
export function fillsAt(paths: ShockPaths, move: string): readonly ShockOrder[] {
  const at = calculated(move);
  return pathAt(paths, at)
    .fills.filter((one) => !greater(absolute(calculated(one.move)), absolute(at)))
    .map((one) => one.order);
}

/** Returns a coin's equity and ratio at `move`, a share. Source: docs/accounting.md, `crossedMaintainMarginRate`. */
export function coinAt(paths: ShockPaths, coin: string, move: string): CoinAt {
  const at = calculated(move);
  const stage = stageAt(pathAt(paths, at), at);
  const pools = stage.pools.filter((one) => one.coin === coin);
  let equity = stage.rest.get(coin) ?? ZERO;
  let ratio: string | null = null;
  for (const pool of pools) {
    const figures = poolAt(pool, at);
    equity = add(equity, figures.equity);
    if (pool.cross) ratio = ratioOf(pool, figures.equity, figures.due);
  }
  return { equity: shown(equity), ratio };
}

const ratioOf = (pool: Pool, equity: Amount, due: Amount): string | null =>
  pool.movers.length > 0 && isPositive(equity) ? shown(divide(due, equity)) : null;

/** A coin at each of several moves. */
export interface ShockCurve {
  readonly coin: string;
  readonly points: readonly CoinAt[];
}

/** Computes a curve over `moves` for every coin with positions, one point per step. */
export function* curveSteps(paths: ShockPaths, moves: readonly string[]): Steps<ShockCurve[]> {
  const coins = [...new Set(paths.up.stages[0].pools.map((one) => one.coin))];
  const curves: ShockCurve[] = [];
  for (const coin of coins) {
    const points: CoinAt[] = [];
    for (const move of moves) {
      points.push(coinAt(paths, coin, move));
      yield;
    }
    curves.push({ coin, points });
  }
  return curves;
}
