/** Ballast's own check of closing orders, for which the exchange has no code. */
import { amount, compare } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { fail, type OrderCheck, pass } from './check.ts';
import { type OrderContext, referenceOf } from '../instrument/trading-context.ts';

const CHECK = { id: 'take-profit', code: null, field: 'price' } as const;

/**
 * Checks that a take-profit, a reduce-only GTC limit, is on the profit side of a fresh reference price; otherwise it
 * would fill at once (docs/accounting.md, "Where the API is silent").
 */
export function checkTakeProfit(request: OrderRequest, context: OrderContext): OrderCheck {
  const reference = referenceOf(context);
  const most = context.limits.referenceAgeSeconds;
  if (reference === null || context.now - reference.at > most * 1000) {
    return fail(CHECK, `A take-profit needs a reference price not older than ${String(most)} s.`);
  }
  // Selling closes a long, which profits above.
  const above = request.side === 'SELL';
  const way = above ? 'above' : 'below';
  const ok = compare(amount(request.price ?? '0'), amount(reference.price)) === (above ? 1 : -1);
  if (ok) return pass(CHECK, `Take profit ${way} the ${reference.source} price`);
  return fail(
    CHECK,
    `A take-profit must be ${way} the ${reference.source} price (${reference.price}), else it fills at once.`,
  );
}
