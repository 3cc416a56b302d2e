/** One page of trades into the archive: the request both the walk and the top-up make, behind the gate. */
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { TradeFilter } from '../../src-shared/ipc/trades.ts';
import type { UnreadRecord } from '../../src-shared/ipc/archive.ts';
import {
  skipEdgePage,
  nextQuery,
  withSmallerPages,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { TradesQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { Trade, TradePage } from '../../src-shared/exchange-api/trade.ts';
import type { RequestLimiter } from './request-limiter.ts';
import type { SetAside } from '../../src-shared/exchange-api/replies.ts';
import { unreadRecords } from './unread-records.ts';

/** What the sync needs of the exchange's client. */
export interface TradeClient {
  trades(query: TradesQuery): Promise<
    | {
        readonly ok: true;
        readonly data: TradePage;
        readonly meta: { readonly setAside?: readonly SetAside[] };
      }
    | { readonly ok: false; readonly failure: Failure }
  >;
  /** Exchange clock − this computer's, ms; null until a reply told. */
  clockOffsetMs(): number | null;
}

export interface StoreState {
  readonly stored: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  readonly setAside: number;
  readonly checkpoint: string | null;
}

/** What the sync needs of the archive. */
export interface TradeStore {
  state(): Promise<Result<StoreState>>;
  /** Rows and checkpoint in one transaction; with a checkpoint the rows count as seen by the walk in progress. */
  insertTrades(
    rows: readonly Trade[],
    checkpoint: string | null,
    setAside: readonly UnreadRecord[],
  ): Promise<Result<{ readonly added: number; readonly seen: number; readonly setAside: number }>>;
  beginPass(checkpoint: string): Promise<Result<null>>;
  /** A walk over `from` … `to` is complete: records set aside there that it did not meet are forgotten. */
  endPass(checkpoint: string, from: number | null, to: number | null): Promise<Result<null>>;
  count(filter: TradeFilter): Promise<Result<number>>;
}

/** The same store; `kept` sees all work it is asked for. */
export const watchedStore = (store: TradeStore, kept: <T>(work: Promise<T>) => Promise<T>): TradeStore => ({
  state: () => kept(store.state()),
  insertTrades: (rows, text, setAside) => kept(store.insertTrades(rows, text, setAside)),
  beginPass: (text) => kept(store.beginPass(text)),
  endPass: (text, from, to) => kept(store.endPass(text, from, to)),
  count: (filter) => kept(store.count(filter)),
});

export type PageRead =
  | { readonly kind: 'page'; readonly page: TradePage; readonly setAside: readonly UnreadRecord[] }
  /** The exchange answered, but gave no page: it may not exist. */
  | { readonly kind: 'no-page'; readonly failure: Failure }
  /** The exchange answered, but gave none of the pages that must exist: the size may be what it refuses. */
  | { readonly kind: 'no-size'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The gate is shut: ask again after `ms`. */
  | { readonly kind: 'wait'; readonly ms: number };

/** A shut gate without a time is tried again after this. */
const BLOCKED_RETRY_MS = 2_000;
const ANSWERED = new Set<Failure['kind']>(['refused', 'server', 'unreadable']);

/** Reads the walk's next page. An error on an edge page is an answer: that page may not exist. */
export async function readPage(
  client: TradeClient,
  limiter: RequestLimiter,
  clock: { now(): number },
  pass: BackfillPass,
): Promise<PageRead> {
  const query = nextQuery(pass);
  if (query === null) throw new RangeError('the walk is over');
  const now = clock.now();
  if (!limiter.tryAcquire(now)) {
    const until = limiter.blockedUntil(now);
    return { kind: 'wait', ms: until > now && Number.isFinite(until) ? until - now : BLOCKED_RETRY_MS };
  }
  const answer = await client.trades(query);
  if (answer.ok) {
    limiter.succeeded();
    const window = { from: pass.from ?? 0, to: pass.to ?? now + (client.clockOffsetMs() ?? 0) };
    const setAside = unreadRecords(answer.meta.setAside ?? [], 'tradeTime', window);
    return { kind: 'page', page: answer.data, setAside };
  }
  if (ANSWERED.has(answer.failure.kind)) {
    const kind =
      skipEdgePage(pass) !== null ? 'no-page' : withSmallerPages(pass) !== null ? 'no-size' : 'failed';
    if (kind !== 'failed') {
      limiter.succeeded();
      return { kind, failure: answer.failure };
    }
  }
  limiter.failed(answer.failure, clock.now());
  return { kind: 'failed', failure: answer.failure };
}
