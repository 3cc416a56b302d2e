/** Lengths of bars, for pixels only. */
import {
  absolute,
  add,
  type Amount,
  calculated,
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

/** How bars above and below zero share the height of a plot. */
export interface BarScale {
  /** The largest gain and the largest loss, both 0 or above. */
  readonly gain: Amount;
  readonly loss: Amount;
  /** Where zero is, from the top, as a share of the height. */
  readonly zero: number;
  /** Of each value, as a share of the height. */
  readonly heights: readonly number[];
}
/** Gives gains and losses the space they need of one scale, so that neither side is left empty. */
export function barScale(values: readonly string[]): BarScale {
  const amounts = values.map(calculated);
  const gain = amounts.reduce(larger, ZERO);
  const loss = absolute(amounts.reduce(smaller, ZERO));
  const span = add(gain, loss);
  const share = (one: Amount): number => (isPositive(span) ? toPixels(divide(one, span)) : 0);
  return {
    gain,
    loss,
    zero: isPositive(span) ? share(gain) : 0.5,
    heights: amounts.map((one) => share(absolute(one))),
  };
}

/** Returns each as a share of the largest, 0…1. */
export function heightsOf(values: readonly string[]): number[] {
  const largest = values.reduce((most, one) => larger(most, absolute(calculated(one))), ZERO);
  return values.map((one) =>
    isPositive(largest) ? toPixels(divide(absolute(calculated(one)), largest)) : 0,
  );
}
