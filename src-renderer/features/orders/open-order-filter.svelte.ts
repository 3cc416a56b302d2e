import { matchesNoted } from '../../../src-shared/domain/history/order-notes.ts';
import type { CallResult } from '../../../src-shared/ipc/calls.ts';
import { isResting } from '../../../src-shared/exchange-api/enums.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import { typedOrderId } from '../../text/order-id.ts';
import { OrderFilter } from './order-filter.svelte.ts';

/**
 * Filters the open orders by contract, order id and notes: the polled ones, or, except by notes, through the exchange if
 * one reply cannot hold all of them.
 */
export class OpenOrderFilter extends OrderFilter<CallResult<'openOrders.query'>> {
  /** Whether there is a condition that the exchange knows: of notes it knows nothing. */
  readonly isForExchange: boolean = $derived(this.symbolId !== '' || this.orderId.trim() !== '');
  get filtered(): boolean {
    return this.isForExchange || this.notes.wanted !== null;
  }
  readonly full: boolean = $derived.by(() => this.app.feeds.openOrdersFull);
  /** Whether there may be more orders than those shown: one reply may not have held all of them. */
  readonly mayHaveMore: boolean = $derived(
    this.full && (!this.isForExchange || this.result === null || this.result.truncated),
  );
  readonly rows: readonly OpenOrder[] = $derived.by(() => {
    const from =
      this.isForExchange && this.full && this.result !== null
        ? this.result.rows.filter(isResting)
        : this.app.feeds.resting;
    const id = typedOrderId(this.orderId);
    const { wanted } = this.notes;
    const matches = ({ symbolId, orderId }: OpenOrder): boolean =>
      (this.symbolId === '' || symbolId === this.symbolId) &&
      (id === '' || orderId === id) &&
      (wanted === null || matchesNoted(this.app.notes.listOf(orderId), wanted));
    return this.filtered ? from.filter(matches) : from;
  });

  /** Requests the orders from the exchange if the polled list is not complete. */
  async search(): Promise<void> {
    const connectionId = this.app.session.activeId;
    const isRequested = connectionId !== null && this.isForExchange && this.full && this.fault === null;
    this.result = null;
    await this.take(
      isRequested ? this.app.calls.call('openOrders.query', { connectionId, ...this.wanted }) : null,
    );
  }
}
