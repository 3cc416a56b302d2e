/**
 * Reconciles unknown outcomes of one connection: reads both lists in rounds, matches all unknown intents of a symbol
 * together and writes every round to the journal. Only unambiguous counts match; the user decides the rest. It sends
 * nothing.
 */
import type { CheckRound, IntentRecord } from '../../../src-shared/ipc/orders.ts';
import {
  matchOrders,
  type OrderSearch,
  type Verdict,
} from '../../../src-shared/domain/reconcile/matching.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { SerialQueue } from '../../../src-shared/serial-queue.ts';
import type { MonotonicClock, Timers } from '../../../src-shared/time.ts';
import { positionEvidence, tradeEvidence, type EvidencePorts } from './evidence.ts';
import type { RequestLimiter } from '../../sync/request-limiter.ts';
import type { IntentWrite, Journal } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';
import { readLists, type ListPorts, type ListsRead } from './order-lists.ts';
import { pauseAfter } from './backoff.ts';
import { intentSearches, type IntentSearch } from './search.ts';
import { matchText, roundText } from './messages.ts';

export interface ReconcilerPorts {
  readonly connectionId: string;
  readonly journal: Journal;
  readonly client: ListPorts['client'] & EvidencePorts['client'] & { clockOffsetMs(): number | null };
  readonly limiter: ListPorts['limiter'] & Pick<RequestLimiter, 'blockedUntil'>;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  /** Timeout of a send, ms: the order may be created until then and some time after. */
  readonly sendTimeoutMs: number;
  /** Returns the symbol's position as last read, as text; null if unknown. */
  readonly position: (symbolId: string) => string | null;
  /** Returns an order's creation time by the exchange's record, ms; null if none was read. */
  readonly orderTime: (orderId: string) => number | null;
  readonly changed: (record: IntentRecord) => void;
  /** Called when a round could not be written; it is repeated. */
  readonly unwritten: () => void;
}

/** Retry delay while reads are blocked without a known end (a ban). */
const BLOCKED_RETRY_MS = 30_000;
const MAX_CANDIDATES = 20;

interface SymbolWatch {
  /** Latest send by the monotonic clock, ms: setting the wall clock meanwhile delays no round. */
  readonly since: number;
  rounds: number;
  failures: number;
  cancel: () => void;
}

export class Reconciler {
  readonly #ports: ReconcilerPorts;
  readonly #watches = new Map<string, SymbolWatch>();
  /** One round at a time, so that one read is in flight. */
  readonly #rounds = new SerialQueue();
  #isRunning = false;

  constructor(ports: ReconcilerPorts) {
    this.#ports = ports;
  }

  /** Starts rounds for every unknown outcome of the connection. */
  start(): void {
    this.#isRunning = true;
    for (const symbolId of new Set(this.#unknown().map((one) => one.symbolId))) this.reconcile(symbolId);
  }

  /** Starts rounds for a symbol at once, with the first delays again. */
  reconcile(symbolId: string): void {
    if (!this.#isRunning) return;
    this.#watches.get(symbolId)?.cancel();
    const { clock } = this.#ports;
    const sentAt = this.#unknown().map((one) => (one.symbolId === symbolId ? one.createdAt : 0));
    const since = clock.mono() - Math.max(0, clock.now() - Math.max(...sentAt));
    const watch: SymbolWatch = { since, rounds: 0, failures: 0, cancel: () => undefined };
    this.#watches.set(symbolId, watch);
    this.#schedule(symbolId, watch, 0);
  }

  /** Stops; resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const watch of this.#watches.values()) watch.cancel();
    this.#watches.clear();
    await this.#rounds.idle();
  }

  #unknown(): IntentRecord[] {
    const { journal, connectionId } = this.#ports;
    return journal.list(connectionId).filter((one) => one.state === 'unknown');
  }

  #schedule(symbolId: string, watch: SymbolWatch, ms: number): void {
    watch.cancel();
    watch.cancel = this.#ports.timers.after(ms, () => {
      void this.#rounds.run(() => this.#runDue(symbolId, watch));
    });
  }

  /** Reports whether the watch is neither stopped nor replaced by a newer one. */
  #isCurrent(symbolId: string, watch: SymbolWatch): boolean {
    return this.#isRunning && this.#watches.get(symbolId) === watch;
  }

  async #runDue(symbolId: string, watch: SymbolWatch): Promise<void> {
    if (!this.#isCurrent(symbolId, watch)) return;
    const now = this.#ports.clock.now();
    const until = this.#ports.limiter.blockedUntil(now);
    if (until > now) {
      this.#schedule(symbolId, watch, Number.isFinite(until) ? until - now : BLOCKED_RETRY_MS);
      return;
    }
    const pause = await this.#runRound(symbolId, watch);
    if (!this.#isCurrent(symbolId, watch)) return;
    if (pause === null) this.#watches.delete(symbolId);
    else this.#schedule(symbolId, watch, pause);
  }

  /** Reads the symbol's lists once and writes the verdicts. Returns the delay of the next round; null if none is left. */
  async #runRound(symbolId: string, watch: SymbolWatch): Promise<number | null> {
    const { clock } = this.#ports;
    const searches = this.#searches(symbolId).filter((one) => one.state === 'unknown');
    if (searches.length === 0) return null;
    const lists = await readLists(
      this.#ports,
      symbolId,
      searches.map(searchStart),
      this.#latestNow(searches),
    );
    const searched = new Map(searches.map((one) => [one.intentId, searchStart(one)]));
    const hints = await this.#evidence(symbolId, lists, searched);
    if (!this.#isRunning) return null;

    watch.rounds += 1;
    watch.failures = lists.reads.some((one) => one.outcome === 'failed') ? watch.failures + 1 : 0;
    const pause = pauseAfter(watch.rounds, clock.mono() - watch.since, watch.failures);
    // The journal may have changed during the reads, so match by its state now, in the same turn as the writes.
    const verdicts = this.#match(symbolId, lists, searched);
    const writes = [...verdicts].map(([id, verdict]) => ({
      intentId: id,
      steps: this.#steps(id, verdict, lists, {
        since: searched.get(id) ?? 0,
        hints: hints.get(id) ?? [],
        nextAt: clock.now() + pause,
      }),
    }));
    await this.#write(writes);
    return pause;
  }

  async #write(writes: readonly IntentWrite[]): Promise<void> {
    const { journal, changed, unwritten } = this.#ports;
    try {
      // An intent the user has just resolved no longer accepts the step and stays as it is.
      for (const record of await journal.writeApplicable(writes)) if (record !== null) changed(record);
    } catch {
      unwritten();
    }
  }

  #searches(symbolId: string): IntentSearch[] {
    return intentSearches({ ...this.#ports, clockOffsetMs: this.#ports.client.clockOffsetMs() }, symbolId);
  }

  /** Returns the latest time any clock reading allows, so that no order is created after it. */
  #latestNow(searches: readonly IntentSearch[]): number {
    const { clock, client } = this.#ports;
    return Math.max(
      clock.now() + Math.max(0, client.clockOffsetMs() ?? 0),
      ...searches.map((one) => one.windows.at(-1)?.to ?? 0),
    );
  }

  /** Returns verdicts for the searched intents. Those that became unknown meanwhile only compete for candidates. */
  #match(symbolId: string, lists: ListsRead, searched: Searched): Map<string, Verdict> {
    const { completeSince } = lists;
    const all = this.#searches(symbolId).map((one): OrderSearch => ({
      ...one,
      listsComplete:
        one.hasKnownIds &&
        searched.has(one.intentId) &&
        completeSince !== null &&
        completeSince <= searchStart(one),
    }));
    return new Map([...matchOrders(all, lists.orders.values())].filter(([id]) => searched.has(id)));
  }

  async #evidence(symbolId: string, lists: ListsRead, searched: Searched) {
    const { journal, position } = this.#ports;
    const hints = new Map<string, readonly string[]>();
    for (const [id, verdict] of this.#match(symbolId, lists, searched)) {
      const change = positionEvidence(journal.head(id)?.position, position(symbolId));
      const trades = this.#isRunning ? await tradeEvidence(this.#ports, candidatesOf(verdict)) : [];
      hints.set(id, [...trades, ...(change === null ? [] : [change])]);
    }
    return hints;
  }

  #steps(
    id: string,
    verdict: Verdict,
    lists: ListsRead,
    { since, hints, nextAt }: Pick<CheckRound, 'since' | 'hints'> & { readonly nextAt: number },
  ): Step[] {
    const { clock, journal } = this.#ports;
    const candidates = candidatesOf(verdict);
    const isClockUncertain = 'isClockUncertain' in verdict;
    const check: CheckRound = {
      round: (journal.get(id)?.finding?.rounds ?? 0) + 1,
      at: clock.now(),
      since,
      reads: lists.reads,
      verdict: verdict.kind,
      candidates: candidates.slice(0, MAX_CANDIDATES),
      hints,
      nextAt: verdict.kind === 'matched' ? null : nextAt,
    };
    const stamp = { at: clock.now(), mono: clock.mono() };
    const checked: Step = {
      event: 'check',
      text: roundText({ ...check, candidates }, isClockUncertain),
      ...stamp,
      check,
    };
    if (verdict.kind !== 'matched') return [checked];
    const { order, identicalRequests } = verdict;
    const text = matchText(order, identicalRequests);
    return [checked, { event: 'land', text, ...stamp, orderId: order.orderId }];
  }
}

/** The intents a round reads for, with the start of each one's window. */
type Searched = ReadonlyMap<string, number>;

const searchStart = ({ windows }: Pick<OrderSearch, 'windows'>): number => windows[0]?.from ?? 0;

const candidatesOf = (verdict: Verdict): readonly SeenOrder[] =>
  verdict.kind === 'matched' ? [verdict.order] : verdict.kind === 'absent' ? [] : verdict.candidates;
