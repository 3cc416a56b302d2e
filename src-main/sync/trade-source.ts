/** Reads one page of trades through the request limiter, for the backfill pass and the tail sync. */
import { exchangeReplied, type Failure } from '../../src-shared/ipc/failures.ts';
import type { DatedUnreadable } from '../../src-shared/ipc/archive.ts';
import {
  skipEdgePage,
  nextQuery,
  withSmallerPages,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { TradesQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { TradePage } from '../../src-shared/exchange-api/trade.ts';
import { exchangeTime, type Clock } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { dateUnreadable } from './unreadable-records.ts';

/** What the sync needs of the exchange's client. */
export interface TradeClient {
  trades(query: TradesQuery): Promise<ReadResult<TradePage, Pick<ReadMeta, 'unreadable'>>>;
  /** Exchange clock − this computer's, ms; null before the first reply. */
  clockOffsetMs(): number | null;
}

/** What the sync needs of the archive. */
export type TradeStore = Pick<Archive, 'state' | 'insertTrades' | 'beginPass' | 'endPass' | 'count'>;

export type PageRead =
  | { readonly kind: 'page'; readonly page: TradePage; readonly unreadable: readonly DatedUnreadable[] }
  /**
   * `no-page`: the exchange replied with an error on an edge page, which may not exist. `no-size`: it replied with
   * errors only, also for pages that must exist, and may reject the page size.
   */
  | { readonly kind: 'no-page' | 'no-size' | 'failed'; readonly failure: Failure }
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

function unreadKind(pass: BackfillPass, failure: Failure): Extract<PageRead, { failure: Failure }>['kind'] {
  if (!exchangeReplied(failure)) return 'failed';
  if (skipEdgePage(pass) !== null) return 'no-page';
  return withSmallerPages(pass) !== null ? 'no-size' : 'failed';
}
