import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  skipEdgePage,
  afterPage,
  beginPass,
  nextQuery,
  nextSize,
  retryFrom,
  verdictOf,
  withOtherPageEnds,
  withSmallerPages,
  type BackfillPass,
} from './trade-pages.ts';

const pageOf = (pass: BackfillPass): number | undefined => nextQuery(pass)?.pageNumber;

/** Returns the page numbers a backfill requests if every page has the same rows and counts. */
function asked(pageCount: number, rows: number, total: number, missing: readonly number[] = []): number[] {
  const pages: number[] = [];
  let pass: BackfillPass | null = beginPass(null, 1_000);
  for (let page = pageOf(pass); page !== undefined; page = pageOf(pass)) {
    pages.push(page);
    pass = missing.includes(page) ? skipEdgePage(pass) : afterPage(pass, { rows, pageCount, total });
    if (pass === null) break;
  }
  return pages;
}

/** Reads every page of an exchange with its own base, limit of rows and count of pages; returns what was seen of `total`. */
function readAll(
  exchange: { total: number; base: number; most: number; counts: 'asked' | 'given'; beyond: string },
  size: number,
) {
  const { total, base, most, counts, beyond } = exchange;
  const seen = new Set<number>();
  let pass = beginPass(null, 1_000, size);
  for (let query = nextQuery(pass); query !== null; query = nextQuery(pass)) {
    const given = Math.min(size, most);
    const step = counts === 'asked' ? size : given;
    const pageCount = Math.ceil(total / step);
    let index = query.pageNumber! - base;
    if (beyond === 'nearest') index = Math.max(0, Math.min(index, pageCount - 1));
    const isThere = index === 0 || (index > 0 && index < pageCount);
    if (!isThere && beyond === 'error') {
      const next = skipEdgePage(pass);
      if (next === null) throw new Error(`page ${query.pageNumber} failed`);
      pass = next;
      continue;
    }
    const rows = isThere ? Math.max(0, Math.min(given, total - index * step)) : 0;
    for (let row = 0; row < rows; row++) seen.add(index * step + row);
    pass = afterPage(pass, { rows, pageCount, total });
  }
  return { pass, seen: seen.size };
}

describe('a backfill over pages of unknown base and size', () => {
  it('verifies all there is, at the second page size at the latest, whatever the exchange’s base and limits are', () => {
    const exchanges = fc.record({
      total: fc.integer({ min: 0, max: 120 }),
      base: fc.constantFrom(0, 1),
      most: fc.integer({ min: 1, max: 130 }),
      counts: fc.constantFrom('asked' as const, 'given' as const),
      beyond: fc.constantFrom('error', 'empty', 'nearest'),
    });
    fc.assert(
      fc.property(exchanges, fc.constantFrom(100, 50, 20), (exchange, size) => {
        const first = readAll(exchange, size);
        const { pass, seen } =
          verdictOf(first.pass, first.seen, 0).kind === 'complete'
            ? first
            : readAll(exchange, withOtherPageEnds(first.pass)?.size ?? nextSize(first.pass, size));
        expect([verdictOf(pass, seen, 0).kind, seen]).toEqual(['complete', exchange.total]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads pages 0 to pageCount, both edges included', () => {
    expect(asked(3, 1_000, 3_000)).toEqual([0, 1, 2, 3]);
    // Page 0 of an exchange that counts from 1 may be empty.
    expect(asked(0, 0, 0)).toEqual([0, 1]);
    expect(asked(0, 0, 0, [1])).toEqual([0, 1]);
  });

  it('continues past errors on the first and last page only', () => {
    expect(asked(3, 1_000, 3_000, [0])).toEqual([0, 1, 2, 3]);
    expect(asked(3, 1_000, 3_000, [3])).toEqual([0, 1, 2, 3]);
    expect(asked(3, 1_000, 3_000, [1])).toEqual([0, 1]);
    expect(asked(0, 0, 0, [0])).toEqual([0, 1]);
    // Neither edge is known yet: page 1 may exist.
    expect(asked(3, 1_000, 3_000, [0, 1])).toEqual([0, 1]);
  });

  it('requests its range and page size', () => {
    expect(nextQuery(beginPass(5, 9))).toEqual({ startTime: 4, endTime: 10, pageNumber: 0, pageSize: 1_000 });
    // Without a start an exchange may list its last days only, and count no more.
    expect(nextQuery(beginPass(null, null, 50))).toEqual({ startTime: 1, pageNumber: 0, pageSize: 50 });
  });

  it('reads no more pages than records, but all where the total is wrong', () => {
    expect(asked(1e15, 1, 3)).toEqual([0, 1, 2, 3, 4]);
    expect(asked(6, 100, 0)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('adopts the rows received as page size if pages are counted in a size they do not fill', () => {
    let pass = beginPass(null, 9);
    for (let n = 0; n < 3; n++) pass = afterPage(pass, { rows: 100, pageCount: 5, total: 4_500 });
    expect(nextQuery(pass)).toBeNull();
    expect(nextSize(pass, 1_000)).toBe(100);
    // Small pages are fine if they are counted as such.
    expect(nextSize(afterPage(beginPass(null, 9), { rows: 100, pageCount: 45, total: 4_500 }), 1_000)).toBe(
      1_000,
    );
  });

  it('is repeated with pages that end elsewhere and the same total, and leaves the page size', () => {
    const pass = afterPage(beginPass(3, 9, 500), { rows: 100, pageCount: 45, total: 4_500 });
    const again = withOtherPageEnds(pass)!;
    expect(again).toEqual({ ...beginPass(3, 9, 90), total: 4_500 });
    expect(nextSize(again, 500)).toBe(500);
    expect(nextSize(beginPass(3, 9, 200), 500)).toBe(200);
    expect(afterPage(again, { rows: 90, pageCount: 51, total: 4_501 }).movedTo).toBe(4_501);
    // One page ends nowhere else, and a page size that is too small comes first.
    expect(withOtherPageEnds(afterPage(beginPass(3, 9), { rows: 2, pageCount: 1, total: 3 }))).toBeNull();
    expect(withOtherPageEnds(afterPage(beginPass(3, 9), { rows: 9, pageCount: 2, total: 99 }))).toBeNull();
  });

  it('begins again with a smaller size where neither page 0 nor page 1 can be read, and from page 0', () => {
    const failed = skipEdgePage(beginPass(3, 9, 1_000))!;
    expect(withSmallerPages(failed)).toEqual(beginPass(3, 9, 500));
    expect(retryFrom(failed).page).toBe(0);
    const read = afterPage(beginPass(3, 9, 1_000), { rows: 9, pageCount: 2, total: 9 });
    expect([withSmallerPages(read), retryFrom(read)]).toEqual([null, read]);
    expect(withSmallerPages(beginPass(3, 9, 1_000))).toBeNull();
    expect(withSmallerPages({ ...failed, size: 1 })).toBeNull();
  });

  it('verifies only if the distinct ids equal a total that did not change', () => {
    const pass = afterPage(beginPass(null, 9), { rows: 3, pageCount: 1, total: 3 });
    expect(verdictOf(pass, 3, 0)).toEqual({ kind: 'complete' });
    expect(verdictOf(pass, 2, 0)).toEqual({ kind: 'mismatch', total: 3, seen: 2, unreadable: 0 });
    expect(verdictOf(pass, 4, 0)).toEqual({ kind: 'mismatch', total: 3, seen: 4, unreadable: 0 });
    // Records that cannot be read are counted by the exchange, or not.
    expect(verdictOf(pass, 2, 1)).toEqual({ kind: 'complete' });
    expect(verdictOf(pass, 3, 1)).toEqual({ kind: 'complete' });
    expect(verdictOf(pass, 1, 1)).toEqual({ kind: 'mismatch', total: 3, seen: 1, unreadable: 1 });
    const moved = afterPage(pass, { rows: 3, pageCount: 1, total: 4 });
    expect(verdictOf(moved, 3, 0)).toEqual({ kind: 'moved', from: 3, to: 4 });
    // Changing and changing back is still a change.
    expect(verdictOf(afterPage(moved, { rows: 0, pageCount: 1, total: 3 }), 3, 0).kind).toBe('moved');
  });
});
