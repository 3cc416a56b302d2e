/**
 * Estimates (≈, docs/accounting.md) the account after orders filled completely, each at its own price: the resting ones,
 * which the API cannot cancel, or those of a batch. Money in the margin coin.
 */
import { add, type Amount, amount, calculated, subtract, sum, ZERO } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { AccountContext } from '../instrument/trading-context.ts';
import { type Attempt, givenAmount } from '../numeric/decimal-input.ts';
import { assetAfter, marginRatio, reportedRatio } from '../order/account-after.ts';
import { type Change, type Figure, figureOf, known, shown, unknown } from '../order/figure.ts';
import type { RiskTier } from '../margin/margin.ts';
import {
  type Fill,
  type Filled,
  fillsOf,
  fillSteps,
  type HeldLeg,
  type NotCounted,
  type SymbolAfter,
} from './fills.ts';
import { liquidationSteps, valuationOf } from './filled-legs.ts';
import { freeMargin } from '../order/sizing.ts';
import { attemptSteps, finish, type Steps } from '../numeric/steps.ts';

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
  const after = yield* attemptSteps(coinsAfter(context, context.account.positions, fills));
  if (after.ok) return after.value;
  const { reason } = after;
  return { coins: [], notCounted: fills.map(({ id }) => ({ id, reason })) };
}

function* coinsAfter(
  context: AccountContext,
  positions: readonly Position[],
  fills: readonly Fill[],
): Steps<AccountAfter> {
  const filled = yield* fillSteps(context, positions, fills);
  const coins: CoinAfter[] = [];
  for (const coin of new Set(filled.symbols.map(({ contract }) => contract.coins.margin)))
    coins.push(yield* coinAfter(coin, filled, context));
  return { coins, notCounted: filled.notCounted };
}

/** Computes the coin's account after the fills. */
export function* coinAfter(coin: string, filled: Filled, context: AccountContext): Steps<CoinAfter> {
  const symbols = filled.symbols.filter(({ contract }) => contract.coins.margin === coin);
  const asset = context.account?.assets.find((one) => one.coin === coin) ?? null;
  const total = (of: 'margin' | 'fees' | 'locked'): Amount => sum(symbols.map((one) => one[of]));
  const result: Attempt<After> =
    asset === null
      ? { ok: false, reason: `No ${coin} in the account.` }
      : yield* attemptSteps(knownAfter(asset, symbols, context));
  const after = result.ok ? result.value : null;
  const wallet = result.ok ? result.value.wallet : result.reason;
  const liquidations = yield* liquidationSteps(coin, filled, wallet, context);
  const none = unknown(result.ok ? '' : result.reason);
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

/** Computes what the orders affect; the rest is as reported. Throws DomainError. */
function* knownAfter(asset: Asset, symbols: readonly SymbolAfter[], context: AccountContext): Steps<After> {
  const cross = symbols.filter(({ contract }) => !contract.isolated);
  let [profit, due]: [Amount, Amount] = [ZERO, ZERO];
  for (const { contract, legs } of cross) {
    yield;
    for (const position of contract.positions) {
      const reported = (text: string | null): Amount => (text === null || text === '' ? ZERO : amount(text));
      profit = subtract(profit, reported(position.profitUnreal));
      due = subtract(due, add(reported(position.maintainMargin), reported(position.closedFee)));
    }
    for (const leg of legs) {
      const valuation = valuationOf(contract, leg, context);
      profit = add(profit, calculated(valuation.profit));
      due = add(due, calculated(valuation.maintenance));
    }
  }
  const lockedBy = ({ marginChange, locked }: SymbolAfter): Amount => subtract(marginChange, locked);
  const after = assetAfter(asset, {
    balance: sum(symbols.map(({ balanceChange }) => balanceChange)),
    locked: sum(symbols.map(lockedBy)),
    isolated: sum(symbols.filter(({ contract }) => contract.isolated).map(lockedBy)),
    profit,
  });
  const maintenance = add(givenAmount(asset, 'crossedMaintainMargin'), due);
  return { ...after, maintenance, ratio: marginRatio(maintenance, add(after.wallet, after.profit), shown) };
}
