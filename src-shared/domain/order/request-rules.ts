/**
 * Rules on the request alone: what an order of its kind and type must and must not contain. The window's forms write no
 * such order; in the main process they hold against whatever a page sends.
 */
import { amount, isPositive } from '../../amount.ts';
import { TRIGGER_TYPE } from '../../exchange-api/enums.ts';
import { breach, type Finding, type RuleInput } from './rule-input.ts';

export function closeAllShape({ kind, request }: RuleInput): Finding | null {
  if (kind !== 'close-all') return null;
  const right =
    request.reduceOnly === true && request.quantity === undefined && request.reverseOrder !== true;
  return right
    ? null
    : breach(
        'An order that closes a whole position must be reduce-only and have no quantity.',
        'Close it from Positions.',
      );
}

export const quantityGiven = ({ kind, request }: RuleInput): Finding | null =>
  kind === 'close-all' || request.quantity !== undefined
    ? null
    : breach('The order has no quantity.', 'Enter a quantity above 0.');

export const quantityPositive = ({ request: { quantity } }: RuleInput): Finding | null =>
  quantity === undefined || isPositive(amount(quantity))
    ? null
    : breach(`The quantity ${quantity} is not above 0.`, 'Enter a quantity above 0.');

export const limitPriceGiven = ({ request: { type, price } }: RuleInput): Finding | null =>
  type !== 'LIMIT' || price !== undefined
    ? null
    : breach('A limit order needs a price.', 'Enter a price above 0.');

export const limitPricePositive = ({ request: { type, price } }: RuleInput): Finding | null =>
  type !== 'LIMIT' || price === undefined || isPositive(amount(price))
    ? null
    : breach(`The price ${price} is not above 0.`, 'Enter a price above 0.');

export const timeInForceGiven = ({ request: { type, timeInForce } }: RuleInput): Finding | null =>
  type !== 'LIMIT' || timeInForce !== undefined
    ? null
    : breach('A limit order needs a time in force.', 'Choose GTC, IOC or FOK.');

export const marketPriceAbsent = ({ request: { type, price } }: RuleInput): Finding | null =>
  type === 'LIMIT' || price === undefined
    ? null
    : breach('A market order has no price.', 'Choose Limit to set a price.');

export const postOnlyRests = ({ request }: RuleInput): Finding | null =>
  request.postOnly !== true || (request.type === 'LIMIT' && request.timeInForce === 'GTC')
    ? null
    : breach('Post-only requires a GTC limit order.', 'Turn it off, or choose Limit and GTC.');

export const reverseOpens = ({ request }: RuleInput): Finding | null =>
  request.reverseOrder === true && request.reduceOnly === true
    ? breach('An order cannot be both reverse and reduce-only.', 'Choose one.')
    : null;

export const tpSlOpens = ({ request }: RuleInput): Finding | null =>
  request.tpSl !== undefined && request.reduceOnly === true
    ? breach('Take profit and stop loss require an opening order.', 'Turn off reduce-only or TP/SL.')
    : null;

/** Requires a trigger type of this connection: the exchange API does not list them. */
export const triggerKnown =
  (side: 'tp' | 'sl') =>
  ({ request: { tpSl }, context }: RuleInput): Finding | null => {
    const type = tpSl?.[`${side}TriggerType` as const];
    if (type === undefined || Object.hasOwn(TRIGGER_TYPE, type) || context.triggerTypes.includes(type))
      return null;
    return breach(
      `The trigger type ${type} is not set for this connection.`,
      'Add it in Settings › Connections.',
    );
  };

export const triggerPriced =
  (side: 'tp' | 'sl') =>
  ({ request: { tpSl } }: RuleInput): Finding | null => {
    if (tpSl === undefined) return null;
    const none = tpSl[`${side}TriggerType` as const] === 'NONE';
    if (none === (tpSl[`${side}Price` as const] === undefined)) return null;
    return breach(
      none
        ? 'TP/SL has a trigger price but no trigger type.'
        : 'TP/SL has a trigger type but no trigger price.',
      'Set both, or neither.',
    );
  };

/** Requires prices above 0: an exchange may take a 0 for none. */
export const tpSlPositive = ({ request: { tpSl } }: RuleInput): Finding | null => {
  const prices = [tpSl?.tpPrice, tpSl?.tpExecutePrice, tpSl?.slPrice, tpSl?.slExecutePrice];
  return prices.every((one) => one === undefined || isPositive(amount(one)))
    ? null
    : breach('A price of TP/SL is not above 0.', 'Enter prices above 0.');
};

export const tpSlGiven = ({ request: { tpSl } }: RuleInput): Finding | null =>
  tpSl === undefined || tpSl.tpTriggerType !== 'NONE' || tpSl.slTriggerType !== 'NONE'
    ? null
    : breach(
        'Neither take profit nor stop loss is set.',
        'Enter a take profit or a stop loss, or turn TP/SL off.',
      );
