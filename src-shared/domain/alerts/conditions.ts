/**
 * What an account says about the rules with a threshold. Compared as products of the exchange's own texts, never as a
 * rounded quotient: at exactly the threshold it is told.
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
  subtract,
} from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { Standing } from './hysteresis.ts';
import type { LevelRule } from './rules.ts';
import { roomOf } from '../margin/severity.ts';
import { hasLiquidation, markOf } from '../position/metrics.ts';
import { crossEquity } from '../margin/ratio-unit.ts';

const HUNDRED = amount('100');

/** Falls to its threshold: `part` of `whole` in percent. `whole` above 0. */
export function standingBelow(part: Amount, whole: Amount, rule: LevelRule): Standing {
  const hundredth = multiply(part, HUNDRED);
  const threshold = amount(rule.threshold);
  if (lessOrEqual(hundredth, multiply(threshold, whole))) return 'over';
  return greater(hundredth, multiply(add(threshold, amount(rule.band)), whole)) ? 'clear' : 'between';
}

/** Rises to its threshold: `part` of `whole` in percent. `whole` above 0. */
export function standingAbove(part: Amount, whole: Amount, rule: LevelRule): Standing {
  const hundredth = multiply(part, HUNDRED);
  const threshold = amount(rule.threshold);
  if (compare(hundredth, multiply(threshold, whole)) >= 0) return 'over';
  return less(hundredth, multiply(subtract(threshold, amount(rule.band)), whole)) ? 'clear' : 'between';
}

/** Percent to two decimals, for words. */
export const percentText = (part: Amount, whole: Amount): string =>
  `${printFixed(divide(multiply(part, HUNDRED), whole), 2, 'half-even')}%`;

export interface Way {
  /** From the mark to the exchange's liquidation price, in the way it would have to go; ≤ 0 once passed. */
  readonly way: Amount;
  readonly mark: Amount;
}

/** `none`: the exchange says it will not be liquidated. Null: no mark or no price was read, so nothing is known. */
export function wayToLiquidation(position: Position): Way | 'none' | null {
  const { quantity, liquidPrice } = position;
  if (quantity !== null && isZero(amount(quantity))) return 'none';
  if (liquidPrice === null) return null;
  if (hasLiquidation(position) === false) return 'none';
  const text = markOf(position);
  if (text === null) return null;
  const mark = amount(text);
  return { way: roomOf(subtract(amount(liquidPrice), mark), position.side), mark };
}

export interface Cover {
  /** Maintenance margin and closing fee. */
  readonly needs: Amount;
  /** Margin and unrealised profit; at or below 0 nothing is left. */
  readonly stands: Amount;
}

/**
 * An isolated position's needs and what stands behind it, put together from its own fields: what the interface's
 * `marginRate` means is not shown by it. Null where one of them was not given or cannot be read.
 */
export function isolatedCover(position: Position): Cover | null {
  const { margin, maintainMargin, closedFee, profitUnreal } = position;
  if (margin === null || maintainMargin === null || profitUnreal === null) return null;
  if (closedFee === null && position.received?.['closedFee'] !== undefined) return null;
  return {
    needs: add(amount(maintainMargin), amount(closedFee ?? '0')),
    stands: add(amount(margin), amount(profitUnreal)),
  };
}

export function coverStanding({ needs, stands }: Cover, rule: LevelRule): Standing {
  if (isZero(needs)) return 'clear';
  return isPositive(stands) ? standingAbove(needs, stands, rule) : 'over';
}

/** Nothing is left of a coin's cross equity while its positions need some: liquidation is due, whatever the rate says. */
export function isEquitySpent(asset: Asset): boolean {
  const { crossedMaintainMargin: maintenance } = asset;
  const equity = crossEquity(asset);
  return maintenance !== null && equity !== null && isPositive(amount(maintenance)) && !isPositive(equity);
}

/**
 * A coin's cross margin: maintenance margin as a share of cross equity, by the exchange. At 1 it liquidates. Null where
 * the share is not known.
 */
export function marginStanding(asset: Asset, share: string | null, rule: LevelRule): Standing | null {
  if (share === null) return isEquitySpent(asset) ? 'over' : null;
  return standingAbove(amount(share), ONE, rule);
}
