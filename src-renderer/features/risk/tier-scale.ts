/** Geometry of the tier chart: floats, for drawing only. Figures are shown from their texts. */
import { amount, calculated, toPixels } from '../../../src-shared/amount.ts';
import { plainNumber } from '../../text/number-text.ts';
import type { RiskTier } from '../../../src-shared/exchange-api/symbol-config.ts';

export interface ChartScale {
  readonly min: number;
  readonly max: number;
}
export interface Corner {
  readonly x: number;
  readonly y: number;
}

/** A log axis has no 0: the first tier starts at its upper limit divided by this. */
const FIRST_TIER_SHARE = 5;

export const pixels = (text: string): number => toPixels(calculated(text));

/** Rounds to two digits, so that an end of the axis stands still while a marked value moves with the price. */
function toTwoDigits(value: number, round: (value: number) => number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return round(value / unit) * unit;
}

/** Returns the ends of the value axis, both above 0, which include all tiers and all marked values. */
export function valueScale(tiers: readonly RiskTier[], marked: readonly string[]): ChartScale {
  const limits = tiers.map((one) => toPixels(amount(one.maxPositionValue))).filter((limit) => limit > 0);
  const first = limits[0] ?? 1;
  const last = limits.at(-1) ?? 1;
  const values = marked.map(pixels).filter((value) => value > 0);
  return {
    min: Math.min(first / FIRST_TIER_SHARE, ...values.map((value) => toTwoDigits(value / 1.6, Math.floor))),
    max: Math.max(last, ...values.map((value) => toTwoDigits(value * 1.1, Math.ceil))),
  };
}

/**
 * Returns the corners of a step line: two per tier, at the height `of` returns. The last tier continues to the end of
 * the axis.
 */
export function steps(
  tiers: readonly RiskTier[],
  scale: ChartScale,
  of: (tier: RiskTier) => number,
): Corner[] {
  return tiers.flatMap((tier, index) => {
    const from = Math.max(scale.min, toPixels(amount(tier.minPositionValue)));
    const to = index === tiers.length - 1 ? scale.max : toPixels(amount(tier.maxPositionValue));
    const y = of(tier);
    return [
      { x: from, y },
      { x: to, y },
    ];
  });
}

/** Returns 1, 2 and 5 times each power of ten between the ends, or only the powers if those are too many. */
export function logTicks({ min, max }: ChartScale, most = 18): number[] {
  if (!(min > 0) || !Number.isFinite(max)) return [];
  const build = (parts: readonly number[]): number[] => {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power++)
      for (const part of parts) {
        const tick = part * 10 ** power;
        if (tick >= min * 0.999 && tick <= max * 1.001) ticks.push(tick);
      }
    return ticks;
  };
  const fine = build([1, 2, 5]);
  return fine.length <= most ? fine : build([1]);
}

/** Made once: making one costs more than all labels of a chart. */
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Writes an axis label: `250k`, `1M`, `0.5`; one that is text already stays. */
export function shortNumber(value: number | string): string {
  if (typeof value === 'string') return value;
  const [size, letter] = UNITS.find(([from]) => value >= from * 0.999) ?? [1, ''];
  return `${plainNumber(SHORT.format(value / size))}${letter}`;
}
