/** Returns what an isolated position needs and what it has: one rule for grades, alerts and the unit of its rate. */
import { add, amount, type Amount } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';

export interface Cover {
  /** Maintenance margin plus closing fee. */
  readonly requirement: Amount;
  /** Margin plus unrealised PnL; at or below 0 nothing is left. */
  readonly equity: Amount;
}

/**
 * Returns an isolated position's requirement and equity from its own fields, since the meaning of `marginRate` is not
 * documented. Returns null if a field is missing.
 */
export function isolatedCover(position: Position): Cover | null {
  const { margin, maintainMargin, closedFee, profitUnreal } = position;
  if (margin === null || maintainMargin === null || profitUnreal === null) return null;
  if (closedFee === null && position.received?.['closedFee'] !== undefined) return null;
  return {
    requirement: add(amount(maintainMargin), amount(closedFee ?? '0')),
    equity: add(amount(margin), amount(profitUnreal)),
  };
}
