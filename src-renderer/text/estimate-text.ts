/**
 * Rounds Ballast's own figures for display, as they carry more digits than anyone reads; they are shown with ≈. Figures
 * of the exchange never pass through this file.
 */
import {
  absolute,
  amount,
  calculated,
  decimalsOf,
  less,
  multiply,
  ONE,
  print,
  printFixed,
  significant,
} from '../../src-shared/amount.ts';
import { plainNumber } from './number-text.ts';

/** Decimals of money in a contract's margin coin: quote coins are read in cents, also of an unknown side, coins in 1e-8. */
export const moneyDigits = (side: string | undefined): number => (side === 'REVERSE' ? 8 : 2);

/** The same of a margin coin. */
export const digitsOf = (coin: string): number => (/^USD/.test(coin) ? 2 : 8);

/** Rounded half up to `digits`; below 1 with 4 significant digits if those are more, so that a small fee is not 0.00. */
export function roundedMoney(value: string, digits: number): string {
  const exact = calculated(value);
  if (!less(absolute(exact), ONE) || digits > 4) return printFixed(exact, digits);
  const small = print(significant(exact, 4));
  if (small.length > 12) return printFixed(exact, 10);
  return decimalsOf(small) < digits ? printFixed(exact, digits) : small;
}

/** Money of a margin coin, rounded to its decimals. */
export const moneyIn = (value: string, coin: string): string => roundedMoney(value, digitsOf(coin));

/** A price at the contract's decimals; 6 significant digits where they are not known. */
export function roundedPrice(value: string, decimals: number | null): string {
  const exact = calculated(value);
  return decimals === null ? print(significant(exact, 6)) : printFixed(exact, decimals);
}

const HUNDRED = amount('100');

/** A share (`0.015`) as `1.50%`, with `digits` decimals. */
export const percentText = (share: string, digits = 2): string =>
  `${plainNumber(printFixed(multiply(calculated(share), HUNDRED), digits))}%`;
