/** Equity over time as a Chart.js configuration: one line, dashed where nothing was recorded. */
import type { ChartConfiguration, ScriptableLineSegmentContext } from 'chart.js';
import { calculated, toPixels } from '../../../src-shared/amount.ts';
import type { EquityPoint } from '../../../src-shared/ipc/archive.ts';
import type { SystemClose } from '../../../src-shared/domain/history/system-close.ts';
import { linearAxis, timeTicks, valueAxis } from '../../components/chart/chart-axis.ts';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { isGap } from '../../components/chart/recording-gap.ts';
import { plainNumber } from '../../text/number-text.ts';
import { momentText } from '../../text/time-text.ts';
import type { Level } from './steps-before.ts';

export interface EquityChart {
  /** Recorded points; at least two, unless there are levels before them. */
  readonly points: readonly EquityPoint[];
  /** Levels calculated from closed orders, from before recording began. */
  readonly before: readonly Level[];
  readonly now: number;
  readonly zone: string;
}

/** Returns the closes between the first and the last point, oldest first, each with the line's value at that time. */
export function closesWithin(
  levels: readonly Level[],
  closes: readonly SystemClose[],
): readonly (SystemClose & { readonly level: string })[] {
  const from = levels[0]?.at ?? Infinity;
  const last = levels.at(-1);
  if (last === undefined) return [];
  return closes
    .filter(({ at }) => at >= from)
    .sort((a, b) => a.at - b.at)
    .map((one) => {
      // The newest point may be a minute old: later closes are marked at the line's end.
      const at = Math.min(one.at, last.at);
      return { ...one, at, level: (levels.find((level) => level.at >= at) ?? last).equity };
    });
}

/** Fewer points than this are drawn as dots. */
const DOTS_UNDER = 30;
/** Room for a tag with the digits of an amount, px. */
const TAG_PX = 86;
/** Gap between the end of the dashed line and the start of the solid one, as a share of the chart's time span. */
const APART = 0.006;

type Dataset = ChartConfiguration<'line'>['data']['datasets'][number];
const geometry = ({ at, equity }: Level): { x: number; y: number } => ({
  x: at,
  y: toPixels(calculated(equity)),
});

function recordedLine({ points, now }: EquityChart, colours: ChartColours): Dataset {
  const first = points[0]?.at ?? now;
  const last = points.at(-1)?.at ?? now;
  const pointMs = points.length < 2 ? 0 : (2 * (last - first)) / points.length;
  const ifGap =
    <T>(style: T) =>
    ({ p0, p1 }: ScriptableLineSegmentContext): T | undefined =>
      isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0, now, pointMs) ? style : undefined;
  return {
    data: points.map(geometry),
    pointRadius: points.length < DOTS_UNDER ? 2.5 : 0,
    pointBackgroundColor: colours.accent,
    borderColor: colours.accent,
    borderWidth: 1.5,
    segment: { borderDash: ifGap([2, 4]), borderColor: ifGap(colours.t3) },
  };
}

function earlierLine(before: readonly Level[], span: number, colours: ChartColours): Dataset {
  const data = before.map(geometry);
  const end = data.at(-1);
  if (end !== undefined) end.x -= span * APART;
  return {
    data,
    stepped: 'after',
    pointRadius: 0,
    borderColor: colours.t3,
    borderDash: [4, 3],
    borderWidth: 1.5,
  };
}

export function equityChart(chart: EquityChart, colours: ChartColours): ChartConfiguration<'line'> {
  const { points, before, now, zone } = chart;
  const levels: readonly Level[] = [...before, ...points];
  const first = levels[0]?.at ?? now;
  const last = levels.at(-1)?.at ?? now;
  const heights = levels.map((one) => geometry(one).y);
  const values = valueAxis(Math.min(...heights), Math.max(...heights));
  const times = timeTicks(first, last, zone);
  return {
    type: 'line',
    data: {
      datasets: [recordedLine(chart, colours), earlierLine(before, last - first, colours)],
    },
    options: {
      layout: { padding: { top: 6, right: 2 } },
      plugins: {
        tooltip: {
          callbacks: {
            title: (items) => {
              const at = points[items[0]?.dataIndex ?? 0]?.at ?? now;
              return `${momentText(at, zone)} ${zone}`;
            },
            // The figure as recorded, not one derived from a pixel.
            label: (item) => plainNumber(points[item.dataIndex]?.equity ?? '0'),
          },
          // Only recorded points have a tooltip.
          filter: (item) => item.datasetIndex === 0,
        },
      },
      scales: {
        x: { ...linearAxis(times, colours), min: first, max: last },
        y: {
          ...linearAxis(values.ticks, colours),
          ...{ position: 'right', min: values.min, max: values.max },
          // The tag of the newest value is wider than the axis' round numbers.
          afterFit: (axis) => (axis.width = Math.max(axis.width, TAG_PX)),
        },
      },
    },
  };
}
