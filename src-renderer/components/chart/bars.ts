/** Lengths of bars and the scale beside them, for pixels only. */
import {
  absolute,
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
import { valueAxis } from './chart-axis.ts';

/** Returns how much of a bar a share fills, in percent from 0 to 100. */
export const barWidth = (share: Amount): number => toPixels(larger(ZERO, smaller(ONE, share))) * 100;

/** How bars above and below zero share the height of a plot. */
export interface BarScale {
  /** Round ticks, with their distances from the top as shares of the height. */
  readonly ticks: readonly { readonly at: number; readonly label: string; readonly zero: boolean }[];
  /** Where zero is, from the top, as a share of the height. */
  readonly zero: number;
  /** Of each value, as a share of the height. */
  readonly heights: readonly number[];
}
/** Gives gains and losses the space they need of one scale, so that neither side is left empty. */
export function barScale(values: readonly string[]): BarScale {
  const lengths = values.map((one) => toPixels(calculated(one)));
  const [low, high] = [Math.min(0, ...lengths), Math.max(0, ...lengths)];
  if (low === high) return { ticks: [{ at: 0.5, label: '0', zero: true }], zero: 0.5, heights: lengths };
  const { min, max, ticks } = valueAxis(low, high, { signed: true });
  const share = (length: number): number => length / (max - min);
  return {
    ticks: ticks.map(({ value, label }) => {
      const zero = value === 0;
      return { at: share(max - value), label: zero ? '0' : label, zero };
    }),
    zero: share(max),
    heights: lengths.map((one) => share(Math.abs(one))),
  };
}

/** Returns each as a share of the largest, 0…1. */
export function heightsOf(values: readonly string[]): number[] {
  const largest = values.reduce((most, one) => larger(most, absolute(calculated(one))), ZERO);
  return values.map((one) =>
    isPositive(largest) ? toPixels(divide(absolute(calculated(one)), largest)) : 0,
  );
}
