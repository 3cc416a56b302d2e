/**
 * Takes a whole position over to the exchange account at a price: liquidation and delivery. An order of source 2
 * records it.
 */
import { valueOf } from './contracts.ts';
import { closingOrder } from './draft.ts';
import { ACCOUNT, EXCHANGE } from './ledger.ts';
import { SOURCE_LIQUIDATION } from './orders.ts';
import type { Order } from './orders.ts';
import { fillSide } from './settle.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

export function takeOverAt(world: World, position: Position, ticks: number, at: number): void {
  const { contract, lots } = position;
  const order: Order = {
    ...closingOrder(world, position, at),
    type: 'LIMIT',
    timeInForce: 'IOC',
    ticks,
    totalLots: lots,
    source: SOURCE_LIQUIDATION,
  };
  world.account.orders.push(order);
  const fill = { lots, ticks, value: valueOf(contract, lots, ticks) };
  const market = marketOf(world, contract);
  fillSide(world, market, { owner: ACCOUNT, side: order.side, order }, fill, true);
  fillSide(world, market, { owner: EXCHANGE, side: position.side, order: null }, fill, false);
}
