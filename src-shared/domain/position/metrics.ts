/**
 * Computes metrics of a position from its own fields: distance to liquidation, risk tier and its headroom, leverage at
 * mark. Marked ≈ in the window or shown with their price source. Shares are decimal text (`-0.1673`).
 */
import {
  add,
  amount,
  type Amount,
  calculated,
  equal,
  greaterOrEqual,
  isPositive,
  larger,
  less,
  multiply,
  print,
  round,
  type Rounding,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { RiskTier, SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';
import { sideOf } from '../instrument/currencies.ts';
import { positionValue, tierOf } from '../margin/margin.ts';
import { headroomOf } from '../margin/severity.ts';
import { attempt } from '../numeric/decimal-input.ts';
import { multiplierOf } from '../instrument/multiplier.ts';
import { isHeld, isPrice, priceOrNull } from '../../exchange-api/values.ts';
import { tierTable } from '../margin/tiers.ts';
import { ratioOf, quotient } from '../numeric/quotient.ts';

const VALUE_DECIMALS = 8;

/** Returns the mark price, the only price a position is valued at; null if missing. */
export const markOf = (position: Pick<Position, 'markPrice'>): string | null =>
  priceOrNull(position.markPrice);

/** Returns marks by contract. Only positions have one. */
export function marksOf(positions: readonly Position[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const position of positions) {
    const mark = markOf(position);
    if (mark !== null) marks.set(position.symbolId, mark);
  }
  return marks;
}

/** Reports whether there is a liquidation price; 0 means none (exchange API). Null if unknown. */
export const hasLiquidation = ({ liquidPrice }: Pick<Position, 'liquidPrice'>): boolean | null =>
  liquidPrice === null ? null : isPrice(liquidPrice);

/** Returns the signed share from `from` to `to`: −0.1673 if `to` is 16.73 % below. Prices above 0. */
export function distanceShare(from: string, to: string): string {
  const base = amount(from);
  return quotient(subtract(amount(to), base), base);
}

/** Returns the distance from mark to liquidation price; null without either. */
export function liquidationDistance(position: Pick<Position, 'markPrice' | 'liquidPrice'>): string | null {
  const mark = markOf(position);
  const at = priceOrNull(position.liquidPrice);
  return mark === null || at === null ? null : distanceShare(mark, at);
}

export interface NearestLiquidation {
  readonly position: Position;
  /** From the mark to the liquidation price, as a signed share of the mark. */
  readonly share: string;
}

/**
 * Returns the position closest to liquidation; passed ones come first. Compares fractions: 200 divisions would take 3
 * ms per poll.
 */
export function nearestLiquidation(positions: readonly Position[]): NearestLiquidation | null {
  let best: { position: Position; mark: Amount; headroom: Amount } | null = null;
  for (const position of positions.filter(isHeld)) {
    const price = markOf(position);
    const at = priceOrNull(position.liquidPrice);
    if (price === null || at === null) continue;
    const mark = amount(price);
    const headroom = headroomOf(subtract(amount(at), mark), position.side);
    if (best === null || less(multiply(headroom, best.mark), multiply(best.headroom, mark)))
      best = { position, mark, headroom };
  }
  return best && { position: best.position, share: liquidationDistance(best.position) ?? '0' };
}

/** Returns the multiplier of a position's contract: `own`, else the one its entry value shows, else 1. */
export const multiplierIn = (
  position: Position,
  contractSide: ContractSide,
  own: string | null | undefined,
): string => own ?? multiplierOf(contractSide, [position]) ?? '1';

/**
 * Returns a position's value in its quote coin: quantity × mark of a linear contract, the quantity of an inverse one.
 * Null without the mark a linear one needs, or for a contract that cannot be calculated. `own`: the user's multiplier.
 */
export function quoteValue(
  position: Position,
  config: SymbolConfig | undefined,
  own: string | null | undefined,
): string | null {
  const contractSide = config && sideOf(config);
  const mark = markOf(position);
  if (!contractSide || position.quantity === null) return null;
  const units = multiply(amount(position.quantity), calculated(multiplierIn(position, contractSide, own)));
  if (contractSide === 'REVERSE') return print(units);
  return mark === null ? null : print(multiply(units, amount(mark)));
}

export interface PositionTier {
  readonly tier: RiskTier;
  readonly count: number;
  /** Position value in the margin coin, and the price it is taken at. */
  readonly value: string;
  readonly basis: 'mark' | 'entry';
  /** Value ÷ the tier's upper end: `0.96`. */
  readonly used: string;
  /** Value left until the next tier; null in the last. */
  readonly headroom: string | null;
  /** Base coin (inverse: quote units) that a unit of quantity stands for. */
  readonly multiplier: string;
}

/** From this share of a tier on, the next fill or move may change the tier. */
const NEAR_THE_END = amount('0.9');
export const isNearNextTier = ({ used, headroom }: PositionTier): boolean =>
  headroom !== null && greaterOrEqual(amount(used), NEAR_THE_END);

/**
 * Returns the tier of the position's value at mark, or at entry without one; null for a contract that cannot be
 * calculated, also because its tiers are not contiguous. `own`: the user's multiplier.
 */
export function positionTier(
  position: Position,
  config: SymbolConfig | undefined,
  own: string | null | undefined,
): PositionTier | null {
  const contractSide = config && sideOf(config);
  if (position.quantity === null) return null;
  const quantity = amount(position.quantity);
  const entryValue = position.entryValue ?? '0';
  if (!config || !contractSide || config.riskLimitConfigs.length === 0) return null;
  if (!isPositive(quantity)) return null;
  const mark = markOf(position);
  if (mark === null && !isPositive(amount(entryValue))) return null;
  const multiplier = multiplierIn(position, contractSide, own);
  const units = print(multiply(quantity, calculated(multiplier)));
  const exact = mark === null ? entryValue : positionValue({ contractSide, quantity: units, price: mark });
  const rounded = (rounding: Rounding): string => print(round(calculated(exact), VALUE_DECIMALS, rounding));
  // A value rounded up stays inside a tier whose ends have 8 decimals.
  const most = rounded('up');
  const tiers = config.riskLimitConfigs;
  const read = attempt(() => tierTable(tiers));
  if (!read.ok) return null;
  const table = read.value;
  const tier = tierOf(most, tiers);
  const nearest = rounded('half-up');
  const value = tierOf(nearest, tiers) === tier ? nearest : most;
  const top = table[tiers.indexOf(tier)]?.max ?? ZERO;
  const last = tier === tiers.at(-1);
  return {
    tier,
    count: tiers.length,
    value,
    basis: mark === null ? 'entry' : 'mark',
    used: ratioOf(calculated(value), top) ?? '0',
    headroom: last ? null : print(larger(ZERO, subtract(top, calculated(most)))),
    multiplier,
  };
}

/**
 * Returns position value ÷ (margin + unrealised PnL), the leverage now as opposed to when it was opened. Null without a
 * valuation, or when nothing is left.
 */
export function effectiveLeverage(position: Position, tier: PositionTier | null): string | null {
  const profit = position.profitUnreal;
  if (tier?.basis !== 'mark' || profit === null || position.margin === null) return null;
  const behind = add(amount(position.margin), amount(profit));
  return ratioOf(calculated(tier.value), behind, 2);
}

/** Reports whether realised PnL is closed PnL − fees + funding (docs/accounting.md); false if one of them is unread. */
export function realisedAddsUp({ realizedPnl, pnl, feeAmount, fundAmount }: Position): boolean {
  if (realizedPnl === null || pnl === null || feeAmount === null || fundAmount === null) return false;
  return equal(add(amount(realizedPnl), amount(feeAmount)), add(amount(pnl), amount(fundAmount)));
}
