/**
 * Reads the newest trades right after a fill: a small window with an open end, which verifies nothing (the next
 * backfill pass does). Retries where the exchange lists a fill late.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { DatedUnreadable } from '../../src-shared/ipc/archive.ts';
import {
  skipEdgePage,
  afterPage,
  beginPass,
  nextQuery,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { TradePage } from '../../src-shared/exchange-api/trade.ts';
import { OVERLAP_MS } from './passes.ts';
import type { PageRead, TradeStore } from './trade-source.ts';

const MINUTE_MS = 60_000;
/** The window reaches back at least this far … */
const MIN_WINDOW_MS = 10 * MINUTE_MS;
/** … and to a minute before the newest stored trade, but no further than the next pass will. */
const BEFORE_NEWEST_MS = MINUTE_MS;
/** Delays of the retries while nothing new is listed. A fill is listed within two seconds of its order's event. */
const RETRY_DELAYS_MS: readonly number[] = [700, 1_300];

export interface TailStep {
  /** Number of new trades. */
  readonly added: number;
  readonly failure: Failure | null;
  /** Delay of the next step, ms; null if done. */
  readonly next: number | null;
}

export interface TailSync {
  /** Requests a sync; one in progress is followed by another. */
  request(): void;
  /** Reads one page. */
  step(read: (pass: BackfillPass) => Promise<PageRead>): Promise<TailStep>;
}

export function createTailSync(
  store: TradeStore,
  exchangeNow: () => number,
  newest: () => number | null,
  pageSize: () => number,
): TailSync {
  let pass: BackfillPass | null = null;
  let found = false;
  let retries = 0;
  let requestedAgain = false;

  function begin(): BackfillPass {
    found = false;
    const now = exchangeNow();
    const last = newest();
    const from = Math.min(now - MIN_WINDOW_MS, last === null ? now : last - BEFORE_NEWEST_MS);
    return beginPass(Math.max(0, from, now - OVERLAP_MS), null, pageSize());
  }

  /** Ends the current window and returns the delay of the next one; null if none is needed. */
  function nextDelay(): number | null {
    pass = null;
    if (requestedAgain) {
      requestedAgain = false;
      return 0;
    }
    return found ? null : (RETRY_DELAYS_MS[retries++] ?? null);
  }

  async function takePage(
    before: BackfillPass,
    { data, pageCount, total }: TradePage,
    unreadable: readonly DatedUnreadable[],
  ): Promise<TailStep> {
    const stored = await store.insertTrades(data, null, unreadable);
    if (!stored.ok) return { added: 0, failure: stored.failure, next: nextDelay() };
    const { added } = stored.data;
    if (added > 0) found = true;
    pass = afterPage(before, { rows: data.length + unreadable.length, pageCount, total });
    return { added, failure: null, next: nextQuery(pass) === null ? nextDelay() : 0 };
  }

  return {
    request() {
      retries = 0;
      if (pass !== null) requestedAgain = true;
    },
    async step(read) {
      pass ??= begin();
      const reply = await read(pass);
      if (reply.kind === 'wait') return { added: 0, failure: null, next: reply.ms };
      if (reply.kind === 'page') return takePage(pass, reply.page, reply.unreadable);
      const after = reply.kind === 'no-page' ? skipEdgePage(pass) : null;
      if (after === null) return { added: 0, failure: reply.failure, next: nextDelay() };
      pass = after;
      return { added: 0, failure: null, next: nextQuery(pass) === null ? nextDelay() : 0 };
    },
  };
}
