/**
 * The person's fat-finger limits: hard stops, not clicks to dismiss. A limit that can't be measured because no
 * price is known, or only an old one, stops the order too: a stale price is refused rather than trusted.
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
} from '../amount.ts';
import type { OrderRequest } from '../interface/order-request.ts';
import { fail, type OrderCheck, pass, unsure, use, warn } from './order-check.ts';
import type { OrderLimits, Suggestion } from './order-context.ts';
import { deviationPercent } from './price-distance.ts';
import type { Reference } from './references.ts';
import { quantityForNotional } from './sizing.ts';
import type { ContractSide } from './margin.ts';

export interface LimitQuestion {
  readonly request: OrderRequest;
  readonly limits: OrderLimits;
  /** The price the order is judged by; null when none is known. */
  readonly reference: Reference | null;
  /** Value and initial margin of the order, margin coin; null when no price is known. */
  readonly notional: string | null;
  readonly initialMargin: string | null;
  /** Equity of the margin coin; null when not known. */
  readonly equity: string | null;
  readonly marginCoin: string;
  readonly contractSide: ContractSide;
  /** Price of one unit of quantity, and the contract's decimals, for suggestions. */
  readonly unitPrice: string | null;
  readonly quantityDecimals: number | null;
  readonly priceDecimals: number | null;
  /** This computer's clock, ms. */
  readonly now: number;
}

const HUNDRED = amount('100');

/** The checks of the limits that are set. Orders that only reduce are warned, never kept in a position. */
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
  // With no deviation limit a limit order's own price is enough.
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

/** The price at the limit, on the side of the one typed, rounded toward the reference. */
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
  if (notional === null)
    return unsure(check, "Your limit on the notional can't be checked: no price is known.");
  if (!greater(calculated(notional), amount(limit))) {
    return pass(check, `Notional within your limit of ${limit} ${marginCoin}`);
  }
  const message = `Notional ${short(calculated(notional))} ${marginCoin} is above your limit of ${limit} ${marginCoin}.`;
  return stop(check, message, sizedTo(question, amount(limit)));
}

function checkShare(question: LimitQuestion, limit: string): OrderCheck {
  const check = { id: 'limit-equity', code: null, field: 'size' } as const;
  const { initialMargin, equity, notional } = question;
  if (initialMargin === null || equity === null || notional === null) {
    return unsure(check, "Your limit on the share of equity can't be checked: price or equity is not known.");
  }
  if (initialMargin === '0') return pass(check, 'Takes no margin');
  const most = divide(multiply(amount(equity), amount(limit)), HUNDRED);
  const margin = calculated(initialMargin);
  if (!greater(margin, most)) return pass(check, `Margin within your limit of ${limit}% of equity`);
  const message = `Initial margin ${short(margin)} ${question.marginCoin} is above your limit of ${limit}% of equity.`;
  const affordable = isPositive(most) ? divide(multiply(calculated(notional), most), margin) : most;
  return fail(check, message, sizedTo(question, affordable));
}

/** The quantity worth at most `notional`, where price and decimals are known. */
function sizedTo(question: LimitQuestion, notional: Amount): Suggestion | undefined {
  const { contractSide, unitPrice: price, quantityDecimals: decimals } = question;
  if (price === null || decimals === null || !isPositive(notional)) return undefined;
  const quantity = quantityForNotional({ contractSide, notional: print(notional), price, decimals });
  return isPositive(amount(quantity)) ? use('quantity', quantity) : undefined;
}

/** For messages: 8 significant digits. */
const short = (value: Amount): string => print(significant(value, 8));
