import type { NotedFilter } from '../../../src-shared/domain/history/order-notes.ts';
import { done, type Result } from '../../../src-shared/ipc/failures.ts';
import { mayBeLimited } from '../../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { UnreadableRecord } from '../../../src-shared/exchange-api/replies.ts';
import { typedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
import { OrderFilter } from './order-filter.svelte.ts';

interface SearchResult {
  readonly from: 'exchange' | 'archive';
  readonly rows: readonly HistoryOrder[];
  readonly truncated: boolean;
  readonly unreadable: readonly UnreadableRecord[];
}

/**
 * Order history: the newest orders as polled, or the exchange's reply to a filter by contract, order id or time, which
 * also finds what the newest 1,000 no longer include; with a condition on notes, the archive's.
 */
export class OrderHistory extends OrderFilter<SearchResult> {
  /** As typed, in the chosen time zone. */
  from = $state('');
  to = $state('');
  /** The condition on notes of the last search. */
  #searched: NotedFilter | null = null;

  get filtered(): boolean {
    const { symbolId, orderId, from, to } = this;
    return this.notes.wanted !== null || [symbolId, orderId, from, to].some((text) => text.trim() !== '');
  }
  readonly rows: readonly HistoryOrder[] = $derived.by(() => {
    const polled = this.app.feeds.history.value ?? [];
    if (this.result === null) return polled;
    if (this.result.from === 'exchange') return this.result.rows;
    const newest = new Map(polled.map((order) => [order.id, order] as const));
    return this.result.rows.map((order) => newest.get(order.id) ?? order);
  });
  /** All rows of the list, also those that cannot be read. */
  readonly listed: number = $derived(
    this.rows.length + ((this.result ?? this.app.feeds.history.feed).unreadable?.length ?? 0),
  );
  /** Whether there may be more orders than shown. */
  readonly truncated: boolean = $derived(this.result?.truncated ?? mayBeLimited(this.listed));

  readonly #times = $derived.by(() => typedSpan(this.from, this.to, this.app.settings.timeZone));
  /** What is wrong with the typed times. */
  readonly faults: Readonly<Record<'from' | 'to', string | null>> = $derived(this.#times.faults);

  /** Finds the filtered orders; without a filter it shows the newest again. */
  async search(): Promise<void> {
    const connectionId = this.app.session.activeId;
    if (connectionId === null || (this.fault ?? this.faults.from ?? this.faults.to) !== null) return;
    this.#searched = this.notes.wanted;
    await this.take(this.filtered ? this.#find(connectionId, this.notes.wanted) : null);
  }
  /** Of notes the exchange knows nothing: the archive has them, and the orders. */
  async #find(connectionId: string, noted: NotedFilter | null): Promise<Result<SearchResult>> {
    const { from, to } = this.#times.span;
    const query = { connectionId, ...this.wanted, startTime: from, endTime: to };
    if (noted === null) {
      const found = await this.app.calls.call('history.query', query);
      return found.ok ? done({ ...found.data, from: 'exchange' }) : found;
    }
    const wanted = { tags: [...noted.tags], text: noted.text };
    const found = await this.app.calls.call('history.noted', { ...query, noted: wanted });
    return found.ok ? done({ ...found.data, from: 'archive', unreadable: [] }) : found;
  }
  /** Whether the condition on notes is that of the last search. */
  get isApplied(): boolean {
    return this.notes.wanted === this.#searched;
  }

  override clear(): void {
    this.from = '';
    this.to = '';
    super.clear();
  }
}
