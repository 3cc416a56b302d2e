/**
 * Estimates what a batch costs and the account after its rows filled, each at its own price: the worse of those that fill
 * when prices fall and those that fill when they rise (after-fills.ts). Estimates (≈); money in the margin coin.
 */
import {
  amount,
  calculated,
  divide,
  isPositive,
  multiply,
  print,
  subtract,
  sum,
  ZERO,
} from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import { finish } from '../numeric/steps.ts';
import { positionValue, tierOf } from '../margin/margin.ts';
import { isHeld, isPrice } from '../../exchange-api/values.ts';
import {
  type AccountContext,
  contractOf,
  type KnownContract,
  unitsOf,
} from '../instrument/trading-context.ts';
import { Account } from '../account/account.ts';
import { type Change, type Figure, known, shown, unknown } from '../account/figure.ts';
import type { Fill } from '../account/symbol-after.ts';
import { unusualSize } from '../order/limit-rules.ts';
import {
  byMoveSteps,
  type CoinAfter,
  type CoinByMove,
  type PositionAfter,
  type PriceMove,
  restingFills,
} from '../risk/after-fills.ts';

export interface BatchOrder {
  /** The row's key, which names it in `notCounted` if it cannot be counted. */
  readonly key: string;
  readonly request: OrderRequest;
  /** Reference price of a market order; null if unknown. */
  readonly reference: string | null;
}

export interface TierChange {
  readonly symbolId: string;
  readonly from: number;
  readonly to: number;
}

export interface BatchCoin {
  readonly coin: string;
  readonly orders: number;
  readonly notional: string;
  readonly initialMargin: string;
  readonly feeMaker: Figure;
  readonly feeTaker: Figure;
  /** Positions, margin ratio and free margin after the fills, the worse of those that prices can make together. */
  readonly after: CoinAfter;
  /** Positions after the fills that prices make the other way; none if no order is left out of `after`. */
  readonly otherPositions: readonly PositionAfter[];
  /** Where prices go for these fills; null if no order is left out of them. */
  readonly move: PriceMove | null;
  /** Value of all positions ÷ equity. */
  readonly gross: Change;
  /** One of each contract, the highest that the fills of either move reach. */
  readonly tiers: readonly TierChange[];
  /** Positions that the fills enlarge as by a slipped digit: `BTC-USDT-M grows by 12.0× your position`. */
  readonly unusual: readonly string[];
}

export interface BatchAccount {
  readonly coins: readonly BatchCoin[];
  /** Rows that could not be counted, with the reason. */
  readonly notCounted: readonly { readonly key: string; readonly reason: string }[];
}

/** Returns a row's value at its price, or at the reference for a market order; null if unknown. */
export function rowNotional(
  { request, reference }: BatchOrder,
  contract: KnownContract | null,
): string | null {
  const price = request.price ?? reference;
  if (contract === null || price === null || request.quantity === undefined) return null;
  if (!isPositive(amount(price)) || !isPositive(amount(request.quantity))) return null;
  return positionValue({ contractSide: contract.side, quantity: unitsOf(contract, request.quantity), price });
}

/**
 * Computes the account after a batch; null without rows or before account and contracts are read. With `resting`, the
 * existing resting orders fill, too.
 */
export function batchAccount(
  orders: readonly BatchOrder[],
  context: AccountContext,
  resting: boolean,
): BatchAccount | null {
  if (context.account === null || context.contracts === null || orders.length === 0) return null;
  const notCounted: { key: string; reason: string }[] = [];
  const counted: Counted[] = [];
  for (const order of orders) {
    const contract = contractOf(order.request.symbolId, context);
    const notional = rowNotional(order, contract);
    if (order.request.reverseOrder === true) {
      notCounted.push({
        key: order.key,
        reason: 'Reverse orders are not counted: their effect depends on the orders before.',
      });
    } else if (contract === null)
      notCounted.push({ key: order.key, reason: 'The exchange does not list this contract.' });
    else if (notional === null)
      notCounted.push({ key: order.key, reason: 'No price is known for this order.' });
    else counted.push({ order, contract, notional });
  }
  const fills = counted.map(({ order }) => fillOf(order));
  const before = resting ? restingFills(context.openOrders ?? []).fills : [];
  const after = finish(byMoveSteps(context, [...before, ...fills]));
  if (after === null) return { coins: [], notCounted };
  const own = fills.reduce(withFill, Account.of(context));
  const keys = new Set(orders.map(({ key }) => key));
  for (const { id, reason } of after.notCounted) if (keys.has(id)) notCounted.push({ key: id, reason });
  return {
    coins: after.coins.flatMap((moved) => {
      const mine = counted.filter(({ contract }) => contract.coins.margin === moved.coin);
      const margin = sum(own.changed(moved.coin).map((one) => one.margin));
      return mine.length === 0 ? [] : [coinOf(moved, shown(margin), mine, context)];
    }),
    notCounted,
  };
}

interface Counted {
  readonly order: BatchOrder;
  readonly contract: KnownContract;
  readonly notional: string;
}

/** Leaves out a fill that cannot be calculated. */
function withFill(account: Account, fill: Fill): Account {
  const after = account.apply(fill);
  return typeof after === 'string' ? account : after;
}

const fillOf = ({ key, request, reference }: BatchOrder): Fill => ({
  id: key,
  symbolId: request.symbolId,
  side: request.side,
  price: request.price ?? reference ?? '0',
  quantity: request.quantity ?? '0',
  reduceOnly: request.reduceOnly === true,
  locked: ZERO,
});

function coinOf(
  { worst: { move, after }, other }: CoinByMove,
  initialMargin: string,
  mine: readonly Counted[],
  context: AccountContext,
): BatchCoin {
  const fee = (rateOf: (contract: KnownContract) => string | null): Figure => {
    const unseen = mine.find(({ contract }) => rateOf(contract) === null);
    if (unseen) return unknown(`No fee rate seen yet for ${unseen.order.request.symbolId}.`);
    return known(
      print(sum(mine.map((one) => multiply(calculated(one.notional), amount(rateOf(one.contract) ?? '0'))))),
    );
  };
  const value = valueAfter(after, context);
  const moves = other === null ? [value] : [value, valueAfter(other.after, context)];
  return {
    coin: after.coin,
    orders: mine.length,
    notional: print(sum(mine.map(({ notional }) => calculated(notional)))),
    initialMargin,
    feeMaker: fee((contract) => contract.specs.feeRateMaker),
    feeTaker: fee((contract) => contract.specs.feeRateTaker),
    after,
    otherPositions: other?.after.positions ?? [],
    move: other === null ? null : move,
    gross: value.gross,
    tiers: highestOf(moves.flatMap((one) => one.tiers)),
    unusual: [...new Set(moves.flatMap((one) => one.unusual))],
  };
}

function highestOf(changes: readonly TierChange[]): readonly TierChange[] {
  const highest = new Map<string, TierChange>();
  for (const one of changes) {
    const known = highest.get(one.symbolId);
    if (known === undefined || one.to > known.to) highest.set(one.symbolId, one);
  }
  return [...highest.values()];
}

/** Computes gross exposure, tiers and growth: symbols with orders after their fills, others as they are. */
function valueAfter(
  after: CoinAfter,
  context: AccountContext,
): Pick<BatchCoin, 'gross' | 'tiers' | 'unusual'> {
  const asset = context.account?.assets.find((one) => one.coin === after.coin);
  const found = attempt(() => {
    const before = valuesBefore(after.coin, context);
    const touched = new Set(after.positions.map(({ symbolId }) => symbolId));
    const untouched = before.filter(({ symbolId }) => !touched.has(symbolId));
    const share = (values: readonly { readonly value: string }[]): Figure =>
      asset === undefined || !isPositive(givenAmount(asset, 'equities'))
        ? unknown(`No equity in ${after.coin}.`)
        : known(
            print(divide(sum(values.map(({ value }) => calculated(value))), givenAmount(asset, 'equities'))),
          );
    return {
      gross: { before: share(before), after: share([...untouched, ...after.positions]) },
      ...changes(after, before, { equity: asset?.equities ?? null, context }),
    };
  });
  if (found.ok) return found.value;
  const none = unknown(found.reason);
  return { gross: { before: none, after: none }, tiers: [], unusual: [] };
}

interface Valued {
  readonly symbolId: string;
  readonly side: string;
  readonly value: string;
  /** Null for a contract without tiers. */
  readonly level: number | null;
}

/** Values the positions held in a margin coin. */
function valuesBefore(coin: string, context: AccountContext): readonly Valued[] {
  const values: Valued[] = [];
  for (const position of (context.account?.positions ?? []).filter(isHeld)) {
    const { symbolId, side, markPrice } = position;
    const contract = contractOf(symbolId, context);
    if (contract?.coins.margin !== coin) continue;
    const price = isPrice(markPrice) ? markPrice : given(position, 'avgEntryPrice');
    const quantity = unitsOf(contract, given(position, 'quantity'));
    const value = positionValue({ contractSide: contract.side, quantity, price });
    const tiers = contract.config.riskLimitConfigs;
    const level = tiers.length > 0 ? tierOf(value, tiers).level : null;
    values.push({ symbolId, side, value, level });
  }
  return values;
}

function changes(
  { coin, positions }: CoinAfter,
  before: readonly Valued[],
  { equity, context }: { readonly equity: string | null; readonly context: AccountContext },
): Pick<BatchCoin, 'tiers' | 'unusual'> {
  const tiers: TierChange[] = [];
  const unusual: string[] = [];
  for (const { symbolId, leg, tier, value } of positions) {
    if (leg === null) continue;
    const was = before.findLast((one) => one.symbolId === symbolId && one.side === leg.side);
    const position = was?.value ?? null;
    const growth = print(subtract(calculated(value), calculated(position ?? '0')));
    const times = unusualSize(growth, { position, equity, coin });
    if (times !== null) unusual.push(`${symbolId} grows by ${times}`);
    if (tier === null) continue;
    const lowest = contractOf(symbolId, context)?.config.riskLimitConfigs[0]?.level;
    const from = was?.level ?? lowest ?? tier.level;
    if (tier.level !== from) tiers.push({ symbolId, from, to: tier.level });
  }
  return { tiers, unusual };
}
