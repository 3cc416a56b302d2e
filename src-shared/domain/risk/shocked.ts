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
import type { Position } from '../../exchange-api/account.ts';
import type { ShockPath } from './liquidation-sequence.ts';
import { figuresAt, type Mover, type Pool, poolAt, priceAt } from './price-shock.ts';
import { shown } from '../account/figure.ts';
import type { Steps } from '../numeric/steps.ts';

export interface ShockedPosition {
  readonly position: Position;
  readonly coin: string;
  /** Change of its mark, a share. */
  readonly move: string;
  /** Its mark after the move. */
  readonly price: string;
  /** Value at the mark before the move, in its coin. */
  readonly value: string;
  /** Its effect on the coin's equity: change of PnL, and what its liquidation costs. */
  readonly pnl: string;
  /** Its place in the sequence of liquidations, from 1, and the move at which it happens; null if it survives. */
  readonly liquidation: { readonly order: number; readonly move: string } | null;
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

/** Returns every valued position at `move`, a share. Source: docs/accounting.md, "Liquidation price". */
export function positionsAt(paths: ShockPaths, move: string): ShockedPosition[] {
  const at = calculated(move);
  const path = pathAt(paths, at);
  const gone = new Map<Position, { readonly order: number; readonly move: string; readonly lost: string }>();
  for (const [index, one] of path.liquidations.entries())
    if (!greater(absolute(calculated(one.move)), absolute(at)))
      gone.set(one.position, { order: index + 1, move: one.move, lost: one.lost });
  return (path.stages[0]?.pools ?? []).flatMap(({ coin, movers }) =>
    movers.map((mover) => {
      const end = gone.get(mover.known.position);
      return {
        position: mover.known.position,
        coin,
        move: shown(multiply(mover.beta, at)),
        price: priceAt(mover, at),
        value: shown(mover.value),
        pnl: shown(
          end === undefined
            ? gainBetween(mover, at)
            : subtract(gainBetween(mover, calculated(end.move)), calculated(end.lost)),
        ),
        liquidation: end === undefined ? null : { order: end.order, move: end.move },
      };
    }),
  );
}

const gainBetween = (mover: Mover, move: Amount): Amount =>
  subtract(figuresAt(mover, move).gain, figuresAt(mover, ZERO).gain);

/** Returns a coin's equity and ratio at `move`, a share. Source: docs/accounting.md, `crossedMaintainMarginRate`. */
export function coinAt(paths: ShockPaths, coin: string, move: string): CoinAt {
  const at = calculated(move);
  const path = pathAt(paths, at);
  const size = absolute(at);
  const stage = path.stages.findLast((one) => !greater(one.from, size)) ?? path.stages[0];
  const pools = (stage?.pools ?? []).filter((one) => one.coin === coin);
  let equity = path.rest.get(coin) ?? ZERO;
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
  const coins = [...new Set((paths.up.stages[0]?.pools ?? []).map((one) => one.coin))];
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
