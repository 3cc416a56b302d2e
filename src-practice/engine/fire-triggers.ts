/** Turns TP/SL orders whose trigger price is reached into reduce-only orders. */
import { closingOrder } from './draft.ts';
import { enter } from './matching.ts';
import { SOURCE_USER } from './orders.ts';
import type { Trigger } from './orders.ts';
import { unreservedLots } from './settle.ts';
import { marketOf } from './world.ts';
import type { World } from './world.ts';

function isReached(world: World, { contract, order, kind, byMark, ticks }: Trigger): boolean {
  const market = marketOf(world, contract);
  if (!market.trading) return false;
  const price = byMark ? market.mark : market.last;
  // A long takes profit above and stops below; a short the reverse.
  const above = (kind === 'tp') === (order.side === 1);
  return above ? price >= ticks : price <= ticks;
}

function fire(world: World, trigger: Trigger): void {
  const { account, now } = world;
  account.triggers = account.triggers.filter((each) => each.order !== trigger.order);
  const position = account.positions.find(({ seq }) => seq === trigger.positionSeq);
  if (!position) return;
  const { contract, execute } = trigger;
  // A market close has precedence over resting ones, which are trimmed when it fills; a limit rests behind them.
  const closable = execute === null ? position.lots : unreservedLots(world, position);
  const totalLots = Math.min(trigger.lots, closable);
  if (totalLots <= 0) return;
  enter(world, marketOf(world, contract), {
    ...closingOrder(world, position, now),
    type: execute === null ? 'MARKET' : 'LIMIT',
    timeInForce: execute === null ? 'IOC' : 'GTC',
    ticks: execute ?? 0,
    totalLots,
    source: SOURCE_USER,
    conditionSeq: trigger.seq,
  });
}

/** Fires every reached trigger, oldest first; a fill may move the last price and so reach the next. */
export function fireTriggers(world: World): void {
  for (;;) {
    const reached = world.account.triggers.find((each) => isReached(world, each));
    if (!reached) return;
    fire(world, reached);
  }
}
