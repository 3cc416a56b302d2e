/**
 * Take-profit and stop-loss of an order: codes as rows. "Must be" texts state what is required, "above/below"
 * texts the fault (accounting.md). A LIMIT is compared with its own price, a MARKET with the price it is triggered
 * by: the mark for MARK_PRICE, else the last trade.
 */
import { parseTicks } from './contracts.ts';
import type { Draft } from './draft.ts';
import { liquidationTicks } from './liquid-price.ts';
import type { Refusal } from './request.ts';
import { targetOf } from './settle.ts';
import type { World } from './world.ts';

export const TRIGGERS = ['LAST_PRICE', 'MARK_PRICE'] as const;

interface Leg {
  readonly kind: 'tp' | 'sl';
  readonly byMark: boolean;
  readonly trigger: number;
  /** `null` executes at the market. */
  readonly execute: number | null;
}

type Basis = 'order' | 'last' | 'mark';

/** `[trigger code, execution code]` by kind, side of the position and what it is compared with. */
const CODES: Readonly<Record<`${'tp' | 'sl'} ${'long' | 'short'} ${Basis}`, readonly [string, string]>> = {
  'tp long order': ['700068', '700089'],
  'tp short order': ['700072', '700091'],
  'sl long order': ['700070', '700093'],
  'sl short order': ['700074', '700095'],
  'tp long last': ['700069', '700096'],
  'tp short last': ['700073', '700097'],
  'sl long last': ['700071', '700098'],
  'sl short last': ['700075', '700099'],
  'tp long mark': ['700076', '700096'],
  'tp short mark': ['700077', '700097'],
  'sl long mark': ['700079', '700098'],
  'sl short mark': ['700078', '700099'],
};

const chosen = (trigger: string | null): boolean => trigger !== null && trigger !== 'NONE';
const isTrigger = (text: string): boolean => TRIGGERS.some((trigger) => trigger === text);

function legOf(
  { order }: Draft,
  kind: 'tp' | 'sl',
  trigger: string | null,
  price: string | null,
  execute: string | null,
): Leg | Refusal | null {
  if (trigger === null || !chosen(trigger)) return null;
  if (!isTrigger(trigger)) return { code: '700009', why: `${kind}TriggerType` };
  if (price === null) return { code: '700004', why: `${kind}Price is required` };
  const ticks = parseTicks(order.contract, price);
  const at = execute === null ? null : parseTicks(order.contract, execute);
  if (ticks === null || (execute !== null && at === null)) return { code: '700011', why: `${kind}Price` };
  return { kind, byMark: trigger === 'MARK_PRICE', trigger: ticks, execute: at };
}

const isRefusal = (leg: Leg | Refusal): leg is Refusal => 'code' in leg;

export function tpSlRefusal(world: World, each: Draft): Refusal | null {
  const { tpSl } = each.order;
  if (!tpSl) return null;
  if (!chosen(tpSl.tpTriggerType) && !chosen(tpSl.slTriggerType)) {
    return { code: '700042', why: 'neither take-profit nor stop-loss' };
  }
  const legs = [
    legOf(each, 'tp', tpSl.tpTriggerType, tpSl.tpPrice, tpSl.tpExecutePrice),
    legOf(each, 'sl', tpSl.slTriggerType, tpSl.slPrice, tpSl.slExecutePrice),
  ];
  for (const leg of legs) {
    if (leg === null) continue;
    const refusal = isRefusal(leg) ? leg : legRefusal(world, each, leg);
    if (refusal) return refusal;
  }
  return null;
}

function legRefusal(world: World, { market, order }: Draft, leg: Leg): Refusal | null {
  const basis: Basis = order.type === 'LIMIT' ? 'order' : leg.byMark ? 'mark' : 'last';
  const reference = { order: order.ticks, mark: market.mark, last: market.last }[basis];
  const side = order.side === 1 ? 'long' : 'short';
  const [triggerCode, executeCode] = CODES[`${leg.kind} ${side} ${basis}`];
  // A long takes profit above and stops below; a short the other way round.
  const wanted = (leg.kind === 'tp') === (order.side === 1) ? 1 : -1;
  if (wanted * (leg.trigger - reference) <= 0) return { code: triggerCode, why: `${leg.kind}Price` };
  if (leg.execute !== null && wanted * (leg.execute - reference) <= 0) {
    return { code: executeCode, why: `${leg.kind}ExecutePrice` };
  }
  return leg.kind === 'sl' ? stopBeyondLiquidation(world, order, leg.trigger) : null;
}

/** A stop that lies beyond the position's liquidation price would never be reached. */
function stopBeyondLiquidation(world: World, order: Draft['order'], trigger: number): Refusal | null {
  const target = targetOf(world, order);
  if (!target || target.side !== order.side) return null;
  const liquidation = liquidationTicks(world).get(target) ?? 0;
  if (liquidation === 0 || order.side * (trigger - liquidation) > 0) return null;
  return { code: order.side === 1 ? '700081' : '700080', why: 'slPrice beyond the liquidation price' };
}
