/** Decides whether a limit order fills at once, for ticket, close sheet, batch rows and previews. */
import { amount, compare } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { agoText } from '../display/time-left.ts';
import { type OrderContext, referenceOf } from '../instrument/trading-context.ts';
import type { Reference, ReferenceSource } from '../instrument/reference-prices.ts';

export type Crossing =
  | { readonly state: 'rests' }
  /** Fills near `near` as taker; a post-only order would be rejected instead. */
  | { readonly state: 'crosses'; readonly near: Reference; readonly postOnly: boolean }
  | { readonly state: 'unknown'; readonly why: string };

/** Names of a reference price in a sentence. */
export const PRICE_NAMES: Readonly<Record<ReferenceSource, string>> = {
  mark: 'mark',
  last: 'last price',
  'own-trade': 'price of your last fill',
  typed: 'price you typed',
};

/** Compares with the reference price while it is no older than the user's limit. Null for an order without a price. */
export function crossingOf(
  request: OrderRequest,
  context: Pick<OrderContext, 'references' | 'limits' | 'now'>,
): Crossing | null {
  if (request.type !== 'LIMIT' || request.price === undefined) return null;
  const [near] = context.references;
  if (near === undefined) return { state: 'unknown', why: 'no price of this contract is known' };
  const seconds = Math.floor((context.now - near.at) / 1000);
  if (seconds > context.limits.referenceAgeSeconds)
    return { state: 'unknown', why: `the ${PRICE_NAMES[near.source]} is ${agoText(seconds)} old` };
  // At exactly the reference price there is a counterparty, too.
  const past = compare(amount(request.price), amount(near.price)) * (request.side === 'BUY' ? 1 : -1);
  return past < 0 ? { state: 'rests' } : { state: 'crosses', near, postOnly: request.postOnly === true };
}

/** Whether an order stays open after it was sent: all of it, `maybe` what did not fill at once, or nothing. */
export type Rests = 'yes' | 'maybe' | 'no';

export function restsOf(request: OrderRequest, crossing: Crossing | null): Rests {
  if (crossing === null || (request.timeInForce ?? 'GTC') !== 'GTC') return 'no';
  // Post-only rests or is rejected.
  return crossing.state === 'rests' || request.postOnly === true ? 'yes' : 'maybe';
}

/** Whose fee an order pays when it fills; `either` if the market's price decides and is not known. */
export type FeeRole = 'maker' | 'taker' | 'either';

export function feeRoleOf(rests: Rests, crossing: Crossing | null): FeeRole {
  if (rests === 'yes') return 'maker';
  return rests === 'no' || crossing?.state === 'crosses' ? 'taker' : 'either';
}

/** Returns the price an order fills near: the market's if it crosses, else its own; null if neither is known. */
export function fillPrice(request: OrderRequest, context: OrderContext): Reference | string | null {
  const crossing = crossingOf(request, context);
  if (crossing?.state === 'crosses' && !crossing.postOnly) return crossing.near;
  return request.price ?? referenceOf(context);
}

/** Returns the warning text; null for an order that rests. */
export function crossingText(crossing: Crossing | null): string | null {
  if (crossing === null || crossing.state === 'rests') return null;
  if (crossing.state === 'unknown') return `Unknown whether this crosses: ${crossing.why}.`;
  const { near, postOnly } = crossing;
  return postOnly
    ? `Crosses the ${PRICE_NAMES[near.source]} ${near.price}: post-only would be rejected.`
    : `Crosses the ${PRICE_NAMES[near.source]}: fills at once as taker, near ${near.price}.`;
}
