import { describe, expect, it } from 'vitest';
import { afterWindow, beginOrderWalk, nextWindow, orderShare, type OrderWalk } from './order-paging.ts';

const SYMBOLS = ['B', 'A'];
const at = (time: number): OrderWalk => beginOrderWalk(time, time);

describe('the order walk', () => {
  it('halves a full window, the newer half first, and leaves no millisecond out', () => {
    const { walk } = afterWindow(beginOrderWalk(10, 21), 1_000, SYMBOLS);
    expect(nextWindow(walk)).toEqual({ startTime: 16, endTime: 21, limit: 1_000 });
    expect(walk.left[0]).toEqual({ from: 10, to: 15, symbol: null });
    expect(orderShare(afterWindow(walk, 999, SYMBOLS).walk)).toBe(50);
  });

  it('a round number may be a limit of the exchange’s own; any other count is whole', () => {
    for (const rows of [50, 100, 500, 1_000])
      expect(afterWindow(beginOrderWalk(0, 9), rows, SYMBOLS).walk.left).toHaveLength(2);
    for (const rows of [0, 1, 49, 51, 999])
      expect(afterWindow(beginOrderWalk(0, 9), rows, []).walk.left).toEqual([]);
  });

  it('asks contract by contract in a full millisecond, and marks what is full even then', () => {
    const { walk, gap } = afterWindow(at(5), 1_000, SYMBOLS);
    expect(gap).toBeNull();
    expect(nextWindow(walk)).toMatchObject({ startTime: 5, endTime: 5, symbolId: 'B' });
    const full = afterWindow(walk, 1_000, SYMBOLS);
    expect(full.gap).toEqual({ from: 5, to: 5, symbol: 'B' });
    const last = afterWindow(full.walk, 3, SYMBOLS);
    expect(nextWindow(last.walk)).toBeNull();
    expect(afterWindow(at(5), 1_000, []).gap).toEqual({ from: 5, to: 5, symbol: null });
  });

  it('a round number in one millisecond is a limit only where it is the most ever seen', () => {
    expect(afterWindow({ ...at(5), most: 700 }, 50, SYMBOLS).walk.left).toEqual([]);
    expect(afterWindow({ ...at(5), most: 50 }, 50, SYMBOLS).walk.left).toHaveLength(2);
  });
});
