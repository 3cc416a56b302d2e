/** Converts the typed size to the order's quantity, rounded down to the contract's decimals. */
import {
  add,
  type Amount,
  amount,
  calculated,
  decimalsOf,
  divide,
  equal,
  greater,
  isPositive,
  isUnsignedDecimal,
  MAX_FRACTION_DIGITS,
  multiply,
  print,
  round,
  sendable,
  subtract,
} from '../../amount.ts';
import { attempt, DomainError, given, givenAmount, positive } from '../numeric/decimal-input.ts';
import {
  closablePosition,
  type DraftField,
  type KnownContract,
  type Suggestion,
} from '../instrument/trading-context.ts';
import { use } from './check.ts';
import { freeMargin, quantityForNotional, quantityForRisk, quantityForShare } from './sizing.ts';
import { lastPlace } from '../numeric/fraction.ts';
import type { OrderSide } from '../../exchange-api/enums.ts';

/** What a size is typed in, in the order the ticket lists them. */
export const SIZE_NAMES = {
  quantity: 'Quantity',
  notional: 'Notional',
  equity: 'Times equity',
  share: 'Share',
  risk: 'Risk',
} as const;
export type SizeMode = keyof typeof SIZE_NAMES;
export const SIZE_MODES = Object.keys(SIZE_NAMES) as readonly SizeMode[];

/** The quantity, and its value before rounding down if that changed it. */
export interface SizedQuantity {
  readonly quantity: string;
  readonly roundedFrom: string | null;
  readonly decimals: number | null;
}

export type SizeResult =
  | { readonly ok: true; readonly size: SizedQuantity }
  | { readonly ok: false; readonly field: DraftField; readonly message: string; readonly missing: boolean };

export interface SizeQuestion {
  readonly contract: KnownContract;
  readonly mode: SizeMode;
  /** A plain decimal above 0: quantity, notional, times the equity, percent or loss, by mode. */
  readonly typed: string;
  readonly side: OrderSide;
  readonly reduceOnly: boolean;
  readonly limit: boolean;
  readonly entryPrice: string | null;
  readonly stopPrice: string | null;
}

const HUNDRED = amount('100');
/** Additional decimals shown of the quantity before rounding. */
const MORE = 2;

const no = (field: DraftField, message: string, missing = false): SizeResult => ({
  ok: false,
  field,
  message,
  missing,
});

/** Returns the order's quantity, or why there is none. */
export function sizeOf(question: SizeQuestion): SizeResult {
  const { contract, mode, typed } = question;
  const decimals = contract.specs.quantityDecimals;
  if (mode === 'quantity') return { ok: true, size: { quantity: typed, roundedFrom: null, decimals } };
  if (mode === 'share' && greater(amount(typed), HUNDRED)) {
    return no('size', `Share ${typed}% must not be above 100%.`);
  }
  if (decimals === null) {
    return no(
      'size',
      `The quantity decimals of ${contract.config.symbolId} are not known yet. Size by quantity.`,
    );
  }
  if (mode === 'share' && question.reduceOnly) return shareOfPosition(question, decimals);
  if (question.entryPrice === null) {
    return question.limit
      ? no('price', 'Price is missing.', true)
      : no('reference', 'No price is known. Enter a reference price, or size by quantity.', true);
  }
  if (mode === 'risk' && question.stopPrice === null) {
    return no('slPrice', 'Size by risk needs a stop loss: turn on TP/SL and enter one.', true);
  }
  return rounded(question, decimals, (digits) => quantityBy(question, question.entryPrice ?? '', digits));
}

/** Decimals of a converted size, fewest first: money and percent are typed with few. */
const TYPED_DECIMALS = [2, 4, 6, 8, 12, MAX_FRACTION_DIGITS];

/**
 * Returns the text to type in `question.mode` for an order of `quantity`, truncated to the contract's step; null if no
 * number gives it (no price, no stop, no free margin, an unreadable value). Verified with `sizeOf`, so switching the
 * mode never changes the order.
 */
export function typedFor(quantity: string, question: Omit<SizeQuestion, 'typed'>): string | null {
  const decimals = question.contract.specs.quantityDecimals;
  const wanted = decimals === null ? amount(quantity) : round(amount(quantity), decimals, 'down');
  if (!isPositive(wanted)) return null;
  if (question.mode === 'quantity') return print(wanted);
  // An unreadable account value has no result.
  const reply = attempt(() => sizeBehind(wanted, question));
  const exact = reply.ok ? reply.value : null;
  if (exact === null) return null;
  for (const digits of TYPED_DECIMALS) {
    const typed = print(round(exact, digits, 'ceil'));
    if (!isUnsignedDecimal(typed) || !isPositive(amount(typed))) continue;
    const sized = sizeOf({ ...question, typed });
    if (sized.ok && equal(amount(sized.size.quantity), wanted)) return typed;
  }
  return null;
}

/** Returns the unrounded size of a quantity in a mode, the inverse of `sizing.ts`. */
function sizeBehind(quantity: Amount, question: Omit<SizeQuestion, 'typed'>): Amount | null {
  const { contract, mode, side } = question;
  if (mode === 'share' && question.reduceOnly) {
    const position = closablePosition(contract, side, true);
    return position === null ? null : divide(multiply(quantity, HUNDRED), givenAmount(position, 'quantity'));
  }
  if (question.entryPrice === null) return null;
  const entry = calculated(priceOfOne(contract, question.entryPrice));
  const inverse = contract.side === 'REVERSE';
  const value = inverse ? divide(quantity, entry) : multiply(quantity, entry);
  const feeRate = amount(feeFloor(contract.specs.feeRateTaker));
  if (mode === 'notional') return value;
  if (mode === 'equity') {
    const equity = equityOf(contract);
    return equity === null ? null : divide(value, equity);
  }
  if (mode === 'share') {
    const free = contract.asset === null ? null : calculated(freeMargin(contract.asset));
    if (free === null || !isPositive(free)) return null;
    const needed = add(divide(value, positive('leverage', contract.leverage)), multiply(value, feeRate));
    return divide(multiply(needed, HUNDRED), free);
  }
  if (question.stopPrice === null) return null;
  const stop = calculated(priceOfOne(contract, question.stopPrice));
  const distance = side === 'BUY' ? subtract(entry, stop) : subtract(stop, entry);
  if (!isPositive(distance)) return null;
  const loss = multiply(quantity, add(distance, multiply(feeRate, add(entry, stop))));
  return inverse ? divide(loss, multiply(entry, stop)) : loss;
}

/** Returns the equity of the contract's margin coin; null unless above 0. Throws DomainError. */
function equityOf({ asset }: KnownContract): Amount | null {
  const equity = asset === null ? null : givenAmount(asset, 'equities');
  return equity !== null && isPositive(equity) ? equity : null;
}

/** Returns the notional of `quantity` and its multiple of equity, as sizes are computed; null if unknown. */
export function equivalents(
  quantity: string,
  question: Omit<SizeQuestion, 'typed' | 'mode'>,
): { readonly notional: string | null; readonly timesEquity: string | null } {
  const figure = (mode: SizeMode): string | null => {
    const found = attempt(() => sizeBehind(amount(quantity), { ...question, mode }));
    return found.ok && found.value !== null ? print(found.value) : null;
  };
  return { notional: figure('notional'), timesEquity: figure('equity') };
}

function quantityBy(question: SizeQuestion, entryPrice: string, decimals: number): string | null {
  const { contract, typed, side } = question;
  const contractSide = contract.side;
  const price = priceOfOne(contract, entryPrice);
  const feeRate = feeFloor(contract.specs.feeRateTaker);
  if (question.mode === 'notional') {
    return quantityForNotional({ contractSide, notional: typed, price, decimals });
  }
  if (question.mode === 'equity') {
    const equity = equityOf(contract);
    if (equity === null) return null;
    const notional = print(multiply(equity, amount(typed)));
    return quantityForNotional({ contractSide, notional, price, decimals });
  }
  if (question.mode === 'risk') {
    const stopPrice = priceOfOne(contract, question.stopPrice ?? '');
    return quantityForRisk({
      contractSide,
      side,
      risk: typed,
      entryPrice: price,
      stopPrice,
      feeRate,
      decimals,
    });
  }
  if (contract.asset === null) return null;
  return quantityForShare({
    contractSide,
    freeMargin: freeMargin(contract.asset),
    share: print(divide(amount(typed), HUNDRED)),
    leverage: contract.leverage,
    price,
    feeRate,
    decimals,
  });
}

/**
 * Returns the price of one unit of quantity. With a multiplier m, value = quantity × (m × price), inverse: quantity /
 * (price / m).
 */
export function priceOfOne(contract: KnownContract, price: string): string {
  const { multiplier } = contract.specs;
  if (multiplier === null || multiplier === '1') return price;
  const scale = contract.side === 'FORWARD' ? multiply : divide;
  return print(scale(calculated(price), calculated(multiplier)));
}

/** Suggests the quantity with a value of at most `notional`, if there is one above 0 and its decimals are known. */
export function useWorth(contract: KnownContract, notional: Amount, price: string): Suggestion | undefined {
  const decimals = contract.specs.quantityDecimals;
  if (decimals === null || !isPositive(notional)) return undefined;
  const quantity = quantityForNotional({
    contractSide: contract.side,
    notional: print(notional),
    price: priceOfOne(contract, price),
    decimals,
  });
  return isPositive(amount(quantity)) ? use('quantity', quantity, contract.coins.quantity) : undefined;
}

/** Treats a rebate as zero when sizing, and an unknown rate too, which the preview shows. */
export const feeFloor = (taker: string | null): string =>
  taker === null || taker.startsWith('-') ? '0' : taker;

function shareOfPosition(question: SizeQuestion, decimals: number): SizeResult {
  const position = closablePosition(question.contract, question.side, true);
  if (position === null) {
    return no('reduceOnly', 'There is no position on the other side to take a share of.');
  }
  return rounded(question, decimals, (digits) =>
    shareOf(given(position, 'quantity'), question.typed, digits),
  );
}

/** Returns `percent` of a quantity, rounded down to `decimals`; 100 percent is all of it, whatever its decimals. */
export function shareOf(quantity: string, percent: string, decimals: number): string {
  // The exchange may pad its values beyond what can be sent.
  if (!greater(HUNDRED, amount(percent))) return sendable(quantity) ?? quantity;
  return print(round(divide(multiply(amount(quantity), amount(percent)), HUNDRED), decimals, 'down'));
}

function rounded(
  question: SizeQuestion,
  decimals: number,
  quantityAt: (decimals: number) => string | null,
): SizeResult {
  try {
    const quantity = quantityAt(decimals);
    const { margin, quantity: unitName } = question.contract.coins;
    if (quantity === null) {
      const what = question.mode === 'equity' ? `no ${margin} equity above 0` : `no ${margin} balance known`;
      return no('size', `There is ${what}. Size by quantity.`);
    }
    if (!isUnsignedDecimal(quantity))
      return no('size', `${SIZE_NAMES[question.mode]} ${question.typed} is too large. Lower it.`);
    const finer = quantityAt(Math.min(decimals + MORE, MAX_FRACTION_DIGITS)) ?? quantity;
    if (!isPositive(amount(quantity))) {
      return no(
        'size',
        `${SIZE_NAMES[question.mode]} ${question.typed} is less than ${print(lastPlace(decimals))} ${unitName}, ` +
          'the smallest step seen. Raise it, or size by quantity.',
      );
    }
    const padded = decimalsOf(quantity) < decimals ? pad(quantity, decimals) : quantity;
    return {
      ok: true,
      size: {
        quantity: padded,
        roundedFrom: greater(calculated(finer), amount(quantity)) ? finer : null,
        decimals,
      },
    };
  } catch (error) {
    // The formulas reject a stop on the wrong side of the entry, which the fields allow.
    if (error instanceof DomainError && error.field === 'stopPrice') {
      const [way, side] = question.side === 'BUY' ? ['below', 'buy'] : ['above', 'sell'];
      return no(
        'slPrice',
        `Stop loss ${question.stopPrice ?? error.value} must be ${way} the entry price of a ${side}.`,
      );
    }
    // An exchange's record may have what no size can be calculated from, such as a leverage of 0.
    if (error instanceof DomainError) return no('size', `${error.message}.`);
    throw error;
  }
}

function pad(quantity: string, decimals: number): string {
  const zeros = '0'.repeat(decimals - decimalsOf(quantity));
  return quantity.includes('.') ? `${quantity}${zeros}` : `${quantity}.${zeros}`;
}
