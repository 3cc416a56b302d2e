/** Which orders this Ballast did not send: the exchange's website, another client, another computer. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { awaitsOutcome } from '../../../src-shared/domain/reconcile/lifecycle.ts';

/** Actions on an order, open or past. */
export interface OrderSeen {
  readonly id: string;
  readonly symbolId: string;
  readonly side: string;
  /** By this computer's clock, ms. */
  readonly createdAt: number | null;
  readonly conditionOrderId: string;
  /** Only order history has it. */
  readonly source?: number | null;
}

/** 0: a user's order. Liquidations and reversals create system orders, which have no intent. */
const BY_A_PERSON = 0;
/** An intent without an id may be an order created from this much before it to this much after it, ms. */
const BEFORE = 60_000;
const AFTER = 600_000;

/**
 * Judges by the journal: an order whose id no intent has is external, unless an intent whose order was never found
 * could be it. Orders that TP/SL triggered are nobody's in particular.
 */
export function externalOrders(intents: readonly IntentRecord[]): (order: OrderSeen) => boolean {
  const own = new Set<string>();
  const lost = new Map<string, number[]>();
  for (const { orderId, symbolId, side, state, createdAt } of intents) {
    // With the symbol: ids of a practice exchange start over with it.
    if (orderId !== null) own.add(`${symbolId} ${orderId}`);
    else if (awaitsOutcome(state) || state === 'closed') {
      const key = `${symbolId} ${side}`;
      lost.set(key, [...(lost.get(key) ?? []), createdAt]);
    }
  }
  return ({ id, symbolId, side, createdAt, conditionOrderId, source = BY_A_PERSON }) => {
    // An order with an unreadable time or source is never marked.
    if (createdAt === null || source === null) return false;
    if (source !== BY_A_PERSON || (conditionOrderId !== '' && conditionOrderId !== '0')) return false;
    if (own.has(`${symbolId} ${id}`)) return false;
    const times = lost.get(`${symbolId} ${side}`) ?? [];
    return !times.some((time) => createdAt >= time - BEFORE && createdAt <= time + AFTER);
  };
}
