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
import { MINUTE_MS } from '../../src-shared/time.ts';

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

export class TailSync {
  readonly #insert: TradeStore['insertTrades'];
  readonly #exchangeNow: () => number;
  readonly #newest: () => number | null;
  readonly #pageSize: () => number;
  #pass: BackfillPass | null = null;
  #hasFound = false;
  #retries = 0;
  #isRequestedAgain = false;

  constructor(
    insert: TradeStore['insertTrades'],
    exchangeNow: () => number,
    newest: () => number | null,
    pageSize: () => number,
  ) {
    this.#insert = insert;
    this.#exchangeNow = exchangeNow;
    this.#newest = newest;
    this.#pageSize = pageSize;
  }

  /** Requests a sync; one in progress is followed by another. */
  request(): void {
    this.#retries = 0;
    if (this.#pass !== null) this.#isRequestedAgain = true;
  }

  /** Reads one page. */
  async step(read: (pass: BackfillPass) => Promise<PageRead>): Promise<TailStep> {
    this.#pass ??= this.#begin();
    const pass = this.#pass;
    const reply = await read(pass);
    if (reply.kind === 'wait') return { added: 0, failure: null, next: reply.ms };
    if (reply.kind === 'page') return this.#takePage(pass, reply.page, reply.unreadable);
    const after = reply.kind === 'no-page' ? skipEdgePage(pass) : null;
    if (after === null) return { added: 0, failure: reply.failure, next: this.#endWindow() };
    return { added: 0, failure: null, next: this.#continue(after) };
  }

  #begin(): BackfillPass {
    this.#hasFound = false;
    const now = this.#exchangeNow();
    const last = this.#newest();
    const from = Math.min(now - MIN_WINDOW_MS, last === null ? now : last - BEFORE_NEWEST_MS);
    return beginPass(Math.max(0, from, now - OVERLAP_MS), null, this.#pageSize());
  }

  async #takePage(
    before: BackfillPass,
    { data, pageCount, total }: TradePage,
    unreadable: readonly DatedUnreadable[],
  ): Promise<TailStep> {
    const stored = await this.#insert(data, null, unreadable);
    if (!stored.ok) return { added: 0, failure: stored.failure, next: this.#endWindow() };
    const { added } = stored.data;
    if (added > 0) this.#hasFound = true;
    const after = afterPage(before, { rows: data.length + unreadable.length, pageCount, total });
    return { added, failure: null, next: this.#continue(after) };
  }

  /** Returns the delay of the next step, after a page: 0 if the window has another. */
  #continue(after: BackfillPass): number | null {
    this.#pass = after;
    return nextQuery(after) === null ? this.#endWindow() : 0;
  }

  /** Ends the current window and returns the delay of the next one; null if none is needed. */
  #endWindow(): number | null {
    this.#pass = null;
    if (this.#isRequestedAgain) {
      this.#isRequestedAgain = false;
      return 0;
    }
    return this.#hasFound ? null : (RETRY_DELAYS_MS[this.#retries++] ?? null);
  }
}
