/**
 * Computes which rows of a table are drawn: the layout of 200 rows costs 40 ms, of the visible ones 8
 * (docs/performance.md).
 */

export interface WindowInput {
  readonly count: number;
  readonly rowHeight: number;
  readonly scrollTop: number;
  readonly height: number;
  /** Index of the expanded row, −1 for none, and the height of its details. */
  readonly expandedAt: number;
  readonly expandedHeight: number;
}

/** Rows `from` … `to` (exclusive), and the heights of the space before and after them, px. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

const DRAW_ALL_UP_TO = 60;
/** Extra rows above and below, about one step of the mouse wheel. Each adds to the layout at every poll. */
const SPARE = 4;

export function windowOf(input: WindowInput): RowWindow {
  const { count, rowHeight, scrollTop, height, expandedAt, expandedHeight } = input;
  if (count <= DRAW_ALL_UP_TO || height === 0) {
    return { from: 0, to: Math.min(count, DRAW_ALL_UP_TO), before: 0, after: rest(count, rowHeight) };
  }
  const visible = Math.ceil(height / rowHeight) + 2 * SPARE;
  // Above the expanded row offsets are plain; below they are shifted by its height.
  const shifted = expandedAt >= 0 && scrollTop > (expandedAt + 1) * rowHeight;
  const top = shifted ? Math.max((expandedAt + 1) * rowHeight, scrollTop - expandedHeight) : scrollTop;
  const from = Math.max(0, Math.min(count - visible, Math.floor(top / rowHeight) - SPARE));
  const to = Math.min(count, from + visible);
  const above = expandedAt >= 0 && expandedAt < from ? expandedHeight : 0;
  const below = expandedAt >= to ? expandedHeight : 0;
  return { from, to, before: from * rowHeight + above, after: (count - to) * rowHeight + below };
}

const rest = (count: number, rowHeight: number): number => Math.max(0, count - DRAW_ALL_UP_TO) * rowHeight;
