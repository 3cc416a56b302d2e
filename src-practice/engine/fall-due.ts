/** Liquidations and TP/SL orders that a price move makes due. */
import { fireTriggers } from './fire-triggers.ts';
import { liquidate } from './liquidation.ts';
import type { World } from './world.ts';

/**
 * Liquidates first: if the price jumps past both a stop and the liquidation price, the stop would close at a loss the
 * account cannot pay. TP/SL orders come next; their fills cost fees, so liquidation is checked again.
 */
export function fallDue(world: World): void {
  liquidate(world);
  if (world.account.triggers.length === 0) return;
  fireTriggers(world);
  liquidate(world);
}
