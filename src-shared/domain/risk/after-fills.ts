/**
 * Estimates (≈, docs/accounting.md) the account after orders filled completely, each at its own price: the resting ones,
 * which the API cannot cancel, or those of a batch. Money in the margin coin.
 */
import {
  absolute,
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  print,
  round,
  subtract,
  sum,
  ZERO,
} from '../../amount.ts';
import type { Asset } from '../../exchange-api/account.ts';
import type { AccountContext } from '../instrument/trading-context.ts';
import { DomainError, givenAmount } from '../numeric/decimal-input.ts';
import { reportedRatio } from '../order/account-after.ts';
import { type Change, type Figure, figureOf, known, unknown } from '../order/figure.ts';
import type { RiskTier } from '../margin/margin.ts';
import { type Fill, type Filled, fillsOf, fillSteps, type HeldLeg, type NotCounted } from './fills.ts';
import { liquidationSteps, valuationOf } from './filled-legs.ts';
import { freeMargin } from '../order/sizing.ts';
import { finish, type Steps } from '../numeric/steps.ts';

/** Prints with at most 8 decimals, as many as a rounded average entry supports. */
const shown = (value: Amount): string => print(round(value, 8, 'half-up'));

export interface PositionAfter {
  readonly symbolId: string;
  /** Orders of the symbol. */
  readonly orders: number;
  /** Null when nothing is left. */
  readonly leg: HeldLeg | null;
  readonly unit: string;
  readonly value: string;
  /** Price of the value: the position's mark, else its own entry. */
  readonly basis: 'mark' | 'entry';
  readonly tier: RiskTier | null;
  readonly liquidation: Figure;
}

export interface CoinAfter {
  readonly coin: string;
  readonly positions: readonly PositionAfter[];
  readonly marginRatio: Change;
  /** Maintenance margin and closing fees of the coin's cross positions. */
  readonly maintenance: Change;
  /** Initial margin of what the orders would open. */
  readonly margin: string;
  /** That margin plus the taker fees of all fills. */
  readonly needed: string;
  /** Margin the exchange has already locked for the orders. */
  readonly locked: string;
  /** Free margin afterwards: balance − locked − |crossProfitUnreal|; below 0 the balance does not cover the orders. */
  readonly freeMargin: Change;
}

export interface AccountAfter {
  readonly coins: readonly CoinAfter[];
  /** Orders that could not be counted, with the reason. */
  readonly notCounted: readonly NotCounted[];
}

/** Fills all resting orders, oldest first; null without any or before account and contracts are read. */
export const afterResting = (context: AccountContext): AccountAfter | null =>
  finish(afterRestingSteps(context));

/** Computes in steps: a thousand orders take longer than a frame. */
export function* afterRestingSteps(context: AccountContext): Steps<AccountAfter | null> {
  if (context.openOrders === null || context.openOrders.length === 0) return null;
  const { fills, notCounted } = fillsOf(context.openOrders);
  const after = yield* afterSteps(context, fills);
  return after && { ...after, notCounted: [...notCounted, ...after.notCounted] };
}

/** Fills orders in the given order; null before account and contracts are read. */
export function* afterSteps(context: AccountContext, fills: readonly Fill[]): Steps<AccountAfter | null> {
  if (context.account === null || context.contracts === null) return null;
  try {
    const filled = yield* fillSteps(context, context.account.positions, fills);
    const coins: CoinAfter[] = [];
    for (const coin of new Set(filled.symbols.map(({ contract }) => contract.coins.margin)))
      coins.push(yield* coinAfter(coin, filled, context));
    return { coins, notCounted: filled.notCounted };
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap or an entry of 0.
    if (!(error instanceof DomainError)) throw error;
    const reason = error.message;
    return { coins: [], notCounted: fills.map(({ id }) => ({ id, reason })) };
  }
}

/** Computes the coin's account after the fills. */
export function* coinAfter(coin: string, filled: Filled, context: AccountContext): Steps<CoinAfter> {
  const symbols = filled.symbols.filter(({ contract }) => contract.coins.margin === coin);
  const asset = context.account?.assets.find((one) => one.coin === coin) ?? null;
  const total = (of: 'margin' | 'fees' | 'locked'): Amount => sum(symbols.map((one) => one[of]));
  const answer =
    asset === null ? `No ${coin} in the account.` : yield* assetAfter(asset, coin, filled, context);
  const after = typeof answer === 'string' ? null : answer;
  const liquidations = yield* liquidationSteps(
    coin,
    filled,
    typeof answer === 'string' ? answer : answer.wallet,
    context,
  );
  const none = unknown(typeof answer === 'string' ? answer : '');
  const positions: PositionAfter[] = [];
  for (const { contract, legs, orders } of symbols) {
    yield;
    const base = { symbolId: contract.config.symbolId, orders, unit: contract.coins.quantity };
    if (legs.length === 0) {
      const closed = unknown('Closed');
      positions.push({ ...base, leg: null, value: '0', basis: 'mark', tier: null, liquidation: closed });
    }
    for (const leg of legs)
      positions.push({
        ...base,
        leg,
        ...valuationOf(contract, leg, context),
        liquidation: liquidations.get(leg) ?? unknown('Not known'),
      });
  }
  return {
    coin,
    positions,
    marginRatio: {
      before: asset === null ? none : reportedRatio(asset, context.marginUnit),
      after: after === null ? none : after.ratio,
    },
    maintenance: {
      before: asset === null ? none : figureOf(asset, 'crossedMaintainMargin'),
      after: after === null ? none : known(shown(after.maintenance)),
    },
    margin: shown(total('margin')),
    needed: shown(add(total('margin'), total('fees'))),
    locked: shown(total('locked')),
    freeMargin: {
      before: after === null || asset === null ? none : known(freeMargin(asset)),
      after: after === null ? none : known(shown(after.free)),
    },
  };
}

interface After {
  readonly wallet: Amount;
  readonly ratio: Figure;
  readonly maintenance: Amount;
  readonly free: Amount;
}

/** Returns the asset record after all fills, or why it cannot be calculated. */
function* assetAfter(
  asset: Asset,
  coin: string,
  filled: Filled,
  context: AccountContext,
): Steps<After | string> {
  try {
    return yield* knownAfter(asset, coin, filled, context);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** Computes what the orders affect; the rest is as reported. Throws DomainError. */
function* knownAfter(asset: Asset, coin: string, filled: Filled, context: AccountContext): Steps<After> {
  const mine = filled.symbols.filter(({ contract }) => contract.coins.margin === coin);
  const of = (isolated: boolean) => mine.filter(({ contract }) => contract.isolated === isolated);
  const totalOf = (list: typeof mine, field: 'balanceChange' | 'marginChange' | 'locked'): Amount =>
    sum(list.map((one) => one[field]));
  const balance = add(givenAmount(asset, 'balance'), totalOf(mine, 'balanceChange'));
  const isolated = sum([
    givenAmount(asset, 'isolatedMargin'),
    givenAmount(asset, 'isolatedLocked'),
    subtract(totalOf(of(true), 'marginChange'), totalOf(of(true), 'locked')),
  ]);
  const wallet = subtract(balance, isolated);
  const locked = add(
    givenAmount(asset, 'locked'),
    subtract(totalOf(mine, 'marginChange'), totalOf(mine, 'locked')),
  );
  let profit = givenAmount(asset, 'crossProfitUnreal');
  let maintenance = givenAmount(asset, 'crossedMaintainMargin');
  for (const { contract, legs } of of(false)) {
    yield;
    for (const position of contract.positions) {
      const reported = (text: string | null): Amount => (text === null || text === '' ? ZERO : amount(text));
      profit = subtract(profit, reported(position.profitUnreal));
      maintenance = subtract(
        maintenance,
        add(reported(position.maintainMargin), reported(position.closedFee)),
      );
    }
    for (const leg of legs) {
      const valuation = valuationOf(contract, leg, context);
      profit = add(profit, calculated(valuation.profit));
      maintenance = add(maintenance, calculated(valuation.maintenance));
    }
  }
  const equity = add(wallet, profit);
  const ratio = !isPositive(maintenance)
    ? known('0')
    : isPositive(equity)
      ? known(shown(divide(maintenance, equity)))
      : unknown('The coin’s equity would be used up.');
  return { wallet, ratio, maintenance, free: subtract(subtract(balance, locked), absolute(profit)) };
}
