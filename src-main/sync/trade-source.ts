/** Reads one page of trades through the request limiter, for the backfill pass and the tail sync. */
import { exchangeReplied, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { TradeFilter } from '../../src-shared/ipc/trades.ts';
import type { DatedUnreadable } from '../../src-shared/ipc/archive.ts';
import {
  skipEdgePage,
  nextQuery,
  withSmallerPages,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { TradesQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { Trade, TradePage } from '../../src-shared/exchange-api/trade.ts';
import { exchangeTime, type Clock } from '../../src-shared/time.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { dateUnreadable } from './unreadable-records.ts';

/** What the sync needs of the exchange's client. */
export interface TradeClient {
  trades(query: TradesQuery): Promise<ReadResult<TradePage, Pick<ReadMeta, 'unreadable'>>>;
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
}

export interface StoreState {
  readonly stored: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  readonly unreadable: number;
  readonly checkpoint: string | null;
}

/** What the sync needs of the archive. */
export interface TradeStore {
  state(): Promise<Result<StoreState>>;
  /** Stores rows and checkpoint in one transaction; with a checkpoint the rows count as seen by the current pass. */
  insertTrades(
    rows: readonly Trade[],
    checkpoint: string | null,
    unreadable: readonly DatedUnreadable[],
  ): Promise<Result<{ readonly added: number; readonly seen: number; readonly unreadable: number }>>;
  beginPass(checkpoint: string): Promise<Result<null>>;
  /** Ends a complete pass over `from` … `to` and deletes unreadable records of that range that it did not see. */
  endPass(checkpoint: string, from: number | null, to: number | null): Promise<Result<null>>;
  count(filter: TradeFilter): Promise<Result<number>>;
}

/** Returns the same store with every call's promise passed to `track`. */
export const trackedStore = (store: TradeStore, track: <T>(work: Promise<T>) => Promise<T>): TradeStore => ({
  state: () => track(store.state()),
  insertTrades: (rows, text, unreadable) => track(store.insertTrades(rows, text, unreadable)),
  beginPass: (text) => track(store.beginPass(text)),
  endPass: (text, from, to) => track(store.endPass(text, from, to)),
  count: (filter) => track(store.count(filter)),
});

export type PageRead =
  | { readonly kind: 'page'; readonly page: TradePage; readonly unreadable: readonly DatedUnreadable[] }
  /** The exchange replied with an error on an edge page, which may not exist. */
  | { readonly kind: 'no-page'; readonly failure: Failure }
  /** The exchange replied with errors only, also for pages that must exist: it may reject the page size. */
  | { readonly kind: 'no-size'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Reads are blocked: retry after `ms`. */
  | { readonly kind: 'wait'; readonly ms: number };

/** Reads the pass's next page. An error on an edge page is not a failure: that page may not exist. */
export async function readPage(
  client: TradeClient,
  limiter: RequestLimiter,
  clock: Clock,
  pass: BackfillPass,
): Promise<PageRead> {
  const query = nextQuery(pass);
  if (query === null) throw new RangeError('the pass is over');
  const result = await limiter.read(
    () => client.trades(query),
    (failure) => unreadKind(pass, failure) === 'failed',
  );
  if ('waitMs' in result) return { kind: 'wait', ms: result.waitMs };
  if (!result.ok) return { kind: unreadKind(pass, result.failure), failure: result.failure };
  const window = { from: pass.from ?? 0, to: pass.to ?? exchangeTime(clock, client) };
  const unreadable = dateUnreadable(result.meta.unreadable ?? [], 'tradeTime', window);
  return { kind: 'page', page: result.data, unreadable };
}

function unreadKind(pass: BackfillPass, failure: Failure): 'no-page' | 'no-size' | 'failed' {
  if (!exchangeReplied(failure)) return 'failed';
  if (skipEdgePage(pass) !== null) return 'no-page';
  return withSmallerPages(pass) !== null ? 'no-size' : 'failed';
}
