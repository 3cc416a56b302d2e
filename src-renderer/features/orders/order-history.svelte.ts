import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { UnreadableRecord } from '../../../src-shared/exchange-api/replies.ts';
import { TIME_FORM, zonedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';

/** Most orders in one reply of order history. */
export const MOST_ROWS = 1_000;

interface SearchResult {
  readonly rows: readonly HistoryOrder[];
  readonly truncated: boolean;
  readonly unreadable: readonly UnreadableRecord[];
}

/**
 * Order history: the newest orders as polled, or the exchange's reply to a filter by contract, order id or time, which
 * also finds what the newest 1,000 no longer include.
 */
export class OrderHistory {
  symbolId = $state('');
  orderId = $state('');
  /** As typed, in the chosen time zone. */
  from = $state('');
  to = $state('');
  result = $state.raw<SearchResult | null>(null);
  failure = $state.raw<Failure | null>(null);
  searching = $state(false);
  #requestId = 0;
  readonly #app: AppState;

  constructor(app: AppState) {
    this.#app = app;
  }

  readonly filtered: boolean = $derived(
    [this.symbolId, this.orderId, this.from, this.to].some((text) => text.trim() !== ''),
  );
  readonly rows: readonly HistoryOrder[] = $derived.by(
    () => (this.result === null ? this.#app.feeds.history.value : this.result.rows) ?? [],
  );
  /** Whether there are more orders than shown. */
  readonly truncated: boolean = $derived(this.result?.truncated ?? this.rows.length >= MOST_ROWS);

  readonly faults: Readonly<Record<'orderId' | 'from' | 'to', string | null>> = $derived.by(() => {
    const { from, to } = this.#times();
    const id = this.orderId.trim();
    const unread = (text: string, ms: number | null): string | null =>
      text.trim() === '' || ms !== null ? null : `Use the form ${TIME_FORM}`;
    const backwards = from !== null && to !== null && to < from ? 'The end is before the start' : null;
    return {
      orderId: id === '' || /^\d{1,20}$/.test(id) ? null : 'An order ID is digits only, at most 20',
      from: unread(this.from, from),
      to: unread(this.to, to) ?? backwards,
    };
  });

  /** Requests the filtered orders from the exchange; without a filter it shows the newest again. */
  async search(): Promise<void> {
    const connectionId = this.#app.session.activeId;
    if (connectionId === null || Object.values(this.faults).some((fault) => fault !== null)) return;
    const requestId = ++this.#requestId;
    this.failure = null;
    if (!this.filtered) {
      this.result = null;
      this.searching = false;
      return;
    }
    this.searching = true;
    const { from, to } = this.#times();
    const result = await this.#app.calls.call('history.query', {
      connectionId,
      symbolId: this.symbolId === '' ? null : this.symbolId,
      orderId: this.orderId.trim() === '' ? null : this.orderId.trim(),
      startTime: from,
      endTime: to,
    });
    // Ignore a reply to an earlier filter.
    if (requestId !== this.#requestId) return;
    this.searching = false;
    if (result.ok) this.result = result.data;
    else this.failure = result.failure;
  }

  clear(): void {
    this.symbolId = '';
    this.orderId = '';
    this.from = '';
    this.to = '';
    void this.search();
  }

  /** The time range in ms, end inclusive: a day typed as the end is included whole. */
  #times(): { readonly from: number | null; readonly to: number | null } {
    const zone = this.#app.settings.timeZone;
    return {
      from: zonedSpan(this.from, zone)?.first ?? null,
      to: zonedSpan(this.to, zone)?.last ?? null,
    };
  }
}
