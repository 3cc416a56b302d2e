/**
 * Computes quantities from a notional, a share of free margin, or a loss at the stop. Rounded down to the contract's
 * decimals, so an order never costs or risks more; `0` if less than one unit. Linear in base, inverse in quote units;
 * money in the margin coin. Throws DomainError.
 */
import type { Asset } from '../../exchange-api/account.ts';
import { givenAmount, decimal, DomainError, notNegative, positive } from '../numeric/decimal-input.ts';
import {
  absolute,
  add,
  type Amount,
  greater,
  isNegative,
  MAX_FRACTION_DIGITS,
  multiply,
  ONE,
  print,
  subtract,
  ZERO,
} from '../../amount.ts';
import { floorFraction, fraction, type Fraction } from '../numeric/fraction.ts';
import type { ContractSide, OrderSide } from '../../exchange-api/enums.ts';

/**
 * Returns the free margin: balance − locked − |crossProfitUnreal|, signed. The exchange API's `available` rises when
 * cross positions lose, so this is never above it. Throws DomainError. Source: docs/accounting.md, "Asset record".
 */
export function freeMargin(
  asset: Pick<Asset, 'coin' | 'balance' | 'locked' | 'crossProfitUnreal' | 'received'>,
): string {
  const free = subtract(givenAmount(asset, 'balance'), givenAmount(asset, 'locked'));
  return print(subtract(free, absolute(givenAmount(asset, 'crossProfitUnreal'))));
}

/**
 * Returns the quantity with a value of at most `notional` (≥ 0, margin coin) at `price`, the inverse of positionValue.
 */
export function quantityForNotional(input: {
  contractSide: ContractSide;
  notional: string;
  price: string;
  decimals: number;
}): string {
  const value = notNegative('notional', input.notional);
  const price = positive('price', input.price);
  return floored(input, price, fraction(value, ONE));
}

/**
 * Returns the quantity whose initial margin and opening fee use at most `share` (0 to 1) of `freeMargin` (signed, margin
 * coin): value × (1/leverage + feeRate) ≤ share × freeMargin. Source: docs/accounting.md, `remainingLocked` = initial
 * margin + taker fee.
 */
export function quantityForShare(input: {
  contractSide: ContractSide;
  freeMargin: string;
  share: string;
  leverage: string;
  price: string;
  feeRate: string;
  decimals: number;
}): string {
  const share = notNegative('share', input.share);
  if (greater(share, ONE)) throw new DomainError('share', input.share, 'must not be above 1');
  const leverage = positive('leverage', input.leverage);
  const price = positive('price', input.price);
  const budget = multiply(decimal('freeMargin', input.freeMargin), share);
  const feeRate = notNegative('feeRate', input.feeRate);
  const value = fraction(
    isNegative(budget) ? ZERO : multiply(budget, leverage),
    add(ONE, multiply(feeRate, leverage)),
  );
  return floored(input, price, value);
}

/**
 * Returns the quantity that loses at most `risk` (≥ 0, margin coin) between entry and stop, with `feeRate` paid at
 * both. Linear: risk / (|entry − stop| + feeRate × (entry + stop)); inverse: that × entry × stop. The stop must be on
 * the losing side. Source: inverse of pnl.ts.
 */
export function quantityForRisk(input: {
  contractSide: ContractSide;
  side: OrderSide;
  risk: string;
  entryPrice: string;
  stopPrice: string;
  feeRate: string;
  decimals: number;
}): string {
  const risk = notNegative('risk', input.risk);
  const entry = positive('entryPrice', input.entryPrice);
  const stop = positive('stopPrice', input.stopPrice);
  const distance = input.side === 'BUY' ? subtract(entry, stop) : subtract(stop, entry);
  if (!greater(distance, ZERO)) {
    const required = input.side === 'BUY' ? 'below' : 'above';
    throw new DomainError('stopPrice', input.stopPrice, `must be ${required} the entry ${print(entry)}`);
  }
  const loss = add(distance, multiply(notNegative('feeRate', input.feeRate), add(entry, stop)));
  const scale = input.contractSide === 'FORWARD' ? ONE : multiply(entry, stop);
  return print(floorFraction(fraction(multiply(risk, scale), loss), checkedDecimals(input.decimals)));
}

/** Returns the quantity of a position value at a price, rounded down. */
function floored(
  { contractSide, decimals }: { contractSide: ContractSide; decimals: number },
  price: Amount,
  { numerator, denominator }: Fraction,
): string {
  const quantity =
    contractSide === 'FORWARD'
      ? fraction(numerator, multiply(denominator, price))
      : fraction(multiply(numerator, price), denominator);
  return print(floorFraction(quantity, checkedDecimals(decimals)));
}

function checkedDecimals(decimals: number): number {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_FRACTION_DIGITS) return decimals;
  throw new DomainError(
    'decimals',
    String(decimals),
    `must be a whole number from 0 to ${MAX_FRACTION_DIGITS}`,
  );
}
