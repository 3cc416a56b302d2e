/**
 * Checks the user's fat-finger limits, which block instead of asking. A limit that cannot be measured, because the
 * price is unknown or stale, blocks too.
 */
import {
  add,
  amount,
  calculated,
  divide,
  greater,
  isPositive,
  multiply,
  print,
  printFixed,
  significant,
  subtract,
  type Amount,
} from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { fail, type OrderCheck, pass, unsure, use, warn } from './check.ts';
import type { OrderLimits, Suggestion } from '../instrument/trading-context.ts';
import type { Figure } from './figure.ts';
import { deviationPercent } from '../instrument/price-deviation.ts';
import type { Reference } from '../instrument/reference-prices.ts';
import { quantityForNotional } from './sizing.ts';
import type { ContractSide } from '../margin/margin.ts';

export interface LimitQuestion {
  readonly request: OrderRequest;
  readonly limits: OrderLimits;
  /** The reference price; null if none is known. */
  readonly reference: Reference | null;
  /** Order value, initial margin and equity in the margin coin, or what is missing. */
  readonly notional: Figure;
  readonly initialMargin: Figure;
  readonly equity: Figure;
  readonly marginCoin: string;
  /** Null until the contract is known. */
  readonly contractSide: ContractSide | null;
  /** Price of one unit of quantity and the contract's decimals, for suggestions. */
  readonly unitPrice: string | null;
  readonly quantityDecimals: number | null;
  readonly priceDecimals: number | null;
  /** This computer's clock, ms. */
  readonly now: number;
}

const HUNDRED = amount('100');

/** Checks the limits that are set. Orders that only reduce get a warning, so a limit never keeps a position open. */
export function checkLimits(question: LimitQuestion): OrderCheck[] {
  const { limits } = question;
  return [
    ...checkReference(question),
    ...(limits.priceDeviationPercent === null ? [] : checkDeviation(question, limits.priceDeviationPercent)),
    ...(limits.notional === null ? [] : [checkNotional(question, limits.notional)]),
    ...(limits.equitySharePercent === null ? [] : [checkShare(question, limits.equitySharePercent)]),
  ];
}

const REFERENCE = { id: 'limit-reference', code: null, field: 'reference' } as const;

function checkReference({ request, limits, reference, now }: LimitQuestion): OrderCheck[] {
  // Without a deviation limit a limit order's own price is enough.
  const needed = request.type === 'MARKET' || limits.priceDeviationPercent !== null;
  if (!needed) return [];
  const stop = request.reduceOnly === true ? warn : fail;
  if (reference === null) {
    return [stop(REFERENCE, 'No price of this contract is known. Enter a reference price.')];
  }
  const seconds = Math.floor((now - reference.at) / 1000);
  const most = limits.referenceAgeSeconds;
  if (seconds > most) {
    const message =
      `The reference price is ${String(seconds)} s old; your limit is ${String(most)} s. ` +
      'Enter a reference price.';
    return [stop(REFERENCE, message)];
  }
  return [pass(REFERENCE, `Reference price not older than ${String(most)} s`)];
}

function checkDeviation(question: LimitQuestion, limit: string): OrderCheck[] {
  const { request, reference } = question;
  if (request.price === undefined || reference === null) return [];
  const check = { id: 'limit-deviation', code: null, field: 'price' } as const;
  const deviation = deviationPercent(request.price, reference.price);
  if (!greater(calculated(deviation), amount(limit))) {
    return [pass(check, `Price within ${limit}% of the reference price`)];
  }
  const shown = printFixed(calculated(deviation), 2, 'ceil');
  const message = `Price ${request.price} is ${shown}% from the reference price ${reference.price}; your limit is ${limit}%.`;
  return [fail(check, message, nearest(question, reference.price, limit))];
}

/** Returns the price at the limit, on the side of the typed one, rounded toward the reference. */
function nearest(question: LimitQuestion, reference: string, limit: string): Suggestion | undefined {
  const { request, priceDecimals } = question;
  if (priceDecimals === null || request.price === undefined) return undefined;
  const base = amount(reference);
  const step = divide(multiply(base, amount(limit)), HUNDRED);
  const above = greater(amount(request.price), base);
  const price = above ? add(base, step) : subtract(base, step);
  if (!isPositive(price)) return undefined;
  return use('price', printFixed(price, priceDecimals, above ? 'floor' : 'ceil'));
}

function checkNotional(question: LimitQuestion, limit: string): OrderCheck {
  const check = { id: 'limit-notional', code: null, field: 'size' } as const;
  const { notional, marginCoin, request } = question;
  const stop = request.reduceOnly === true ? warn : fail;
  if (notional.value === null) return unmeasured(question, check, 'on the notional', notional.reason);
  if (!greater(calculated(notional.value), amount(limit))) {
    return pass(check, `Notional within your limit of ${limit} ${marginCoin}`);
  }
  const message = `Notional ${short(calculated(notional.value))} ${marginCoin} is above your limit of ${limit} ${marginCoin}.`;
  return stop(check, message, sizedTo(question, amount(limit)));
}

function checkShare(question: LimitQuestion, limit: string): OrderCheck {
  const check = { id: 'limit-equity', code: null, field: 'size' } as const;
  const { initialMargin, equity, notional } = question;
  if (initialMargin.value === '0') return pass(check, 'Takes no margin');
  const missing = [initialMargin, equity, notional].find((one) => one.value === null)?.reason;
  if (initialMargin.value === null || equity.value === null || notional.value === null)
    return unmeasured(question, check, 'on the share of equity', missing ?? '');
  const most = divide(multiply(amount(equity.value), amount(limit)), HUNDRED);
  const margin = calculated(initialMargin.value);
  if (!greater(margin, most)) return pass(check, `Margin within your limit of ${limit}% of equity`);
  const message = `Initial margin ${short(margin)} ${question.marginCoin} is above your limit of ${limit}% of equity.`;
  const affordable = isPositive(most) ? divide(multiply(calculated(notional.value), most), margin) : most;
  return fail(check, message, sizedTo(question, affordable));
}

/** Blocks an opening order for a limit that cannot be measured; an order that only reduces passes. */
function unmeasured(
  { request }: LimitQuestion,
  check: Parameters<typeof fail>[0],
  which: string,
  missing: string,
): OrderCheck {
  const message = `Your limit ${which} cannot be checked. ${missing}`;
  if (request.reduceOnly === true) return unsure(check, message);
  return {
    ...fail(check, message),
    next: 'Wait until it is read, or turn the limit off under Settings › Safety.',
  };
}

/** Returns the quantity with a value of at most `notional`, if price and decimals are known. */
function sizedTo(question: LimitQuestion, notional: Amount): Suggestion | undefined {
  const { contractSide, unitPrice: price, quantityDecimals: decimals } = question;
  if (contractSide === null || price === null || decimals === null || !isPositive(notional)) return undefined;
  const quantity = quantityForNotional({ contractSide, notional: print(notional), price, decimals });
  return isPositive(amount(quantity)) ? use('quantity', quantity) : undefined;
}

/** Rounds to 8 significant digits for messages. */
const short = (value: Amount): string => print(significant(value, 8));
