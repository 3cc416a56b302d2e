import { matchesNoted } from '../../../src-shared/domain/history/order-notes.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { UnreadableRecord } from '../../../src-shared/exchange-api/replies.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { NoteCondition } from './note-condition.svelte.ts';

/**
 * Filters the open orders by contract, order id and notes: the polled ones, or, except by notes, through the exchange if
 * one reply cannot hold all of them.
 */
export class OpenOrderFilter {
  readonly notes = new NoteCondition();
  symbolId = $state('');
  orderId = $state('');
  result = $state.raw<readonly OpenOrder[] | null>(null);
  resultFull = $state(false);
  /** Records of the reply that could not be read. */
  resultUnreadable = $state.raw<readonly UnreadableRecord[]>([]);
  failure = $state.raw<Failure | null>(null);
  searching = $state(false);
  #requestId = 0;
  readonly #app: AppState;

  constructor(app: AppState) {
    this.#app = app;
  }

  /** Whether there is a condition that the exchange knows: of notes it knows nothing. */
  readonly isForExchange: boolean = $derived(this.symbolId !== '' || this.orderId.trim() !== '');
  readonly filtered: boolean = $derived.by(() => this.isForExchange || this.notes.wanted !== null);
  readonly #polled: readonly OpenOrder[] = $derived.by(() => this.#app.feeds.openOrders.value ?? []);
  readonly full: boolean = $derived.by(() => this.#app.feeds.openOrdersFull);
  /** Whether there may be more orders than those shown: one reply may not have held all of them. */
  readonly mayHaveMore: boolean = $derived(
    this.full && (!this.isForExchange || this.result === null || this.resultFull),
  );
  readonly fault: string | null = $derived.by(() => {
    const id = this.orderId.trim();
    return id === '' || /^\d{1,20}$/.test(id) ? null : 'An order ID is digits only, at most 20';
  });
  readonly rows: readonly OpenOrder[] = $derived.by(() => {
    const from = this.isForExchange && this.full && this.result !== null ? this.result : this.#polled;
    const id = this.orderId.trim();
    const { wanted } = this.notes;
    const matches = ({ symbolId, orderId }: OpenOrder): boolean =>
      (this.symbolId === '' || symbolId === this.symbolId) &&
      (id === '' || orderId === id) &&
      (wanted === null || matchesNoted(this.#app.notes.listOf(orderId), wanted));
    return this.filtered ? from.filter(matches) : from;
  });

  /** Requests the orders from the exchange if the polled list is not complete. */
  async search(): Promise<void> {
    const connectionId = this.#app.session.activeId;
    const requestId = ++this.#requestId;
    this.result = null;
    this.failure = null;
    this.searching = false;
    if (connectionId === null || !this.isForExchange || !this.full || this.fault !== null) return;
    this.searching = true;
    const result = await this.#app.calls.call('openOrders.query', {
      connectionId,
      symbolId: this.symbolId === '' ? null : this.symbolId,
      orderId: this.orderId.trim() === '' ? null : this.orderId.trim(),
    });
    // Ignore a reply to an earlier filter.
    if (requestId !== this.#requestId) return;
    this.searching = false;
    if (result.ok) {
      this.result = result.data.rows;
      this.resultFull = result.data.truncated;
      this.resultUnreadable = result.data.unreadable;
    } else this.failure = result.failure;
  }

  clear(): void {
    this.symbolId = '';
    this.orderId = '';
    this.notes.clear();
    void this.search();
  }
}
