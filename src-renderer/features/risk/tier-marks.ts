/** What is drawn around the lines of the tier chart: the area below the rates, the tiers, the position's and the draft's place. */
import type { Chart, Plugin } from 'chart.js';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { labelPlaces, stepBoxes } from './label-places.ts';

export interface Mark {
  /** Position value on the axis; for drawing only. */
  readonly at: number;
  /** Maintenance rate at that value, percent; for drawing only. */
  readonly rate: number;
  readonly title: string;
  readonly text: string;
  readonly kind: 'position' | 'resting' | 'draft';
}
interface TierSpan {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly current: boolean;
}
export interface Marks {
  readonly colours: ChartColours;
  readonly tiers: readonly TierSpan[];
  readonly marks: readonly Mark[];
}
/** A tier's place on the canvas, px. */
export interface TierEdge {
  readonly level: number;
  readonly left: number;
  readonly right: number;
}

const FONT = '"Inter Variable", system-ui, sans-serif';
const BOX = { height: 34, padding: 8 };
/** A narrower tier is drawn without its number, which would run into the next one. */
const NUMBER_ROOM = 14;

/** Returns a plugin that draws the current `marks`: a chart keeps the plugins it was created with. */
export function tierMarks(
  marks: () => Marks | null,
  placed: (edges: readonly TierEdge[]) => void,
): Plugin<'line'> {
  return {
    id: 'tier-marks',
    beforeDatasetsDraw: (chart) => {
      const now = marks();
      const x = chart.scales['x'];
      if (now === null || x === undefined) return;
      const { ctx, chartArea: area } = chart;
      const edges = now.tiers.map(({ level, from, to }) => ({
        level,
        left: Math.max(area.left, x.getPixelForValue(from)),
        right: Math.min(area.right, x.getPixelForValue(to)),
      }));
      placed(edges);
      ctx.save();
      ctx.textAlign = 'center';
      ctx.textBaseline = 'bottom';
      for (const [index, { level, left, right }] of edges.entries()) {
        const current = now.tiers[index]?.current === true;
        if (current) {
          ctx.fillStyle = now.colours['accent-weak'];
          ctx.fillRect(left, area.top, right - left, area.bottom - area.top);
        }
        if (right - left < NUMBER_ROOM) continue;
        ctx.font = `${current ? 600 : 400} 11px ${FONT}`;
        ctx.fillStyle = current ? now.colours.accent : now.colours.t3;
        ctx.fillText(String(level), (left + right) / 2, area.top - 6);
      }
      ctx.restore();
    },
    beforeDatasetDraw: ({ ctx, chartArea: { bottom } }, { index, meta }) => {
      const now = marks();
      if (now === null || index !== 0) return;
      ctx.fillStyle = now.colours['accent-weak'];
      ctx.beginPath();
      for (const { x, y } of meta.data) ctx.lineTo(x, y);
      ctx.lineTo(meta.data.at(-1)?.x ?? 0, bottom);
      ctx.lineTo(meta.data[0]?.x ?? 0, bottom);
      ctx.fill();
    },
    afterDatasetsDraw: (chart) => {
      const now = marks();
      if (now === null) return;
      // All lines first, so that none crosses a label.
      for (const mark of now.marks) drawLine(chart, mark, now.colours);
      drawLabels(chart, now);
    },
  };
}

const colourOf = (mark: Mark, colours: ChartColours): string =>
  ({ position: colours.t1, resting: colours.accent, draft: colours.warn })[mark.kind];

function drawLine(chart: Chart<'line'>, mark: Mark, colours: ChartColours): void {
  const x = chart.scales['x']?.getPixelForValue(mark.at);
  const y = chart.scales['y']?.getPixelForValue(mark.rate);
  if (x === undefined || y === undefined) return;
  const { ctx, chartArea: area } = chart;
  const colour = colourOf(mark, colours);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.setLineDash({ position: [], resting: [6, 3], draft: [3, 3] }[mark.kind]);
  ctx.beginPath();
  ctx.moveTo(x, area.top);
  ctx.lineTo(x, area.bottom);
  ctx.stroke();
  ctx.setLineDash([]);
  // Only a held position is filled, so that colour is not the only difference.
  ctx.fillStyle = mark.kind === 'position' ? colour : colours.s1;
  ctx.beginPath();
  ctx.arc(x, y, 4, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

/** Draws the labels free of the curves, which the chart has laid out by then. */
function drawLabels(chart: Chart<'line'>, { marks, colours }: Marks): void {
  const { ctx, chartArea: area } = chart;
  const widthOf = (weight: number, text: string): number => {
    ctx.font = `${weight} 11px ${FONT}`;
    return ctx.measureText(text).width;
  };
  ctx.save();
  const labels = marks.map((mark) => ({
    x: chart.scales['x']?.getPixelForValue(mark.at) ?? area.left,
    width: Math.max(widthOf(600, mark.title), widthOf(400, mark.text)) + 2 * BOX.padding,
    height: BOX.height,
    onLeft: mark.kind === 'position',
  }));
  const curves = chart
    .getSortedVisibleDatasetMetas()
    .flatMap(({ data }) => stepBoxes(data.map(({ x, y }) => ({ x, y }))));
  for (const [index, { left, top, right }] of labelPlaces(labels, area, curves).entries()) {
    const mark = marks[index];
    if (mark === undefined) continue;
    ctx.fillStyle = colours.s3;
    ctx.beginPath();
    ctx.roundRect(left, top, right - left, BOX.height, 3);
    ctx.fill();
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.fillStyle = colourOf(mark, colours);
    ctx.font = `600 11px ${FONT}`;
    ctx.fillText(mark.title, left + BOX.padding, top + 14);
    ctx.fillStyle = colours.t2;
    ctx.font = `400 11px ${FONT}`;
    ctx.fillText(mark.text, left + BOX.padding, top + 27);
  }
  ctx.restore();
}
