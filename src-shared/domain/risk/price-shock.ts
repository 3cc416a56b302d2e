/**
 * Computes the account under a price shock: every mark × (1 + its beta × move) at once, with the liquidations on the
 * way. Estimates (≈) by docs/accounting.md, without orders and funding.
 */
import {
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  multiply,
  ONE,
  print,
  round,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { whole } from '../numeric/fraction.ts';
import { attempt, DomainError, givenAmount } from '../numeric/decimal-input.ts';
import { walletOf } from '../position/cross-positions.ts';
import { type EstimateContext, knownPosition } from '../position/resolved.ts';
import { positionValue } from '../margin/margin.ts';
import { markOf } from '../position/metrics.ts';
import { finish, type Steps } from '../numeric/steps.ts';
import { rowAt, type TierTable, tierIndex, tierTable } from '../margin/tiers.ts';

/** A position under the move: its value at mark, which the move scales, and its cost. */
export interface Mover {
  readonly position: Position;
  readonly beta: Amount;
  readonly linear: boolean;
  /** 1 if PnL grows with the value. */
  readonly sign: 1 | -1;
  readonly value: Amount;
  readonly cost: Amount;
  readonly margin: Amount;
  readonly table: TierTable;
  readonly flat: boolean;
  readonly feeRate: Amount;
}

/** Positions liquidated together: a coin's cross positions, or one isolated position. */
export interface Pool {
  readonly coin: string;
  readonly cross: boolean;
  readonly backing: Amount;
  readonly movers: readonly Mover[];
}

export interface NotCountedPosition {
  readonly position: Position;
  readonly symbolId: string;
  readonly reason: string;
}

export interface Shock {
  readonly pools: readonly Pool[];
  /** Balance by coin outside any pool. */
  readonly rest: ReadonlyMap<string, Amount>;
  /** Positions that could not be counted, with the reason. */
  readonly notCounted: readonly NotCountedPosition[];
}

/** Prepares a shock. `betaOf` returns a symbol's percent per percent of the move, signed; `0` holds it still. */
export const prepareShock = (context: EstimateContext, betaOf: (symbolId: string) => string): Shock =>
  finish(prepareSteps(context, betaOf));

/** Prepares one position per step. */
export function* prepareSteps(context: EstimateContext, betaOf: (symbolId: string) => string): Steps<Shock> {
  const notCounted: NotCountedPosition[] = [];
  const cross = new Map<string, Mover[]>();
  const pools: Pool[] = [];
  for (const position of context.account.positions) {
    const found = moverOf(position, context, betaOf);
    if (!found.ok) notCounted.push({ position, symbolId: position.symbolId, reason: found.reason });
    else if (!found.cross) {
      const { mover, coin } = found;
      pools.push({ coin, cross: false, backing: mover.margin, movers: [mover] });
    } else cross.set(found.coin, [...(cross.get(found.coin) ?? []), found.mover]);
    yield;
  }
  for (const [coin, movers] of cross) {
    const asset = context.account.assets.find((one) => one.coin === coin);
    const wallet = asset && attempt(() => walletOf(asset));
    if (wallet?.ok === true) pools.unshift({ coin, cross: true, backing: wallet.value, movers });
    else
      for (const { position } of movers)
        notCounted.push({
          position,
          symbolId: position.symbolId,
          reason: wallet?.reason ?? `No ${coin} in the account.`,
        });
  }
  const rest = new Map(
    context.account.assets.flatMap(({ coin, balance }) =>
      balance === null ? [] : [[coin, amount(balance)] as const],
    ),
  );
  for (const { coin, backing } of pools) rest.set(coin, subtract(rest.get(coin) ?? ZERO, backing));
  return { pools, rest, notCounted };
}

type Found =
  | { readonly ok: true; readonly mover: Mover; readonly coin: string; readonly cross: boolean }
  | { readonly ok: false; readonly reason: string };

function moverOf(position: Position, context: EstimateContext, betaOf: (symbolId: string) => string): Found {
  const one = knownPosition(position, context);
  if (typeof one === 'string') return { ok: false, reason: one };
  const mark = markOf(position);
  if (mark === null) return { ok: false, reason: `${position.symbolId} has no mark price.` };
  const { contractSide, quantity, coin, cross } = one;
  try {
    const at = (price: string): Amount => calculated(positionValue({ contractSide, quantity, price }));
    const linear = contractSide === 'FORWARD';
    const mover: Mover = {
      position,
      beta: calculated(betaOf(position.symbolId)),
      linear,
      sign: (one.side === 'BUY') === linear ? 1 : -1,
      value: at(mark),
      cost: at(one.entryPrice),
      margin: givenAmount(position, 'margin'),
      table: tierTable(one.config.riskLimitConfigs),
      flat: context.convention === 'flat',
      feeRate: calculated(one.feeRate),
    };
    return { ok: true, mover, coin, cross };
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap or an entry of 0.
    if (error instanceof DomainError) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Least factor of a price: a beta above 1 would take it to 0 and below. */
const LEAST = amount('0.0001');
const FACTOR_DECIMALS = 20;

/** Returns the factor of a mark at `move`. */
function factorOf(mover: Mover, move: Amount): Amount {
  const factor = add(ONE, multiply(mover.beta, move));
  return isPositive(subtract(factor, LEAST)) ? factor : LEAST;
}

/** Returns the mark at `move`, in quote units. */
export const priceAt = (mover: Mover, move: Amount): string =>
  print(round(multiply(amount(mover.position.markPrice ?? '0'), factorOf(mover, move)), 18, 'half-up'));

export interface Figures {
  readonly gain: Amount;
  /** Maintenance margin and closing fee. */
  readonly due: Amount;
}

/**
 * Values a position at `move`, in its margin coin: PnL from its cost, maintenance margin by the tier there and closing
 * fee. Source: docs/accounting.md, "Liquidation price".
 */
export function figuresAt(mover: Mover, move: Amount): Figures {
  const factor = factorOf(mover, move);
  const value = mover.linear
    ? multiply(mover.value, factor)
    : round(divide(mover.value, factor), FACTOR_DECIMALS, 'half-up');
  const row = rowAt(mover.table, tierIndex(mover.table, whole(value)));
  const due = multiply(value, add(row.rate, mover.feeRate));
  return {
    gain: mover.sign === 1 ? subtract(value, mover.cost) : subtract(mover.cost, value),
    due: mover.flat ? due : subtract(due, row.deduction),
  };
}

export interface PoolFigures {
  readonly equity: Amount;
  readonly due: Amount;
}

/**
 * Returns a pool's equity and requirement at `move`, in its coin. Source: docs/accounting.md,
 * `crossedMaintainMarginRate`.
 */
export function poolAt(pool: Pool, move: Amount): PoolFigures {
  let [equity, due] = [pool.backing, ZERO];
  for (const mover of pool.movers) {
    const one = figuresAt(mover, move);
    equity = add(equity, one.gain);
    due = add(due, one.due);
  }
  return { equity, due };
}
