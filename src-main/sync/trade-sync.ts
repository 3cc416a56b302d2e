/**
 * Fills a connection's archive with its trades, and says what is proven.
 *
 * - The walk: a window with a fixed end (now − 60 s, by the exchange's clock), beginning 24 h before what was proven
 *   last, read page by page; rows and checkpoint go into one transaction, so a kill costs at most one page. Complete
 *   means that the distinct ids met equal `total` and `total` did not move; otherwise the window is walked again.
 * - The top-up: the newest trades right after a fill, not yet proven.
 *
 * One request in flight, the top-up first, each behind the connection's gate.
 */
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import { NO_FILTER, type SyncStatus } from '../../src-shared/ipc/trades.ts';
import {
  skipEdgePage,
  afterPage,
  beginPass,
  nextQuery,
  PAGE_SIZE,
  retryFrom,
  verdictOf,
  withSmallerPages,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import type { Timers } from './feeds.ts';
import type { RequestLimiter } from './request-limiter.ts';
import {
  advanced,
  brokenOff,
  FIRST_CHECKPOINT,
  judged,
  printCheckpoint,
  readCheckpoint,
  unproven,
  withLargest,
  type Checkpoint,
} from './trade-checkpoint.ts';
import { createPrefetch } from './prefetch.ts';
import {
  readPage,
  watchedStore,
  type PageRead,
  type StoreState,
  type TradeClient,
  type TradeStore,
} from './trade-source.ts';
import { createTopUp } from './tail-sync.ts';

export type TradeSyncStatus = Omit<SyncStatus, 'rate' | 'leftMs' | 'orders'>;
export interface TradeSyncPorts {
  readonly connectionId: string;
  readonly client: TradeClient;
  readonly archive: TradeStore;
  readonly limiter: RequestLimiter;
  /** This computer's wall clock. */
  readonly clock: { now(): number };
  readonly timers: Timers;
  readonly onStatus: (status: TradeSyncStatus) => void;
  /** Rest between two pages of the walk, ms; 0 on loopback. */
  readonly restMs?: number;
  /** Most trades to ask for on a page. */
  readonly pageSize?: number;
}

export interface TradeSync {
  /** Walks until complete, then again from time to time. Also resumes after a pause and asks again after a failure. */
  start(): void;
  /** Rests after the page in hand; top-ups go on. */
  pause(): void;
  /** A fill may have happened: its trades are stored within about two seconds of being listed. */
  topUp(): void;
  status(): TradeSyncStatus;
  /** For good; resolves when nothing is written any more. A page on its way is dropped. */
  stop(): Promise<void>;
}

/** Trades younger than this may still be on their way into the exchange's list. */
const LISTING_DELAY_MS = 60_000;
const OVERLAP_MS = 24 * 3_600_000;
/** The next walk after a proof, and after a top-up that found something (its trades have settled by then). */
const PASS_INTERVAL_MS = 15 * 60_000;
const VERIFY_MS = LISTING_DELAY_MS + 30_000;
/** Walks in a row that may prove nothing; after them one at a time, further and further apart. */
const ATTEMPTS = 3;
const MAX_PASS_INTERVAL_MS = 6 * 3_600_000;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 10 * 60_000;

type Task = 'topUp' | 'pass';

export function createTradeSync(ports: TradeSyncPorts): TradeSync {
  const { archive, client, clock, limiter, timers } = ports;
  const restMs = ports.restMs ?? 0;
  const largest = ports.pageSize ?? PAGE_SIZE;
  let state: SyncStatus['state'] = 'idle';
  let failure: Failure | null = null;
  let checkpoint: Checkpoint = FIRST_CHECKPOINT;
  let store: StoreState | null = null;
  let retryMs = FIRST_RETRY_MS;
  let stopped = false;
  let busy = false;
  let writing: Promise<unknown> = Promise.resolve();
  const due = new Set<Task>();
  const timer = new Map<Task, () => void>();

  /** Asked after an await, during which `pause` or `stop` may have come. */
  const isStopped = (): boolean => stopped;
  const is = (one: SyncStatus['state']): boolean => state === one;
  const exchangeNow = (): number => clock.now() + (client.clockOffsetMs() ?? 0);
  /** Archive work in hand, so that `stop` can wait for it. */
  const kept = <T>(work: Promise<T>): Promise<T> => {
    writing = work;
    return work;
  };
  const watched = watchedStore(archive, kept);
  const pages = createPrefetch((pass) => readPage(client, limiter, clock, pass));
  const size = (): number => checkpoint.pass?.size ?? checkpoint.size;
  const topUps = createTopUp(watched, exchangeNow, () => store?.newest ?? null, size);

  const status = (): TradeSyncStatus => ({
    connectionId: ports.connectionId,
    state,
    stored: store?.stored ?? 0,
    total: checkpoint.total,
    oldest: store?.oldest ?? null,
    newest: store?.newest ?? null,
    completedAt: checkpoint.completedAt,
    quarantined: store?.quarantined ?? 0,
    setAside: store?.setAside ?? 0,
    pageSize: size(),
    failure,
  });
  const tell = (): void => {
    if (!stopped) ports.onStatus(status());
  };

  /** `task` is due in `ms`; replaces what was planned for it. 0 is now, after what is in hand. */
  function plan(task: Task, ms: number): void {
    timer.get(task)?.();
    timer.delete(task);
    if (stopped) return;
    if (ms > 0)
      timer.set(
        task,
        timers.after(ms, () => plan(task, 0)),
      );
    else {
      due.add(task);
      void work();
    }
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      if (store === null) await load();
      while (!stopped && store !== null && due.size > 0) {
        const task: Task = due.has('topUp') ? 'topUp' : 'pass';
        due.delete(task);
        await (task === 'topUp' ? topUpStep() : passStep());
      }
    } catch (error) {
      fail(brokenOff('trade', error));
    } finally {
      busy = false;
    }
  }

  async function load(): Promise<void> {
    await refresh();
    if (store === null) return;
    checkpoint = withLargest(readCheckpoint(store.checkpoint), largest);
    tell();
  }

  async function refresh(): Promise<void> {
    store = taken(await watched.state()) ?? store;
  }

  function fail(reason: Failure, waitMs = retryMs): void {
    failure = reason;
    if (state === 'running') state = 'failed';
    if (state === 'failed') {
      plan('pass', Math.max(waitMs, (reason.retryAt ?? 0) - clock.now()));
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
    tell();
  }

  /** The data of an answer of the archive; null after its failure was told. */
  function taken<T>(answer: Result<T>): T | null {
    if (answer.ok) return answer.data;
    fail(answer.failure);
    return null;
  }

  async function topUpStep(): Promise<void> {
    const step = await topUps.step((pass) => pages.readOther(pass));
    if (stopped) return;
    if (step.next !== null) plan('topUp', step.next);
    if (step.added > 0) {
      await refresh();
      if (state === 'complete') plan('pass', VERIFY_MS);
    }
    // What stands in the way of a walk is told by the walk; here it is told only while none is under way.
    if (state !== 'failed') failure = step.failure;
    if (step.added > 0 || step.failure !== null) tell();
  }

  async function passStep(): Promise<void> {
    if (state === 'paused' || state === 'idle') return;
    state = 'running';
    const pass = checkpoint.pass ?? (await startPass());
    if (pass === null || isStopped()) return;
    if (nextQuery(pass) === null) return finishPass(pass);
    const read = await pages.take(pass);
    if (stopped) return;
    if (read.kind === 'wait') return plan('pass', read.ms);
    const page = read.kind === 'page' ? read.page : null;
    const setAside = read.kind === 'page' ? read.setAside : [];
    const after =
      page !== null
        ? afterPage(pass, {
            rows: page.data.length + setAside.length,
            pageCount: page.pageCount,
            total: page.total,
          })
        : read.kind === 'no-page'
          ? skipEdgePage(pass)
          : null;
    if (after === null) return notRead(pass, read);
    const next = advanced(checkpoint, after);
    if (page !== null && restMs === 0 && is('running') && nextQuery(after) !== null) pages.start(after);
    // Both on their way at once: two turns of the thread a page would be a fifth of its time.
    const text = printCheckpoint(next);
    const [stored] = await Promise.all([watched.insertTrades(page?.data ?? [], text, setAside), refresh()]);
    if (taken(stored) === null) return;
    checkpoint = next;
    // A page that may not exist says nothing of whether those that do can be read.
    if (page !== null) {
      failure = null;
      retryMs = FIRST_RETRY_MS;
    }
    tell();
    if (is('running')) plan('pass', nextQuery(after) === null ? 0 : restMs);
  }

  /** Goes on with smaller pages at once where the size may be refused; else again from the largest, later. */
  function notRead(pass: BackfillPass, read: PageRead): void {
    const smaller = read.kind === 'no-size' ? withSmallerPages(pass) : null;
    const isUnread = pass.pageCount === null && pass.page === 1;
    const again = isUnread ? beginPass(pass.from, pass.to, checkpoint.size) : retryFrom(pass);
    checkpoint = { ...checkpoint, pass: smaller ?? again };
    if (smaller !== null) plan('pass', restMs);
    else if ('failure' in read) fail(read.failure);
  }

  async function startPass(): Promise<BackfillPass | null> {
    const { verifiedTo, size } = checkpoint;
    const from = verifiedTo === null ? null : Math.max(0, verifiedTo - OVERLAP_MS);
    const before = from === null ? 0 : taken(await watched.count({ ...NO_FILTER, to: from - 1 }));
    if (before === null) return null;
    const pass = beginPass(from, Math.max(0, exchangeNow() - LISTING_DELAY_MS), size);
    const next: Checkpoint = { ...checkpoint, before, pass };
    const begun = await watched.beginPass(printCheckpoint(next));
    if (!begun.ok) {
      fail(begun.failure);
      return null;
    }
    checkpoint = next;
    return pass;
  }

  /** Judges a walk that is over, also one that a kill kept from being judged. */
  async function finishPass(pass: BackfillPass): Promise<void> {
    const summary = taken(await watched.insertTrades([], printCheckpoint(checkpoint), []));
    if (summary === null) return;
    const verdict = verdictOf(pass, summary.seen, summary.setAside);
    const next = judged(checkpoint, pass, verdict, clock.now());
    const ended =
      verdict.kind === 'complete'
        ? await watched.endPass(printCheckpoint(next), pass.from, pass.to)
        : await watched.insertTrades([], printCheckpoint(next), []);
    if (!ended.ok) return fail(ended.failure);
    checkpoint = next;
    await refresh();
    const { attempts } = next;
    if (verdict.kind === 'complete') {
      if (is('running')) state = 'complete';
      plan('pass', PASS_INTERVAL_MS);
    } else if (attempts >= ATTEMPTS) {
      fail(unproven(verdict), Math.min(PASS_INTERVAL_MS * 2 ** (attempts - ATTEMPTS), MAX_PASS_INTERVAL_MS));
    } else if (is('running')) plan('pass', restMs);
    tell();
  }

  function topUp(): void {
    topUps.ask();
    plan('topUp', 0);
  }

  return {
    status,
    start() {
      if (stopped || state === 'running') return;
      state = 'running';
      failure = null;
      tell();
      // First, so that the newest trades are there at once, and the exchange's clock is known to the walk.
      topUp();
      plan('pass', 0);
    },
    pause() {
      if (state !== 'running' && state !== 'failed') return;
      state = 'paused';
      pages.discard();
      timer.get('pass')?.();
      due.delete('pass');
      tell();
    },
    topUp,
    async stop() {
      stopped = true;
      for (const cancel of timer.values()) cancel();
      await writing;
    },
  };
}
