/**
 * Estimates (≈, docs/accounting.md) the account after orders filled completely, each at its own price: the resting ones,
 * which the API cannot cancel, or those of a batch. Orders below and above the market fill when prices fall and when they
 * rise, so both are computed. Money in the margin coin.
 */
import { add, type Amount, amount, calculated, compare, compareText, isPositive, sum } from '../../amount.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { isOn, isResting, isLongOrShort } from '../../exchange-api/enums.ts';
import { Account, figureIn, marginRatio, reportedRatio } from '../account/account.ts';
import {
  type Change,
  EQUITY_USED_UP,
  type Figure,
  figureOf,
  known,
  shown,
  unknown,
} from '../account/figure.ts';
import { valueLeg } from '../account/leg.ts';
import {
  type Fill,
  type Held,
  type HeldLeg,
  isolatedRatioOf,
  type SymbolAfter,
} from '../account/symbol-after.ts';
import { isPrice } from '../../exchange-api/values.ts';
import type { AccountContext } from '../instrument/trading-context.ts';
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import { freeMargin } from '../order/sizing.ts';
import { attemptSteps, type Steps } from '../numeric/steps.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

export interface PositionAfter {
  readonly symbolId: string;
  /** Orders of the symbol; in hedge mode those of the leg. */
  readonly orders: number;
  /** The position as read, and its leg; one on the other side if it is reversed, null if there is none. */
  readonly before: Held['origin'];
  /** Null when nothing is left. */
  readonly leg: HeldLeg | null;
  readonly unit: string;
  readonly value: string;
  /** Price of the value: the position's mark, else its own entry. */
  readonly basis: 'mark' | 'entry';
  readonly tier: RiskTier | null;
  readonly liquidation: Figure;
  /** Margin ratio of an isolated position, a share; null for others and when nothing is left. */
  readonly isolatedRatio: Figure | null;
}

export interface CoinAfter {
  readonly coin: string;
  /** Orders that filled. */
  readonly orders: number;
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
  readonly notCounted: readonly NotCounted[];
}

/** An order that could not be counted. */
export interface NotCounted {
  readonly id: string;
  readonly reason: string;
}

/** Converts the resting orders, oldest first; those that cannot be counted are in `notCounted`. */
export function restingFills(orders: readonly OpenOrder[]): {
  readonly fills: readonly Fill[];
  readonly notCounted: readonly NotCounted[];
} {
  const fills: Fill[] = [];
  const notCounted: NotCounted[] = [];
  for (const order of orders.filter(isResting).sort((a, b) => (a.ctime ?? 0) - (b.ctime ?? 0))) {
    const fill = fillOf(order);
    if (typeof fill === 'string') notCounted.push({ id: order.orderId, reason: fill });
    else fills.push(fill);
  }
  return { fills, notCounted };
}

function fillOf(order: OpenOrder): Fill | string {
  const { orderId: id, symbolId, side, price } = order;
  if (!isLongOrShort(side)) return 'Its side is unknown.';
  if (!isPrice(price)) return 'It has no price.';
  const fill = attempt(() => ({
    id,
    symbolId,
    side,
    price,
    quantity: given(order, 'quantity'),
    reduceOnly: isOn(given(order, 'reduceOnly')),
    locked: givenAmount(order, 'remainingLocked'),
  }));
  if (!fill.ok) return fill.reason;
  return isPositive(amount(fill.value.quantity)) ? fill.value : 'Nothing of it is left to fill.';
}

/** Where all prices go: a resting buy below the mark fills only when they fall, a sell above it when they rise. */
export type PriceMove = 'falling' | 'rising';
const MOVES: readonly PriceMove[] = ['falling', 'rising'];

export interface CoinMoved {
  readonly move: PriceMove;
  readonly after: CoinAfter;
}

/** A coin after the orders of either move, which never fill together. */
export interface CoinByMove {
  readonly coin: string;
  /** By margin ratio, then by free margin. */
  readonly worst: CoinMoved;
  /** Null if no order fills when prices go the other way. */
  readonly other: CoinMoved | null;
}

export interface AccountByMove {
  readonly coins: readonly CoinByMove[];
  readonly notCounted: readonly NotCounted[];
}

/** Computes what the resting orders can do, in steps; null without any or before account and contracts are read. */
export function* afterRestingSteps(context: AccountContext): Steps<AccountByMove | null> {
  const { fills, notCounted } = restingFills(context.openOrders ?? []);
  if (fills.length + notCounted.length === 0) return null;
  const after = yield* byMoveSteps(context, fills);
  return after && { ...after, notCounted: [...notCounted, ...after.notCounted] };
}

/** Fills the orders of each move, the nearest to the mark first; null before account and contracts are read. */
export function* byMoveSteps(context: AccountContext, fills: readonly Fill[]): Steps<AccountByMove | null> {
  const moved: CoinMoved[] = [];
  const notCounted = new Map<string, NotCounted>();
  const read = Account.of(context);
  const markOf = ({ symbolId }: Fill): string | null => read.symbol(symbolId)?.mark ?? null;
  for (const move of MOVES) {
    const account = yield* afterSteps(context, onTheWay(fills, move, markOf));
    if (account === null) return null;
    for (const after of account.coins) moved.push({ move, after });
    for (const one of account.notCounted) notCounted.set(one.id, one);
  }
  return {
    coins: [...Map.groupBy(moved, ({ after }) => after.coin)].flatMap(([coin, [one, two]]): CoinByMove[] => {
      if (one === undefined) return [];
      if (two === undefined) return [{ coin, worst: one, other: null }];
      const [worst, other] = isWorse(two.after, one.after) ? [two, one] : [one, two];
      return [{ coin, worst, other }];
    }),
    notCounted: [...notCounted.values()],
  };
}

/** Reports whether a market at `at` fills an order: a buy at its price or below, a sell at its price or above. */
export const isReached = ({ side, price }: Pick<Fill, 'side' | 'price'>, at: string): boolean =>
  compareText(price, at) * (side === 'BUY' ? 1 : -1) >= 0;

/** An order at or past the mark fills at once, whatever prices do. Without a mark, a buy is taken to rest below it. */
function onTheWay(
  fills: readonly Fill[],
  move: PriceMove,
  markOf: (fill: Fill) => string | null,
): readonly Fill[] {
  const [side, direction] = move === 'falling' ? ['BUY', -1] : ['SELL', 1];
  const crosses = (fill: Fill): boolean => {
    const mark = markOf(fill);
    return mark !== null && isReached(fill, mark);
  };
  return [
    ...fills.filter(crosses),
    ...fills
      .filter((one) => one.side === side && !crosses(one))
      .sort((a, b) => compareText(a.price, b.price) * direction),
  ];
}

function isWorse(a: CoinAfter, b: CoinAfter): boolean {
  const usedUp = ({ marginRatio: { after } }: CoinAfter): boolean => after.reason === EQUITY_USED_UP;
  if (usedUp(a) !== usedUp(b)) return usedUp(a);
  const byRatio = compareFigures(a.marginRatio.after, b.marginRatio.after);
  return byRatio === 0 ? compareFigures(a.freeMargin.after, b.freeMargin.after) < 0 : byRatio > 0;
}

/** Returns 0 if one is unknown. */
const compareFigures = (a: Figure, b: Figure): number =>
  a.value === null || b.value === null ? 0 : compare(calculated(a.value), calculated(b.value));

/** Fills orders in the given order, one per step; null before account and contracts are read. */
export function* afterSteps(context: AccountContext, fills: readonly Fill[]): Steps<AccountAfter | null> {
  if (context.account === null || context.contracts === null) return null;
  const notCounted: NotCounted[] = [];
  let account = Account.of(context);
  for (const fill of fills) {
    yield;
    const after = account.apply(fill);
    if (typeof after === 'string') notCounted.push({ id: fill.id, reason: after });
    else account = after;
  }
  const coins: CoinAfter[] = [];
  for (const coin of new Set(account.changed().map(({ contract }) => contract.coins.margin))) {
    const after = yield* attemptSteps(coinAfter(coin, account, context));
    if (after.ok) coins.push(after.value);
    else {
      const { reason } = after;
      const symbols = new Set(account.changed(coin).map(({ contract }) => contract.config.symbolId));
      for (const { id, symbolId } of fills) if (symbols.has(symbolId)) notCounted.push({ id, reason });
    }
  }
  return { coins, notCounted };
}

/** Describes a coin of the account, in steps. Throws DomainError. */
export function* coinAfter(coin: string, account: Account, context: AccountContext): Steps<CoinAfter> {
  const symbols = account.changed(coin);
  const asset = context.account?.assets.find((one) => one.coin === coin) ?? null;
  const figures = yield* account.figures(coin);
  const liquidations = yield* account.liquidationPrices(coin, figures);
  const total = (of: 'margin' | 'fees' | 'locked'): Amount => sum(symbols.map((one) => one[of]));
  const none = unknown(typeof figures === 'string' ? figures : '');
  const positions: PositionAfter[] = [];
  for (const symbol of symbols) {
    yield;
    positions.push(...positionsAfter(symbol, liquidations, context));
  }
  return {
    coin,
    orders: symbols.reduce((count, one) => count + one.orders, 0),
    positions,
    marginRatio: {
      before: asset === null ? none : reportedRatio(asset, context.marginUnit),
      after: figureIn(figures, (one) => marginRatio(one, shown)),
    },
    maintenance: {
      before: asset === null ? none : figureOf(asset, 'crossedMaintainMargin'),
      after: figureIn(figures, ({ maintenance }) =>
        typeof maintenance === 'string' ? unknown(maintenance) : known(shown(maintenance)),
      ),
    },
    margin: shown(total('margin')),
    needed: shown(add(total('margin'), total('fees'))),
    locked: shown(total('locked')),
    freeMargin: {
      before: figureIn(figures, () => (asset === null ? none : known(freeMargin(asset)))),
      after: figureIn(figures, (one) => known(shown(one.free))),
    },
  };
}

function positionsAfter(
  symbol: SymbolAfter,
  liquidations: ReadonlyMap<HeldLeg, Figure>,
  { convention }: AccountContext,
): PositionAfter[] {
  const { contract, held, start, mark } = symbol;
  const base = { symbolId: contract.config.symbolId, orders: symbol.orders, unit: contract.coins.quantity };
  const left = new Set<string>(held.map(({ leg }) => leg.side));
  const beforeOf = (side?: string): Held['origin'] =>
    (start.held.find(({ leg }) => leg.side === side) ?? start.held.find(({ leg }) => !left.has(leg.side)))
      ?.origin ?? null;
  if (held.length === 0) {
    const none = { leg: null, value: '0', basis: 'mark', tier: null, isolatedRatio: null } as const;
    return [{ ...base, ...none, before: beforeOf(), liquidation: unknown('Closed') }];
  }
  return held.map((one) => {
    const { leg } = one;
    const { value, tier } = valueLeg(contract, leg, mark ?? leg.entryPrice, convention);
    const basis = mark === null ? ('entry' as const) : ('mark' as const);
    const liquidation = liquidations.get(leg) ?? unknown('Not known');
    const isIsolated = contract.legs[leg.side].isolated === true;
    const isolatedRatio = isIsolated ? isolatedRatioOf(symbol, one, convention) : null;
    const orders = contract.hedge === true ? symbol.ordersOfLeg[leg.side] : symbol.orders;
    const after = { leg, value, basis, tier, liquidation, isolatedRatio };
    return { ...base, orders, before: beforeOf(leg.side), ...after };
  });
}
