/** Equity over time as a Chart.js configuration: one line, dashed where nothing was recorded. */
import type { ChartConfiguration } from 'chart.js';
import { amount, toPixels } from '../../../src-shared/amount.ts';
import type { EquityPoint } from '../../../src-shared/ipc/archive.ts';
import type { SystemClose } from '../../../src-shared/domain/history/system-close.ts';
import type { ChartColours } from '../../components/chart-colours.ts';
import { plainNumber } from '../../text/number-text.ts';
import { timeText } from '../../text/time-text.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Samples are a minute apart, and thinned with age (the archive's equity recorder). */
function paceAt(age: number): number {
  if (age <= 7 * DAY_MS) return MINUTE_MS;
  if (age <= 91 * DAY_MS) return 15 * MINUTE_MS;
  return age <= 365 * DAY_MS ? 60 * MINUTE_MS : DAY_MS;
}

/** Whether Ballast was closed between two neighbouring points; `stretch` is what one point stands for, ms. */
export const isGap = (from: number, to: number, now: number, stretch: number): boolean =>
  to - from > 4 * Math.max(paceAt(now - from), stretch);

export interface EquityChart {
  readonly points: readonly EquityPoint[];
  readonly now: number;
  readonly zone: string;
  /** Positions the exchange closed in the range. */
  readonly closes?: readonly SystemClose[];
}

/** A ▼ at each close by the exchange, on the line where it then stood. */
function closeMarks(
  points: readonly EquityPoint[],
  closes: readonly SystemClose[],
  colours: ChartColours,
): ChartConfiguration<'line'>['data']['datasets'][number] {
  const shown = closesWithin(points, closes);
  const looks = shown.map(({ kind }) => (kind === 'liquidation' ? colours.danger : colours.t2));
  return {
    data: shown.map(({ at }) => {
      const behind = points.find((one) => one.at >= at) ?? points.at(-1);
      return { x: at, y: behind === undefined ? 0 : toPixels(amount(behind.equity)) };
    }),
    showLine: false,
    pointStyle: 'triangle',
    pointRotation: 180,
    pointRadius: 6,
    pointHitRadius: 0,
    pointBackgroundColor: looks,
    pointBorderColor: looks,
  };
}

/** Closes between the first and the last point, oldest first. */
export function closesWithin(
  points: readonly EquityPoint[],
  closes: readonly SystemClose[],
): readonly SystemClose[] {
  const from = points[0]?.at ?? Infinity;
  const to = points.at(-1)?.at ?? 0;
  // The newest point is up to a minute old: what happened since is marked at the line's end.
  return closes
    .filter(({ at }) => at >= from)
    .map((one) => ({ ...one, at: Math.min(one.at, to) }))
    .sort((a, b) => a.at - b.at);
}

export function equityChart(
  { points, now, zone, closes = [] }: EquityChart,
  colours: ChartColours,
): ChartConfiguration<'line'> {
  const first = points[0]?.at ?? now;
  const last = points.at(-1)?.at ?? now;
  const stretch = points.length < 2 ? 0 : (2 * (last - first)) / points.length;
  const data = points.map((one) => ({ x: one.at, y: toPixels(amount(one.equity)) }));
  const label = (ms: number): string => {
    const { date, clock } = timeText(ms, zone, 'iso');
    return last - first > 2 * DAY_MS ? date.slice(5) : clock.slice(0, 5);
  };
  return {
    type: 'line',
    data: {
      datasets: [
        {
          data,
          pointRadius: data.length === 1 ? 3 : 0,
          pointHitRadius: 0,
          tension: 0,
          borderColor: colours.accent,
          borderWidth: 1.5,
          backgroundColor: colours.accentWeak,
          fill: 'start',
          segment: {
            borderDash: ({ p0, p1 }) =>
              isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0, now, stretch) ? [2, 4] : undefined,
            borderColor: ({ p0, p1 }) =>
              isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0, now, stretch) ? colours.t3 : undefined,
            backgroundColor: ({ p0, p1 }) =>
              isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0, now, stretch) ? 'transparent' : undefined,
          },
        },
        closeMarks(points, closes, colours),
      ],
    },
    options: {
      parsing: false,
      normalized: true,
      layout: { padding: { top: 6, right: 2 } },
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: {
        tooltip: {
          displayColors: false,
          callbacks: {
            title: (items) => {
              const at = points[items[0]?.dataIndex ?? 0]?.at ?? now;
              const { date, clock } = timeText(at, zone);
              return `${date} ${clock} ${zone}`;
            },
            // The text as recorded, not the pixel's number.
            label: (item) => plainNumber(points[item.dataIndex]?.equity ?? '0'),
          },
          // Marks are explained in the pane's list; their index is none of a point's.
          filter: (item) => item.datasetIndex === 0,
        },
      },
      scales: {
        x: {
          type: 'linear',
          // A first sample stands in the middle.
          min: last === first ? first - 30 * MINUTE_MS : first,
          max: last === first ? last + 30 * MINUTE_MS : last,
          grid: { color: colours.grid },
          border: { display: false },
          ticks: {
            color: colours.axis,
            maxRotation: 0,
            maxTicksLimit: 7,
            autoSkipPadding: 16,
            callback: (value) => (typeof value === 'number' ? label(value) : value),
          },
        },
        y: {
          type: 'linear',
          position: 'right',
          grace: '5%',
          grid: { color: colours.grid },
          border: { display: false },
          ticks: { color: colours.axis, maxTicksLimit: 6 },
        },
      },
    },
  };
}
