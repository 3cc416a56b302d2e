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
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import { NO_FILTER, type SyncStatus } from '../../src-shared/ipc/trades.ts';
import {
  skipEdgePage,
  afterPage,
  beginPass,
  nextQuery,
  PAGE_SIZE,
  readAgain,
  retryFrom,
  verdictOf,
  withOtherPageEnds,
  withSmallerPages,
  type BackfillPass,
} from '../../src-shared/domain/history/trade-pages.ts';
import { HOUR_MS, exchangeTime, type Clock, type Timers } from '../../src-shared/time.ts';
import type { StoredTrades } from '../archive/trades/writer.ts';
import type { RequestLimiter } from './request-limiter.ts';
import {
  withProgress,
  FIRST_CHECKPOINT,
  withVerdict,
  printCheckpoint,
  readCheckpoint,
  unverifiedFailure,
  withMaxPageSize,
  type Checkpoint,
} from './trade-checkpoint.ts';
import { endsAhead, LISTING_DELAY_MS, listedTo, OVERLAP_MS, PASS_INTERVAL_MS } from './passes.ts';
import { Prefetch } from './prefetch.ts';
import { SyncRun, type Task } from './sync-run.ts';
import { readPage, type PageRead, type TradeClient, type TradeStore } from './trade-source.ts';
import { TailSync } from './tail-sync.ts';

export type TradeSyncStatus = Omit<SyncStatus, 'rate' | 'leftMs' | 'orders'>;
export interface TradeSyncPorts {
  readonly connectionId: string;
  readonly client: TradeClient;
  readonly archive: TradeStore;
  readonly limiter: RequestLimiter;
  /** This computer's wall clock. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onStatus: (status: TradeSyncStatus) => void;
  /** Rest between two pages of a pass, ms; 0 on loopback. */
  readonly restMs: number;
  /** Largest page size to request. */
  readonly pageSize?: number;
}

/** Delay of the next pass after a tail sync with new trades: all are listed by then. */
const VERIFY_MS = LISTING_DELAY_MS + 30_000;
/** Incomplete passes in a row before the delay between them doubles each time. */
const ATTEMPTS = 3;
const MAX_PASS_INTERVAL_MS = 6 * HOUR_MS;

export class TradeSync extends SyncRun<StoredTrades, TradeSyncPorts> {
  readonly #prefetch: Prefetch;
  readonly #tail: TailSync;
  #checkpoint: Checkpoint = FIRST_CHECKPOINT;

  constructor(ports: TradeSyncPorts) {
    super('trade', ports);
    const { archive, client, clock, limiter } = ports;
    this.#prefetch = new Prefetch((pass) => readPage(client, limiter, clock, pass));
    this.#tail = new TailSync(
      (...input) => this.follow(archive.insertTrades(...input)),
      () => exchangeTime(clock, client),
      () => this.archived?.newest ?? null,
      () => this.#pageSize(),
    );
  }

  protected readArchived(): Promise<Result<StoredTrades>> {
    return this.ports.archive.state();
  }
  protected continueFrom({ checkpoint }: StoredTrades): void {
    this.#checkpoint = withMaxPageSize(readCheckpoint(checkpoint), this.ports.pageSize ?? PAGE_SIZE);
  }
  protected step(task: Task): Promise<void> {
    return task === 'tail' ? this.#tailStep() : this.#passStep();
  }
  protected announce(): void {
    this.ports.onStatus(this.status());
  }

  /** Starts passes: until one is complete, then every 15 minutes. Also resumes after a pause or a failure. */
  start(): void {
    if (!this.startPasses()) return;
    // First, so that the newest trades are stored at once and a reply has set the clock offset.
    this.syncTail();
    this.plan('pass', 0);
  }

  /** Pauses passes after the current page; the tail sync continues. */
  override pause(): void {
    this.#prefetch.discard();
    super.pause();
  }

  /** Reads the newest trades after a possible fill; they are stored within about two seconds of being listed. */
  syncTail(): void {
    this.#tail.request();
    this.plan('tail', 0);
  }

  status(): TradeSyncStatus {
    const [archived, checkpoint] = [this.archived, this.#checkpoint];
    return {
      connectionId: this.ports.connectionId,
      state: this.state,
      stored: archived?.stored ?? 0,
      total: checkpoint.total,
      oldest: archived?.oldest ?? null,
      newest: archived?.newest ?? null,
      completedAt: checkpoint.completedAt,
      quarantined: archived?.quarantined ?? 0,
      unreadable: archived?.unreadable ?? 0,
      pageSize: this.#pageSize(),
      failure: this.failure,
    };
  }

  #pageSize(): number {
    return this.#checkpoint.pass?.size ?? this.#checkpoint.size;
  }

  async #tailStep(): Promise<void> {
    const step = await this.#tail.step((pass) => this.#prefetch.readOther(pass));
    if (this.isStopped()) return;
    if (step.next !== null) this.plan('tail', step.next);
    if (step.added > 0) {
      await this.refresh();
      if (this.state === 'complete') this.plan('pass', VERIFY_MS);
    }
    // A failed pass keeps its own failure on display.
    if (this.state !== 'failed') this.failure = step.failure;
    if (step.added > 0 || step.failure !== null) this.report();
  }

  async #passStep(): Promise<void> {
    const pass = this.#checkpoint.pass ?? (await this.#startPass());
    if (pass === null || this.isStopped()) return;
    if (nextQuery(pass) === null) return this.#finishPass(pass);
    const read = await this.#prefetch.take(pass);
    if (this.isStopped()) return;
    if (read.kind === 'wait') return this.plan('pass', read.ms);
    if (pass.to !== null && endsAhead(pass.to, this.ports.clock, this.ports.client)) {
      this.#checkpoint = { ...this.#checkpoint, pass: null };
      if (this.isRunning()) this.plan('pass', this.ports.restMs);
      return;
    }
    const after = passAfter(pass, read);
    if (after === null) return this.#onUnreadPage(pass, read);
    await this.#storePage(read.kind === 'page' ? read : null, after);
  }

  /** Stores a page and the pass after it; `page` is null for an edge page that does not exist. */
  async #storePage(page: Extract<PageRead, { kind: 'page' }> | null, after: BackfillPass): Promise<void> {
    const next = withProgress(this.#checkpoint, after);
    if (page !== null && this.ports.restMs === 0 && this.isRunning() && nextQuery(after) !== null)
      this.#prefetch.start(after);
    // Both requests at once: waiting for the worker twice would cost a fifth of a page's time.
    const { archive } = this.ports;
    const rows = page?.page.data ?? [];
    const [stored] = await Promise.all([
      this.checked(archive.insertTrades(rows, printCheckpoint(next), page?.unreadable ?? [])),
      this.refresh(),
    ]);
    if (!stored.ok) return;
    this.#checkpoint = next;
    // A missing edge page does not show that existing pages can be read.
    if (page !== null) this.succeeded();
    this.report();
    if (this.isRunning()) this.plan('pass', nextQuery(after) === null ? 0 : this.ports.restMs);
  }

  /** Continues at once with smaller pages if the size may be rejected; else retries later, from the largest size. */
  #onUnreadPage(pass: BackfillPass, read: PageRead): void {
    const smaller = read.kind === 'no-size' ? withSmallerPages(pass) : null;
    const isUnread = pass.pageCount === null && pass.page === 1;
    const again = isUnread ? readAgain(pass, this.#checkpoint.size) : retryFrom(pass);
    this.#checkpoint = { ...this.#checkpoint, pass: smaller ?? again };
    if (smaller !== null) this.plan('pass', this.ports.restMs);
    else if ('failure' in read) this.fail(read.failure);
  }

  async #startPass(): Promise<BackfillPass | null> {
    const { verifiedTo, size, fromStart } = this.#checkpoint;
    const { archive, clock, client } = this.ports;
    const to = listedTo(clock, client);
    // A clock that was ahead may have left a verified time that has not come yet.
    const isFirst = verifiedTo === null || fromStart !== true;
    const from = isFirst ? null : Math.max(0, Math.min(verifiedTo, to) - OVERLAP_MS);
    const counted =
      from === null ? done(0) : await this.checked(archive.count({ ...NO_FILTER, to: from - 1 }));
    if (!counted.ok) return null;
    const pass = beginPass(from, to, size);
    const next: Checkpoint = { ...this.#checkpoint, before: counted.data, pass };
    const begun = await this.checked(archive.beginPass(printCheckpoint(next)));
    if (!begun.ok) return null;
    this.#checkpoint = next;
    return pass;
  }

  /** Verifies a finished pass, also one that a kill interrupted before this step. */
  async #finishPass(pass: BackfillPass): Promise<void> {
    const { archive, clock, client } = this.ports;
    const summary = await this.checked(archive.insertTrades([], printCheckpoint(this.#checkpoint)));
    if (!summary.ok) return;
    const verdict = verdictOf(pass, summary.data.seen, summary.data.unreadable);
    // The pass may have begun by a clock that was a little ahead; its replies have corrected it.
    const verifiedTo = Math.min(pass.to ?? 0, listedTo(clock, client));
    const judged = withVerdict(this.#checkpoint, pass, verdict, { verifiedTo, now: clock.now() });
    // Trades of both readings count together. Unreadable records would count twice.
    const isShort = verdict.kind === 'mismatch' && verdict.unreadable === 0 && verdict.seen < verdict.total;
    const isRepeated = isShort && judged.attempts % ATTEMPTS > 0;
    const next = isRepeated ? { ...judged, pass: withOtherPageEnds(pass) } : judged;
    const text = printCheckpoint(next);
    const ended = await this.checked<unknown>(
      verdict.kind === 'complete'
        ? archive.endPass(text, pass.from, pass.to)
        : archive.insertTrades([], text),
    );
    if (!ended.ok) return;
    this.#checkpoint = next;
    await this.refresh();
    const { attempts } = next;
    if (verdict.kind === 'complete') this.complete();
    else if (attempts >= ATTEMPTS && next.pass === null) {
      const waitMs = Math.min(PASS_INTERVAL_MS * 2 ** (attempts - ATTEMPTS), MAX_PASS_INTERVAL_MS);
      this.fail(unverifiedFailure(verdict), waitMs);
    } else {
      if (this.isRunning()) this.plan('pass', this.ports.restMs);
      this.report();
    }
  }
}

/** Returns the pass after a read; null if the page may exist and was not read. */
function passAfter(pass: BackfillPass, read: PageRead): BackfillPass | null {
  if (read.kind === 'no-page') return skipEdgePage(pass);
  if (read.kind !== 'page') return null;
  const { page, unreadable } = read;
  const rows = page.data.length + unreadable.length;
  return afterPage(pass, { rows, pageCount: page.pageCount, total: page.total });
}
