/**
 * Estimates what a batch costs and the account after every row filled at its own price, in order, by the rules of
 * resting orders (resting-exposure.ts). All values are Ballast's estimates (≈); money in the margin coin.
 */
import { add, amount, calculated, divide, isPositive, multiply, print, subtract, sum } from '../../amount.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { DomainError, given, givenAmount } from '../numeric/decimal-input.ts';
import { maintenanceMargin, positionValue, tierOf } from '../margin/margin.ts';
import {
  type AccountContext,
  contractOf,
  isPrice,
  type KnownContract,
  unitsOf,
} from '../instrument/trading-context.ts';
import { type Change, type Figure, known, unknown } from '../order/figure.ts';
import { restingExposure, type RestingCoin } from '../risk/resting-exposure.ts';

export interface BatchOrder {
  /** The row's key, returned if it cannot be counted. */
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
  /** Positions, margin ratio and free margin after all fills. */
  readonly after: RestingCoin;
  readonly maintenance: Figure;
  /** Value of all positions ÷ equity. */
  readonly gross: Change;
  readonly tiers: readonly TierChange[];
}

export interface BatchAccount {
  readonly coins: readonly BatchCoin[];
  /** Rows that could not be counted, with the reason. */
  readonly left: readonly { readonly key: string; readonly reason: string }[];
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

/** Converts a row to a resting order placed after all existing ones; null if its effect is unknown. */
export function asResting(
  { key, request, reference }: BatchOrder,
  contract: KnownContract,
  place: number,
): OpenOrder {
  const hedge = contract.hedge === true;
  const quantity = request.quantity ?? '0';
  return {
    symbolId: request.symbolId,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce ?? 'GTC',
    price: request.price ?? reference ?? '0',
    totalQuantity: quantity,
    tradeQuantity: '0',
    quantity,
    avgPrice: '0',
    totalAmount: '0',
    tradeAmount: '0',
    remainingLocked: '0',
    reduceOnly: request.reduceOnly === true,
    postOnly: request.postOnly === true,
    status: 'OPEN',
    leverage: Number.parseInt(contract.leverage, 10),
    marginMode: contract.isolated ? 'ISOLATED' : 'CROSSED',
    positionMode: hedge ? 'HEDGE' : 'ONEWAY',
    feeAmount: '0',
    feeAssetId: contract.coins.margin,
    profit: '0',
    profitRate: '0',
    tpSl: null,
    conditionOrderId: '',
    orderId: key,
    uid: '',
    ctime: AFTER_ALL + place,
    mtime: AFTER_ALL + place,
  };
}

/** Later than any order of the exchange. */
const AFTER_ALL = 8_000_000_000_000;

/**
 * Computes the account after a batch; null without rows or before account and contracts are read. With `resting`,
 * existing resting orders fill first.
 */
export function batchAccount(
  orders: readonly BatchOrder[],
  context: AccountContext,
  resting: boolean,
): BatchAccount | null {
  if (context.account === null || context.contracts === null || orders.length === 0) return null;
  const left: { key: string; reason: string }[] = [];
  const counted: { order: BatchOrder; contract: KnownContract; notional: string }[] = [];
  for (const order of orders) {
    const contract = contractOf(order.request.symbolId, context);
    const notional = rowNotional(order, contract);
    if (order.request.reverseOrder === true) {
      left.push({
        key: order.key,
        reason: 'Reverse orders are not counted: their effect depends on the orders before.',
      });
    } else if (contract === null)
      left.push({ key: order.key, reason: 'The exchange does not list this contract.' });
    else if (notional === null) left.push({ key: order.key, reason: 'No price is known for this order.' });
    else counted.push({ order, contract, notional });
  }
  const before = context.openOrders ?? [];
  const placed = counted.map(({ order, contract }, place) => asResting(order, contract, place));
  // A symbol's leverage and mode come from its first record, so existing orders come first.
  const openOrders = resting ? [...before, ...placed] : placed;
  const exposure = restingExposure({ ...context, openOrders });
  const alone = resting ? restingExposure({ ...context, openOrders: placed }) : exposure;
  if (exposure === null || alone === null) return { coins: [], left };
  const keys = new Set(orders.map(({ key }) => key));
  for (const { orderId, reason } of exposure.left) {
    if (keys.has(orderId)) left.push({ key: orderId, reason });
  }
  return {
    coins: alone.coins.map((own) => {
      const { coin, needed } = own;
      const mine = counted.filter(({ contract }) => contract.coins.margin === coin);
      const after = exposure.coins.find((one) => one.coin === coin);
      return coinOf(after ?? own, needed, mine, context);
    }),
    left,
  };
}

type Counted = { readonly contract: KnownContract; readonly order: BatchOrder; readonly notional: string };

function coinOf(
  after: RestingCoin,
  needed: string,
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
  const feeTaker = fee((contract) => contract.specs.feeRateTaker);
  // `needed` is margin plus taker fees; an unknown rate counts as 0.
  const fees = sum(
    mine.map(({ contract, notional }) =>
      multiply(calculated(notional), amount(contract.specs.feeRateTaker ?? '0')),
    ),
  );
  const margin = subtract(calculated(needed), fees);
  return {
    coin: after.coin,
    orders: mine.length,
    notional: print(sum(mine.map(({ notional }) => calculated(notional)))),
    initialMargin: isPositive(margin) ? print(margin) : '0',
    feeMaker: fee((contract) => contract.specs.feeRateMaker),
    feeTaker,
    after,
    ...riskAfter(after, context),
  };
}

/** Computes maintenance margin, gross exposure and tiers: symbols with orders after their fills, others as they are. */
function riskAfter(
  after: RestingCoin,
  context: AccountContext,
): Pick<BatchCoin, 'maintenance' | 'gross' | 'tiers'> {
  const asset = context.account?.assets.find((one) => one.coin === after.coin);
  try {
    let maintenance = amount('0');
    let now = amount('0');
    let then = amount('0');
    const tiers: TierChange[] = [];
    const touched = new Set(after.positions.map(({ symbolId }) => symbolId));
    const levels = new Map<string, number>();
    for (const position of context.account?.positions ?? []) {
      const contract = contractOf(position.symbolId, context);
      if (contract?.coins.margin !== after.coin) continue;
      const price = isPrice(position.markPrice) ? position.markPrice : given(position, 'avgEntryPrice');
      const quantity = unitsOf(contract, given(position, 'quantity'));
      const value = positionValue({ contractSide: contract.side, quantity, price });
      now = add(now, calculated(value));
      const list = contract.config.riskLimitConfigs;
      if (list.length > 0) levels.set(`${position.symbolId} ${position.side}`, tierOf(value, list).level);
      if (touched.has(position.symbolId)) continue;
      then = add(then, calculated(value));
      if (!contract.isolated) maintenance = add(maintenance, givenAmount(position, 'maintainMargin'));
    }
    for (const one of after.positions) {
      then = add(then, calculated(one.value));
      const contract = contractOf(one.symbolId, context);
      const list = contract?.config.riskLimitConfigs ?? [];
      if (list.length === 0 || one.leg === null) continue;
      if (contract?.isolated === false) {
        const { convention } = context;
        maintenance = add(
          maintenance,
          calculated(maintenanceMargin({ positionValue: one.value, tiers: list, convention })),
        );
      }
      const from = levels.get(`${one.symbolId} ${one.leg.side}`) ?? list[0]!.level;
      const to = one.tier?.level ?? from;
      if (to !== from) tiers.push({ symbolId: one.symbolId, from, to });
    }
    const share = (value: typeof now): Figure =>
      asset === undefined || !isPositive(givenAmount(asset, 'equities'))
        ? unknown(`No equity in ${after.coin}.`)
        : known(print(divide(value, givenAmount(asset, 'equities'))));
    return {
      maintenance: known(print(maintenance)),
      gross: { before: share(now), after: share(then) },
      tiers,
    };
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap or an entry of 0.
    if (!(error instanceof DomainError)) throw error;
    const none = unknown(error.message);
    return { maintenance: none, gross: { before: none, after: none }, tiers: [] };
  }
}
