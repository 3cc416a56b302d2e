import { describe, expect, it } from 'vitest';
import {
  afterWindow,
  beginOrderPass,
  nextWindow,
  orderPercent,
  type OrderPass,
  type OrderWindow,
} from './order-windows.ts';

const SYMBOLS = ['B', 'A'];
const at = (time: number): OrderPass => beginOrderPass(time, time);
const listed = (rows: number, time: number | null = 5) => ({ rows, time: rows === 0 ? null : time });
/** Applies replies with these row counts and unknown times. */
function after(pass: OrderPass, ...answers: readonly number[]): { pass: OrderPass; gaps: OrderWindow[] } {
  const gaps: OrderWindow[] = [];
  for (const rows of answers) {
    const read = afterWindow(pass, listed(rows, null), SYMBOLS);
    pass = read.pass;
    if (read.gap !== null) gaps.push(read.gap);
  }
  return { pass, gaps };
}

describe('the order backfill', () => {
  it('halves a full window, the newer half first, and leaves no millisecond out', () => {
    const { pass } = afterWindow(beginOrderPass(10, 21), listed(1_000), SYMBOLS);
    expect(nextWindow(pass)).toEqual({ startTime: 15, endTime: 22, limit: 1_000 });
    expect(pass.left[0]).toEqual({ from: 10, to: 15, symbol: null });
    expect(orderPercent(afterWindow(pass, listed(999), SYMBOLS).pass)).toBe(50);
  });

  it('begins with a start that no exchange takes for none', () => {
    expect(nextWindow(beginOrderPass(0, 21))).toEqual({ startTime: 1, endTime: 22, limit: 1_000 });
  });

  it('halves a window at a round row count, perhaps the exchange’s own limit; any other is complete', () => {
    for (const rows of [50, 100, 500, 1_000])
      expect(afterWindow(beginOrderPass(0, 9), listed(rows), SYMBOLS).pass.left).toHaveLength(2);
    for (const rows of [0, 1, 49, 51, 999])
      expect(afterWindow(beginOrderPass(0, 9), listed(rows), []).pass.left).toEqual([]);
  });

  it('requests symbol by symbol in a full millisecond, and records what is still full as a gap', () => {
    const { pass, gaps } = after(at(5), 1_000, 1_000);
    expect(gaps).toEqual([]);
    expect(nextWindow(pass)).toMatchObject({ startTime: 4, endTime: 6, symbolId: 'B' });
    const full = after(pass, 1_000, 1_000);
    expect(full.gaps).toEqual([{ from: 5, to: 5, symbol: 'B' }]);
    expect(nextWindow(after(full.pass, 3).pass)).toBeNull();
    const unlisted = afterWindow(after(at(5), 1_000).pass, listed(1_000), []);
    expect(unlisted.gap).toEqual({ from: 5, to: 5, symbol: null });
  });

  it('requests a full millisecond with each meaning of its bounds', () => {
    const bounds = ({ pass }: { pass: OrderPass }): (number | undefined)[] => {
      const query = nextWindow(pass);
      return [query?.startTime, query?.endTime];
    };
    const exact = after(at(5), 1_000);
    expect(bounds(exact)).toEqual([5, 5]);
    // Rows between equal bounds mean both are inclusive.
    expect(nextWindow(after(exact.pass, 520).pass)).toBeNull();
    const start = after(exact.pass, 0);
    expect(bounds(start)).toEqual([5, 6]);
    const end = after(start.pass, 520);
    expect(bounds(end)).toEqual([4, 5]);
    expect(nextWindow(after(end.pass, 520).pass)).toBeNull();
    // Neither is inclusive: the wide window was this millisecond alone, and full.
    const neither = after(after(start.pass, 0).pass, 0);
    expect(nextWindow(neither.pass)).toMatchObject({ symbolId: 'B' });
  });

  it('tests at the time of a known order whether both bounds are inclusive', () => {
    const { pass } = afterWindow(at(5), listed(1_000, 6), SYMBOLS);
    expect(nextWindow(pass)).toEqual({ startTime: 6, endTime: 6, limit: 1_000 });
    const both = afterWindow(pass, listed(1_000), SYMBOLS).pass;
    expect(nextWindow(both)).toMatchObject({ startTime: 5, endTime: 5 });
    // An empty millisecond beside a full one is empty.
    expect(afterWindow(both, listed(0), SYMBOLS)).toMatchObject({ pass: { left: [] }, gap: null });
    const notBoth = afterWindow(pass, listed(0), SYMBOLS).pass;
    expect(nextWindow(after(notBoth, 0).pass)).toMatchObject({ startTime: 5, endTime: 6 });
  });

  it('takes a round count in one millisecond for a limit only if it is the most ever seen', () => {
    expect(afterWindow({ ...at(5), most: 700 }, listed(50), SYMBOLS).pass.left).toEqual([]);
    expect(after({ ...at(5), most: 50 }, 50, 50).pass.left).toHaveLength(2);
  });
});
