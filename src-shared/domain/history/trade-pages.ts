/**
 * Planning of a walk over the trade history's pages, as plain data: what to ask next, what an answer teaches, and
 * what the walk proves in the end. The interface shows neither the base of page numbers nor page sizes, so pages
 * 0 … pageCount are all read and merged by id; errors are tolerated on those two edges only (docs/product.md).
 */
import * as v from 'valibot';
import { PAGE_SIZES, type TradesQuery } from '../../exchange-api/endpoints.ts';

const integer = v.pipe(v.number(), v.safeInteger());

/** A walk in progress; kept in the sync's checkpoint, so it is parsed when it comes back. */
export const walkSchema = v.object({
  /** Window of tradeTime, ms; null = without a bound on that side. */
  from: v.nullable(integer),
  to: v.nullable(integer),
  /** Page size asked for. */
  size: integer,
  /** Next page to read. */
  page: integer,
  /** Largest said so far; null before the first readable page. */
  pageCount: v.nullable(integer),
  /** As first said. */
  total: v.nullable(integer),
  /** Another total was said later: the walk proves nothing. */
  movedTo: v.nullable(integer),
  /** Most rows a page held: the exchange's own page size, once a full one was read. */
  mostRows: integer,
});
export type Walk = v.InferOutput<typeof walkSchema>;

/** Asked for at first. An exchange that gives less is believed (`nextSize`), one that refuses it asked for less. */
export const PAGE_SIZE = PAGE_SIZES[0];

export const beginWalk = (from: number | null, to: number | null, size: number = PAGE_SIZE): Walk => ({
  from,
  to,
  size,
  page: 0,
  pageCount: null,
  total: null,
  movedTo: null,
  mostRows: 0,
});

/** What a page said of itself. */
export interface PageAnswer {
  readonly rows: number;
  readonly pageCount: number;
  readonly total: number;
}

/** Pages counted in sizes asked for, but filled only in part: going on would leave gaps. */
const tooSmall = (walk: Walk): boolean =>
  walk.pageCount !== null &&
  walk.total !== null &&
  walk.mostRows > 0 &&
  walk.mostRows < walk.size &&
  walk.mostRows * walk.pageCount < walk.total;

/** The next request, or null when the walk is over. */
export function nextQuery(walk: Walk): TradesQuery | null {
  if (walk.pageCount !== null) {
    // Page 1 too, where an empty history counts 0 pages: page 0 may have been an error (numbering from 1).
    if (walk.page > walk.pageCount) return null;
    // By now a whole page was read, whatever the base.
    if (walk.page > 2 && tooSmall(walk)) return null;
  }
  // A millisecond more on each side: whether a trade at exactly that time is listed is not described.
  return {
    ...(walk.from === null ? {} : { startTime: Math.max(0, walk.from - 1) }),
    ...(walk.to === null ? {} : { endTime: walk.to + 1 }),
    pageNumber: walk.page,
    pageSize: walk.size,
  };
}

export const afterPage = (walk: Walk, answer: PageAnswer): Walk => ({
  ...walk,
  page: walk.page + 1,
  pageCount: Math.max(walk.pageCount ?? 0, answer.pageCount),
  total: walk.total ?? answer.total,
  movedTo: walk.total !== null && walk.total !== answer.total ? answer.total : walk.movedTo,
  mostRows: Math.max(walk.mostRows, answer.rows),
});

/** The walk goes on past a page the exchange would not give, if that may be a page that does not exist; else null. */
export function afterFault(walk: Walk): Walk | null {
  const edge = walk.page === 0 || walk.page === walk.pageCount;
  return edge ? { ...walk, page: walk.page + 1 } : null;
}

/**
 * Neither page 0 nor page 1 can be read: one of them exists, so the size may be what is refused. The walk with the next
 * smaller one, or null when there is none, or that is not what happened.
 */
export function withSmallerPages(walk: Walk): Walk | null {
  const size = PAGE_SIZES.find((one) => one < walk.size);
  return walk.pageCount === null && walk.page === 1 && size !== undefined
    ? beginWalk(walk.from, walk.to, size)
    : null;
}

/** Where to try again after a failure: while no page was readable, page 0 may be the one that exists. */
export const tryAgain = (walk: Walk): Walk => (walk.pageCount === null ? { ...walk, page: 0 } : walk);

export type Verdict =
  | { readonly kind: 'complete' }
  /** `total` moved meanwhile. */
  | { readonly kind: 'moved'; readonly from: number; readonly to: number }
  /** The pages did not list what `total` counts. */
  | { readonly kind: 'mismatch'; readonly total: number; readonly seen: number };

/** What a walk that is over proves. `seen`: distinct trades it met. */
export function verdictOf(walk: Walk, seen: number): Verdict {
  const total = walk.total ?? 0;
  if (walk.movedTo !== null) return { kind: 'moved', from: total, to: walk.movedTo };
  return seen === total ? { kind: 'complete' } : { kind: 'mismatch', total, seen };
}

/** The page size to ask for in the next walk. */
export const nextSize = (walk: Walk): number => (tooSmall(walk) ? walk.mostRows : walk.size);
