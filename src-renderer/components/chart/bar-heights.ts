import { absolute, amount, divide, isPositive, larger, toPixels, ZERO } from '../../../src-shared/amount.ts';

/** Height of each as a share of the largest, 0…1, for pixels only. */
export function heightsOf(values: readonly string[]): number[] {
  const largest = values.reduce((most, one) => larger(most, absolute(amount(one))), ZERO);
  return values.map((one) => (isPositive(largest) ? toPixels(divide(absolute(amount(one)), largest)) : 0));
}
