/**
 * Computes the account under a price shock: every mark × (1 + its beta × move) at once, with the liquidations on the
 * way, and the orders if they are counted. Estimates (≈) by docs/accounting.md, without funding.
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
import type { HeldLeg } from '../account/symbol-after.ts';
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import { mayShareWallet, walletOf } from '../position/cross-positions.ts';
import { type Requirement, requirementOf, type Terms } from '../position/requirement.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { unknownMode } from '../instrument/trading-context.ts';
import { type EstimateContext, knownPosition } from '../position/resolved.ts';
import { signOf } from '../margin/leg.ts';
import { positionValue } from '../margin/margin.ts';
import { markOf } from '../position/metrics.ts';
import type { Steps } from '../numeric/steps.ts';
import { tierTable } from '../margin/tiers.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';

/** A position, or what stands in for the leg that an order on the way opens: quantity 0, no liquidation price. */
export type ShockPosition = Pick<
  Position,
  'symbolId' | 'side' | 'marginMode' | 'quantity' | 'markPrice' | 'liquidPrice'
>;

/** A leg under the move: its terms, and its value at mark, which the move scales. */
export interface Mover extends Terms {
  readonly position: ShockPosition;
  readonly leg: HeldLeg;
  readonly contractSide: ContractSide;
  readonly coin: string;
  readonly cross: boolean;
  readonly mark: string;
  readonly beta: Amount;
  readonly value: Amount;
}

/** Positions liquidated together: a coin's cross positions, or one isolated position. */
export interface Pool {
  readonly coin: string;
  readonly cross: boolean;
  readonly backing: Amount;
  readonly movers: readonly Mover[];
}

export interface NotCountedPosition {
  readonly position: ShockPosition;
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

/**
 * Prepares a shock, one position per step. `betaOf` returns a symbol's percent per percent of the move, signed; `0`
 * holds it still.
 */
export function* prepareSteps(context: EstimateContext, betaOf: (symbolId: string) => string): Steps<Shock> {
  const notCounted: NotCountedPosition[] = [];
  const leaveOut = (position: ShockPosition, reason: string): void =>
    void notCounted.push({ position, symbolId: position.symbolId, reason });
  const rest = new Map(
    context.account.assets.flatMap(({ coin, balance }) =>
      balance === null ? [] : [[coin, amount(balance)] as const],
    ),
  );
  const crossed: Mover[] = [];
  const pools: Pool[] = [];
  for (const position of context.account.positions.filter(isHeld)) {
    const mover = moverOf(position, context, betaOf);
    if (typeof mover === 'string') leaveOut(position, mover);
    else {
      const { coin, cross } = mover;
      if (cross) crossed.push(mover);
      // Without the balance the coin's equity would be the position's alone.
      else if (!rest.has(coin)) leaveOut(position, `The balance of ${coin} is not known.`);
      else pools.push({ coin, cross: false, backing: mover.leg.margin, movers: [mover] });
    }
    yield;
  }
  for (const [coin, movers] of Map.groupBy(crossed, (one) => one.coin)) {
    // Without one of them the coin would seem to bear more than it does.
    const missing = notCounted.find(({ position }) => mayShareWallet(coin, position, context));
    const asset = context.account.assets.find((one) => one.coin === coin);
    const wallet = asset && attempt(() => walletOf(asset));
    if (missing === undefined && wallet?.ok === true) {
      pools.unshift({ coin, cross: true, backing: wallet.value, movers });
      continue;
    }
    const unread = wallet?.ok === false ? wallet.reason : `No ${coin} in the account.`;
    for (const { position } of movers) leaveOut(position, missing?.reason ?? unread);
  }
  for (const { coin, backing } of pools) rest.set(coin, subtract(rest.get(coin) ?? ZERO, backing));
  return { pools, rest, notCounted };
}

/** Returns the position's terms, or why it cannot be counted. */
function moverOf(
  position: Position,
  context: EstimateContext,
  betaOf: (symbolId: string) => string,
): Mover | string {
  const known = knownPosition(position, context);
  if (typeof known === 'string') return known;
  const mark = markOf(position);
  if (mark === null) return `${position.symbolId} has no mark price.`;
  const { contractSide, coin, cross, side, entryPrice } = known;
  if (cross === null) return unknownMode(position.symbolId);
  const mover = attempt(() => {
    // A cross position is backed by the coin's wallet, whatever its own margin.
    const margin = cross ? ZERO : givenAmount(position, 'margin');
    const leg = { side, quantity: given(position, 'quantity'), entryPrice, margin, excludedGain: ZERO };
    const terms = {
      position,
      contractSide,
      coin,
      cross,
      mark,
      beta: calculated(betaOf(position.symbolId)),
      table: tierTable(known.config.riskLimitConfigs),
      convention: context.convention,
      feeRate: calculated(known.feeRate),
    };
    return moverWith(terms, leg, known.quantity);
  });
  return mover.ok ? mover.value : mover.reason;
}

/** Returns a leg under the same move as `terms`; `units` is its quantity in units of the base coin (inverse: quote). */
export function moverWith(
  terms: Omit<Mover, 'leg' | 'sign' | 'value' | 'cost'>,
  leg: HeldLeg,
  units: string,
): Mover {
  const { contractSide, mark } = terms;
  const at = (price: string): Amount => calculated(positionValue({ contractSide, quantity: units, price }));
  const sign = signOf({ contractSide, side: leg.side });
  return { ...terms, leg, sign, value: at(mark), cost: at(leg.entryPrice) };
}

/** Least factor of a price: a beta above 1 would take it to 0 and below. */
export const LEAST = amount('0.0001');
const FACTOR_DECIMALS = 20;

/** Returns the factor of a mark at `move`. */
function factorOf(mover: Mover, move: Amount): Amount {
  const factor = add(ONE, multiply(mover.beta, move));
  return isPositive(subtract(factor, LEAST)) ? factor : LEAST;
}

/** Returns the mark at `move`, in quote units. */
export const moverPriceAt = (mover: Mover, move: Amount): string =>
  print(round(multiply(amount(mover.mark), factorOf(mover, move)), 18, 'half-up'));

/**
 * Values a position at `move`, in its margin coin: PnL from its cost, maintenance margin by the tier there and closing
 * fee.
 */
export function figuresAt(mover: Mover, move: Amount): Requirement {
  const factor = factorOf(mover, move);
  const value =
    mover.contractSide === 'FORWARD'
      ? multiply(mover.value, factor)
      : round(divide(mover.value, factor), FACTOR_DECIMALS, 'half-up');
  return requirementOf(mover, value);
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
