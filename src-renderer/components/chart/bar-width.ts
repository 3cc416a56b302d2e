import { type Amount, larger, ONE, smaller, toPixels, ZERO } from '../../../src-shared/amount.ts';

/** Returns how much of a bar a share fills, in percent from 0 to 100. */
export const barWidth = (share: Amount): number => toPixels(larger(ZERO, smaller(ONE, share))) * 100;
