import { untrack } from 'svelte';
import { type IntentRecord, isLeftOut, isSingle } from '../../../src-shared/ipc/orders.ts';
import { isSettled, type OrderProgress, progressOf } from '../../../src-shared/domain/reconcile/progress.ts';
import type { TimeSource } from '../runtime/clock.svelte.ts';
import type { Feeds } from '../account/feeds.svelte.ts';
import type { Intents } from './intents.svelte.ts';

const MOST = 3;
/** How long the toast of a resting or filled order stays. */
const SETTLED_MS = 8_000;
/** These stay until dismissed. */
const STAYS: ReadonlySet<OrderProgress['stage']> = new Set([
  'rejected',
  'not sent',
  'cancelled',
  'listed',
  'unknown',
]);
/** In these nothing more can happen to the order. */
const OVER: ReadonlySet<OrderProgress['stage']> = new Set([
  'filled',
  'cancelled',
  'rejected',
  'not sent',
  'dismissed',
]);

interface ToastDeps {
  readonly intents: Intents;
  readonly feeds: Feeds;
  /** What shows the outcome of its own orders while it is open. */
  readonly sheets: readonly { covers(record: IntentRecord): boolean }[];
  readonly time: TimeSource;
}

export interface OrderToast {
  readonly record: IntentRecord;
  readonly progress: OrderProgress;
}

/**
 * One toast per order, keyed by its intent and updated from the journal and the order lists. None while that order's
 * sheet is open, which shows the same, and none for the rows of a batch.
 */
export class OrderToasts {
  /** Intents of this run, newest first. */
  #ids = $state.raw<readonly string[]>([]);
  /** The toast under the pointer or with the focus: it stays. */
  #held = $state.raw<string | null>(null);
  /** The final stage already seen in the order's sheet; no toast until the stage changes. */
  #read = $state.raw<ReadonlyMap<string, OrderProgress['stage']>>(new Map());
  readonly #leaving = new Set<string>();
  /** The end of orders by id: a later order history may not list them. */
  readonly #ended = new Map<string, OrderProgress>();
  readonly #deps: ToastDeps;

  constructor(deps: ToastDeps) {
    this.#deps = deps;
  }

  /** Newest first, three at most; the rest are in Activity. */
  readonly list: readonly OrderToast[] = $derived.by(() =>
    this.#ids
      .map((id) => this.#deps.intents.records.get(id))
      .filter((one) => one !== undefined)
      .filter((one) => !this.#deps.sheets.some((sheet) => sheet.covers(one)))
      .map((record) => ({ record, progress: this.progress(record) }))
      .filter(({ record, progress }) => this.#read.get(record.id) !== progress.stage)
      .slice(0, MOST),
  );

  progress(record: IntentRecord): OrderProgress {
    const { openOrders, history } = this.#deps.feeds;
    const progress = progressOf(record, openOrders.value ?? [], history.value ?? []);
    const id = record.orderId ?? '';
    if (progress.stage === 'accepted') return this.#ended.get(id) ?? progress;
    if (progress.fill !== null && OVER.has(progress.stage)) this.#ended.set(id, progress);
    return progress;
  }

  /** Adds a toast for a new intent of this run, or for one whose order turned out to be another's. */
  receive(record: IntentRecord): void {
    if (!isSingle(record) || isLeftOut(record)) return;
    if (record.state === 'unknown') this.#read = new Map([...this.#read].filter(([id]) => id !== record.id));
    if (this.#ids.includes(record.id) || this.#read.has(record.id)) return;
    this.#ids = [record.id, ...this.#ids];
  }

  /** Notes that the order's sheet shows this stage. An order that is over is forgotten. */
  read({ id }: IntentRecord, progress: OrderProgress): void {
    const { stage } = progress;
    if (!isSettled(progress)) return;
    untrack(() => {
      if (this.#read.get(id) === stage) return;
      this.#read = new Map([...this.#read, [id, stage]]);
      if (OVER.has(stage)) this.dismiss(id);
    });
  }

  dismiss(id: string): void {
    this.#ids = this.#ids.filter((one) => one !== id);
  }

  keep(id: string | null): void {
    this.#held = id;
  }

  /** Dismisses a toast after a while if its order ended well, unless it has the pointer or the focus. */
  settle({ record: { id }, progress }: OrderToast): void {
    if (!isSettled(progress) || STAYS.has(progress.stage) || this.#leaving.has(id)) return;
    this.#leaving.add(id);
    const leave = (): void => {
      if (this.#held === id) this.#deps.time.after(SETTLED_MS, leave);
      else {
        this.#leaving.delete(id);
        this.dismiss(id);
      }
    };
    this.#deps.time.after(SETTLED_MS, leave);
  }

  reset(): void {
    this.#ids = [];
    this.#read = new Map();
    this.#ended.clear();
  }
}
