import type { Calls } from '../../bridge.ts';
import { add, amount, calculated, isNegative, isPositive, print } from '../../../src-shared/amount.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { type IntentRecord, isLeftOut, type OrderIntent } from '../../../src-shared/ipc/orders.ts';
import type { BatchIntent, BatchProgress } from '../../../src-shared/ipc/batch.ts';
import type { AssetAmount } from '../../../src-shared/domain/history/trade-stats.ts';
import { positionKey } from '../../../src-shared/domain/position/identity.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { type OrderCheck, withNextStep } from '../../../src-shared/domain/order/check.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import { type OrderProgress, progressOf } from '../../../src-shared/domain/reconcile/progress.ts';
import { isHeld } from '../../../src-shared/exchange-api/values.ts';
import { isLongOrShort, opposite } from '../../../src-shared/exchange-api/enums.ts';
import { orderContextOf, type TradingContext } from '../order/trading-context.ts';
import { closeReading, unknownSideText } from './close-reading.ts';
import type { Intents } from '../order/intents.svelte.ts';
import type { Review } from '../order/review.svelte.ts';
import type { SentRow } from '../batch/row-outcome.ts';
import type { Batch } from '../batch/batch.svelte.ts';

/** Groups that can be closed together: by result, by side, or everything. */
export const CLOSE_GROUPS = ['all', 'profit', 'loss', 'long', 'short'] as const;
export type CloseGroup = (typeof CLOSE_GROUPS)[number];
/** Percent of each position. */
export const CLOSE_PARTS = ['25', '50', '75', '100'] as const;
type ClosePart = (typeof CLOSE_PARTS)[number];

export interface ClosePositionsDeps extends TradingContext {
  readonly calls: Calls;
  readonly intents: Intents;
  readonly review: Review;
  readonly batch: Batch;
}

/** One position and the order that would close it. */
export interface PlannedClose {
  readonly key: string;
  readonly position: Position;
  /** Base coin of the contract. */
  readonly coin: string;
  readonly chosen: boolean;
  /** Null when the position is not chosen, or no order can be written for it: `problem` says why. */
  readonly intent: OrderIntent | null;
  readonly problem: string | null;
  readonly warnings: readonly OrderCheck[];
}

/** The outcome of one position. `gone`: closed by something else before its turn. */
type Step =
  | { readonly at: 'waiting' | 'sending' | 'not-sent' | 'gone' }
  | { readonly at: 'sent'; readonly record: IntentRecord; readonly progress: OrderProgress }
  | { readonly at: 'blocked' | 'unknown'; readonly failure: Failure };

type ListedClose = Omit<PlannedClose, 'position' | 'intent'> & {
  readonly position: Pick<Position, 'symbolId' | 'side' | 'quantity' | 'profitUnreal'>;
  readonly intent: Pick<OrderIntent, 'request'> | null;
};
interface CloseRow extends ListedClose {
  readonly step: Step;
}

type Phase = 'choosing' | 'running' | 'over';

/**
 * Closes all positions, some of them or a part of each: a batch of reduce-only market orders, which the main process
 * sends one after another. An unknown outcome or a rejection ends it, since later orders may depend on it; a rejection
 * about one position's contract or quantity does not. It goes on while the window reloads, and its sheet opens again.
 */
export class ClosePositions {
  shown = $state(false);
  part = $state<ClosePart>('100');
  /** Keys of the chosen positions; null means all of them, whichever they are. */
  #chosen = $state.raw<ReadonlySet<string> | null>(null);
  #typed = $state.raw({ word: '', for: '' });
  /** Set when Send is pressed, and cleared when the sheet opens anew. */
  #sendState = $state.raw<'idle' | 'waiting' | 'replied'>('idle');
  /** The list as confirmed; empty for a batch found after a reload. */
  #listed = $state.raw<readonly PlannedClose[]>([]);
  /** The batch that closes them, once it is being sent. */
  #batchId = $state.raw<string | null>(null);
  /** Why nothing was sent, by place in the batch. */
  #blocked = $state.raw<ReadonlyMap<number, Failure>>(new Map());
  /** Stop was pressed before the batch was known. */
  #isStopping = $state.raw(false);
  /** Number of the current press; a connection switch increments it, so that a late reply has no effect. */
  #run = 0;
  readonly #deps: ClosePositionsDeps;

  constructor(deps: ClosePositionsDeps) {
    this.#deps = deps;
  }

  readonly #batch: BatchProgress | null = $derived.by(
    () => this.#deps.batch.sent.list.find((one) => one.id === this.#batchId) ?? null,
  );
  readonly phase: Phase = $derived.by(() => {
    if (this.#sendState === 'waiting' || this.#batch?.state === 'sending') return 'running';
    return this.#sendState === 'idle' ? 'choosing' : 'over';
  });
  readonly stopping: boolean = $derived.by(
    () => this.#isStopping || (this.#batchId !== null && this.#deps.batch.sent.stopping === this.#batchId),
  );
  readonly #planned: readonly PlannedClose[] = $derived.by(() => {
    if (!this.shown || this.phase !== 'choosing') return [];
    // A position that a reply lists twice is closed once.
    const held = this.#deps.feeds.positions.filter(isHeld);
    const distinct = new Map(held.map((one) => [positionKey(one), one]));
    return [...distinct.values()].map((one) => this.#plan(one));
  });
  readonly rows: readonly CloseRow[] = $derived.by(() => {
    if (this.phase === 'choosing')
      return this.#planned.map((one) => ({ ...one, step: { at: 'waiting' } as const }));
    const sent = this.#batch === null ? [] : this.#deps.batch.sent.rowsOf(this.#batch);
    const blocked = this.#batch === null ? this.#blocked : blockedIn(this.#batch, sent);
    let place = 0;
    return (this.#listed.length > 0 ? this.#listed : sent.map(listedAs)).map((one): CloseRow => {
      if (one.intent === null) return { ...one, step: { at: 'not-sent' } };
      const row = place++;
      return { ...one, step: this.#stepOf(sent[row]?.intent ?? null, blocked.get(row)) };
    });
  });
  /** What came of the orders that were sent, as far as the lists show it: how many filled, and their PnL by coin. */
  readonly closed: { readonly filled: number; readonly profits: readonly AssetAmount[] } = $derived.by(() => {
    const profits = new Map<string, string>();
    let filled = 0;
    for (const { step, position } of this.rows) {
      if (step.at !== 'sent') continue;
      const { stage, fill } = step.progress;
      if (stage === 'filled') filled++;
      else if (!isPositive(amount(fill?.quantity ?? '0'))) continue;
      const coin = this.#deps.feeds.coinsOf(position.symbolId)?.margin;
      const profit = fill?.profit ?? null;
      if (coin === undefined || profit === null) continue;
      profits.set(coin, print(add(calculated(profits.get(coin) ?? '0'), calculated(profit))));
    }
    return { filled, profits: [...profits].map(([asset, text]) => ({ asset, amount: text })) };
  });
  /** Whether the open sheet shows the outcome of this order, so that no toast is needed. */
  covers({ batch }: IntentRecord): boolean {
    return this.shown && this.phase !== 'choosing' && batch?.closing === true;
  }

  /** How many orders will be sent. */
  readonly count: number = $derived(this.#planned.filter((one) => one.intent !== null).length);

  /** Returns the positions of a group, or of a base coin. */
  of(group: CloseGroup | { readonly coin: string }): readonly PlannedClose[] {
    return this.#planned.filter(({ coin, position: { side, profitUnreal } }) => {
      if (typeof group === 'object') return coin === group.coin;
      if (group === 'long' || group === 'short') return side === (group === 'long' ? 'BUY' : 'SELL');
      if (group === 'all') return true;
      if (profitUnreal === null || profitUnreal === '') return false;
      const profit = amount(profitUnreal);
      return group === 'profit' ? isPositive(profit) : isNegative(profit);
    });
  }
  choose(group: CloseGroup | { readonly coin: string }): void {
    this.#chosen = group === 'all' ? null : new Set(this.of(group).map(({ key }) => key));
  }
  tick(key: string, chosen: boolean): void {
    const keys = this.#planned.filter((one) => (one.key === key ? chosen : one.chosen)).map((one) => one.key);
    this.#chosen = keys.length === this.#planned.length ? null : new Set(keys);
  }
  readonly coins: readonly string[] = $derived([...new Set(this.#planned.map(({ coin }) => coin))].sort());
  /** Whether exactly these positions are chosen. */
  isChosen(group: CloseGroup | { readonly coin: string }): boolean {
    const keys = this.of(group).map(({ key }) => key);
    const chosen = this.#planned.filter((one) => one.chosen).map(({ key }) => key);
    return keys.join() === chosen.join() && (group === 'all' || keys.length > 0);
  }

  /** Identifies the list the text is typed for; a changed list needs it typed again. */
  readonly #list: string = $derived(
    this.#planned
      .flatMap(({ key, position, chosen }) => (chosen ? `${key} ${position.quantity}` : []))
      .join() + ` ${this.part}%`,
  );
  /** The text the user has to type. */
  readonly wanted: string = $derived(
    this.part === '100' && this.#planned.every((one) => one.chosen) ? 'close all' : `close ${this.count}`,
  );
  /** The list changed after the text was typed. */
  readonly changed: boolean = $derived(this.#typed.word !== '' && this.#typed.for !== this.#list);

  get word(): string {
    return this.changed ? '' : this.#typed.word;
  }
  set word(word: string) {
    this.#typed = { word, for: this.#list };
  }

  /** Why it cannot be sent; null when it can. */
  readonly missing: string | null = $derived.by(() => {
    if (this.#deps.sendingOff !== null) return this.#deps.sendingOff;
    if (this.count === 0) return 'Nothing to close';
    return this.word.trim().toLowerCase() === this.wanted ? null : `Type “${this.wanted}” to continue`;
  });

  start(group: CloseGroup = 'all'): void {
    if (this.phase === 'running') return;
    // One that the ticket or the batch requested would open over it.
    this.#deps.review.close();
    this.#deps.batch.confirm.close();
    this.reset();
    this.#chosen = null;
    this.part = '100';
    this.#typed = { word: '', for: '' };
    this.shown = true;
    this.choose(group);
  }

  /** Shows a closing that the main process is sending, as after a reload of the window. */
  resume(): void {
    const { running } = this.#deps.batch.sent;
    if (running?.closing !== true || this.phase === 'running') return;
    this.reset();
    this.#sendState = 'replied';
    this.#batchId = running.id;
    this.shown = true;
  }

  /** Closes the sheet, unless an order is being sent. */
  close(): void {
    if (this.phase !== 'running') this.shown = false;
  }

  /** Stops after the current order. */
  stop(): void {
    if (this.phase !== 'running' || this.stopping) return;
    if (this.#batchId === null) this.#isStopping = true;
    else void this.#deps.batch.sent.stop(this.#batchId);
  }

  /** Forgets the list on a connection switch, which ends the batch in the main process. */
  reset(): void {
    this.#run++;
    this.#sendState = 'idle';
    this.#listed = [];
    this.#batchId = null;
    this.#blocked = new Map();
    this.#isStopping = false;
    this.shown = false;
  }

  /** Sends the batch. The phase changes synchronously, so a second press has no effect. */
  async send(): Promise<void> {
    const connectionId = this.#deps.session.activeId;
    if (this.phase !== 'choosing' || this.missing !== null || connectionId === null) return;
    const run = ++this.#run;
    this.#listed = this.#planned.filter((one) => one.chosen);
    this.#sendState = 'waiting';
    const rows = this.#listed.flatMap(({ intent, position }) =>
      intent === null
        ? []
        : [{ request: intent.request, reference: intent.reference, closes: position.positionId }],
    );
    const blocked = await this.#sendRows(run, connectionId, rows);
    if (run !== this.#run) return;
    this.#blocked = blocked;
    this.#sendState = 'replied';
    this.#isStopping = false;
  }

  /** Sends by one token and never releases a hold. Returns why rows were not sent, if the batch did not start. */
  async #sendRows(
    run: number,
    connectionId: string,
    rows: BatchIntent['rows'],
  ): Promise<ReadonlyMap<number, Failure>> {
    const { calls, batch } = this.#deps;
    const review = await calls.call('orders.reviewBatch', { connectionId, rows, callSize: 1 });
    if (!review.ok) return new Map([[0, review.failure]]);
    if ('faults' in review.data) return new Map(review.data.faults.map((one) => [one.row, one.failure]));
    const { token } = review.data.review;
    if (this.stopping || run !== this.#run) {
      void calls.call('orders.discard', { token });
      return new Map();
    }
    const sent = await calls.call('orders.sendBatch', { token, release: [] });
    if (run !== this.#run) return new Map();
    if (!sent.ok) return new Map([[0, sent.failure]]);
    batch.sent.begin(
      sent.data,
      rows.map((one) => one.request),
    );
    this.#batchId = sent.data.id;
    if (this.#isStopping) void batch.sent.stop(sent.data.id);
    return new Map();
  }

  #stepOf(record: IntentRecord | null, failure: Failure | undefined): Step {
    if (record !== null) {
      if (isLeftOut(record)) return { at: 'gone' };
      if (record.state === 'sending') return { at: 'sending' };
      const { openOrders, history } = this.#deps.feeds;
      const progress = progressOf(record, openOrders.value ?? [], history.value ?? []);
      return { at: 'sent', record, progress };
    }
    if (this.phase === 'running') return { at: 'waiting' };
    if (failure === undefined) return { at: 'not-sent' };
    return { at: isUnsent(failure) ? 'blocked' : 'unknown', failure };
  }

  #plan(position: Position): PlannedClose {
    const { session, intents } = this.#deps;
    const { symbolId, side } = position;
    const key = positionKey(position);
    const chosen = this.#chosen?.has(key) ?? true;
    const coin = this.#deps.feeds.baseOf(symbolId);
    const none = { key, position, coin, chosen, intent: null, warnings: [] };
    if (!chosen) return { ...none, problem: null };
    if (session.activeId === null) return { ...none, problem: 'No connection is open.' };
    if (!isLongOrShort(side)) return { ...none, problem: unknownSideText(side) };
    // While the sequence runs its rows are fixed, so a hold from one of its own orders is not among these.
    const held =
      intents.damageHolding(symbolId, opposite(side)) !== null
        ? 'A line of the order journal is damaged. Acknowledge'
        : intents.holding(symbolId, opposite(side)).length > 0
          ? 'The outcome of an earlier order is unknown. Resolve'
          : null;
    if (held !== null) return { ...none, problem: `${held} it under Activity, or close only this position.` };
    const context = orderContextOf(this.#deps, symbolId);
    const { request, faults } = closeReading(position, side, this.part, context);
    if (request === null) return { ...none, problem: faults[0]?.message ?? 'It cannot be closed in part.' };
    const kind = this.part === '100' ? 'close-all' : 'order';
    const checks = checkOrder({ kind, request }, context);
    const fault = checks.find((one) => one.state === 'fail');
    if (fault) return { ...none, problem: withNextStep(fault) };
    return {
      ...none,
      intent: {
        connectionId: session.activeId,
        kind,
        request,
        reference: context.references[0] ?? null,
      },
      problem: null,
      warnings: checks.filter((one) => one.state === 'warn'),
    };
  }
}

/** Only an order blocked by Ballast, or not journaled, was certainly not sent. */
const isUnsent = ({ kind }: Failure): boolean => kind === 'blocked' || kind === 'file';

/** Returns why the next row of a stopped batch was not sent, where no row's own outcome shows it. */
function blockedIn(
  { state, stoppedBy }: BatchProgress,
  rows: readonly SentRow[],
): ReadonlyMap<number, Failure> {
  const next = rows.findIndex(({ intent }) => intent === null);
  const blocked = state === 'stopped' && stoppedBy !== null && isUnsent(stoppedBy) && next !== -1;
  return blocked ? new Map([[next, stoppedBy]]) : new Map();
}

/** Returns a row of a batch as the list had it, as far as its order shows that. */
function listedAs({ key, request }: SentRow): ListedClose {
  const symbolId = request?.symbolId ?? '';
  const side = request === null ? '' : opposite(request.side);
  const position = { symbolId, side, quantity: request?.quantity ?? null, profitUnreal: null };
  const intent = request === null ? null : { request };
  return { key, position, coin: '', chosen: true, intent, problem: null, warnings: [] };
}
