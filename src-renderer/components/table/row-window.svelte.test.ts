import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEAD, RowWindow } from './row-window.svelte.ts';

const VIEW = 560;
type Rows = ReturnType<ConstructorParameters<typeof RowWindow>[0]>;
function windowOf(rows: Rows | (() => Rows), footHeight = 0): RowWindow {
  const view = new RowWindow(typeof rows === 'function' ? rows : () => rows);
  view.height = HEAD + VIEW + footHeight;
  view.footHeight = footHeight;
  return view;
}
const MILLION = 1_000_000;
const long = (): RowWindow => windowOf({ count: MILLION, rowHeight: 28 });

describe('the rows that are drawn', () => {
  it('includes all rows of a short table', () => {
    const { from, to, before, after } = windowOf({ count: 60, rowHeight: 28 });
    expect({ from, to, before, after }).toEqual({ from: 0, to: 60, before: 0, after: 0 });
  });

  it('covers what is in view, with an expanded row anywhere, and keeps the full height', () => {
    const input = fc.record({
      count: fc.integer({ min: 61, max: 2000 }),
      splitAt: fc.integer({ min: -1, max: 60 }),
      splitHeight: fc.integer({ min: 0, max: 400 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ count, splitAt, splitHeight, share }) => {
        const open = splitAt >= 0 ? splitHeight : 0;
        const full = count * 28 + open;
        const top = Math.floor(share * (full - VIEW));
        const view = windowOf({ count, rowHeight: 28, splitAt, splitHeight });
        view.scrolledTo(top);
        const { from, to, before, after } = view;
        const drawn = (to - from) * 28 + (splitAt >= from && splitAt < to ? open : 0);
        expect(before + drawn + after).toBe(full);
        expect(before).toBeLessThanOrEqual(top);
        expect(before + drawn).toBeGreaterThanOrEqual(top + VIEW);
        expect(to - from).toBeLessThan(50);
      }),
      { numRuns: 500 },
    );
  });

  it('has the one that Tab reaches: the last focused, or the first in view once that is far away', () => {
    const view = windowOf({ count: 500, rowHeight: 28 });
    expect(view.tabStop(7)).toBe(7);
    view.scrolledTo(2800);
    expect(view.tabStop(7)).toBe(100);
  });
});

describe('scrolling a million rows', () => {
  it('needs no strip taller than a page can be', () => {
    expect(long().fullHeight).toBe(28_000_000);
    expect(long().stripHeight).toBe(8_000_000);
  });

  it('moves by as much as the wheel turned', () => {
    const view = long();
    view.scrolledTo(4_000_000);
    const before = view.top;
    view.scrolledTo(4_000_100);
    expect(view.top).toBeCloseTo(before + 100);
  });

  it('reaches both ends, however it was scrolled there', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7_999_440 }), { maxLength: 30 }), (steps) => {
        const view = long();
        for (const step of steps) {
          view.scrolledTo(step);
          expect(view.top).toBeGreaterThanOrEqual(0);
          expect(view.top).toBeLessThanOrEqual(28_000_000 - VIEW);
        }
        view.scrolledTo(7_999_440);
        expect(view.top).toBe(28_000_000 - VIEW);
        view.scrolledTo(0);
        expect(view.top).toBe(0);
      }),
    );
  });

  it('brings any row into view and moves the strip accordingly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: MILLION - 1 }), async (row) => {
        const view = long();
        view.element = document.createElement('div');
        await view.focus(row);
        const inView = (): void => {
          expect(view.top).toBeLessThanOrEqual(row * 28);
          expect(view.top + VIEW).toBeGreaterThanOrEqual((row + 1) * 28 - 1);
        };
        inView();
        view.scrolledTo(view.element.scrollTop);
        inView();
      }),
    );
  });
});

describe('scrolling a short list', () => {
  it('maps one to one, and stays in bounds when rows are removed', () => {
    let count = $state(100);
    const view = windowOf(() => ({ count, rowHeight: 28 }));
    view.scrolledTo(2240);
    expect(view.top).toBe(2240);
    count = 30;
    expect(view.top).toBe(280);
  });

  it('shows the last row above the totals', async () => {
    const view = windowOf({ count: 100, rowHeight: 28 }, 28);
    view.element = document.createElement('div');
    await view.focus(99);
    // Head, rows and totals end with the scroll area.
    expect(view.element.scrollTop).toBe(HEAD + 100 * 28 + 28 - view.height);
  });
});
