/**
 * Takes a whole position over to the exchange account at a price: liquidation and delivery. An order of source 2
 * records it.
 */
import type { Side } from './book.ts';
import { valueOf } from './contracts.ts';
import { BLANK } from './draft.ts';
import { ACCOUNT, EXCHANGE } from './ledger.ts';
import { SOURCE_LIQUIDATION } from './orders.ts';
import type { Order } from './orders.ts';
import { fillSide } from './settle.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

export function takeOverAt(world: World, position: Position, ticks: number, at: number): void {
  const { account } = world;
  const { contract, lots } = position;
  const side: Side = position.side === 1 ? -1 : 1;
  const order: Order = {
    ...BLANK,
    seq: account.orders.length + 1,
    contract,
    side,
    type: 'LIMIT',
    timeInForce: 'IOC',
    ticks,
    totalLots: lots,
    reduceOnly: true,
    postOnly: false,
    reverse: false,
    source: SOURCE_LIQUIDATION,
    leverage: position.leverage,
    marginMode: position.marginMode,
    positionMode: position.positionMode,
    tpSl: null,
    createdAt: at,
    changedAt: at,
  };
  account.orders.push(order);
  const fill = { lots, ticks, value: valueOf(contract, lots, ticks) };
  const market = marketOf(world, contract);
  fillSide(world, market, { owner: ACCOUNT, side, order }, fill, true);
  fillSide(world, market, { owner: EXCHANGE, side: position.side, order: null }, fill, false);
}
