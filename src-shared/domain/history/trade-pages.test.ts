import { describe, expect, it } from 'vitest';
import {
  afterFault,
  afterPage,
  beginWalk,
  nextQuery,
  nextSize,
  verdictOf,
  type Walk,
} from './trade-pages.ts';

const pageOf = (walk: Walk): number | undefined => nextQuery(walk)?.pageNumber;

/** Returns the page numbers a backfill requests when every page replies the same. */
function asked(pageCount: number, rows: number, total: number, missing: readonly number[] = []): number[] {
  const pages: number[] = [];
  let walk: Walk | null = beginWalk(null, 1_000);
  for (let page = pageOf(walk); page !== undefined; page = pageOf(walk)) {
    pages.push(page);
    walk = missing.includes(page) ? afterFault(walk) : afterPage(walk, { rows, pageCount, total });
    if (walk === null) break;
  }
  return pages;
}

describe('a backfill over pages of unknown base and size', () => {
  it('reads pages 0 to pageCount, both edges included', () => {
    expect(asked(3, 1_000, 3_000)).toEqual([0, 1, 2, 3]);
    expect(asked(0, 0, 0)).toEqual([0]);
  });

  it('goes on past errors on the two edges, and on no other page', () => {
    expect(asked(3, 1_000, 3_000, [0])).toEqual([0, 1, 2, 3]);
    expect(asked(3, 1_000, 3_000, [3])).toEqual([0, 1, 2, 3]);
    expect(asked(3, 1_000, 3_000, [1])).toEqual([0, 1]);
    expect(asked(0, 0, 0, [0])).toEqual([0, 1]);
    // Neither edge is known yet: page 1 may exist.
    expect(asked(3, 1_000, 3_000, [0, 1])).toEqual([0, 1]);
  });

  it('requests its range and page size', () => {
    expect(nextQuery(beginWalk(5, 9))).toEqual({ startTime: 4, endTime: 10, pageNumber: 0, pageSize: 1_000 });
    expect(nextQuery(beginWalk(null, null, 50))).toEqual({ pageNumber: 0, pageSize: 50 });
  });

  it('adopts the exchange’s size if it counts pages in sizes it does not fill', () => {
    let walk = beginWalk(null, 9);
    for (let n = 0; n < 3; n++) walk = afterPage(walk, { rows: 100, pageCount: 5, total: 4_500 });
    expect(nextQuery(walk)).toBeNull();
    expect(nextSize(walk)).toBe(100);
    // Small pages are fine if they are counted as such.
    expect(nextSize(afterPage(beginWalk(null, 9), { rows: 100, pageCount: 45, total: 4_500 }))).toBe(1_000);
  });

  it('proves completeness only by distinct ids equal to a total that stood still', () => {
    const walk = afterPage(beginWalk(null, 9), { rows: 3, pageCount: 1, total: 3 });
    expect(verdictOf(walk, 3, 0)).toEqual({ kind: 'complete' });
    expect(verdictOf(walk, 2, 0)).toEqual({ kind: 'mismatch', total: 3, seen: 2, setAside: 0 });
    expect(verdictOf(walk, 4, 0)).toEqual({ kind: 'mismatch', total: 3, seen: 4, setAside: 0 });
    // Records that cannot be read are counted by the exchange, or not.
    expect(verdictOf(walk, 2, 1)).toEqual({ kind: 'complete' });
    expect(verdictOf(walk, 3, 1)).toEqual({ kind: 'complete' });
    expect(verdictOf(walk, 1, 1)).toEqual({ kind: 'mismatch', total: 3, seen: 1, setAside: 1 });
    const moved = afterPage(walk, { rows: 3, pageCount: 1, total: 4 });
    expect(verdictOf(moved, 3, 0)).toEqual({ kind: 'moved', from: 3, to: 4 });
    // Changing and changing back is still a change.
    expect(verdictOf(afterPage(moved, { rows: 0, pageCount: 1, total: 3 }), 3, 0).kind).toBe('moved');
  });
});
