/**
 * Finds out what became of orders whose answer was lost, for one connection: reads both lists again and again,
 * judges all open questions of a symbol together, writes every round to the journal. It settles only what the counts
 * settle; the rest is for the person. It sends nothing.
 */
import type { CheckRound, IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { judge, type SoughtOrder, type Verdict } from '../../../src-shared/domain/reconcile/matching.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { positionHint, tradeHints, type HintPorts } from './evidence.ts';
import type { Journal } from '../journal/journal.ts';
import type { Step } from '../journal/lines.ts';
import { readLists, type ListPorts, type ListsRead } from './order-lists.ts';
import { pauseAfter } from './backoff.ts';
import { soughtOrders } from './search.ts';
import { landText, roundText } from './messages.ts';

export interface FindingOutPorts {
  readonly connectionId: string;
  readonly journal: Journal;
  readonly client: ListPorts['client'] & HintPorts['client'] & { clockOffsetMs(): number | null };
  readonly limiter: ListPorts['limiter'] & { blockedUntil(now: number): number };
  readonly clock: { now(): number; mono(): number };
  readonly timers: { after(ms: number, run: () => void): () => void };
  /** Time-out of a send, ms: an order may be made until then and some time after. */
  readonly answerWithinMs: number;
  /** The symbol's position as last read, in words; null when not known. */
  readonly position: (symbolId: string) => string | null;
  /** When the exchange's own record says an order was made, ms; null where none was read. */
  readonly orderTime: (orderId: string) => number | null;
  readonly changed: (record: IntentRecord) => void;
  /** A round could not be written: it is made again. */
  readonly unwritten: () => void;
}

export interface FindingOut {
  /** Takes up every open question the journal has for the connection. */
  start(): void;
  /** An outcome became unknown, or the person asks: reads now, and quickly again. */
  look(symbolId: string): void;
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>;
}

/** A shut gate without a time (a ban) is looked at again after this. */
const GATE_RETRY_MS = 30_000;
const SHOWN_CANDIDATES = 20;

interface Watch {
  rounds: number;
  failures: number;
  cancel: () => void;
}

export function createFindingOut(ports: FindingOutPorts): FindingOut {
  const { clock, connectionId, limiter, journal, timers } = ports;
  const watches = new Map<string, Watch>();
  let running = false;
  /** Rounds are made one at a time: one read in flight. */
  let last: Promise<void> = Promise.resolve();

  const unknown = (symbolId?: string): IntentRecord[] =>
    journal
      .list(connectionId)
      .filter((one) => one.state === 'unknown' && (symbolId === undefined || one.symbolId === symbolId));

  function schedule(symbolId: string, watch: Watch, ms: number): void {
    watch.cancel();
    watch.cancel = timers.after(ms, () => {
      last = last.then(() => turn(symbolId, watch));
    });
  }

  /** Not stopped, and not replaced by a newer look. */
  const holds = (symbolId: string, watch: Watch): boolean => running && watches.get(symbolId) === watch;

  async function turn(symbolId: string, watch: Watch): Promise<void> {
    if (!holds(symbolId, watch)) return;
    const now = clock.now();
    const until = limiter.blockedUntil(now);
    if (until > now) {
      schedule(symbolId, watch, Number.isFinite(until) ? until - now : GATE_RETRY_MS);
      return;
    }
    const pause = await round(symbolId, watch);
    if (!holds(symbolId, watch)) return;
    if (pause === null) watches.delete(symbolId);
    else schedule(symbolId, watch, pause);
  }

  const basis = () => ({ ...ports, clockOffsetMs: ports.client.clockOffsetMs() });

  /** One reading of the symbol's lists and what follows from it; the pause until the next, or null when all is known. */
  async function round(symbolId: string, watch: Watch): Promise<number | null> {
    const asked = soughtOrders(basis(), symbolId).filter((one) => one.standing === 'unknown');
    if (asked.length === 0) return null;
    // By the reading furthest ahead: nothing is created after it.
    const exchangeNow = Math.max(
      clock.now() + Math.max(0, ports.client.clockOffsetMs() ?? 0),
      ...asked.map((one) => one.windows.at(-1)?.to ?? 0),
    );
    const starts = asked.map(beginning);
    const lists = await readLists(ports, symbolId, starts, exchangeNow);
    const askedIds = new Set(asked.map((one) => one.intentId));
    const hints = await hintsFor(symbolId, lists, askedIds);
    if (!running) return null;

    watch.rounds += 1;
    watch.failures = lists.reads.some((one) => one.outcome === 'failed') ? watch.failures + 1 : 0;
    const youngest = Math.max(...asked.map((one) => one.sentAt));
    const pause = pauseAfter(watch.rounds, clock.now() - youngest, watch.failures);
    // The journal may have moved while the lists were read: judged by what it says now, in one go with the writes.
    const verdicts = judgeNow(symbolId, lists, askedIds);
    const since = new Map(asked.map((one) => [one.intentId, beginning(one)]));
    const writes = [...verdicts].map(([id, verdict]) => ({
      intentId: id,
      steps: steps(id, verdict, lists, {
        since: since.get(id) ?? 0,
        hints: hints.get(id) ?? [],
        nextAt: clock.now() + pause,
      }),
    }));
    try {
      // What the person settled in this very moment no longer fits, and stays as it is.
      for (const record of await journal.writeFitting(writes)) if (record !== null) ports.changed(record);
    } catch {
      ports.unwritten();
    }
    return unknown(symbolId).length === 0 ? null : pause;
  }

  /** Verdicts on what was asked for; what became unknown meanwhile was not read for, and competes. */
  function judgeNow(symbolId: string, lists: ListsRead, asked: ReadonlySet<string>): Map<string, Verdict> {
    const { wholeSince } = lists;
    const sought: SoughtOrder[] = soughtOrders(basis(), symbolId).map((one) => ({
      ...one,
      readWhole:
        one.knowsBefore && asked.has(one.intentId) && wholeSince !== null && wholeSince <= beginning(one),
    }));
    return new Map([...judge(sought, lists.orders.values())].filter(([id]) => asked.has(id)));
  }

  async function hintsFor(symbolId: string, lists: ListsRead, asked: ReadonlySet<string>) {
    const hints = new Map<string, readonly string[]>();
    for (const [id, verdict] of judgeNow(symbolId, lists, asked)) {
      const position = positionHint(journal.head(id)?.position, ports.position(symbolId));
      const trades = running ? await tradeHints(ports, candidatesOf(verdict)) : [];
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
      candidates: candidatesOf(verdict).slice(0, SHOWN_CANDIDATES),
      hints,
      nextAt: verdict.kind === 'landed' ? null : nextAt,
    };
    const stamp = { at: clock.now(), mono: clock.mono() };
    const checked: Step = { event: 'check', text: roundText(check), ...stamp, check };
    if (verdict.kind !== 'landed') return [checked];
    const { orderId } = verdict.order;
    return [checked, { event: 'land', text: landText(verdict.order, verdict.twins), ...stamp, orderId }];
  }

  function look(symbolId: string): void {
    if (!running) return;
    watches.get(symbolId)?.cancel();
    const watch: Watch = { rounds: 0, failures: 0, cancel: () => undefined };
    watches.set(symbolId, watch);
    schedule(symbolId, watch, 0);
  }

  return {
    look,
    start() {
      running = true;
      for (const symbolId of new Set(unknown().map((one) => one.symbolId))) look(symbolId);
    },
    async stop() {
      running = false;
      for (const watch of watches.values()) watch.cancel();
      watches.clear();
      await last;
    },
  };
}

const beginning = ({ windows }: Pick<SoughtOrder, 'windows'>): number => windows[0]?.from ?? 0;

const candidatesOf = (verdict: Verdict): readonly SeenOrder[] =>
  verdict.kind === 'landed' ? [verdict.order] : verdict.kind === 'absent' ? [] : verdict.candidates;
