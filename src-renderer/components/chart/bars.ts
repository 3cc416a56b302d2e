/** Lengths of bars, for pixels only. */
import {
  absolute,
  type Amount,
  amount,
  divide,
  isPositive,
  larger,
  ONE,
  smaller,
  toPixels,
  ZERO,
} from '../../../src-shared/amount.ts';

/** Returns how much of a bar a share fills, in percent from 0 to 100. */
export const barWidth = (share: Amount): number => toPixels(larger(ZERO, smaller(ONE, share))) * 100;

/** Returns each as a share of the largest, 0…1. */
export function heightsOf(values: readonly string[]): number[] {
  const largest = values.reduce((most, one) => larger(most, absolute(amount(one))), ZERO);
  return values.map((one) => (isPositive(largest) ? toPixels(divide(absolute(amount(one)), largest)) : 0));
}
