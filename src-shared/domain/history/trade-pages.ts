/**
 * Plans a backfill of the trade history's pages. Base of page numbers and page sizes are not documented, so pages 0 …
 * pageCount are all read and merged by id. Errors are tolerated on these two edges only (docs/product.md).
 */
import * as v from 'valibot';
import { integer } from '../../checked-json.ts';
import { PAGE_SIZES, type TradesQuery } from '../../exchange-api/endpoints.ts';

/** A backfill in progress, stored in the sync's checkpoint, so it is parsed on load. */
export const passSchema = v.object({
  /** Range of tradeTime in ms; null means unbounded. */
  from: v.nullable(integer),
  to: v.nullable(integer),
  /** Requested page size. */
  size: integer,
  /** Next page to read. */
  page: integer,
  /** Largest page count received; null before the first readable page. */
  pageCount: v.nullable(integer),
  /** The first total received. */
  total: v.nullable(integer),
  /** A different total received later: the backfill verifies nothing. */
  movedTo: v.nullable(integer),
  /** Most rows of a page: the exchange's own page size, once a full page was read. */
  mostRows: integer,
});
export type BackfillPass = v.InferOutput<typeof passSchema>;

/**
 * First page size to request. If the exchange returns fewer rows, `nextSize` adapts; if it rejects the size, a smaller
 * one is tried.
 */
export const PAGE_SIZE = PAGE_SIZES[0];

export const beginPass = (
  from: number | null,
  to: number | null,
  size: number = PAGE_SIZE,
): BackfillPass => ({
  from,
  to,
  size,
  page: 0,
  pageCount: null,
  total: null,
  movedTo: null,
  mostRows: 0,
});

/** A page's metadata. */
export interface PageMeta {
  /** Records, also those that cannot be read. */
  readonly rows: number;
  readonly pageCount: number;
  readonly total: number;
}

/** Reports whether pages were counted in the requested size but filled only partly: going on would leave gaps. */
const tooSmall = (pass: BackfillPass): boolean =>
  pass.pageCount !== null &&
  pass.total !== null &&
  pass.mostRows > 0 &&
  pass.mostRows < pass.size &&
  pass.mostRows * pass.pageCount < pass.total;

/** Reports whether no page had a record: the one page read may be page 0 of an exchange that counts from 1. */
const isEmpty = (pass: BackfillPass): boolean => pass.mostRows === 0 && (pass.total ?? 0) === 0;

/** Returns the last page that may exist; null before the first readable page. */
const lastPage = (pass: BackfillPass): number | null =>
  pass.pageCount !== null && isEmpty(pass) ? Math.max(1, pass.pageCount) : pass.pageCount;

/** Returns the next request, or null when the backfill is over. */
export function nextQuery(pass: BackfillPass): TradesQuery | null {
  const last = lastPage(pass);
  if (last !== null) {
    if (pass.page > last) return null;
    // There are no more pages than records, and one at each edge, unless a page has shown the total to be wrong.
    const records = Math.max(pass.total ?? 0, pass.movedTo ?? 0);
    if (pass.page > records + 1 && pass.mostRows <= records) return null;
    // By now a full page was read, whatever the base.
    if (pass.page > 2 && tooSmall(pass)) return null;
  }
  // 1 ms wider on each side: whether bounds are inclusive is not documented. Always with a start, which is never 0: an
  // exchange may list and count only the last days without one, and take 0 for none.
  return {
    startTime: Math.max(1, (pass.from ?? 0) - 1),
    ...(pass.to === null ? {} : { endTime: pass.to + 1 }),
    pageNumber: pass.page,
    pageSize: pass.size,
  };
}

export const afterPage = (pass: BackfillPass, meta: PageMeta): BackfillPass => ({
  ...pass,
  page: pass.page + 1,
  pageCount: Math.max(pass.pageCount ?? 0, meta.pageCount),
  total: isEmpty(pass) ? meta.total : pass.total,
  movedTo: !isEmpty(pass) && pass.total !== meta.total ? meta.total : pass.movedTo,
  mostRows: Math.max(pass.mostRows, meta.rows),
});

/** Skips a failed page if it may not exist; else returns null. */
export function skipEdgePage(pass: BackfillPass): BackfillPass | null {
  const edge = pass.page === 0 || pass.page === lastPage(pass);
  return edge ? { ...pass, page: pass.page + 1 } : null;
}

/**
 * Returns the backfill with the next smaller page size if pages 0 and 1 both failed: one of them exists, so the size
 * may be rejected. Null otherwise.
 */
export function withSmallerPages(pass: BackfillPass): BackfillPass | null {
  const size = PAGE_SIZES.find((one) => one < pass.size);
  return pass.pageCount === null && pass.page === 1 && size !== undefined ? readAgain(pass, size) : null;
}

/** Begins the same range again. A total received before stays the one to verify. */
export const readAgain = ({ from, to, total }: BackfillPass, size: number): BackfillPass => ({
  ...beginPass(from, to, size),
  total,
});

/**
 * Returns the backfill again with pages that end elsewhere; null if it has one page. An exchange that sorts trades of
 * equal times anew for each page lists some of them twice and some never: those at the end of a page.
 */
export function withOtherPageEnds(pass: BackfillPass): BackfillPass | null {
  const size = Math.floor((9 * Math.min(pass.size, pass.mostRows)) / 10);
  return size > 0 && (pass.pageCount ?? 0) > 1 && !tooSmall(pass) ? readAgain(pass, size) : null;
}

/** Returns where to retry after a failure: until a page was readable, page 0 may be the one that exists. */
export const retryFrom = (pass: BackfillPass): BackfillPass =>
  pass.pageCount === null ? { ...pass, page: 0 } : pass;

export type Verdict =
  | { readonly kind: 'complete' }
  /** `total` changed meanwhile. */
  | { readonly kind: 'moved'; readonly from: number; readonly to: number }
  /** The pages did not list what `total` counts. */
  | { readonly kind: 'mismatch'; readonly total: number; readonly seen: number; readonly unreadable: number };

/** Returns what a finished backfill verifies. `seen`: distinct trades; `unreadable`: records that cannot be read. */
export function verdictOf(pass: BackfillPass, seen: number, unreadable: number): Verdict {
  const total = pass.total ?? 0;
  if (pass.movedTo !== null) return { kind: 'moved', from: total, to: pass.movedTo };
  // The exchange's total may or may not include records without a readable identity.
  return seen === total || seen + unreadable === total
    ? { kind: 'complete' }
    : { kind: 'mismatch', total, seen, unreadable };
}

/** Returns the page size of the next backfill; `size` is the last one's, which pages that only end elsewhere leave. */
export function nextSize(pass: BackfillPass, size: number): number {
  if (tooSmall(pass)) return pass.mostRows;
  return PAGE_SIZES.some((one) => one === pass.size) ? pass.size : size;
}
