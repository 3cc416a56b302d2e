/** Equity of several accounts as a Chart.js configuration: a line each, in percent of its own start. */
import type { ChartConfiguration, ScriptableLineSegmentContext } from 'chart.js';
import { amount, calculated, multiply, toPixels } from '../../../src-shared/amount.ts';
import { linearAxis, timeTicks, valueAxis } from '../../components/chart/chart-axis.ts';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { isGap } from '../../components/chart/recording-gap.ts';
import { plainPercent } from '../../text/number-text.ts';
import { momentText } from '../../text/time-text.ts';
import type { AccountLine, ChangePoint } from './equity-comparison.svelte.ts';

/** Looks of the lines, in order; each has a dash of its own, so that colour is not the only difference. */
export const LOOKS = [
  { colour: 'accent', dash: [] },
  { colour: 't1', dash: [] },
  { colour: 't2', dash: [1, 3] },
  { colour: 'warn', dash: [6, 3] },
  { colour: 'up', dash: [8, 3, 2, 3] },
] as const satisfies readonly { readonly colour: keyof ChartColours; readonly dash: readonly number[] }[];
export const lookOf = (index: number): (typeof LOOKS)[number] => LOOKS[index % LOOKS.length] ?? LOOKS[0];

/** The axis spans at least this many percent: smaller changes are noise. */
const LEAST_SPAN = 1;
const HUNDRED = amount('100');
/** For drawing only. */
const percent = ({ share }: ChangePoint): number => toPixels(multiply(calculated(share), HUNDRED));

type Dataset = ChartConfiguration<'line'>['data']['datasets'][number];

function datasetOf({ points, old }: AccountLine, index: number, now: number, colours: ChartColours): Dataset {
  const { colour, dash } = lookOf(index);
  const first = points[0]?.at ?? now;
  const last = points.at(-1)?.at ?? now;
  const pointMs = (2 * (last - first)) / points.length;
  return {
    data: points.map((one) => ({ x: one.at, y: percent(one) })),
    borderColor: colours[colour],
    borderDash: [...dash],
    borderWidth: index === 0 ? 2 : 1.5,
    // The end of each line is a dot, hollow where the account is not read now.
    pointRadius: ({ dataIndex }) => (dataIndex === points.length - 1 ? 3.5 : 0),
    pointBackgroundColor: old ? colours.s1 : colours[colour],
    pointBorderColor: old ? colours.warn : colours[colour],
    segment: {
      borderDash: ({ p0, p1 }: ScriptableLineSegmentContext) =>
        isGap(p0.parsed.x ?? 0, p1.parsed.x ?? 0, now, pointMs) ? [2, 4] : undefined,
    },
  };
}

export function comparisonChart(
  lines: readonly AccountLine[],
  { now, zone }: { readonly now: number; readonly zone: string },
  colours: ChartColours,
): ChartConfiguration<'line'> {
  const times = lines.flatMap(({ points }) => points.map(({ at }) => at));
  const heights = lines.flatMap(({ points }) => points.map(percent));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const [low, high] = [Math.min(0, ...heights), Math.max(0, ...heights)];
  const missing = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  const values = valueAxis(low - missing, high + missing, { signed: true });
  return {
    type: 'line',
    data: { datasets: lines.map((line, index) => datasetOf(line, index, now, colours)) },
    options: {
      layout: { padding: { top: 6, right: 6 } },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => `${momentText(item?.parsed.x ?? now, zone)} ${zone}`,
            label: ({ datasetIndex, dataIndex }) => {
              const line = lines[datasetIndex];
              return `${line?.name ?? ''} ${plainPercent(line?.points[dataIndex]?.share ?? '0')}`;
            },
          },
        },
      },
      scales: {
        x: { ...linearAxis(timeTicks(first, last, zone), colours), min: first, max: last },
        y: { ...linearAxis(values.ticks, colours, '%'), position: 'left', min: values.min, max: values.max },
      },
    },
  };
}
