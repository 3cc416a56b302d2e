import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book } from './book.ts';
import type { Resting, Side } from './book.ts';
import { ACCOUNT, MAKERS, NOISE } from './ledger.ts';

const never = (): never => {
  throw new Error('not expected');
};

function fills(
  book: Book,
  side: Side,
  lots: number,
  limit: number | null,
): { left: number; met: number[][] } {
  const met: number[][] = [];
  const left = book.take(
    NOISE,
    side,
    lots,
    limit,
    (r, filled) => met.push([r.orderSeq, r.ticks, filled]),
    never,
  );
  return { left, met };
}

describe('book', () => {
  it('fills the best price first and the oldest order at a price first', () => {
    const book = new Book();
    book.rest(MAKERS, -1, 102, 5, 1);
    book.rest(MAKERS, -1, 101, 5, 2);
    book.rest(MAKERS, -1, 101, 5, 3);
    expect(fills(book, 1, 12, null)).toEqual({
      left: 0,
      met: [
        [2, 101, 5],
        [3, 101, 5],
        [1, 102, 2],
      ],
    });
    expect(book.best(-1)).toBe(102);
  });

  it('never goes beyond the limit, on either side', () => {
    const book = new Book();
    book.rest(MAKERS, -1, 101, 5, 1);
    book.rest(MAKERS, -1, 102, 5, 2);
    book.rest(MAKERS, 1, 99, 5, 3);
    book.rest(MAKERS, 1, 98, 5, 4);
    expect(fills(book, 1, 20, 101)).toEqual({ left: 15, met: [[1, 101, 5]] });
    expect(fills(book, -1, 20, 99)).toEqual({ left: 15, met: [[3, 99, 5]] });
  });

  it('previews exactly what a take would fill, without own orders', () => {
    const book = new Book();
    book.rest(MAKERS, -1, 101, 5, 1);
    book.rest(ACCOUNT, -1, 101, 7, 2);
    book.rest(MAKERS, -1, 103, 5, 3);
    const seen: number[][] = [];
    expect(book.preview(ACCOUNT, 1, 8, 103, (ticks, lots) => seen.push([ticks, lots]))).toBe(0);
    expect(seen).toEqual([
      [101, 5],
      [103, 3],
    ]);
  });

  it('cancels an own resting order instead of matching it', () => {
    const book = new Book();
    const own = book.rest(ACCOUNT, -1, 101, 7, 2);
    book.rest(MAKERS, -1, 101, 5, 3);
    const yielded: Resting[] = [];
    const left = book.take(
      ACCOUNT,
      1,
      6,
      null,
      () => undefined,
      (resting) => {
        yielded.push(resting);
        book.remove(resting);
      },
    );
    expect(left).toBe(1);
    expect(yielded).toEqual([own]);
  });

  it('agrees with a plain sorted list on any stream of orders', () => {
    const entry = fc.record({
      side: fc.constantFrom<Side>(1, -1),
      ticks: fc.integer({ min: 90, max: 110 }),
      lots: fc.integer({ min: 1, max: 9 }),
      cancel: fc.option(fc.nat({ max: 30 }), { freq: 4 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const book = new Book();
        const handles: Resting[] = [];
        const list: { seq: number; side: Side; ticks: number; lots: number }[] = [];
        for (const [seq, { side, ticks, lots, cancel }] of entries.entries()) {
          const handle = cancel === null ? undefined : handles[cancel];
          if (handle) {
            book.remove(handle);
            const at = list.findIndex((each) => each.seq === handle.orderSeq);
            if (at >= 0) list.splice(at, 1);
            continue;
          }
          const wanted: number[][] = [];
          let left = lots;
          const opposite = list
            .filter((each) => each.side !== side && side * each.ticks <= side * ticks)
            .sort((a, b) => side * (a.ticks - b.ticks) || a.seq - b.seq);
          for (const each of opposite) {
            const filled = Math.min(left, each.lots);
            if (filled === 0) break;
            wanted.push([each.seq, each.ticks, filled]);
            each.lots -= filled;
            left -= filled;
            if (each.lots === 0) list.splice(list.indexOf(each), 1);
          }
          expect(fills(book, side, lots, ticks)).toEqual({ left, met: wanted });
          if (left > 0) {
            list.push({ seq, side, ticks, lots: left });
            handles.push(book.rest(MAKERS, side, ticks, left, seq));
          }
        }
        const rows = [...book.orders(1), ...book.orders(-1)].map((each) => each.orderSeq);
        expect(rows.toSorted((a, b) => a - b)).toEqual(list.map((each) => each.seq));
      }),
      { numRuns: 300 },
    );
  });
});
