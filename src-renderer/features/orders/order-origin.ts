/** Finds orders placed elsewhere: on the exchange's website, by another client, or by Ballast on another computer. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { awaitsOutcome } from '../../../src-shared/domain/reconcile/lifecycle.ts';

/** What is needed of an open or past order. */
export interface OrderSeen {
  readonly id: string;
  readonly symbolId: string;
  readonly side: string;
  /** By this computer's clock, ms. */
  readonly createdAt: number | null;
  readonly conditionOrderId: string;
  /** Only records of order history have it. */
  readonly source?: number | null;
}

/** A user's order. Liquidations and reversals create system orders with another source, which have no intent. */
const USER_ORDER = 0;
/** An intent without an order id may belong to an order created from this long before it to this long after it, ms. */
const BEFORE = 60_000;
const AFTER = 600_000;

/**
 * Returns a test for orders placed elsewhere: no intent has their id, and no intent whose order was never found could
 * be theirs. Orders triggered by TP/SL are never marked.
 */
export function placedElsewhere(intents: readonly IntentRecord[]): (order: OrderSeen) => boolean {
  // Includes the symbol: a new practice exchange starts its ids over.
  const own = new Set(
    intents.flatMap(({ symbolId, orderId }) => (orderId === null ? [] : [`${symbolId} ${orderId}`])),
  );
  const lost = Map.groupBy(
    intents.filter(
      ({ orderId, state }) => orderId === null && (awaitsOutcome(state) || state === 'dismissed'),
    ),
    ({ symbolId, side }) => `${symbolId} ${side}`,
  );
  return ({ id, symbolId, side, createdAt, conditionOrderId, source = USER_ORDER }) => {
    // An order with an unreadable time or source is never marked.
    if (createdAt === null || source === null) return false;
    if (source !== USER_ORDER || (conditionOrderId !== '' && conditionOrderId !== '0')) return false;
    if (own.has(`${symbolId} ${id}`)) return false;
    const alike = lost.get(`${symbolId} ${side}`) ?? [];
    return !alike.some((one) => createdAt >= one.createdAt - BEFORE && createdAt <= one.createdAt + AFTER);
  };
}
