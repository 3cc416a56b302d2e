/**
 * TP/SL orders. They come with an opening order and become active with its first fill, for the opened quantity. At
 * the trigger they become a reduce-only order (source 0, `conditionOrderId` names it): MARKET IOC, or LIMIT GTC at
 * the order price. The other leg ends with it; all end with their position.
 */
import { parseTicks, printLots, printPrice } from './contracts.ts';
import { conditionId, legOf, LEGS } from './orders.ts';
import type { Order } from './orders.ts';
import type { Position, World } from './world.ts';

/** Activates the TP/SL of an order that has opened `lots` of a position. */
export function attachTriggers(world: World, order: Order, position: Position, lots: number): void {
  const { account, now } = world;
  const { tpSl, contract } = order;
  if (!tpSl || lots === 0) return;
  const waiting = account.triggers.filter((each) => each.order === order);
  for (const each of waiting) each.lots += lots;
  if (waiting.length > 0) return;
  for (const kind of LEGS) {
    const leg = legOf(tpSl, kind);
    if (leg === null || leg.price === null) continue;
    const { trigger, price, execute } = leg;
    const ticks = parseTicks(contract, price);
    if (ticks === null) throw new Error(`a TP/SL price off the grid was accepted: ${price}`);
    account.nextTrigger += 1;
    account.triggers.push({
      seq: account.nextTrigger,
      kind,
      contract,
      positionSeq: position.seq,
      order,
      byMark: trigger === 'MARK_PRICE',
      ticks,
      execute: execute === null ? null : parseTicks(contract, execute),
      createdAt: now,
      lots,
    });
  }
}

/** Ends the TP/SL orders of a closed position. */
export function dropTriggers(world: World, position: Position): void {
  const { account } = world;
  if (account.triggers.length === 0) return;
  account.triggers = account.triggers.filter((each) => each.positionSeq !== position.seq);
}

/** The TP/SL orders in a position's record; the API documents no fields for them (docs/practice-exchange.md). */
export function triggerRecords(world: World, position: Position) {
  return world.account.triggers
    .filter((each) => each.positionSeq === position.seq)
    .map((each) => ({
      conditionOrderId: conditionId(each.seq),
      ctime: each.createdAt,
      executePrice: each.execute === null ? null : printPrice(each.contract, each.execute),
      kind: each.kind === 'tp' ? 'TAKE_PROFIT' : 'STOP_LOSS',
      priceType: each.execute === null ? 2 : 1,
      quantity: printLots(each.contract, Math.min(each.lots, position.lots)),
      triggerPrice: printPrice(each.contract, each.ticks),
      triggerType: each.byMark ? 'MARK_PRICE' : 'LAST_PRICE',
      wholePosition: each.lots >= position.lots,
    }));
}
