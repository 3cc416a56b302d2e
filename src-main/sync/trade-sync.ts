/**
 * Fills a connection's archive with its trades and verifies that none is missing.
 *
 * - Backfill pass: from 24 h before the last verified time to now − 60 s by the exchange's clock, page by page; rows
 *   and checkpoint are one transaction. It is complete if the distinct ids equal `total` and `total` did not change;
 *   otherwise the window is read again.
 * - Tail sync: the newest trades right after a fill, not yet verified. It goes first.
 *
 * One request in flight, through the request limiter.
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
  withProgress,
  syncDefect,
  FIRST_CHECKPOINT,
  withVerdict,
  printCheckpoint,
  readCheckpoint,
  unverifiedFailure,
  withMaxPageSize,
  type Checkpoint,
} from './trade-checkpoint.ts';
import { createPrefetch } from './prefetch.ts';
import {
  readPage,
  trackedStore,
  type PageRead,
  type StoreState,
  type TradeClient,
  type TradeStore,
} from './trade-source.ts';
import { createTailSync } from './tail-sync.ts';

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
  /** Rest between two pages of a pass, ms; 0 on loopback. */
  readonly restMs?: number;
  /** Largest page size to request. */
  readonly pageSize?: number;
}

export interface TradeSync {
  /** Starts passes: until one is complete, then every 15 minutes. Also resumes after a pause or a failure. */
  start(): void;
  /** Pauses passes after the current page; the tail sync continues. */
  pause(): void;
  /** Reads the newest trades after a possible fill; they are stored within about two seconds of being listed. */
  syncTail(): void;
  status(): TradeSyncStatus;
  /** Stops for good and drops a page in flight; resolves when the last write has ended. */
  stop(): Promise<void>;
}

/** Trades younger than this may not be listed yet. */
const LISTING_DELAY_MS = 60_000;
const OVERLAP_MS = 24 * 3_600_000;
/** Delay of the next pass after a complete one, and after a tail sync with new trades (all listed by then). */
const PASS_INTERVAL_MS = 15 * 60_000;
const VERIFY_MS = LISTING_DELAY_MS + 30_000;
/** Incomplete passes in a row before the delay between them doubles each time. */
const ATTEMPTS = 3;
const MAX_PASS_INTERVAL_MS = 6 * 3_600_000;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 10 * 60_000;

type Task = 'tail' | 'pass';

export function createTradeSync(ports: TradeSyncPorts): TradeSync {
  const { archive, client, clock, limiter, timers } = ports;
  const restMs = ports.restMs ?? 0;
  const maxPageSize = ports.pageSize ?? PAGE_SIZE;
  let state: SyncStatus['state'] = 'idle';
  let failure: Failure | null = null;
  let checkpoint: Checkpoint = FIRST_CHECKPOINT;
  let archived: StoreState | null = null;
  let retryMs = FIRST_RETRY_MS;
  let stopped = false;
  let busy = false;
  let writing: Promise<unknown> = Promise.resolve();
  const due = new Set<Task>();
  const timer = new Map<Task, () => void>();

  /** Checked after each await, during which `pause` or `stop` may have been called. */
  const isStopped = (): boolean => stopped;
  const hasState = (one: SyncStatus['state']): boolean => state === one;
  const exchangeNow = (): number => clock.now() + (client.clockOffsetMs() ?? 0);
  /** Tracks archive work, so that `stop` can wait for it. */
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    writing = work;
    return work;
  };
  const store = trackedStore(archive, tracked);
  const prefetch = createPrefetch((pass) => readPage(client, limiter, clock, pass));
  const size = (): number => checkpoint.pass?.size ?? checkpoint.size;
  const tail = createTailSync(store, exchangeNow, () => archived?.newest ?? null, size);

  const status = (): TradeSyncStatus => ({
    connectionId: ports.connectionId,
    state,
    stored: archived?.stored ?? 0,
    total: checkpoint.total,
    oldest: archived?.oldest ?? null,
    newest: archived?.newest ?? null,
    completedAt: checkpoint.completedAt,
    quarantined: archived?.quarantined ?? 0,
    setAside: archived?.unreadable ?? 0,
    pageSize: size(),
    failure,
  });
  const reportStatus = (): void => {
    if (!stopped) ports.onStatus(status());
  };

  /** Schedules `task` in `ms`, replacing its earlier schedule; 0 means right after the current task. */
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
      if (archived === null) await load();
      while (!stopped && archived !== null && due.size > 0) {
        const task: Task = due.has('tail') ? 'tail' : 'pass';
        due.delete(task);
        await (task === 'tail' ? tailStep() : passStep());
      }
    } catch (error) {
      fail(syncDefect('trade', error));
    } finally {
      busy = false;
    }
  }

  async function load(): Promise<void> {
    await refresh();
    if (archived === null) return;
    checkpoint = withMaxPageSize(readCheckpoint(archived.checkpoint), maxPageSize);
    reportStatus();
  }

  async function refresh(): Promise<void> {
    archived = dataOrFail(await store.state()) ?? archived;
  }

  function fail(reason: Failure, waitMs = retryMs): void {
    failure = reason;
    if (state === 'running') state = 'failed';
    if (state === 'failed') {
      plan('pass', Math.max(waitMs, (reason.retryAt ?? 0) - clock.now()));
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
    reportStatus();
  }

  /** Returns an archive result's data; null after reporting its failure. */
  function dataOrFail<T>(answer: Result<T>): T | null {
    if (answer.ok) return answer.data;
    fail(answer.failure);
    return null;
  }

  async function tailStep(): Promise<void> {
    const step = await tail.step((pass) => prefetch.readOther(pass));
    if (stopped) return;
    if (step.next !== null) plan('tail', step.next);
    if (step.added > 0) {
      await refresh();
      if (state === 'complete') plan('pass', VERIFY_MS);
    }
    // A failed pass keeps its own failure on display.
    if (state !== 'failed') failure = step.failure;
    if (step.added > 0 || step.failure !== null) reportStatus();
  }

  async function passStep(): Promise<void> {
    if (state === 'paused' || state === 'idle') return;
    state = 'running';
    const pass = checkpoint.pass ?? (await startPass());
    if (pass === null || isStopped()) return;
    if (nextQuery(pass) === null) return finishPass(pass);
    const read = await prefetch.take(pass);
    if (stopped) return;
    if (read.kind === 'wait') return plan('pass', read.ms);
    const page = read.kind === 'page' ? read.page : null;
    const unreadable = read.kind === 'page' ? read.unreadable : [];
    const after =
      page !== null
        ? afterPage(pass, {
            rows: page.data.length + unreadable.length,
            pageCount: page.pageCount,
            total: page.total,
          })
        : read.kind === 'no-page'
          ? skipEdgePage(pass)
          : null;
    if (after === null) return onUnreadPage(pass, read);
    const next = withProgress(checkpoint, after);
    if (page !== null && restMs === 0 && hasState('running') && nextQuery(after) !== null)
      prefetch.start(after);
    // Both requests at once: waiting for the worker twice would cost a fifth of a page's time.
    const text = printCheckpoint(next);
    const [stored] = await Promise.all([store.insertTrades(page?.data ?? [], text, unreadable), refresh()]);
    if (dataOrFail(stored) === null) return;
    checkpoint = next;
    // A missing edge page does not show that existing pages can be read.
    if (page !== null) {
      failure = null;
      retryMs = FIRST_RETRY_MS;
    }
    reportStatus();
    if (hasState('running')) plan('pass', nextQuery(after) === null ? 0 : restMs);
  }

  /** Continues at once with smaller pages if the size may be rejected; else retries later, from the largest size. */
  function onUnreadPage(pass: BackfillPass, read: PageRead): void {
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
    const before = from === null ? 0 : dataOrFail(await store.count({ ...NO_FILTER, to: from - 1 }));
    if (before === null) return null;
    const pass = beginPass(from, Math.max(0, exchangeNow() - LISTING_DELAY_MS), size);
    const next: Checkpoint = { ...checkpoint, before, pass };
    const begun = await store.beginPass(printCheckpoint(next));
    if (!begun.ok) {
      fail(begun.failure);
      return null;
    }
    checkpoint = next;
    return pass;
  }

  /** Verifies a finished pass, also one that a kill interrupted before this step. */
  async function finishPass(pass: BackfillPass): Promise<void> {
    const summary = dataOrFail(await store.insertTrades([], printCheckpoint(checkpoint), []));
    if (summary === null) return;
    const verdict = verdictOf(pass, summary.seen, summary.unreadable);
    const next = withVerdict(checkpoint, pass, verdict, clock.now());
    const ended =
      verdict.kind === 'complete'
        ? await store.endPass(printCheckpoint(next), pass.from, pass.to)
        : await store.insertTrades([], printCheckpoint(next), []);
    if (!ended.ok) return fail(ended.failure);
    checkpoint = next;
    await refresh();
    const { attempts } = next;
    if (verdict.kind === 'complete') {
      if (hasState('running')) state = 'complete';
      plan('pass', PASS_INTERVAL_MS);
    } else if (attempts >= ATTEMPTS) {
      fail(
        unverifiedFailure(verdict),
        Math.min(PASS_INTERVAL_MS * 2 ** (attempts - ATTEMPTS), MAX_PASS_INTERVAL_MS),
      );
    } else if (hasState('running')) plan('pass', restMs);
    reportStatus();
  }

  function syncTail(): void {
    tail.request();
    plan('tail', 0);
  }

  return {
    status,
    start() {
      if (stopped || state === 'running') return;
      state = 'running';
      failure = null;
      reportStatus();
      // First, so that the newest trades are stored at once and a reply has set the clock offset.
      syncTail();
      plan('pass', 0);
    },
    pause() {
      if (state !== 'running' && state !== 'failed') return;
      state = 'paused';
      prefetch.discard();
      timer.get('pass')?.();
      due.delete('pass');
      reportStatus();
    },
    syncTail,
    async stop() {
      stopped = true;
      for (const cancel of timer.values()) cancel();
      await writing;
    },
  };
}
