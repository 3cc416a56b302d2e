import type { Calls } from '../../bridge.ts';
import type { BatchProgress, BatchRecord } from '../../../src-shared/ipc/batch.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { cellsOf, type RowCells } from '../../../src-shared/domain/batch/row.ts';
import { awaitsOutcome } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import { requestOf } from '../../../src-shared/exchange-api/sent-request.ts';
import { listedOrder, type SentRow } from './row-outcome.ts';
import type { Feeds } from '../account/feeds.svelte.ts';
import type { Intents } from '../order/intents.svelte.ts';

export interface SentDeps {
  readonly feeds: Feeds;
  readonly intents: Intents;
}

/** Sent batches with the progress and outcome of each row, read from the journal at each start. */
export class BatchSent {
  #progress = $state.raw<ReadonlyMap<string, BatchProgress>>(new Map());
  /** Rows as the journal gave them at the last read; newer ones are in `intents`. */
  #read = $state.raw<ReadonlyMap<string, readonly IntentRecord[]>>(new Map());
  /** The confirmed rows of this run, by batch: unsent rows are stored nowhere on disk. */
  #confirmed = $state.raw<ReadonlyMap<string, readonly OrderRequest[]>>(new Map());
  /** Batches whose unsent rows were moved back to the draft. */
  #returned = $state.raw<ReadonlySet<string>>(new Set());
  #chosen = $state.raw<string | null>(null);
  loaded = $state.raw(false);
  failure = $state.raw<Failure | null>(null);
  /** The batch for which Stop was pressed; its current request is still completed. */
  stopping = $state.raw<string | null>(null);
  /** Why the batch being sent goes on although Stop was pressed. */
  stopFailure = $state.raw<Failure | null>(null);
  #connectionId: string | null = null;
  readonly #calls: Calls;
  readonly #deps: SentDeps;

  constructor(calls: Calls, deps: SentDeps) {
    this.#calls = calls;
    this.#deps = deps;
  }

  /** Newest first. */
  readonly list: readonly BatchProgress[] = $derived(
    [...this.#progress.values()].sort((a, b) => b.startedAt - a.startedAt),
  );
  readonly chosen: BatchProgress | null = $derived.by(
    () => this.list.find((one) => one.id === this.#chosen) ?? this.list[0] ?? null,
  );
  readonly rows: readonly SentRow[] = $derived.by(() =>
    this.chosen === null ? [] : this.rowsOf(this.chosen),
  );
  /** Rows that were certainly not sent: without a record, or recorded as not sent. */
  readonly #unsent: readonly SentRow[] = $derived(
    this.chosen?.state === 'sending'
      ? []
      : this.rows.filter(({ intent }) => intent === null || intent.state === 'not-sent'),
  );
  readonly unsent: number = $derived(this.#unsent.length);
  /** The unsent rows that can be restored to the draft; none once they were. */
  readonly returnable: readonly RowCells[] = $derived.by(() =>
    this.chosen === null || this.chosen.closing === true || this.#returned.has(this.chosen.id)
      ? []
      : this.#unsent.flatMap(({ request }) => (request === null ? [] : [cellsOf(request)])),
  );
  /** Counts the rows with an order id; `open` counts those whose outcome is still being looked up. */
  readonly placed: number = $derived(
    this.rows.filter(({ intent }) => typeof intent?.orderId === 'string').length,
  );
  readonly open: number = $derived(
    this.rows.filter(({ intent }) => intent !== null && awaitsOutcome(intent.state)).length,
  );
  readonly running: BatchProgress | null = $derived(this.list.find((one) => one.state === 'sending') ?? null);

  /** Returns a batch's rows, by place. Reads state: use it inside `$derived`. */
  rowsOf(batch: BatchProgress): readonly SentRow[] {
    const { feeds, intents } = this.#deps;
    const byPlace = new Map<number, IntentRecord>();
    for (const one of this.#read.get(batch.id) ?? []) if (one.batch) byPlace.set(one.batch.row, one);
    for (const one of intents.list) if (one.batch?.id === batch.id) byPlace.set(one.batch.row, one);
    const lists = { openOrders: feeds.openOrders.value ?? [], history: feeds.history.value ?? [] };
    const confirmed = this.#confirmed.get(batch.id);
    return Array.from({ length: batch.rows }, (_, index): SentRow => {
      const intent = byPlace.get(index) ?? null;
      const request = (intent === null ? null : requestOf(intent.body)) ?? confirmed?.[index] ?? null;
      return {
        key: `${batch.id} ${index}`,
        place: index + 1,
        request,
        intent,
        waiting: intent === null && batch.state === 'sending',
        found: typeof intent?.orderId === 'string' ? listedOrder(intent.orderId, request, lists) : null,
      };
    });
  }

  choose(id: string): void {
    this.#chosen = id;
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.#progress = new Map();
    this.#read = new Map();
    this.#confirmed = new Map();
    this.#returned = new Set();
    this.#chosen = null;
    this.stopping = null;
    this.stopFailure = null;
    this.loaded = false;
    await this.load();
  }

  /** Reads the batches from the journal. Events that arrive meanwhile are newer and win. */
  async load(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return;
    const result = await this.#calls.call('orders.batches', { connectionId });
    if (connectionId !== this.#connectionId) return;
    this.failure = result.ok ? null : result.failure;
    if (!result.ok) return;
    const records: readonly BatchRecord[] = result.data;
    this.#progress = new Map([
      ...records.map(({ progress }) => [progress.id, progress] as const),
      ...this.#progress,
    ]);
    this.#read = new Map(records.map(({ progress, intents }) => [progress.id, intents] as const));
    const confirmed = records.flatMap(({ progress, requests }) =>
      requests === null ? [] : [[progress.id, requests] as const],
    );
    this.#confirmed = new Map([...confirmed, ...this.#confirmed]);
    this.loaded = true;
  }

  receive(progress: BatchProgress): void {
    if (progress.connectionId !== this.#connectionId) return;
    this.#progress = new Map([...this.#progress, [progress.id, progress]]);
    if (progress.state === 'sending') return;
    if (this.stopping === progress.id) this.stopping = null;
    this.stopFailure = null;
  }

  /** Adds a batch that is being sent, unless an event already reported it. */
  begin(progress: BatchProgress, requests: readonly OrderRequest[]): void {
    if (progress.connectionId !== this.#connectionId) return;
    this.#confirmed = new Map([...this.#confirmed, [progress.id, requests]]);
    if (!this.#progress.has(progress.id)) this.receive(progress);
    if (progress.closing !== true) this.#chosen = progress.id;
  }

  /** Stops after the current request. */
  async stop(batchId: string): Promise<void> {
    this.stopping = batchId;
    this.stopFailure = null;
    const result = await this.#calls.call('orders.stopBatch', { batchId });
    // It may have ended meanwhile.
    if (result.ok || this.stopping !== batchId) return;
    this.stopping = null;
    this.stopFailure = result.failure;
  }

  /** Records that the chosen batch's unsent rows are in the draft again. */
  wasReturned(): void {
    if (this.chosen !== null) this.#returned = new Set([...this.#returned, this.chosen.id]);
  }
}
