/**
 * Evaluates the threshold rules on an account. Compares products of the received values, never a rounded quotient, so a
 * rule fires at exactly its threshold.
 */
import {
  add,
  amount,
  type Amount,
  compare,
  divide,
  greater,
  isPositive,
  isZero,
  less,
  lessOrEqual,
  multiply,
  ONE,
  printFixed,
  signOf,
  subtract,
} from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { Status } from './hysteresis.ts';
import type { LevelRule } from './rules.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { headroomOf } from '../margin/severity.ts';
import { hasLiquidation, markOf } from '../position/metrics.ts';
import type { Cover } from '../margin/isolated-cover.ts';
import { crossEquity } from '../margin/ratio-unit.ts';

const HUNDRED = amount('100');

/** Evaluates a rule that fires when `part` falls to a percentage of `whole`, which must be positive. */
export function statusBelow(part: Amount, whole: Amount, rule: LevelRule): Status {
  const hundredth = multiply(part, HUNDRED);
  const threshold = amount(rule.threshold);
  if (lessOrEqual(hundredth, multiply(threshold, whole))) return 'over';
  return greater(hundredth, multiply(add(threshold, amount(rule.band)), whole)) ? 'clear' : 'between';
}

/** Evaluates a rule that fires when `part` rises to a percentage of `whole`, which must be positive. */
export function statusAbove(part: Amount, whole: Amount, rule: LevelRule): Status {
  const hundredth = multiply(part, HUNDRED);
  const threshold = amount(rule.threshold);
  if (compare(hundredth, multiply(threshold, whole)) >= 0) return 'over';
  return less(hundredth, multiply(subtract(threshold, amount(rule.band)), whole)) ? 'clear' : 'between';
}

/** Formats a percentage with two decimals. */
export const ratioText = (part: Amount, whole: Amount): string =>
  `${printFixed(divide(multiply(part, HUNDRED), whole), 2, 'half-even')}%`;

export interface LiquidationDistance {
  /** Distance from mark price to liquidation price; 0 or negative once passed. */
  readonly distance: Amount;
  readonly mark: Amount;
}

/** Returns the distance to liquidation, 'none' if there is no liquidation price, or null if a price is missing. */
export function distanceToLiquidation(position: Position): LiquidationDistance | 'none' | null {
  const { liquidPrice } = position;
  if (!isHeld(position)) return 'none';
  if (liquidPrice === null) return null;
  if (hasLiquidation(position) === false) return 'none';
  const text = markOf(position);
  if (text === null) return null;
  const mark = amount(text);
  return { distance: headroomOf(subtract(amount(liquidPrice), mark), position.side), mark };
}

/** Evaluates an isolated position's margin: its requirement as a share of its equity; `over` without equity. */
export function coverStatus({ requirement, equity }: Cover, rule: LevelRule): Status {
  if (isZero(requirement)) return 'clear';
  return isPositive(equity) ? statusAbove(requirement, equity, rule) : 'over';
}

/**
 * Reports whether a coin's cross equity is used up while positions need margin, so that liquidation is due: no rate above 0
 * says so. A rate below 0 does; with one of 0, or one that is not known, the coin's figures decide.
 */
export function isEquityUsedUp(asset: Asset, share: string | null): boolean {
  const { crossedMaintainMargin: maintenance, crossedMaintainMarginRate: rate } = asset;
  if (rate !== null && signOf(rate) < 0) return true;
  if (share !== null && signOf(share) > 0) return false;
  const equity = crossEquity(asset);
  return maintenance !== null && equity !== null && isPositive(amount(maintenance)) && !isPositive(equity);
}

/**
 * Evaluates a coin's cross margin: maintenance margin as a share of cross equity. The exchange liquidates at 1. Null if
 * the share is unknown.
 */
export function marginStatus(asset: Asset, share: string | null, rule: LevelRule): Status | null {
  if (isEquityUsedUp(asset, share)) return 'over';
  return share === null ? null : statusAbove(amount(share), ONE, rule);
}
