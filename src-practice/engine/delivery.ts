/**
 * Settles a delivery contract: at expiry every position closes at the index, resting orders are cancelled, and
 * trading ends. The account's closing is a system order like a liquidation's (source 2: the API has no other), with
 * the taker fee; its counterparty is the exchange account.
 */
import type { Side } from './book.ts';
import { valueOf } from './contracts.ts';
import { applyOneWay, signedCost } from './holding.ts';
import { BOTS, EXCHANGE } from './ledger.ts';
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

/**
 * The members' positions cancel out in lots. The exchange account takes what rounding leaves of an inverse
 * contract.
 */
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
  world.ledger.book(EXCHANGE, coin, -residue);
}
