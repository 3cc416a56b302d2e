import type { Calls } from '../../bridge.ts';
import { amount, isNegative, isPositive } from '../../../src-shared/amount.ts';
import { coinsOf } from '../../../src-shared/domain/instrument/currencies.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent } from '../../../src-shared/ipc/orders.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { checkText, type OrderCheck } from '../../../src-shared/domain/order/check.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import { isLongOrShort, opposite } from '../../../src-shared/domain/instrument/trading-context.ts';
import { orderContextOf, type TradingContext } from '../order/trading-context.ts';
import { closeReading } from './close-reading.ts';
import type { Intents } from '../order/intents.svelte.ts';

/** Groups that can be closed together: by result, by side, or everything. */
export const CLOSE_GROUPS = ['all', 'profit', 'loss', 'long', 'short'] as const;
export type CloseGroup = (typeof CLOSE_GROUPS)[number];
/** Percent of each position. */
export const CLOSE_PARTS = ['25', '50', '75', '100'] as const;
type ClosePart = (typeof CLOSE_PARTS)[number];

export interface ClosePositionsDeps extends TradingContext {
  readonly calls: Calls;
  readonly intents: Intents;
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
  readonly doubts: readonly OrderCheck[];
}

/** The outcome of one position. `gone`: closed by something else before its turn. */
type Step =
  | { readonly at: 'waiting' | 'sending' | 'not-sent' | 'gone' }
  | { readonly at: 'sent'; readonly record: IntentRecord }
  | { readonly at: 'refused' | 'unknown'; readonly failure: Failure };

interface CloseRow extends PlannedClose {
  readonly step: Step;
}

type Phase = 'choosing' | 'running' | 'over';

/**
 * Closes all positions, some of them or a part of each: one reduce-only market order after another, each with its own
 * token. A rejection or an unknown outcome ends the sequence, since later orders may depend on it.
 */
export class ClosePositions {
  shown = $state(false);
  phase = $state<Phase>('choosing');
  stopping = $state(false);
  part = $state<ClosePart>('100');
  /** Keys of the chosen positions; null means all of them, whichever they are. */
  #chosen = $state.raw<ReadonlySet<string> | null>(null);
  #typed = $state.raw({ word: '', for: '' });
  /** The list when the sequence started, with the outcome of each. */
  #rows = $state.raw<readonly CloseRow[]>([]);
  /** Number of the current sequence; closing the sheet or switching the account increments it, which stops it. */
  #run = 0;
  readonly #deps: ClosePositionsDeps;

  constructor(deps: ClosePositionsDeps) {
    this.#deps = deps;
  }

  readonly #planned: readonly PlannedClose[] = $derived.by(() =>
    this.shown && this.phase === 'choosing' ? this.#deps.feeds.positions.map((one) => this.#plan(one)) : [],
  );
  readonly rows: readonly CloseRow[] = $derived(
    this.phase === 'choosing'
      ? this.#planned.map((one) => ({ ...one, step: { at: 'waiting' } }))
      : this.#rows.map((row) => ({ ...row, step: this.#newest(row.step) })),
  );
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
    return this.word.trim().toLowerCase() === this.wanted ? null : `Type ${this.wanted} to continue`;
  });

  start(group: CloseGroup = 'all'): void {
    if (this.phase === 'running') return;
    this.#chosen = null;
    this.part = '100';
    this.#typed = { word: '', for: '' };
    this.#rows = [];
    this.stopping = false;
    this.phase = 'choosing';
    this.shown = true;
    this.choose(group);
  }

  /** Closes the sheet, unless an order is being sent. */
  close(): void {
    if (this.phase !== 'running') this.shown = false;
  }

  /** Stops after the current order. */
  stop(): void {
    this.stopping = this.phase === 'running';
  }

  /** Stops on a connection switch. */
  reset(): void {
    this.#run++;
    this.phase = 'choosing';
    this.shown = false;
  }

  /** Sends one after another. The phase changes synchronously, so a second press has no effect. */
  async send(): Promise<void> {
    if (this.phase !== 'choosing' || this.missing !== null) return;
    const run = ++this.#run;
    this.#rows = this.#planned
      .filter((one) => one.chosen)
      .map((one) => ({ ...one, step: { at: one.intent === null ? 'not-sent' : 'waiting' } }));
    this.phase = 'running';
    for (const row of this.#rows) {
      if (this.stopping || run !== this.#run) break;
      if (row.intent === null) continue;
      if (!this.#isOpen(row)) {
        this.#set(run, row.key, { at: 'gone' });
        continue;
      }
      this.#set(run, row.key, { at: 'sending' });
      const step = await this.#sendOne(run, row.intent);
      this.#set(run, row.key, step);
      if (step.at !== 'sent' || step.record.state !== 'accepted') break;
    }
    if (run !== this.#run) return;
    this.#rows = this.#rows.map((row) =>
      row.step.at === 'waiting' ? { ...row, step: { at: 'not-sent' } } : row,
    );
    this.phase = 'over';
    void this.#deps.feeds.refresh('account');
  }

  /** Sends one order like any other: review returns a token, send consumes it. Never releases a hold. */
  async #sendOne(run: number, intent: OrderIntent): Promise<Step> {
    const { calls } = this.#deps;
    const review = await calls.call('orders.review', intent);
    if (!review.ok) return { at: 'refused', failure: review.failure };
    const { token } = review.data;
    if (this.stopping || run !== this.#run) {
      void calls.call('orders.discard', { token });
      return { at: 'not-sent' };
    }
    const sent = await calls.call('orders.send', { token, release: null });
    if (sent.ok) return { at: 'sent', record: sent.data };
    // Only an order blocked by Ballast, or not journaled, was certainly not sent.
    const unsent = sent.failure.kind === 'denied' || sent.failure.kind === 'file';
    return { at: unsent ? 'refused' : 'unknown', failure: sent.failure };
  }

  #set(run: number, key: string, step: Step): void {
    if (run !== this.#run) return;
    this.#rows = this.#rows.map((row) => (row.key === key ? { ...row, step } : row));
  }

  /** Returns the current outcome: reconciliation may have found it since. */
  #newest(step: Step): Step {
    if (step.at !== 'sent') return step;
    return { at: 'sent', record: this.#deps.intents.records.get(step.record.id) ?? step.record };
  }

  #isOpen(row: PlannedClose): boolean {
    return this.#deps.feeds.positions.some((one) => keyOf(one) === row.key);
  }

  #plan(position: Position): PlannedClose {
    const { session, intents } = this.#deps;
    const { symbolId, side } = position;
    const key = keyOf(position);
    const chosen = this.#chosen?.has(key) ?? true;
    const config = this.#deps.feeds.contractBySymbol.get(symbolId);
    const coin = config ? coinsOf(config).base : (symbolId.split('-')[0] ?? symbolId);
    const none = { key, position, coin, chosen, intent: null, doubts: [] };
    if (!chosen) return { ...none, problem: null };
    if (session.activeId === null) return { ...none, problem: 'No connection is open.' };
    if (!isLongOrShort(side)) {
      const text = `Ballast does not know the side “${side.slice(0, 20)}”. Close it on the exchange's page.`;
      return { ...none, problem: text };
    }
    // While the sequence runs its rows are fixed, so a hold from one of its own orders is not among these.
    if (intents.damageHolding(symbolId, opposite(side)) !== null) {
      const text =
        'A line of the order journal is damaged. Acknowledge it under Activity, or close only this position.';
      return { ...none, problem: text };
    }
    if (intents.holding(symbolId, opposite(side)).length > 0) {
      const text =
        'The outcome of an earlier order is unknown. Resolve it under Activity, or close only this position.';
      return { ...none, problem: text };
    }
    const context = orderContextOf(this.#deps, symbolId);
    const { request, faults } = closeReading(position, side, this.part, context);
    if (request === null) return { ...none, problem: faults[0]?.message ?? 'It cannot be closed in part.' };
    const kind = this.part === '100' ? 'close-all' : 'order';
    const checks = checkOrder({ kind, request }, context);
    const fault = checks.find((one) => one.state === 'fail');
    if (fault) return { ...none, problem: checkText(fault) };
    return {
      ...none,
      intent: {
        connectionId: session.activeId,
        kind,
        request,
        reference: context.references[0] ?? null,
      },
      problem: null,
      doubts: checks.filter((one) => one.state === 'warn'),
    };
  }
}

/** Includes the side: a reversed position counts as another one. */
const keyOf = ({ positionId, symbolId, side }: Position): string => `${symbolId} ${positionId} ${side}`;
