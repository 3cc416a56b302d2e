import { notedFilter, type NotedFilter } from '../../../src-shared/domain/history/order-notes.ts';
import { orderIdFault, typedOrderId } from '../../text/order-id.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import { MAX_RESULTS } from '../../../src-shared/exchange-api/endpoints.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';

/** Describes a list that may be cut: at the requested limit, or at a round number, which may be the exchange's own. */
export const cutText = (what: string, listed: number): string =>
  `${what}, ${listed < MAX_RESULTS ? 'maybe ' : ''}the most the exchange lists at once`;

/** What a filter of orders asks of their notes. */
export class NoteCondition {
  /** Any of these. */
  tags = $state.raw<string[]>([]);
  /** Text in a note or tag, as typed. */
  note = $state('');
  isNoted = $state(false);

  readonly wanted: NotedFilter | null = $derived.by(() => notedFilter(this));
  /** How many conditions are set. */
  readonly count: number = $derived.by(
    () => this.tags.length + (this.note.trim() === '' ? 0 : 1) + (this.isNoted ? 1 : 0),
  );

  clear(): void {
    this.tags = [];
    this.note = '';
    this.isNoted = false;
  }
}

/** A filter of orders by contract, order ID and notes, and the reply to the newest search for it, if there was one. */
export abstract class OrderFilter<R = unknown> {
  readonly notes = new NoteCondition();
  symbolId = $state('');
  orderId = $state('');
  result = $state.raw<R | null>(null);
  failure = $state.raw<Failure | null>(null);
  searching = $state(false);
  #requestId = 0;
  protected readonly app: AppState;

  constructor(app: AppState) {
    this.app = app;
  }

  /** What is wrong with the order ID. */
  readonly fault: string | null = $derived.by(() => orderIdFault(this.orderId));
  /** Whether there is any condition. */
  abstract get filtered(): boolean;

  abstract search(): Promise<void>;

  clear(): void {
    this.symbolId = '';
    this.orderId = '';
    this.notes.clear();
    void this.search();
  }

  /** Contract and order ID as a request has them. */
  protected get wanted(): { readonly symbolId: string | null; readonly orderId: string | null } {
    return { symbolId: this.symbolId || null, orderId: typedOrderId(this.orderId) || null };
  }

  /** Takes the reply to a request, unless there was another one meanwhile; null where nothing is requested. */
  protected async take(request: Promise<Result<R>> | null): Promise<void> {
    const requestId = ++this.#requestId;
    this.failure = null;
    this.searching = request !== null;
    if (request === null) this.result = null;
    const reply = await request;
    if (reply === null || requestId !== this.#requestId) return;
    this.searching = false;
    if (reply.ok) this.result = reply.data;
    else this.failure = reply.failure;
  }
}
