/** What prices that moved bring about. */
import { fireTriggers } from './fire-triggers.ts';
import { liquidate } from './liquidation.ts';
import type { World } from './world.ts';

/**
 * Liquidation first: where a price leaps past a stop and beyond what stands behind the position, the stop would
 * close it at a loss the account does not have. Then TP/SL orders, whose fills cost fees, so it is looked once more.
 */
export function fallDue(world: World): void {
  liquidate(world);
  if (world.account.triggers.length === 0) return;
  fireTriggers(world);
  liquidate(world);
}
