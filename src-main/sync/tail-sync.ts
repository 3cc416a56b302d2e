/**
 * The freshest trades, read right after a fill: a small window with an open end, stored but never taken as proof
 * (the walk with its fixed end proves them a little later). Where the exchange lists a fill late, it looks again.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { UnreadRecord } from '../../src-shared/ipc/archive.ts';
import {
  skipEdgePage,
  afterPage,
  beginPass,
  nextQuery,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { TradePage } from '../../src-shared/exchange-api/trade.ts';
import type { PageRead, TradeStore } from './trade-source.ts';

const MINUTE_MS = 60_000;
/** The window begins so long ago at the least … */
const WINDOW_MS = 10 * MINUTE_MS;
/** … and a little before the newest trade stored, but not longer ago than the walk's overlap covers anyway. */
const BEFORE_NEWEST_MS = MINUTE_MS;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** With nothing new: look again. A fill is listed within two seconds of its order's event. */
const LOOK_AGAIN_MS: readonly number[] = [700, 1_300];

export interface TopUpStep {
  /** New trades of this step. */
  readonly added: number;
  readonly failure: Failure | null;
  /** The next step may follow after so many ms; null: done. */
  readonly next: number | null;
}

export interface TopUp {
  /** A change was seen; what is under way is followed by one more look. */
  ask(): void;
  /** Reads one page. */
  step(read: (pass: BackfillPass) => Promise<PageRead>): Promise<TopUpStep>;
}

export function createTopUp(
  store: TradeStore,
  exchangeNow: () => number,
  newest: () => number | null,
  pageSize: () => number,
): TopUp {
  let pass: BackfillPass | null = null;
  let found = false;
  let looks = 0;
  let askedAgain = false;

  function begin(): BackfillPass {
    found = false;
    const now = exchangeNow();
    const last = newest();
    const from = Math.min(now - WINDOW_MS, last === null ? now : last - BEFORE_NEWEST_MS);
    return beginPass(Math.max(0, from, now - LONGEST_MS), null, pageSize());
  }

  /** When to look again, after a look that ended. */
  function ended(): number | null {
    pass = null;
    if (askedAgain) {
      askedAgain = false;
      return 0;
    }
    return found ? null : (LOOK_AGAIN_MS[looks++] ?? null);
  }

  async function takePage(
    before: BackfillPass,
    { data, pageCount, total }: TradePage,
    setAside: readonly UnreadRecord[],
  ): Promise<TopUpStep> {
    const stored = await store.insertTrades(data, null, setAside);
    if (!stored.ok) return { added: 0, failure: stored.failure, next: ended() };
    const { added } = stored.data;
    if (added > 0) found = true;
    pass = afterPage(before, { rows: data.length + setAside.length, pageCount, total });
    return { added, failure: null, next: nextQuery(pass) === null ? ended() : 0 };
  }

  return {
    ask() {
      looks = 0;
      if (pass !== null) askedAgain = true;
    },
    async step(read) {
      pass ??= begin();
      const answer = await read(pass);
      if (answer.kind === 'wait') return { added: 0, failure: null, next: answer.ms };
      if (answer.kind === 'page') return takePage(pass, answer.page, answer.setAside);
      const after = answer.kind === 'no-page' ? skipEdgePage(pass) : null;
      if (after === null) return { added: 0, failure: answer.failure, next: ended() };
      pass = after;
      return { added: 0, failure: null, next: nextQuery(pass) === null ? ended() : 0 };
    },
  };
}
