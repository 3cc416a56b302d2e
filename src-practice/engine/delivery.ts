/**
 * Settlement of a delivery contract: at its expiry everybody's position closes at the index, resting orders are
 * cancelled, and the contract is closed to trading. The account's closing is an order of the system like a
 * liquidation's (source 2: the interface names no other), with the taker fee; its counterparty is the house.
 */
import type { Side } from './book.ts';
import { valueOf } from './contracts.ts';
import { applyOneWay, signedCost } from './holding.ts';
import { BOTS, HOUSE } from './ledger.ts';
import { CANCEL_SYSTEM } from './orders.ts';
import { cancelOrder } from './settle.ts';
import { takeOverAt } from './takeover.ts';
import type { Market, World } from './world.ts';

export function deliver(world: World, market: Market, at: number): void {
  const { account } = world;
  const { contract, book } = market;
  market.mark = market.index;
  market.last = market.index;
  for (const order of [...account.open.values()]) {
    if (order.contract === contract) cancelOrder(world, order, CANCEL_SYSTEM);
  }
  for (const quote of market.quotes) book.remove(quote);
  market.quotes = [];
  market.trading = false;
  for (const position of account.positions.filter((held) => held.contract === contract)) {
    takeOverAt(world, position, market.index, at);
  }
  settleMembers(world, market);
}

/** Members' positions cancel out in lots; what rounding leaves of an inverse contract's values goes to the house. */
function settleMembers(world: World, market: Market): void {
  const { contract, holdings, index } = market;
  const { coin } = contract;
  let residue = 0n;
  for (const bot of BOTS) {
    const held = holdings[bot];
    if (held.lots === 0) continue;
    const side: Side = held.side === 1 ? -1 : 1;
    const cost = signedCost(contract, held);
    const profit = applyOneWay(contract, held, side, held.lots, valueOf(contract, held.lots, index));
    world.ledger.book(bot, coin, profit);
    residue += profit + cost;
  }
  world.ledger.book(HOUSE, coin, -residue);
}
