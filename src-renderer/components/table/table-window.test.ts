import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOf } from './table-window.ts';

const base = { count: 200, rowHeight: 28, scrollTop: 0, height: 560, expandedAt: -1, expandedHeight: 0 };

describe('the rows that are drawn', () => {
  it('includes all rows of a short table', () => {
    expect(windowOf({ ...base, count: 60 })).toEqual({ from: 0, to: 60, before: 0, after: 0 });
  });

  it('covers what is in view, with an expanded row anywhere, and keeps the full height', () => {
    const input = fc.record({
      count: fc.integer({ min: 61, max: 2000 }),
      expandedAt: fc.integer({ min: -1, max: 60 }),
      expandedHeight: fc.integer({ min: 0, max: 400 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ count, expandedAt, expandedHeight, share }) => {
        const open = expandedAt >= 0 ? expandedHeight : 0;
        const full = count * 28 + open;
        const scrollTop = Math.floor(share * (full - 560));
        const shown = windowOf({ ...base, count, expandedAt, expandedHeight, scrollTop });
        const inside = expandedAt >= shown.from && expandedAt < shown.to ? open : 0;
        const drawn = (shown.to - shown.from) * 28 + inside;
        expect(shown.before + drawn + shown.after).toBe(full);
        expect(shown.before).toBeLessThanOrEqual(scrollTop);
        expect(shown.before + drawn).toBeGreaterThanOrEqual(scrollTop + 560);
        expect(shown.to - shown.from).toBeLessThan(50);
      }),
      { numRuns: 500 },
    );
  });
});
