import { describe, expect, it } from 'vitest';
import {
  afterWindow,
  beginOrderWalk,
  nextWindow,
  orderShare,
  type OrderWalk,
  type OrderWindow,
} from './order-windows.ts';

const SYMBOLS = ['B', 'A'];
const at = (time: number): OrderWalk => beginOrderWalk(time, time);
const listed = (rows: number, time: number | null = 5) => ({ rows, time: rows === 0 ? null : time });
/** Plans after replies with these row counts, whose times are unknown. */
function after(walk: OrderWalk, ...answers: readonly number[]): { walk: OrderWalk; gaps: OrderWindow[] } {
  const gaps: OrderWindow[] = [];
  for (const rows of answers) {
    const read = afterWindow(walk, listed(rows, null), SYMBOLS);
    walk = read.walk;
    if (read.gap !== null) gaps.push(read.gap);
  }
  return { walk, gaps };
}

describe('the order backfill', () => {
  it('halves a full window, the newer half first, and leaves no millisecond out', () => {
    const { walk } = afterWindow(beginOrderWalk(10, 21), listed(1_000), SYMBOLS);
    expect(nextWindow(walk)).toEqual({ startTime: 15, endTime: 22, limit: 1_000 });
    expect(walk.left[0]).toEqual({ from: 10, to: 15, symbol: null });
    expect(orderShare(afterWindow(walk, listed(999), SYMBOLS).walk)).toBe(50);
  });

  it('a round number may be a limit of the exchange’s own; any other count is whole', () => {
    for (const rows of [50, 100, 500, 1_000])
      expect(afterWindow(beginOrderWalk(0, 9), listed(rows), SYMBOLS).walk.left).toHaveLength(2);
    for (const rows of [0, 1, 49, 51, 999])
      expect(afterWindow(beginOrderWalk(0, 9), listed(rows), []).walk.left).toEqual([]);
  });

  it('requests symbol by symbol in a full millisecond, and records what is still full as a gap', () => {
    const { walk, gaps } = after(at(5), 1_000, 1_000);
    expect(gaps).toEqual([]);
    expect(nextWindow(walk)).toMatchObject({ startTime: 4, endTime: 6, symbolId: 'B' });
    const full = after(walk, 1_000, 1_000);
    expect(full.gaps).toEqual([{ from: 5, to: 5, symbol: 'B' }]);
    expect(nextWindow(after(full.walk, 3).walk)).toBeNull();
    const unlisted = afterWindow(after(at(5), 1_000).walk, listed(1_000), []);
    expect(unlisted.gap).toEqual({ from: 5, to: 5, symbol: null });
  });

  it('requests a full millisecond with each meaning of its bounds', () => {
    const bounds = ({ walk }: { walk: OrderWalk }): (number | undefined)[] => {
      const query = nextWindow(walk);
      return [query?.startTime, query?.endTime];
    };
    const exact = after(at(5), 1_000);
    expect(bounds(exact)).toEqual([5, 5]);
    // Rows between equal bounds mean both are inclusive.
    expect(nextWindow(after(exact.walk, 520).walk)).toBeNull();
    const start = after(exact.walk, 0);
    expect(bounds(start)).toEqual([5, 6]);
    const end = after(start.walk, 520);
    expect(bounds(end)).toEqual([4, 5]);
    expect(nextWindow(after(end.walk, 520).walk)).toBeNull();
    // Neither is inclusive: the wide window was this millisecond alone, and full.
    const neither = after(after(start.walk, 0).walk, 0);
    expect(nextWindow(neither.walk)).toMatchObject({ symbolId: 'B' });
  });

  it('learns at a time that has an order whether both bounds are included', () => {
    const { walk } = afterWindow(at(5), listed(1_000, 6), SYMBOLS);
    expect(nextWindow(walk)).toEqual({ startTime: 6, endTime: 6, limit: 1_000 });
    const both = afterWindow(walk, listed(1_000), SYMBOLS).walk;
    expect(nextWindow(both)).toMatchObject({ startTime: 5, endTime: 5 });
    // An empty millisecond beside a full one is empty.
    expect(afterWindow(both, listed(0), SYMBOLS)).toMatchObject({ walk: { left: [] }, gap: null });
    const notBoth = afterWindow(walk, listed(0), SYMBOLS).walk;
    expect(nextWindow(after(notBoth, 0).walk)).toMatchObject({ startTime: 5, endTime: 6 });
  });

  it('a round number in one millisecond is a limit only where it is the most ever seen', () => {
    expect(afterWindow({ ...at(5), most: 700 }, listed(50), SYMBOLS).walk.left).toEqual([]);
    expect(after({ ...at(5), most: 50 }, 50, 50).walk.left).toHaveLength(2);
  });
});
