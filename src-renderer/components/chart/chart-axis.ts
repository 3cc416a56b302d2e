/** Round ticks for the axes of charts. Numbers are for drawing only: no figure is read from them. */
import type { ChartColours } from './chart-colours.ts';
import { inZone, readingAt } from '../../../src-shared/domain/display/zoned-time.ts';
import { plainNumber } from '../../text/number-text.ts';
import { dayText, timeText } from '../../text/time-text.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src-shared/time.ts';

export interface AxisTick {
  readonly value: number;
  readonly label: string;
}
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly AxisTick[];
}

/** An axis spans at least this share of its values: smaller changes are noise. */
const LEAST_SHARE = 0.01;
const MOST_INTERVALS = 4;
const MULTIPLES = [1, 2, 2.5, 5] as const;

/** Prints without an exponent, which `toFixed` has from 1e21 on. */
const plain = (value: number, decimals: number): string =>
  Math.abs(value) < 1e21 ? value.toFixed(decimals) : String(BigInt(value));

/**
 * Returns an axis with 3 to 5 round ticks, the first at or below `low` and the last at or above `high`. `signed`: its values
 * are changes.
 */
export function valueAxis(low: number, high: number, options: { readonly signed?: boolean } = {}): ValueAxis {
  const least = Math.max(Math.abs(low), Math.abs(high)) * LEAST_SHARE || 1;
  const missing = Math.max(0, least - (high - low)) / 2;
  const [from, to] = [low - missing, high + missing];
  for (let exponent = Math.floor(Math.log10(to - from)) - 1; ; exponent++)
    for (const multiple of MULTIPLES) {
      const step = multiple * 10 ** exponent;
      const [first, last] = [Math.floor(from / step), Math.ceil(to / step)];
      if (last - first > MOST_INTERVALS) continue;
      const decimals = Math.max(0, multiple === 2.5 ? 1 - exponent : -exponent);
      const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
        const value = (first + index) * step;
        return { value, label: plainNumber(plain(value, decimals), options) };
      });
      return { min: first * step, max: last * step, ticks };
    }
}

/** Returns a linear axis of Chart.js with exactly these ticks, `unit` behind each label. */
export const linearAxis = (ticks: readonly AxisTick[], colours: ChartColours, unit = '') => ({
  type: 'linear' as const,
  grid: { color: colours.grid },
  border: { display: false },
  afterBuildTicks: (scale: { ticks: { value: number }[] }): void => {
    scale.ticks = ticks.map(({ value }) => ({ value }));
  },
  ticks: {
    color: colours.axis,
    maxRotation: 0,
    autoSkipPadding: 16,
    callback: (value: string | number): string => {
      const label = ticks.find((one) => one.value === value)?.label;
      return label === undefined ? '' : `${label}${unit}`;
    },
  },
});

const STEPS: readonly number[] = [
  ...[1, 5, 15, 30].map((one) => one * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((one) => one * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((one) => one * HOUR_MS),
  ...[1, 2, 7, 14, 30, 91, 182, 365, 730, 1_825].map((one) => one * DAY_MS),
];
/** Most labels that fit when they show day and time, which are the longest. */
const MOST_TICKS = 7;
const MOST_LONG_TICKS = 5;

/** Returns ticks at round times of `zone` between two moments, each label once. */
export function timeTicks(from: number, to: number, zone: string): readonly AxisTick[] {
  const span = to - from;
  const isLong = span > DAY_MS && span < MOST_LONG_TICKS * DAY_MS;
  const most = isLong ? MOST_LONG_TICKS : MOST_TICKS;
  const step = STEPS.find((one) => Math.floor(span / one) < most) ?? 3_650 * DAY_MS;
  const ticks: AxisTick[] = [];
  for (const [value, reading] of roundTimes(from, to, step, zone)) {
    const label = labelOf(value, reading, { step, span, zone });
    // When the clock is set back an hour occurs twice, but is labelled once.
    if (ticks.at(-1)?.label !== label) ticks.push({ value, label });
  }
  return ticks;
}

/** Returns the moments at which the zone's clock shows a multiple of `step`, each with what it shows, in their order. */
function roundTimes(from: number, to: number, step: number, zone: string): readonly [number, number][] {
  const offsets = [from, to].map((at) => readingAt(at, zone) - at);
  const last = to + Math.max(...offsets);
  const times = new Map<number, number>();
  for (let reading = Math.ceil((from + Math.min(...offsets)) / step) * step; reading <= last; reading += step)
    for (const which of ['first', 'last'] as const) {
      const value = inZone(reading, zone, which);
      // A time that the clock skips is one only as the beginning of a day.
      const isShown = step >= DAY_MS || readingAt(value, zone) === reading;
      if (isShown && value >= from && value <= to) times.set(value, reading);
    }
  return [...times].sort(([a], [b]) => a - b);
}

function labelOf(
  at: number,
  reading: number,
  { step, span, zone }: { readonly step: number; readonly span: number; readonly zone: string },
): string {
  const { date, clock } = timeText(at, zone);
  if (step >= DAY_MS) return span > 360 * DAY_MS ? date : dayText(reading);
  const time = step < MINUTE_MS ? clock : clock.slice(0, 5);
  return span > DAY_MS ? `${dayText(reading)} ${time}` : time;
}
