/** Computes what a position needs and has, from reported values: one rule for grades, alerts and breakdowns. */
import { add, amount, type Amount, divide, isPositive, ONE, print } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';

export interface Cover {
  /** Maintenance margin plus closing fee. */
  readonly requirement: Amount;
  /** Margin plus unrealised PnL; at or below 0 nothing is left. */
  readonly equity: Amount;
}

/** Returns requirement ÷ equity as a share; 1 if nothing is left, `0` without requirement. */
export function coverRatio({ requirement, equity }: Cover): string {
  if (!isPositive(requirement)) return '0';
  return print(isPositive(equity) ? divide(requirement, equity) : ONE);
}

/** Returns maintenance margin plus closing fee as the exchange reports them; null if one of them is missing. */
export function reportedRequirement({ maintainMargin, closedFee, received }: Position): Amount | null {
  const isFeeUnread = closedFee === null && received?.['closedFee'] !== undefined;
  if (maintainMargin === null || isFeeUnread) return null;
  return add(amount(maintainMargin), amount(closedFee ?? '0'));
}

/**
 * Returns an isolated position's requirement and equity from its own fields, since the meaning of `marginRate` is not
 * documented. Returns null if a field is missing.
 */
export function isolatedCover(position: Position): Cover | null {
  const { margin, profitUnreal } = position;
  const requirement = reportedRequirement(position);
  if (requirement === null || margin === null || profitUnreal === null) return null;
  return { requirement, equity: add(amount(margin), amount(profitUnreal)) };
}
