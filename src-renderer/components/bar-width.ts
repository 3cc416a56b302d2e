import { type Amount, larger, ONE, smaller, toPixels, ZERO } from '../../src-shared/amount.ts';

/** How much of a bar a share fills, percent of its width: 0 to 100. */
export const barWidth = (share: Amount): number => toPixels(larger(ZERO, smaller(ONE, share))) * 100;
