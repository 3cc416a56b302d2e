/** Places the labels of a chart's vertical lines where they cover no curve and no other label. In px. */
import type { Corner } from './tier-scale.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export interface ChartLabel {
  /** Its line's place on the axis. */
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** Stands left of its line where there is space. */
  readonly onLeft: boolean;
}

/** Between a label and its line. */
const GAP = 9;
/** Around a curve. */
const CLEAR = 4;
const STEP = 4;
/** Where labels stand if nothing is in the way, as a share of the chart's height. */
const PREFERRED = 0.42;

/** Returns the parts of step lines as boxes, which no label may cover. */
export const stepBoxes = (corners: readonly Corner[]): Box[] =>
  corners.slice(1).map((to, index) => {
    const from = corners[index] ?? to;
    return {
      left: Math.min(from.x, to.x) - CLEAR,
      right: Math.max(from.x, to.x) + CLEAR,
      top: Math.min(from.y, to.y) - CLEAR,
      bottom: Math.max(from.y, to.y) + CLEAR,
    };
  });

const covers = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Returns a box for each label, one after the other: beside its line, free of the labels before it, then of the curves,
 * then of the other lines, and as near to the preferred height as that allows.
 */
export function labelPlaces(labels: readonly ChartLabel[], area: Box, curves: readonly Box[]): Box[] {
  const placed: Box[] = [];
  for (const label of labels) {
    const lines = labels
      .filter((one) => one !== label)
      .map(({ x }) => ({ left: x - 1, right: x + 1, top: area.top, bottom: area.bottom }));
    const cost = (box: Box): number => {
      const count = (of: readonly Box[]): number => of.filter((one) => covers(box, one)).length;
      return 10_000 * count(placed) + 100 * count(curves) + count(lines);
    };
    let best: { readonly box: Box; readonly cost: number } | null = null;
    for (const box of candidates(label, area)) {
      const found = cost(box);
      if (best === null || found < best.cost) best = { box, cost: found };
      if (found === 0) break;
    }
    if (best !== null) placed.push(best.box);
  }
  return placed;
}

/** Yields where a label can stand, the preferred places first. */
function* candidates({ x, width, height, onLeft }: ChartLabel, area: Box): Generator<Box> {
  const sides = [x - GAP - width, x + GAP].filter((left) => left >= area.left && left + width <= area.right);
  if (onLeft !== (sides[0] !== undefined && sides[0] < x)) sides.reverse();
  const lefts = sides.length > 0 ? sides : [Math.max(area.left, area.right - width)];
  const first = area.top + (area.bottom - area.top) * PREFERRED;
  for (let by = 0; by <= area.bottom - area.top; by += STEP)
    for (const top of by === 0 ? [first] : [first + by, first - by])
      if (top >= area.top && top + height <= area.bottom)
        for (const left of lefts) yield { left, top, right: left + width, bottom: top + height };
}
