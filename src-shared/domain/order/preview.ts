/**
 * Previews an order's cost and the account after it has filled completely. Values are estimates (≈), except the
 * "before" side where the exchange reports it; unknown ones are null with a reason. Decimal texts, money in the margin
 * coin.
 */
import { Account, figureIn, marginRatio, reportedRatio } from '../account/account.ts';
import { type Leg, type ValuedLeg, valueLeg } from '../account/leg.ts';
import {
  type Fill,
  type Held,
  type HeldLeg,
  isolatedRatioOf,
  type SymbolAfter,
} from '../account/symbol-after.ts';
import { attempt } from '../numeric/decimal-input.ts';
import { finish } from '../numeric/steps.ts';
import {
  type Amount,
  amount,
  calculated,
  isPositive,
  isZero,
  add,
  multiply,
  print,
  subtract,
  sum,
} from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import {
  type Crossing,
  crossingOf,
  type FeeRole,
  feeRoleOf,
  fillPrice,
  type Rests,
  restsOf,
} from './crossing.ts';
import { isPrice } from '../../exchange-api/values.ts';
import {
  type KnownContract,
  type OrderContext,
  referenceOf,
  unitsOf,
  legSideOf,
  contractOf,
} from '../instrument/trading-context.ts';
import { fillsOf, type OrderEffect, partsOf } from './fill-effect.ts';
import { type Change, type Figure, figureOf, known, NO_LIQUIDATION, unknown } from '../account/figure.ts';
import { coverRatio, isolatedCover } from '../margin/isolated-cover.ts';
import { positionValue } from '../margin/margin.ts';
import { profit } from '../margin/pnl.ts';
import { deviation } from '../instrument/price-deviation.ts';
import type { ReferenceSource } from '../instrument/reference-prices.ts';
import { rewardToRisk } from '../position/protection.ts';
import { priceOfOne } from './size.ts';
import { freeMargin, quantityForNotional } from './sizing.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

export interface RewardRisk {
  /** Whether the fee rates of entry and exit are known; one that is not counts as 0. */
  readonly hasFees: boolean;
  /** Signed PnL at take-profit and stop, after entry and exit fees. */
  readonly reward: string | null;
  readonly risk: string | null;
  /** As `rewardToRisk`. */
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
  readonly feeRole: FeeRole;
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
  /** Of the margin coin's cross positions. */
  readonly marginRatio: Change;
  /** Of an isolated position; null for a cross one. */
  readonly isolatedRatio: Change | null;
  readonly available: Change;
  /** Free margin: balance − locked − |crossProfitUnreal|. */
  readonly freeMargin: Change;
  readonly equity: Figure;
  readonly rewardRisk: RewardRisk | null;
  /** Largest quantity to add within the position's current tier; null if none is added to, or its decimals are unknown. */
  readonly leftInTier: string | null;
}

export interface TierChange {
  /** Null without a position before. */
  readonly from: RiskTier | null;
  readonly to: RiskTier;
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
  const { symbolId } = request;
  const read = Account.of(context);
  const contract = contractOf(symbolId, context, legSideOf(request));
  if (!contract) return { ok: false, reason: 'The exchange does not list this contract.' };
  const reference = referenceOf(context);
  const used = at === 'fill' ? fillPrice(request, context) : (request.price ?? reference);
  if (used === null) return { ok: false, reason: 'No price is known. Enter a reference price.' };
  const { price, source } = typeof used === 'string' ? { price: used, source: 'order price' as const } : used;
  const parts = partsOf(request, contract, context.reverseQuantity);
  const traded = print(add(calculated(parts.closed), calculated(parts.opened)));
  if (traded === '0') return { ok: false, reason: 'There is no position on the other side to reduce.' };
  const ownMark = contract.positions.map((one) => one.markPrice).find(isPrice);
  const markPrice = ownMark ?? reference?.price ?? price;
  const before = read.atPrices(new Map([[symbolId, markPrice]]));
  const after = afterAll(before, fillsOf(request, parts, price));
  if (typeof after === 'string') return { ok: false, reason: `${after}.` };
  const filled = after.symbol(symbolId);
  if (filled === null) return { ok: false, reason: 'The exchange does not list this contract.' };
  const { position, opened } = parts;
  const held = heldOf(before, symbolId, position?.side);
  const left = heldOf(after, symbolId, opened === '0' ? position?.side : request.side);
  const effect = {
    ...parts,
    before: held && plain(held.leg),
    // A new position has the quantity as typed.
    after: left && { ...plain(left.leg), ...(position === null ? { quantity: opened } : {}) },
  };
  const crossing = crossingOf(request, context);
  const rests = restsOf(request, crossing);
  const feeRole = feeRoleOf(rests, crossing);
  return {
    ok: true,
    preview: {
      contract,
      effect,
      price,
      priceFrom: source,
      crossing,
      rests,
      feeRole,
      markPrice,
      ...costOf(filled, traded, price, parts.closed),
      ...positionAndAccount({ contract, effect, filled, left, account: after, markPrice, context }),
      rewardRisk: rewardRisk(request, contract, { effect, price, feeRole }),
    },
  };
}

/** Returns the account after the fills, or why it cannot be calculated. */
function afterAll(before: Account, fills: readonly Fill[]): Account | string {
  let after: Account | string = before;
  for (const fill of fills) if (typeof after !== 'string') after = after.apply(fill);
  return after;
}

const heldOf = (account: Account, symbolId: string, side: string | undefined): Held | null =>
  account.symbol(symbolId)?.held.find(({ leg }) => leg.side === side) ?? null;

const plain = ({ side, quantity, entryPrice }: HeldLeg): Leg => ({ side, quantity, entryPrice });

type Cost = Pick<OrderPreview, 'notional' | 'initialMargin' | 'realised' | 'feeMaker' | 'feeTaker'>;

function costOf(
  { contract, balanceChange, fees, margin }: SymbolAfter,
  traded: string,
  price: string,
  closed: string,
): Cost {
  const quantity = unitsOf(contract, traded);
  const notional = positionValue({ contractSide: contract.side, quantity, price });
  const fee = (rate: string | null): Figure =>
    rate === null
      ? unknown('No fee rate seen yet: the order history has none for this contract.')
      : known(print(multiply(calculated(notional), amount(rate))));
  return {
    notional,
    initialMargin: print(margin),
    realised: closed === '0' ? null : print(add(balanceChange, fees)),
    feeMaker: fee(contract.specs.feeRateMaker),
    feeTaker: fee(contract.specs.feeRateTaker),
  };
}

interface After {
  readonly contract: KnownContract;
  readonly effect: OrderEffect;
  readonly filled: SymbolAfter;
  /** The leg that the order leaves. */
  readonly left: Held | null;
  readonly account: Account;
  readonly markPrice: string;
  readonly context: OrderContext;
}

/** Returns position, liquidation and account before and after. */
function positionAndAccount({ contract, effect, filled, left, account, markPrice, context }: After) {
  const valued = (leg: Leg | null): ValuedLeg | null =>
    leg && valueLeg(contract, leg, markPrice, context.convention);
  const before = valued(effect.before);
  const { asset, coins } = contract;
  const figures = finish(account.figures(coins.margin));
  const prices = finish(account.liquidationPrices(coins.margin, figures));
  const liquidation = {
    before: liquidationBefore(effect.position),
    after: (left && prices.get(left.leg)) ?? unknown(CLOSED),
  };
  const distance = (figure: Figure): Figure =>
    figure.value === null ? figure : known(print(deviation(figure.value, markPrice)));
  const reported = (of: (asset: Asset) => Figure): Figure =>
    asset === null ? unknown(`No ${coins.margin} in the account.`) : of(asset);
  return {
    before,
    after: valued(effect.after),
    liquidation,
    noLiquidation: liquidation.after.reason === NO_LIQUIDATION,
    distance: { before: distance(liquidation.before), after: distance(liquidation.after) },
    marginRatio: {
      before: reported((one) => reportedRatio(one, context.marginUnit)),
      after: figureIn(figures, (one) => marginRatio(one)),
    },
    isolatedRatio: contract.isolated
      ? {
          before: ratioBefore(effect.position),
          after: left === null ? unknown(CLOSED) : isolatedRatioOf(filled, left, context.convention),
        }
      : null,
    available: {
      before: reported((one) => figureOf(one, 'available')),
      after: figureIn(figures, (one) => known(print(one.available))),
    },
    freeMargin: {
      before: reported((one) => known(freeMargin(one))),
      after: figureIn(figures, (one) => known(print(one.free))),
    },
    equity: reported((one) => figureOf(one, 'equities')),
    leftInTier: leftInTier(contract, effect.closed === '0' ? before : null, markPrice),
  };
}

const NO_POSITION = 'No position';
const CLOSED = 'Closed';

function ratioBefore(position: Position | null): Figure {
  if (position === null) return unknown(NO_POSITION);
  const cover = isolatedCover(position);
  return cover === null ? unknown('The position’s margin cannot be read.') : known(coverRatio(cover));
}

function liquidationBefore(position: Position | null): Figure {
  if (position === null) return unknown(NO_POSITION);
  const { liquidPrice } = position;
  if (liquidPrice !== null && isZero(amount(liquidPrice))) return unknown(NO_LIQUIDATION);
  return figureOf(position, 'liquidPrice');
}

/**
 * Computes PnL at take-profit and stop, at their order prices if set. Fees: the order's own at entry, taker where that
 * is unknown, and taker at exit.
 */
function rewardRisk(
  request: OrderRequest,
  contract: KnownContract,
  { effect, price, feeRole }: Pick<OrderPreview, 'effect' | 'price' | 'feeRole'>,
): RewardRisk | null {
  const { tpSl, side } = request;
  if (!tpSl || !isPositive(calculated(effect.opened))) return null;
  const quantity = unitsOf(contract, effect.opened);
  const { feeRateMaker, feeRateTaker } = contract.specs;
  const rates = [feeRole === 'maker' ? feeRateMaker : feeRateTaker, feeRateTaker];
  const [entryRate, exitRate] = rates.map((rate) => amount(rate ?? '0')) as [Amount, Amount];
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
  const ratio = reward === null || risk === null ? null : rewardToRisk(calculated(reward), calculated(risk));
  return { hasFees: !rates.includes(null), reward, risk, ratio };
}

/** Returns the higher tier that the order leads into, and the one left for it; a first position starts at the lowest. */
export function higherTier({ contract, before, after }: OrderPreview): TierChange | null {
  const from = before?.tier ?? null;
  const to = after?.tier ?? null;
  const level = (from ?? contract.config.riskLimitConfigs[0])?.level;
  return to !== null && level !== undefined && to.level > level ? { from, to } : null;
}

function leftInTier(contract: KnownContract, before: ValuedLeg | null, price: string): string | null {
  const decimals = contract.specs.quantityDecimals;
  if (before === null || before.tier === null || decimals === null) return null;
  const headroom = subtract(amount(before.tier.maxPositionValue), calculated(before.value));
  if (!isPositive(headroom)) return '0';
  return quantityForNotional({
    contractSide: contract.side,
    notional: print(headroom),
    price: priceOfOne(contract, price),
    decimals,
  });
}
