/**
 * The user's fat-finger limits, which block instead of asking. A limit that cannot be checked, because a price is
 * unknown or stale, blocks too. Of a reduce-only order only the price is limited, so it can always close at market.
 */
import {
  add,
  amount,
  calculated,
  divide,
  greater,
  isPositive,
  less,
  multiply,
  print,
  printFixed,
  significant,
  subtract,
  type Amount,
} from '../../amount.ts';
import { agoText } from '../display/time-left.ts';
import { deviationPercent } from '../instrument/price-deviation.ts';
import { referenceOf, type Suggestion } from '../instrument/trading-context.ts';
import { use } from './check.ts';
import { type Figure, figureOf, known, unknown } from '../account/figure.ts';
import { breach, type Finding, passes, type RuleInput, unchecked } from './rule-input.ts';
import { UNREAD_CONTRACTS } from './position-rules.ts';
import type { OrderPreview } from './preview.ts';
import { useWorth } from './size.ts';

const HUNDRED = amount('100');

export function referenceFresh({ request, context: { limits, now, ...context } }: RuleInput): Finding | null {
  // Without a deviation limit a limit order's own price is enough.
  const needed = request.type === 'MARKET' || limits.priceDeviationPercent !== null;
  if (!needed) return null;
  const [reference] = context.references;
  if (reference === undefined) return breach('No price of this contract is known. Enter a reference price.');
  const seconds = Math.floor((now - reference.at) / 1000);
  const most = limits.referenceAgeSeconds;
  return seconds > most
    ? breach(
        `The reference price is ${agoText(seconds)} old; your limit is ${String(most)} s. Enter a reference price.`,
      )
    : passes(`Reference price not older than ${String(most)} s`);
}

export function deviationWithin(order: RuleInput): Finding | null {
  const { request, context } = order;
  const { price } = request;
  const limit = context.limits.priceDeviationPercent;
  const reference = referenceOf(context);
  if (limit === null || price === undefined || reference === null) return null;
  const deviation = deviationPercent(price, reference.price);
  if (!greater(calculated(deviation), amount(limit)))
    return passes(`Price within ${limit}% of the reference price`);
  const shown = printFixed(calculated(deviation), 2, 'ceil');
  return breach(
    `Price ${price} is ${shown}% from the reference price ${reference.price}; your limit is ${limit}% (Settings › Trading safety).`,
    nearest(order, price, { reference: reference.price, limit }),
  );
}

/** Returns the price at the limit, on the side of the typed one, rounded toward the reference. */
function nearest(
  { contract }: RuleInput,
  typed: string,
  { reference, limit }: { readonly reference: string; readonly limit: string },
): Suggestion | undefined {
  const decimals = contract?.specs.priceDecimals ?? null;
  if (decimals === null) return undefined;
  const base = amount(reference);
  const step = divide(multiply(base, amount(limit)), HUNDRED);
  const above = greater(amount(typed), base);
  const price = above ? add(base, step) : subtract(base, step);
  return use('price', printFixed(price, decimals, above ? 'floor' : 'ceil'));
}

export function notionalWithin(order: RuleInput): Finding | null {
  const limit = order.context.limits.notional;
  if (limit === null) return null;
  const notional = measured(order, (preview) => preview.notional);
  if (notional.value === null) return unmeasured(order, 'on the notional', notional.reason);
  const coin = coinOf(order);
  if (!greater(calculated(notional.value), amount(limit)))
    return passes(`Notional within your limit of ${limit} ${coin}`);
  return breach(
    `Notional ${short(calculated(notional.value))} ${coin} is above your limit of ${limit} ${coin}.`,
    sizedTo(order, amount(limit)),
  );
}

export function shareWithin(order: RuleInput): Finding | null {
  const limit = order.context.limits.equitySharePercent;
  if (limit === null) return null;
  const initialMargin = marginOf(order);
  if (initialMargin.value === '0') return passes('Needs no margin');
  const equity = equityOf(order);
  const notional = measured(order, (preview) => preview.notional);
  if (initialMargin.value === null || equity.value === null || notional.value === null) {
    const missing = [initialMargin, equity, notional].find((one) => one.value === null)?.reason;
    return unmeasured(order, 'on the share of equity', missing ?? '');
  }
  const most = divide(multiply(amount(equity.value), amount(limit)), HUNDRED);
  const margin = calculated(initialMargin.value);
  const { leverage = '', leverageFrom: from = '' } = order.contract ?? {};
  const within = `Margin within your limit of ${limit}% of equity`;
  if (!greater(margin, most))
    return order.isLeverageAssumed || from === 'other leg'
      ? unchecked(`${within} at ${leverage}× (${from}); yours is unknown`)
      : passes(within);
  const affordable = isPositive(most) ? divide(multiply(calculated(notional.value), most), margin) : most;
  return breach(
    `Initial margin ${short(margin)} ${coinOf(order)} is above your limit of ${limit}% of equity.`,
    sizedTo(order, affordable),
  );
}

const MOST_POSITIONS = amount('10');
const MOST_EQUITIES = amount('5');

/** Warns, without any limit of the user, where the size looks like a slipped digit. */
export function sizeUsual(order: RuleInput): Finding | null {
  const { preview, request } = order;
  if (preview === null || preview.effect.opened === '0') return null;
  const coin = coinOf(order);
  const equity = equityOf(order).value;
  const unusual = unusualSize(preview.notional, { position: preview.before?.value ?? null, equity, coin });
  if (unusual === null) return null;
  const cap = request.type === 'MARKET' ? ' A limit order would cap the price.' : '';
  return breach(
    `Notional ${short(calculated(preview.notional))} ${coin} is ${unusual}. Check the size.${cap}`,
  );
}

/** Returns how many times the position or the coin's equity a value is; null if that is not unusual. */
export function unusualSize(
  notional: string,
  of: { readonly position: string | null; readonly equity: string | null; readonly coin: string },
): string | null {
  const times = (base: string | null, most: Amount, name: string): string[] => {
    if (base === null || !isPositive(calculated(base))) return [];
    const found = divide(calculated(notional), calculated(base));
    return less(found, most) ? [] : [`${printFixed(found, 1, 'down')}× ${name}`];
  };
  const unusual = [
    ...times(of.position, MOST_POSITIONS, 'your position'),
    ...times(of.equity, MOST_EQUITIES, `your ${of.coin} equity`),
  ];
  return unusual.join(' and ') || null;
}

/** Returns why nothing of the order can be measured; null if it can. */
function unread({ context, contract, result }: RuleInput): string | null {
  if (contract === null) return UNREAD_CONTRACTS;
  if (context.account === null) return 'The account data is out of date.';
  return result.ok ? null : result.reason;
}

/** Returns a value of the preview, or what is missing. */
function measured(order: RuleInput, of: (preview: OrderPreview) => string): Figure {
  const missing = unread(order);
  return missing === null && order.preview !== null ? known(of(order.preview)) : unknown(missing ?? '');
}

function marginOf(order: RuleInput): Figure {
  const margin = measured(order, (preview) => preview.initialMargin);
  // Where no position of the leg shows it, a resting order may.
  const leverageUnread =
    order.contract !== null &&
    order.contract.leverageFrom !== 'position' &&
    order.context.openOrders === null;
  return margin.value !== null && margin.value !== '0' && leverageUnread
    ? unknown('Open orders have not been read yet; their leverage may differ.')
    : margin;
}

function equityOf(order: RuleInput): Figure {
  const asset = order.contract?.asset ?? null;
  return asset === null ? unknown(`The account lists no ${coinOf(order)}.`) : figureOf(asset, 'equities');
}

const coinOf = ({ contract }: RuleInput): string => contract?.coins.margin ?? '';

/** Blocks an opening order for a limit that cannot be measured; an order that only reduces passes. */
function unmeasured({ request }: RuleInput, which: string, missing: string): Finding {
  const message = `Your limit ${which} cannot be checked. ${missing}`;
  return request.reduceOnly === true
    ? unchecked(message)
    : breach(message, 'Wait until it is read, or turn the limit off in Settings › Trading safety.');
}

const sizedTo = ({ preview }: RuleInput, notional: Amount): Suggestion | undefined =>
  preview === null ? undefined : useWorth(preview.contract, notional, preview.price);

/** Rounds to 8 significant digits for messages. */
const short = (value: Amount): string => print(significant(value, 8));
