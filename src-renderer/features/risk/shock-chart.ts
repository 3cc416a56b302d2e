/** Geometry of the shock chart: for drawing only, so floats are allowed. */
/** Returns round ticks over a range, four to six of them. */
export function ticks(min: number, max: number, wanted = 5): number[] {
  const raw = (max - min) / wanted;
  if (!(raw > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? 10 * power;
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

export interface Label {
  readonly x: number;
  readonly text: string;
  readonly end: boolean;
}
/** Approximate width of one character at 11 px. */
const CHARACTER = 6.2;

/** Returns the labels of a row that do not overlap an earlier one; the table has all of them. */
export function labelsThatFit(labels: readonly Label[], left: number, right: number): readonly Label[] {
  const taken: [number, number][] = [];
  return labels.filter(({ x, text, end }) => {
    const width = text.length * CHARACTER + 8;
    const [from, to] = end ? [x - width, x] : [x, x + width];
    if (from < left || to > right || taken.some(([a, b]) => from < b && a < to)) return false;
    taken.push([from, to]);
    return true;
  });
}
