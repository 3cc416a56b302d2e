/** Runs what a price move triggers. */
import { fireTriggers } from './fire-triggers.ts';
import { liquidate } from './liquidation.ts';
import type { World } from './world.ts';

/**
 * Liquidates first: where a price jumps past both a stop and the liquidation price, the stop would close at a loss
 * the account cannot pay. TP/SL orders follow. Their fills cost fees, so liquidation is checked again.
 */
export function fallDue(world: World): void {
  liquidate(world);
  if (world.account.triggers.length === 0) return;
  fireTriggers(world);
  liquidate(world);
}
