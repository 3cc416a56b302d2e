/**
 * TP/SL orders. They come with an opening order and wait from its first fill on, for the quantity it opened. When the
 * price they watch reaches the trigger they become a reduce-only order (source 0, `conditionOrderId` names the TP/SL
 * order): MARKET IOC, or LIMIT GTC at the execution price. The other leg of the same order ends with it; all of them
 * end with their position.
 */
import { parseTicks, printLots, printPrice } from './contracts.ts';
import { conditionId } from './orders.ts';
import type { Order } from './orders.ts';
import type { Position, World } from './world.ts';

const LEGS = ['tp', 'sl'] as const;

/** An order with TP/SL has opened `lots` of a position. */
export function attachTriggers(world: World, order: Order, position: Position, lots: number): void {
  const { account, now } = world;
  const { tpSl, contract } = order;
  if (!tpSl || lots === 0) return;
  const waiting = account.triggers.filter((each) => each.order === order);
  for (const each of waiting) each.lots += lots;
  if (waiting.length > 0) return;
  for (const kind of LEGS) {
    const type = tpSl[`${kind}TriggerType`];
    const price = tpSl[`${kind}Price`];
    if (type === null || type === 'NONE' || price === null) continue;
    const ticks = parseTicks(contract, price);
    if (ticks === null) throw new Error(`a TP/SL price off the grid was accepted: ${price}`);
    const execute = tpSl[`${kind}ExecutePrice`];
    account.nextTrigger += 1;
    account.triggers.push({
      seq: account.nextTrigger,
      kind,
      contract,
      positionSeq: position.seq,
      order,
      byMark: type === 'MARK_PRICE',
      ticks,
      execute: execute === null ? null : parseTicks(contract, execute),
      createdAt: now,
      lots,
    });
  }
}

/** Its position is closed: what should have closed it ends. */
export function dropTriggers(world: World, position: Position): void {
  const { account } = world;
  if (account.triggers.length === 0) return;
  account.triggers = account.triggers.filter((each) => each.positionSeq !== position.seq);
}

/** The TP/SL orders of a position as its record lists them; the exchange API has no fields for them (docs/practice-exchange.md). */
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
