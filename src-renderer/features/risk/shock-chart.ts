/** Geometry of the shock chart: for drawing only, so floats are allowed. */
/** Returns round ticks over a range, four to six of them; fewer, and each once, where a float has no digits for them. */
export function ticks(min: number, max: number, wanted = 5): number[] {
  const raw = (max - min) / wanted;
  if (!(raw > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? 10 * power;
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  return [...new Set(Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step))];
}

export interface Label {
  readonly x: number;
  readonly text: string;
  /** Ends at `x`, instead of beginning there. */
  readonly end: boolean;
}
/** Approximate width of one character at 11 px. */
const CHARACTER = 6.2;
/** Distance of a label from its line. */
const GAP = 4;

/**
 * Places labels beside their lines: on the side they ask for, else on the other. Those that would overlap an earlier one
 * or repeat its text are left out; the table has all of them.
 */
export function labelsThatFit(lines: readonly Label[], left: number, right: number): readonly Label[] {
  const taken: [number, number][] = [];
  const named = new Set<string>();
  const placed = ({ x, text, end }: Label): Label | null => {
    const width = text.length * CHARACTER + 8;
    const at = end ? x - GAP : x + GAP;
    const [from, to] = end ? [at - width, at] : [at, at + width];
    if (from < left || to > right || taken.some(([a, b]) => from < b && a < to)) return null;
    taken.push([from, to]);
    named.add(text);
    return { x: at, text, end };
  };
  return lines.flatMap((line) =>
    named.has(line.text) ? [] : (placed(line) ?? placed({ ...line, end: !line.end }) ?? []),
  );
}

export interface RatioPoint {
  readonly move: number;
  readonly ratio: number;
}
/**
 * Returns the points of the ratio's line: those of the curve, which has none once the cross positions are liquidated, and
 * the moves at which they are, at 100 %. Without these the line would end up to a step short of them, far too low.
 */
export const ratioPoints = (
  curve: readonly { readonly move: number; readonly ratio: number | null }[],
  liquidatedAt: readonly number[],
): readonly RatioPoint[] =>
  [
    ...curve.flatMap(({ move, ratio }) => (ratio === null ? [] : [{ move, ratio }])),
    ...liquidatedAt.map((move) => ({ move, ratio: 1 })),
  ].toSorted((a, b) => a.move - b.move);
