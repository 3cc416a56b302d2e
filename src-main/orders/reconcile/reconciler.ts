/**
 * Reconciles unknown outcomes of one connection: reads both lists in rounds, matches all unknown intents of a symbol
 * together and writes every round to the journal. Only unambiguous counts match; the user decides the rest. It sends
 * nothing.
 */
import type { CheckRound, IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { judge, type UnmatchedRequest, type Verdict } from '../../../src-shared/domain/reconcile/matching.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { positionEvidence, tradeEvidence, type EvidencePorts } from './evidence.ts';
import type { Journal } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';
import { readLists, type ListPorts, type ListsRead } from './order-lists.ts';
import { pauseAfter } from './backoff.ts';
import { orderSearches } from './search.ts';
import { matchText, roundText } from './messages.ts';

export interface ReconcilerPorts {
  readonly connectionId: string;
  readonly journal: Journal;
  readonly client: ListPorts['client'] & EvidencePorts['client'] & { clockOffsetMs(): number | null };
  readonly limiter: ListPorts['limiter'] & { blockedUntil(now: number): number };
  readonly clock: { now(): number; mono(): number };
  readonly timers: { after(ms: number, run: () => void): () => void };
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

export interface Reconciler {
  /** Starts rounds for every unknown outcome of the connection. */
  start(): void;
  /** Starts rounds for a symbol at once, with the first delays again. */
  reconcile(symbolId: string): void;
  /** Stops; resolves when the last write has ended. */
  stop(): Promise<void>;
}

/** Retry delay while reads are blocked without a known end (a ban). */
const BLOCKED_RETRY_MS = 30_000;
const MAX_CANDIDATES = 20;

interface SymbolWatch {
  rounds: number;
  failures: number;
  cancel: () => void;
}

export function createReconciler(ports: ReconcilerPorts): Reconciler {
  const { clock, connectionId, limiter, journal, timers } = ports;
  const watches = new Map<string, SymbolWatch>();
  let running = false;
  /** The last round: rounds run in sequence, with one read in flight. */
  let last: Promise<void> = Promise.resolve();

  const unknown = (symbolId?: string): IntentRecord[] =>
    journal
      .list(connectionId)
      .filter((one) => one.state === 'unknown' && (symbolId === undefined || one.symbolId === symbolId));

  function schedule(symbolId: string, watch: SymbolWatch, ms: number): void {
    watch.cancel();
    watch.cancel = timers.after(ms, () => {
      last = last.then(() => runDue(symbolId, watch));
    });
  }

  /** Reports whether the watch is neither stopped nor replaced by a newer one. */
  const isCurrent = (symbolId: string, watch: SymbolWatch): boolean =>
    running && watches.get(symbolId) === watch;

  async function runDue(symbolId: string, watch: SymbolWatch): Promise<void> {
    if (!isCurrent(symbolId, watch)) return;
    const now = clock.now();
    const until = limiter.blockedUntil(now);
    if (until > now) {
      schedule(symbolId, watch, Number.isFinite(until) ? until - now : BLOCKED_RETRY_MS);
      return;
    }
    const pause = await runRound(symbolId, watch);
    if (!isCurrent(symbolId, watch)) return;
    if (pause === null) watches.delete(symbolId);
    else schedule(symbolId, watch, pause);
  }

  const searchInputs = () => ({ ...ports, clockOffsetMs: ports.client.clockOffsetMs() });

  /** Reads the symbol's lists once and writes the verdicts. Returns the delay of the next round; null if none is left. */
  async function runRound(symbolId: string, watch: SymbolWatch): Promise<number | null> {
    const searches = orderSearches(searchInputs(), symbolId).filter((one) => one.standing === 'unknown');
    if (searches.length === 0) return null;
    // The latest time any clock reading allows, so that no order is created after it.
    const exchangeNow = Math.max(
      clock.now() + Math.max(0, ports.client.clockOffsetMs() ?? 0),
      ...searches.map((one) => one.windows.at(-1)?.to ?? 0),
    );
    const starts = searches.map(searchStart);
    const lists = await readLists(ports, symbolId, starts, exchangeNow);
    const searchedIds = new Set(searches.map((one) => one.intentId));
    const hints = await evidenceFor(symbolId, lists, searchedIds);
    if (!running) return null;

    watch.rounds += 1;
    watch.failures = lists.reads.some((one) => one.outcome === 'failed') ? watch.failures + 1 : 0;
    const youngest = Math.max(...searches.map((one) => one.sentAt));
    const pause = pauseAfter(watch.rounds, clock.now() - youngest, watch.failures);
    // The journal may have changed during the reads, so match by its state now, in the same turn as the writes.
    const verdicts = judgeNow(symbolId, lists, searchedIds);
    const since = new Map(searches.map((one) => [one.intentId, searchStart(one)]));
    const writes = [...verdicts].map(([id, verdict]) => ({
      intentId: id,
      steps: steps(id, verdict, lists, {
        since: since.get(id) ?? 0,
        hints: hints.get(id) ?? [],
        nextAt: clock.now() + pause,
      }),
    }));
    try {
      // An intent the user has just resolved no longer accepts the step and stays as it is.
      for (const record of await journal.writeApplicable(writes)) if (record !== null) ports.changed(record);
    } catch {
      ports.unwritten();
    }
    return unknown(symbolId).length === 0 ? null : pause;
  }

  /** Returns verdicts for the searched intents. Those that became unknown meanwhile only compete for candidates. */
  function judgeNow(
    symbolId: string,
    lists: ListsRead,
    searchedIds: ReadonlySet<string>,
  ): Map<string, Verdict> {
    const { completeSince: wholeSince } = lists;
    const unmatched: UnmatchedRequest[] = orderSearches(searchInputs(), symbolId).map((one) => ({
      ...one,
      readWhole:
        one.hasKnownIds &&
        searchedIds.has(one.intentId) &&
        wholeSince !== null &&
        wholeSince <= searchStart(one),
    }));
    return new Map([...judge(unmatched, lists.orders.values())].filter(([id]) => searchedIds.has(id)));
  }

  async function evidenceFor(symbolId: string, lists: ListsRead, searchedIds: ReadonlySet<string>) {
    const hints = new Map<string, readonly string[]>();
    for (const [id, verdict] of judgeNow(symbolId, lists, searchedIds)) {
      const position = positionEvidence(journal.head(id)?.position, ports.position(symbolId));
      const trades = running ? await tradeEvidence(ports, candidatesOf(verdict)) : [];
      hints.set(id, [...trades, ...(position === null ? [] : [position])]);
    }
    return hints;
  }

  function steps(
    id: string,
    verdict: Verdict,
    lists: ListsRead,
    { since, hints, nextAt }: Pick<CheckRound, 'since' | 'hints'> & { readonly nextAt: number },
  ): Step[] {
    const record = journal.get(id);
    const check: CheckRound = {
      round: (record?.finding?.rounds ?? 0) + 1,
      at: clock.now(),
      since,
      reads: lists.reads,
      verdict: verdict.kind,
      candidates: candidatesOf(verdict).slice(0, MAX_CANDIDATES),
      hints,
      nextAt: verdict.kind === 'landed' ? null : nextAt,
    };
    const stamp = { at: clock.now(), mono: clock.mono() };
    const checked: Step = { event: 'check', text: roundText(check), ...stamp, check };
    if (verdict.kind !== 'landed') return [checked];
    const { orderId } = verdict.order;
    return [
      checked,
      { event: 'land', text: matchText(verdict.order, verdict.identicalRequests), ...stamp, orderId },
    ];
  }

  function reconcile(symbolId: string): void {
    if (!running) return;
    watches.get(symbolId)?.cancel();
    const watch: SymbolWatch = { rounds: 0, failures: 0, cancel: () => undefined };
    watches.set(symbolId, watch);
    schedule(symbolId, watch, 0);
  }

  return {
    reconcile,
    start() {
      running = true;
      for (const symbolId of new Set(unknown().map((one) => one.symbolId))) reconcile(symbolId);
    },
    async stop() {
      running = false;
      for (const watch of watches.values()) watch.cancel();
      watches.clear();
      await last;
    },
  };
}

const searchStart = ({ windows }: Pick<UnmatchedRequest, 'windows'>): number => windows[0]?.from ?? 0;

const candidatesOf = (verdict: Verdict): readonly SeenOrder[] =>
  verdict.kind === 'landed' ? [verdict.order] : verdict.kind === 'absent' ? [] : verdict.candidates;
