/** Rules on the contract, its decimals, and the position an order reduces or reverses. */
import {
  add,
  amount,
  compare,
  decimalsOf,
  greater,
  isPositive,
  print,
  printFixed,
  subtract,
  sum,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { POSITION_MODE, sideWord } from '../../exchange-api/enums.ts';
import { protectionOf } from '../position/protection.ts';
import { closablePosition, referenceOf, restingReductions } from '../instrument/trading-context.ts';
import { use } from './check.ts';
import { crossingOf, crossingText, PRICE_NAMES } from './crossing.ts';
import { turnsOver } from './fill-effect.ts';
import { figureOf } from '../account/figure.ts';
import { breach, type Finding, passes, type RuleInput, unchecked } from './rule-input.ts';

export const UNREAD_CONTRACTS = 'The exchange’s contracts have not been read yet.';

export function listed({ request: { symbolId }, context, contract }: RuleInput): Finding {
  if (context.contracts === null) return unchecked(`${UNREAD_CONTRACTS} ${symbolId} cannot be looked up.`);
  if (contract !== null) return passes(`${symbolId} is open to trading`);
  return breach(
    `${symbolId} is not in the exchange’s list of contracts. Close a position in it on the exchange’s website.`,
    'Choose a listed contract.',
  );
}

export function recordsRead({ request: { symbolId }, context }: RuleInput): Finding | null {
  const unread = context.unreadable.find((one) => one.symbolId === symbolId);
  if (unread === undefined) return null;
  return breach(
    `The exchange lists a record of ${symbolId} (${unread.record}) that cannot be read: ${unread.message}.`,
    'Trade this contract on the exchange’s website.',
  );
}

/** Warns if a limit order fills at once, or may: without a fresh price. A take-profit has a rule of its own. */
export function crossing({ request, context, contract, takesProfit }: RuleInput): Finding | null {
  const text = contract === null || takesProfit ? null : crossingText(crossingOf(request, context));
  return text === null ? null : breach(text);
}

/**
 * Warns if an order that is not a reverse order closes the position and opens one the other way; or may, beside a
 * position whose mode is not known.
 */
export function sideKept({ request, preview }: RuleInput): Finding | null {
  if (preview === null || request.reverseOrder === true) return null;
  const { contract, effect } = preview;
  const { position } = effect;
  if (position && effect.closed !== '0' && request.reduceOnly !== true && !hasKnownMode(position))
    return breach(
      `The position mode of ${request.symbolId} is unknown. In one-way mode this closes your ${sideWord(position.side)}, as the figures assume; in hedge mode it opens a ${sideWord(request.side)} beside it. To close, use reduce-only.`,
    );
  if (!turnsOver(effect)) return null;
  const { before, after, closed, opened } = effect;
  const unit = contract.coins.quantity;
  return breach(
    `Closes your ${sideWord(before.side)} of ${closed} ${unit} and opens a ${sideWord(after.side)} of ${opened} ${unit}.`,
  );
}

const hasKnownMode = ({ positionMode }: Position): boolean => Object.hasOwn(POSITION_MODE, positionMode);

/**
 * Says what becomes of the TP/SL orders of a position that the order closes, all or part: the exchange API does not. Warns
 * if what it opens on the other side is left without a stop loss.
 */
export function protectionKept({ request, context, preview }: RuleInput): Finding | null {
  const effect = preview?.effect;
  if (!effect?.position || effect.closed === '0') return null;
  const { orders, unread } = protectionOf(effect.position);
  const count = unread === null ? null : orders.length + unread;
  if (count === 0) return null;
  const which =
    count === null ? 'any TP/SL orders' : count === 1 ? 'its TP/SL order' : `its ${count} TP/SL orders`;
  const bare =
    turnsOver(effect) && request.tpSl?.slPrice === undefined
      ? ` The ${sideWord(effect.after.side)} it opens has no stop loss.`
      : '';
  if (context.kind === 'live')
    return breach(
      `Closes a position with TP/SL. The exchange API does not say what then happens to ${which}: check afterwards.${bare}`,
    );
  const ends = `The position and ${which} shrink and end together`;
  return bare === '' ? passes(ends) : breach(`${ends}.${bare}`);
}

/**
 * Requires a take-profit, a reduce-only GTC limit, to be on the profit side of a fresh reference price; otherwise it
 * would fill at once (docs/accounting.md, "Where the API is silent").
 */
export function takeProfitRests({ request, context, takesProfit }: RuleInput): Finding | null {
  if (!takesProfit) return null;
  const reference = referenceOf(context);
  const most = context.limits.referenceAgeSeconds;
  if (reference === null || context.now - reference.at > most * 1000)
    return breach(`A take profit needs a reference price not older than ${String(most)} s.`);
  // Selling closes a long, which profits above.
  const above = request.side === 'SELL';
  const way = above ? 'above' : 'below';
  const name = `the ${PRICE_NAMES[reference.source]}`;
  const ok =
    request.price !== undefined &&
    compare(amount(request.price), amount(reference.price)) === (above ? 1 : -1);
  return ok
    ? passes(`Take profit ${way} ${name}`)
    : breach(`A take profit must be ${way} ${name} (${reference.price}), else it fills at once.`);
}

/** Returns an order's decimal with the decimals seen of it; null where it has none or they are unknown. */
function decimalsSeen({ request, contract }: RuleInput, target: 'quantity' | 'price') {
  const text = request[target];
  const decimals = contract?.specs[`${target}Decimals` as const] ?? null;
  return text === undefined || decimals === null ? null : { text, decimals };
}

/** Compares decimals with those seen, which are a lower bound: the exchange may allow a finer step. */
const decimalsSeenOf =
  (target: 'quantity' | 'price', name: string) =>
  (order: RuleInput): Finding | null => {
    const seen = decimalsSeen(order, target);
    if (seen === null || decimalsOf(significantPart(seen.text)) <= seen.decimals) return null;
    const cut = printFixed(amount(seen.text), seen.decimals, 'down');
    return breach(
      `${name} ${seen.text} has more decimals than were seen in ${order.request.symbolId} (${String(seen.decimals)}); the exchange may reject it.`,
      isPositive(amount(cut)) ? use(target, cut) : undefined,
    );
  };
export const quantityDecimals = decimalsSeenOf('quantity', 'Quantity');
export const priceDecimals = decimalsSeenOf('price', 'Price');

export function decimalsKnown(order: RuleInput): Finding | null {
  if (order.contract === null || quantityDecimals(order) !== null || priceDecimals(order) !== null)
    return null;
  const unseen = (['quantity', 'price'] as const).filter(
    (target) => order.request[target] !== undefined && decimalsSeen(order, target) === null,
  );
  return unseen.length === 0
    ? passes('Price and quantity decimals')
    : unchecked(`Decimals of ${unseen.join(' and ')} are not known for ${order.request.symbolId} yet`);
}

/** Removes trailing zeros: `0.8500` fits two decimals. */
const significantPart = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const isReverse = ({ request }: Pick<RuleInput, 'request'>): boolean =>
  request.reverseOrder === true && request.reduceOnly !== true;

/** Requires the meaning of a reverse order's quantity, which the exchange API does not define. */
export const reverseDefined = (order: RuleInput): Finding | null =>
  isReverse(order) && order.context.kind === 'live' && order.context.reverseQuantity === 'unset'
    ? breach(
        'Reverse is off: the exchange API does not define the quantity of a reverse order.',
        'Ask the exchange, then set it in Settings › Connections.',
      )
    : null;

export const reverseAtMarket = ({ request, context }: RuleInput): Finding | null =>
  isReverse({ request }) && context.kind === 'practice' && request.type !== 'MARKET'
    ? breach('The practice exchange reverses by market orders only.', 'Choose Market.')
    : null;

/** Reports whether it is a reverse order whose position is worth looking for. */
const mayReverse = (order: RuleInput): boolean =>
  isReverse(order) && reverseDefined(order) === null && reverseAtMarket(order) === null;

export function positionToReverse(order: RuleInput): Finding | null {
  const { request, context, contract } = order;
  if (contract === null || !mayReverse(order)) return null;
  if (context.account === null)
    return unchecked('Position data is out of date, so the position to reverse is unknown.');
  if (closablePosition(contract, request.side, true) === null)
    return breach('There is no position on the other side to reverse.');
  return reversesOneLeg(order) === null ? passes('Position to reverse') : null;
}

export function reversesOneLeg(order: RuleInput): Finding | null {
  const { request, contract } = order;
  if (contract === null || !mayReverse(order)) return null;
  const both =
    closablePosition(contract, request.side, true) !== null &&
    contract.positions.some((one) => one.side === request.side);
  const text =
    'Both legs are open. The exchange API does not define what a reverse order does to the leg on its own side.';
  return both ? breach(text) : null;
}

/** Returns the position a reduce-only order closes; null for any other order, or if there is none or it is unknown. */
function reduced({ request, contract }: RuleInput): Position | null {
  if (request.reduceOnly !== true || contract === null) return null;
  return closablePosition(contract, request.side, true);
}

/** The exchange closes the whole position without a quantity, so an unread one is no obstacle. */
const closesUnread = (order: RuleInput, position: Position): boolean =>
  order.request.quantity === undefined && position.quantity === null;

export function positionToReduce(order: RuleInput): Finding | null {
  const { request, context, contract } = order;
  if (contract === null || request.reduceOnly !== true) return null;
  if (context.account === null)
    return unchecked('Position data is out of date, so the position to close is unknown.');
  const position = reduced(order);
  if (position === null) {
    const side = request.side === 'BUY' ? 'short' : 'long';
    return breach(`There is no ${side} ${request.symbolId} position to reduce.`);
  }
  return closesUnread(order, position) ? passes('Position to close') : null;
}

export function positionCovers(order: RuleInput): Finding | null {
  const position = reduced(order);
  if (position === null || closesUnread(order, position)) return null;
  const { quantity } = order.request;
  const size = figureOf(position, 'quantity');
  if (size.value === null) return breach(`${size.reason}. Close all of it instead.`);
  if (quantity === undefined || !greater(amount(quantity), amount(size.value))) return null;
  const unit = order.contract?.coins.quantity ?? '';
  const message = `Quantity ${quantity} is more than the position’s ${size.value} ${unit}.`;
  return breach(message, use('quantity', size.value, unit));
}

const COVERED_BY = {
  resting: 'Resting reduce-only orders',
  rows: 'The reduce-only rows before it',
  both: 'Resting reduce-only orders and the rows before it',
} as const;

/** Counts what resting reduce-only orders, and the rows of a batch before this one, already close. */
export function restingLeave(order: RuleInput): Finding | null {
  const position = reduced(order);
  if (position === null || closesUnread(order, position) || positionCovers(order) !== null) return null;
  const { request, context, contract } = order;
  const resting = restingReductions(request.symbolId, request.side, context);
  const unread = resting.find((one) => one.quantity === null);
  if (unread !== undefined)
    return unchecked(
      `The quantity of resting reduce-only orders is unknown: ${figureOf(unread, 'quantity').reason ?? ''}.`,
    );
  const ahead = amount(context.reducedAhead ?? '0');
  const reserved = add(sum(resting.map((one) => amount(one.quantity ?? '0'))), ahead);
  const held = amount(position.quantity ?? '0');
  const asked = request.quantity === undefined ? held : amount(request.quantity);
  if (!isPositive(reserved) || !greater(add(asked, reserved), held))
    return passes('Position covers the quantity');
  const unit = contract?.coins.quantity ?? '';
  const by = COVERED_BY[isPositive(ahead) ? (resting.length > 0 ? 'both' : 'rows') : 'resting'];
  const message = `${by} already cover ${print(reserved)} of ${position.quantity ?? ''} ${unit}; the exchange may reject this one.`;
  const left = subtract(held, reserved);
  return breach(message, isPositive(left) ? use('quantity', print(left), unit) : undefined);
}
