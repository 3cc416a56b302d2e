import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualScroll } from './virtual-scroll.ts';

const MILLION = 1_000_000;
const long = (): VirtualScroll => {
  const scroll = new VirtualScroll(28);
  scroll.resize(MILLION, 560);
  return scroll;
};

describe('scrolling a million rows', () => {
  it('needs no strip taller than a page can be', () => {
    expect(long().fullHeight).toBe(28_000_000);
    expect(long().stripHeight).toBe(8_000_000);
  });

  it('moves by as much as the wheel turned', () => {
    const scroll = long();
    scroll.scrolledTo(4_000_000);
    const before = scroll.top;
    scroll.scrolledTo(4_000_100);
    expect(scroll.top).toBeCloseTo(before + 100);
  });

  it('reaches both ends, however it was scrolled there', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7_999_440 }), { maxLength: 30 }), (steps) => {
        const scroll = long();
        for (const step of steps) {
          scroll.scrolledTo(step);
          expect(scroll.top).toBeGreaterThanOrEqual(0);
          expect(scroll.top).toBeLessThanOrEqual(28_000_000 - 560);
        }
        scroll.scrolledTo(7_999_440);
        expect(scroll.top).toBe(28_000_000 - 560);
        scroll.scrolledTo(0);
        expect(scroll.top).toBe(0);
      }),
    );
  });

  it('brings any row into view and moves the strip accordingly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MILLION - 1 }), (row) => {
        const scroll = long();
        const strip = scroll.reveal(row);
        expect(scroll.top).toBeLessThanOrEqual(row * 28);
        expect(scroll.top + 560).toBeGreaterThanOrEqual((row + 1) * 28);
        scroll.scrolledTo(strip);
        expect(scroll.top + 560).toBeGreaterThanOrEqual((row + 1) * 28 - 1);
      }),
    );
  });
});

describe('scrolling a short list', () => {
  it('maps one to one, and stays in bounds when rows are removed', () => {
    const scroll = new VirtualScroll(28);
    scroll.resize(100, 560);
    scroll.scrolledTo(2240);
    expect(scroll.top).toBe(2240);
    scroll.resize(30, 560);
    expect(scroll.top).toBe(280);
  });
});
