/** Sums of the trade log's filter by day and by contract, shown beside the ungrouped list. */
import type { Calls } from '../../bridge.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { GroupContract, SumGroup, TradeGroups } from '../../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import { isSum, sortIn } from './group-rows.ts';

export interface ResultsQuery {
  readonly filter: TradeFilter;
  readonly contracts: readonly GroupContract[];
  readonly zone: string;
}

/** Most days or contracts read. */
const MOST = 200;
/** Shortest interval between refreshes while a sync adds rows, ms. */
const FOLLOW_MS = 5_000;

export class TradeResults {
  /** Newest first; null until they are read. */
  days = $state.raw<readonly SumGroup[] | null>(null);
  /** By volume. */
  contracts = $state.raw<readonly SumGroup[] | null>(null);
  /** The coin most of the sums are in. */
  coin = $state.raw<string | null>(null);
  failure = $state.raw<Failure | null>(null);
  #connectionId: string | null = null;
  #query: ResultsQuery | null = null;
  #archived = '';
  #planned: (() => void) | null = null;
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(calls: Calls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Drops everything of the previous connection. */
  follow(connectionId: string): void {
    this.stop();
    this.#connectionId = connectionId;
  }

  /** Shows the results of a query. `archived` describes the stored records; once it changes, they are read again. */
  show(query: ResultsQuery, archived: string): void {
    const isNew = JSON.stringify(query) !== JSON.stringify(this.#query);
    if (isNew) {
      this.stop();
      this.#query = query;
      void this.read();
    } else if (archived !== this.#archived) this.#plan();
    this.#archived = archived;
  }
  /** Forgets what is shown, and ignores a read that is under way. */
  stop(): void {
    this.#planned?.();
    this.#planned = null;
    this.#query = null;
    this.days = null;
    this.contracts = null;
    this.failure = null;
  }
  #plan(): void {
    this.#planned ??= this.#clock.time.after(FOLLOW_MS, () => {
      this.#planned = null;
      void this.read();
    });
  }

  /** Reads one after the other, since the archive cancels the older of two groupings. */
  async read(): Promise<void> {
    const query = this.#query;
    if (query === null) return;
    const days = await this.#sums(query, 'day');
    if (query !== this.#query) return;
    const contracts = days.ok ? await this.#sums(query, 'contract') : days;
    if (query !== this.#query) return;
    if (!days.ok || !contracts.ok) {
      this.#fail(days.ok ? contracts : days);
      return;
    }
    this.failure = null;
    this.days = days.data.rows.filter(isSum);
    this.contracts = contracts.data.rows.filter(isSum);
    this.coin = contracts.data.totals[0]?.coin ?? null;
  }
  #fail(result: Result<unknown>): void {
    if (!result.ok && result.failure.kind !== 'cancelled') this.failure = result.failure;
  }

  #sums({ filter, contracts, zone }: ResultsQuery, by: 'day' | 'contract'): Promise<Result<TradeGroups>> {
    return this.#calls.call('trades.groups', {
      connectionId: this.#connectionId ?? '',
      by,
      filter,
      sort: sortIn(by, null),
      zone,
      contracts: [...contracts],
      offset: 0,
      limit: MOST,
    });
  }
}
