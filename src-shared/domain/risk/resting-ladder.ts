/**
 * Sorts one contract's resting orders by price and estimates (≈) what a move to a price would fill, with the account
 * and its liquidation computed as in after-fills.ts.
 */
import { add, type Amount, amount, calculated, compare, compareText, print, ZERO } from '../../amount.ts';
import { isPrice } from '../../exchange-api/values.ts';
import { type AccountContext, type KnownContract, unitsOf } from '../instrument/trading-context.ts';
import { positionValue } from '../margin/margin.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import type { Steps } from '../numeric/steps.ts';
import { known, NO_LIQUIDATION, shown } from '../account/figure.ts';
import { distanceShare } from '../position/metrics.ts';
import { Account } from '../account/account.ts';
import type { Fill } from '../account/symbol-after.ts';
import { type CoinAfter, coinAfter, isReached, type NotCounted, restingFills } from './after-fills.ts';
import type { OrderSide } from '../../exchange-api/enums.ts';

export interface LadderLevel {
  readonly side: OrderSide;
  readonly price: string;
  readonly orders: number;
  /** How many of them are reduce-only. */
  readonly reducing: number;
  /** Remaining quantity. */
  readonly quantity: string;
  /** Distance from the mark, a signed share; null without a mark. */
  readonly toMark: string | null;
  /** Sums including every level of the side that fills before it. `needed` is initial margin plus taker fees. */
  readonly cumulated: { readonly quantity: string; readonly value: string; readonly needed: string };
}

export interface RestingLadder {
  readonly symbolId: string;
  readonly unit: string;
  /** The margin coin, in which values and margins are. */
  readonly coin: string;
  readonly mark: string | null;
  /** Highest price first. */
  readonly levels: readonly LadderLevel[];
  readonly notCounted: readonly NotCounted[];
}

export interface Reached {
  readonly price: string;
  /** Number of the contract's orders filled on the way. */
  readonly filled: number;
  /** Price of a liquidation on the way; what follows it is not estimated. */
  readonly liquidatedAt: string | null;
  /** Why a liquidation on the way cannot be ruled out. */
  readonly unknownReason: string | null;
  /** The account at the price; null when it is liquidated before. */
  readonly account: CoinAfter | null;
  readonly notCounted: readonly NotCounted[];
}

/** A contract's orders, and the account before any of them fills. */
interface Start {
  readonly contract: KnownContract;
  readonly account: Account;
  readonly mark: string | null;
  readonly fills: readonly Fill[];
  /** Its orders that cannot be counted. */
  readonly notCounted: readonly NotCounted[];
}

function startOf(symbolId: string, context: AccountContext): Start | null {
  const { openOrders } = context;
  const account = Account.of(context);
  const state = account.symbol(symbolId);
  if (state === null || state.unread.length > 0 || context.account === null || openOrders === null)
    return null;
  const { contract, mark } = state;
  const orders = restingFills(openOrders.filter((one) => one.symbolId === symbolId));
  return { contract, account, mark, ...orders };
}

/** Sorts in the order a moving price fills them: buys from the highest, sells from the lowest, ties oldest first. */
const onTheWay = (fills: readonly Fill[], side: OrderSide): readonly Fill[] =>
  fills
    .filter((one) => one.side === side)
    .sort((a, b) => compareText(a.price, b.price) * (side === 'BUY' ? -1 : 1));

const fillsAtOnce = (order: Pick<Fill, 'side' | 'price'> | null, mark: string | null): boolean =>
  order !== null && mark !== null && isReached(order, mark);

/** Reports whether an order fills until the price reaches `target`; one at or past the mark fills at once either way. */
export const fillsOnTheWay = (
  order: Pick<Fill, 'side' | 'price'>,
  mark: string | null,
  target: string,
): boolean => fillsAtOnce(order, mark) || isReached(order, target);

/** Sorts the orders that fill until the price reaches `target`; those that fill at once fill before it moves. */
function metOnTheWay({ fills, mark }: Start, target: string): readonly Fill[] {
  const met = [...onTheWay(fills, 'BUY'), ...onTheWay(fills, 'SELL')].filter((one) =>
    fillsOnTheWay(one, mark, target),
  );
  return [...met.filter((one) => fillsAtOnce(one, mark)), ...met.filter((one) => !fillsAtOnce(one, mark))];
}

/** Computes the levels, one order per step; null if the contract or a position of it cannot be calculated. */
export function* ladderSteps(symbolId: string, context: AccountContext): Steps<RestingLadder | null> {
  const start = startOf(symbolId, context);
  if (start === null) return null;
  const notCounted = [...start.notCounted];
  const sells = yield* levelSteps('SELL', start, notCounted);
  const buys = yield* levelSteps('BUY', start, notCounted);
  const { coins } = start.contract;
  const levels = [...sells, ...buys].sort((a, b) => compareText(b.price, a.price));
  return { symbolId, unit: coins.quantity, coin: coins.margin, mark: start.mark, levels, notCounted };
}

function* levelSteps(side: OrderSide, start: Start, notCounted: NotCounted[]): Steps<LadderLevel[]> {
  const { contract, mark } = start;
  const levels: LadderLevel[] = [];
  let { account } = start;
  let [quantity, value]: [Amount, Amount] = [ZERO, ZERO];
  for (const fill of onTheWay(start.fills, side)) {
    yield;
    const { price } = fill;
    const next = account.apply(fill);
    if (typeof next === 'string') {
      notCounted.push({ id: fill.id, reason: next });
      continue;
    }
    account = next;
    const [after] = account.changed();
    const size = amount(fill.quantity);
    const units = unitsOf(contract, print(size));
    quantity = add(quantity, size);
    value = add(value, calculated(positionValue({ contractSide: contract.side, quantity: units, price })));
    const last = levels.at(-1);
    const same = last !== undefined && compareText(last.price, price) === 0 ? levels.pop() : undefined;
    levels.push({
      side,
      price,
      orders: (same?.orders ?? 0) + 1,
      reducing: (same?.reducing ?? 0) + (fill.reduceOnly ? 1 : 0),
      quantity: print(add(calculated(same?.quantity ?? '0'), size)),
      toMark: mark === null ? null : distanceShare(mark, price),
      cumulated: {
        quantity: print(quantity),
        value: shown(value),
        needed: shown(add(after?.margin ?? ZERO, after?.fees ?? ZERO)),
      },
    });
  }
  return levels;
}

/**
 * Follows the price from the mark to `price` (above 0): fills what it meets in that order, and stops where the position
 * would be liquidated first. Other contracts keep their marks and their orders. Null as `ladderSteps`.
 */
export function* reachedSteps(
  symbolId: string,
  price: string,
  context: AccountContext,
): Steps<Reached | null> {
  const start = startOf(symbolId, context);
  if (start === null) return null;
  const met = metOnTheWay(start, price);
  const from = start.mark ?? met[0]?.price ?? price;
  const falls = compareText(price, from) < 0;
  const notCounted = [...start.notCounted];
  let { account } = start;
  let unknownReason: string | null = null;
  let filled = 0;
  try {
    account = account.atPrices(new Map([[symbolId, from]]));
    for (const fill of [...met, null]) {
      const next = fill?.price ?? price;
      const at = fillsAtOnce(fill, start.mark) || !isBetween(next, from, price) ? from : next;
      const liquidation = yield* liquidationOf(account, falls, start);
      if (typeof liquidation === 'object') unknownReason ??= liquidation.unknownReason;
      else if (liquidation !== '' && compare(calculated(liquidation), amount(at)) * (falls ? 1 : -1) >= 0)
        return { price, filled, liquidatedAt: liquidation, unknownReason: null, account: null, notCounted };
      // The price really reaches each fill, so that its gain from there counts (see `excludedGain`).
      account = account.atPrices(new Map([[symbolId, at]]));
      if (fill === null) break;
      const after = account.apply(fill);
      if (typeof after === 'string') notCounted.push({ id: fill.id, reason: after });
      else {
        account = after;
        filled += 1;
      }
    }
    const coin = yield* coinAfter(start.contract.coins.margin, account, context);
    return { price, filled, liquidatedAt: null, unknownReason, account: coin, notCounted };
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap.
    if (!(error instanceof DomainError)) throw error;
    return { price, filled, liquidatedAt: null, unknownReason: error.message, account: null, notCounted };
  }
}

const isBetween = (price: string, from: string, to: string): boolean =>
  compareText(price, from) * compareText(price, to) <= 0;

/** Returns the liquidation price of the leg that loses by the move, '' without one, or why it is unknown. */
function* liquidationOf(
  account: Account,
  falls: boolean,
  { contract }: Start,
): Steps<string | { readonly unknownReason: string }> {
  const against: OrderSide = falls ? 'BUY' : 'SELL';
  const { symbolId } = contract.config;
  const state = account.symbol(symbolId);
  const held = state?.held.find(({ leg }) => leg.side === against);
  if (!state || !held) return '';
  // Before any fill the exchange's own price is used; 0 means none.
  const reported = state.orders > 0 ? null : (held.origin?.position.liquidPrice ?? null);
  if (reported !== null && reported !== '') return isPrice(reported) ? reported : '';
  const { margin: coin } = contract.coins;
  const prices = yield* account.liquidationPrices(coin, yield* account.figures(coin));
  const figure = prices.get(held.leg) ?? known('');
  if (figure.value !== null) return figure.value;
  return figure.reason === NO_LIQUIDATION ? '' : { unknownReason: figure.reason };
}
