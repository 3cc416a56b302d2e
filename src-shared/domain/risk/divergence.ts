/** Finds a position's reported values that differ from the estimate by more than the user's limit. */
import {
  absolute,
  amount,
  calculated,
  divide,
  isZero,
  multiply,
  print,
  round,
  subtract,
} from '../../amount.ts';
import { diverges, type Match, type PositionFit, type Reading } from './convention-fit.ts';
import type { Convention } from '../margin/margin.ts';

export interface Divergence {
  readonly name: 'liquidation' | 'maintenance';
  readonly label: string;
  readonly reported: string;
  /** Null if the estimate has no such price. */
  readonly estimate: string | null;
  /** Percent of the reported value, signed; null without an estimate or for a reported 0. */
  readonly percent: string | null;
}

/** The reading of the tiers in use. */
export interface ReadingInUse {
  readonly convention: Convention;
  readonly closingFee: boolean;
}

const PERCENT_DECIMALS = 4;

/**
 * Returns liquidation price and maintenance margin where the reading in use differs by more than the last decimal and
 * `limitPercent`. Prices in quote units, margins in the margin coin. Empty if nothing could be tried. Source: the
 * trials of convention-fit.ts.
 */
export function divergencesOf(
  fit: PositionFit,
  { convention, closingFee }: ReadingInUse,
  limitPercent: string,
): Divergence[] {
  const limit = print(divide(amount(limitPercent), amount('100')));
  const found = (
    name: Divergence['name'],
    label: string,
    match: Match | null,
    reading: Reading,
  ): Divergence[] => {
    const trial = match?.trials.find(
      (one) =>
        one.reading.at === reading.at &&
        one.reading.convention === reading.convention &&
        one.reading.fee === reading.fee,
    );
    if (match === null || trial === undefined || trial.fits) return [];
    const { reported } = match;
    const { estimate } = trial;
    if (estimate !== null && !diverges(reported, estimate, limit)) return [];
    return [{ name, label, reported, estimate, percent: percentOff(reported, estimate) }];
  };
  // Maintenance margin is at mark without fee (docs/accounting.md); another reading that fits it is no divergence.
  const fitted = fit.maintenance?.trials.some((one) => one.fits && one.reading.convention === convention);
  return [
    ...found('liquidation', 'Liquidation price', fit.liquidation, {
      at: 'price',
      convention,
      fee: closingFee ? 'in' : 'out',
    }),
    ...(fitted === true
      ? []
      : found('maintenance', 'Maintenance margin', fit.maintenance, { at: 'mark', convention, fee: 'out' })),
  ];
}

function percentOff(reported: string, estimate: string | null): string | null {
  const whole = absolute(amount(reported));
  if (estimate === null || isZero(whole)) return null;
  const apart = subtract(calculated(estimate), amount(reported));
  return print(round(multiply(divide(apart, whole), amount('100')), PERCENT_DECIMALS, 'half-up'));
}
