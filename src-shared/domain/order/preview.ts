/**
 * Previews an order's cost and the account after it has filled completely. Values are estimates (≈), except the
 * "before" side where the exchange reports it; unknown ones are null with a reason. Decimal texts, money in the margin
 * coin.
 */
import { attempt } from '../numeric/decimal-input.ts';
import {
  absolute,
  amount,
  calculated,
  divide,
  greater,
  isNegative,
  isPositive,
  isZero,
} from '../../amount.ts';
import { add, multiply, print, subtract, sum, ZERO } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { type Crossing, crossingOf, fillPrice, type Rests, restsOf } from './crossing.ts';
import { accountAfter, closedProfit } from './account-after.ts';
import {
  contractOf,
  isPrice,
  type KnownContract,
  type OrderContext,
  referenceOf,
  unitsOf,
} from '../instrument/trading-context.ts';
import { effectOf, type OrderEffect } from './fill-effect.ts';
import { type Change, type Figure, figureOf, known, NO_LIQUIDATION, unknown } from './figure.ts';
import { liquidationAfter } from './liquidation-after.ts';
import { initialMargin, positionValue } from '../margin/margin.ts';
import { profit } from '../margin/pnl.ts';
import { distancePercent } from '../instrument/price-deviation.ts';
import type { ReferenceSource } from '../instrument/reference-prices.ts';
import { priceOfOne } from './size.ts';
import { quantityForNotional } from './sizing.ts';
import { type ValuedLeg, valueLeg } from './valued-leg.ts';

export interface RewardRisk {
  /** Signed PnL at take-profit and stop, after entry and exit fees. */
  readonly reward: string | null;
  readonly risk: string | null;
  /** reward / |risk|, two decimals. */
  readonly ratio: string | null;
}

export interface OrderPreview {
  readonly contract: KnownContract;
  readonly effect: OrderEffect;
  /** The price used, and its source. */
  readonly price: string;
  readonly priceFrom: 'order price' | ReferenceSource;
  /** Whether a limit order fills at once; null for a market order. */
  readonly crossing: Crossing | null;
  readonly rests: Rests;
  /** The mark price the position is valued at, else the price above. */
  readonly markPrice: string;
  readonly notional: string;
  /** Initial margin of what opens; 0 when it only closes. */
  readonly initialMargin: string;
  /** Gross PnL of the part that closes, signed; null when nothing closes. */
  readonly realised: string | null;
  readonly feeMaker: Figure;
  readonly feeTaker: Figure;
  readonly before: ValuedLeg | null;
  readonly after: ValuedLeg | null;
  readonly liquidation: Change;
  /** Whether the position afterwards has no liquidation price, as opposed to an unknown one. */
  readonly noLiquidation: boolean;
  readonly distance: Change;
  readonly marginRatio: Change;
  readonly available: Change;
  /** Free margin: balance − locked − |crossProfitUnreal|. */
  readonly freeMargin: Change;
  readonly equity: Figure;
  readonly rewardRisk: RewardRisk | null;
  /** Largest quantity to add within the position's current tier; null without one. */
  readonly leftInTier: string | null;
}

export type PreviewResult =
  { readonly ok: true; readonly preview: OrderPreview } | { readonly ok: false; readonly reason: string };

/**
 * Previews a request; fails without a contract, a price or a calculable value. A crossing limit order is previewed near
 * its fill price; with `at` = limit, as if it filled at its own price.
 */
export function previewOrder(
  request: OrderRequest,
  context: OrderContext,
  at: 'fill' | 'limit' = 'fill',
): PreviewResult {
  const found = attempt(() => preview(request, context, at));
  return found.ok ? found.value : { ok: false, reason: `${found.reason}.` };
}

function preview(request: OrderRequest, context: OrderContext, at: 'fill' | 'limit'): PreviewResult {
  const contract = contractOf(request.symbolId, context);
  if (!contract) return { ok: false, reason: 'The exchange does not list this contract.' };
  const reference = referenceOf(context);
  const fills = at === 'fill' ? fillPrice(request, context) : (request.price ?? reference);
  const price = typeof fills === 'string' ? fills : fills?.price;
  if (price === undefined) return { ok: false, reason: 'No price is known. Enter a reference price.' };
  const effect = effectOf(request, contract, price, context.reverseQuantity);
  const traded = print(add(amount(effect.closed), amount(effect.opened)));
  if (traded === '0') return { ok: false, reason: 'There is no position on the other side to reduce.' };
  const ownMark = contract.positions.map((one) => one.markPrice).find(isPrice);
  const markPrice = ownMark ?? reference?.price ?? price;
  const cost = costOf(contract, effect, traded, price);
  const crossing = crossingOf(request, context);
  return {
    ok: true,
    preview: {
      contract,
      effect,
      price,
      priceFrom: typeof fills === 'string' || fills === null ? 'order price' : fills.source,
      crossing,
      rests: restsOf(request, crossing),
      markPrice,
      ...cost,
      ...positionAndAccount({ contract, effect, price, markPrice, cost, context }),
      rewardRisk: rewardRisk(request, contract, effect, price),
    },
  };
}

type Cost = Pick<OrderPreview, 'notional' | 'initialMargin' | 'realised' | 'feeMaker' | 'feeTaker'>;

function costOf(contract: KnownContract, effect: OrderEffect, traded: string, price: string): Cost {
  const { leverage, side: contractSide, specs } = contract;
  const notional = positionValue({ contractSide, quantity: unitsOf(contract, traded), price });
  const quantity = unitsOf(contract, effect.opened);
  const fee = (rate: string | null): Figure =>
    rate === null
      ? unknown('No fee rate seen yet: the order history has none for this contract.')
      : known(print(multiply(calculated(notional), amount(rate))));
  return {
    notional,
    initialMargin: isPositive(amount(effect.opened))
      ? initialMargin({ contractSide, quantity, price, leverage })
      : '0',
    realised: effect.closed === '0' ? null : print(closedProfit(contract, effect, price)),
    feeMaker: fee(specs.feeRateMaker),
    feeTaker: fee(specs.feeRateTaker),
  };
}

interface AfterQuestion {
  readonly contract: KnownContract;
  readonly effect: OrderEffect;
  readonly price: string;
  readonly markPrice: string;
  readonly cost: Cost;
  readonly context: OrderContext;
}

/** Returns position, liquidation and account before and after. */
function positionAndAccount({ contract, effect, price, markPrice, cost, context }: AfterQuestion) {
  const before = effect.before && valueLeg(contract, effect.before, markPrice, context.convention);
  const after = effect.after && valueLeg(contract, effect.after, markPrice, context.convention);
  const { marginUnit } = context;
  const { initialMargin: margin, feeTaker } = cost;
  const position = { contract, effect, before, after, price, markPrice };
  const account = accountAfter({ ...position, marginUnit, margin, fee: feeTaker.value });
  const liquidation = {
    before: liquidationBefore(effect),
    after: liquidationAfter({ contract, effect, account, markPrice, context }),
  };
  const distance = (figure: Figure): Figure =>
    figure.value === null ? figure : known(distancePercent(figure.value, markPrice));
  return {
    before,
    after,
    liquidation,
    noLiquidation: liquidation.after.reason === NO_LIQUIDATION,
    distance: { before: distance(liquidation.before), after: distance(liquidation.after) },
    marginRatio: account.marginRatio,
    available: account.available,
    freeMargin: account.freeMargin,
    equity: account.equity,
    leftInTier: leftInTier(contract, before, markPrice),
  };
}

function liquidationBefore({ position }: OrderEffect): Figure {
  if (position === null) return unknown('No position');
  const { liquidPrice } = position;
  if (liquidPrice !== null && isZero(amount(liquidPrice))) return unknown(NO_LIQUIDATION);
  return figureOf(position, 'liquidPrice');
}

/**
 * Computes PnL at take-profit and stop, at their order prices if set. Entry fee: maker for post-only, else taker; exit
 * fee: taker.
 */
function rewardRisk(
  request: OrderRequest,
  contract: KnownContract,
  effect: OrderEffect,
  price: string,
): RewardRisk | null {
  const { tpSl, side } = request;
  if (!tpSl || !isPositive(amount(effect.opened))) return null;
  const quantity = unitsOf(contract, effect.opened);
  const { feeRateMaker, feeRateTaker } = contract.specs;
  const entryRate = amount((request.postOnly === true ? feeRateMaker : feeRateTaker) ?? '0');
  const exitRate = amount(feeRateTaker ?? '0');
  const at = (exitPrice: string | undefined): string | null => {
    if (exitPrice === undefined) return null;
    const contractSide = contract.side;
    const value = (one: string) => calculated(positionValue({ contractSide, quantity, price: one }));
    const fees = sum([multiply(value(price), entryRate), multiply(value(exitPrice), exitRate)]);
    const gross = profit({ contractSide, side, quantity, entryPrice: price, exitPrice });
    return print(subtract(calculated(gross), fees));
  };
  const reward = at(tpSl.tpExecutePrice ?? tpSl.tpPrice);
  const risk = at(tpSl.slExecutePrice ?? tpSl.slPrice);
  const ratio =
    reward !== null && risk !== null && isNegative(calculated(risk)) && greater(calculated(reward), ZERO)
      ? print(divide(calculated(reward), absolute(calculated(risk))))
      : null;
  return { reward, risk, ratio };
}

function leftInTier(contract: KnownContract, before: ValuedLeg | null, price: string): string | null {
  const decimals = contract.specs.quantityDecimals;
  if (before === null || before.tier === null || decimals === null) return null;
  const headroom = subtract(amount(before.tier.maxPositionValue), calculated(before.value));
  if (!isPositive(headroom)) return null;
  return quantityForNotional({
    contractSide: contract.side,
    notional: print(headroom),
    price: priceOfOne(contract, price),
    decimals,
  });
}
