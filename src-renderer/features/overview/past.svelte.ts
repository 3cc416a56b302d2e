import type { EquitySamples, StatsDaily, StatsSummary } from '../../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { whenIdle } from '../../state/runtime/when-idle.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

export const EQUITY_RANGES = { '1D': 1, '1W': 7, '1M': 30, '3M': 91, All: null } as const;
export type EquityRange = keyof typeof EQUITY_RANGES;
/** In days; month to date begins at the first UTC day. */
export const STATS_RANGES = {
  '7 d': 7,
  MTD: 'month',
  '30 d': 30,
  '90 d': 90,
  '1 y': 365,
  All: null,
} as const;
export type StatsRange = keyof typeof STATS_RANGES;

/** What the results are shown as. */
export type ResultsTab = 'days' | 'calendar' | 'statistics' | 'contracts';

function firstOfMonth(ms: number): number {
  const day = new Date(ms);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
}

/** Max points of the chart: about two per pixel. */
const POINTS = 1_200;
/** Refresh interval while shown, ms: equity is recorded this often. */
const AGAIN_MS = 60_000;
/** Minimum interval between equal requests while the archive grows, ms: it grows with each stored page. */
const GROWTH_MS = 1_000;

/** The latest result of one kind of request. The last good value is kept while the next loads, or if it fails. */
class LatestResult<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  #newest = 0;

  async load(request: Promise<Result<T>>): Promise<void> {
    const mine = ++this.#newest;
    const result = await request;
    if (mine !== this.#newest) return; // another range was chosen meanwhile
    if (result.ok) this.value = result.data;
    this.failure = result.ok ? null : result.failure;
  }
}

/** Results of the days before equity was first recorded. */
export interface DaysBefore {
  /** Time of the first recorded point, ms. */
  readonly at: number;
  /** Oldest first; the last is the day of that point, up to its time. */
  readonly days: readonly Pick<StatsDaily['days'][number], 'day' | 'results'>[];
}

/** Overview's data from the archive: equity over time, profit by day, statistics. */
export class Past {
  equityRange = $state<EquityRange>('1M');
  statsRange = $state<StatsRange>('30 d');
  resultsTab = $state<ResultsTab>('days');
  /** null shows the account's totals. */
  equityCoin = $state.raw<string | null>(null);
  readonly equity = new LatestResult<EquitySamples>();
  /** Null if recording began before the range. */
  before = $state.raw<DaysBefore | null>(null);
  readonly daily = new LatestResult<StatsDaily>();
  readonly summary = new LatestResult<StatsSummary>();
  readonly #app: AppState;
  #lastRequest = { what: '', at: 0 };

  constructor(app: AppState) {
    this.#app = app;
  }

  /** First ms of the range; null for everything. Its UTC day counts whole, in the calendar its month. */
  readonly statsFrom: number | null = $derived.by(() => {
    const days = STATS_RANGES[this.statsRange];
    if (days === null) return null;
    if (days === 'month') return firstOfMonth(this.today);
    const from = this.today - (days - 1) * DAY_MS;
    return this.resultsTab === 'calendar' ? firstOfMonth(from) : from;
  });
  /** First ms of the chart's range, to the minute; null for everything. */
  readonly equityFrom: number | null = $derived.by(() => {
    const days = EQUITY_RANGES[this.equityRange];
    return days === null ? null : Math.floor(this.#app.clock.now / 60_000) * 60_000 - days * DAY_MS;
  });
  /** First ms of the day, UTC: changes once a day, although it reads the clock. */
  readonly today: number = $derived.by(() => Math.floor(this.#app.clock.now / DAY_MS) * DAY_MS);

  /** Loads now and at intervals. Returns the function that stops it. Reads state: call it in an `$effect`. */
  follow(): () => void {
    const connectionId = this.#app.session.activeId;
    if (connectionId === null) return () => {};
    const { calls, clock } = this.#app;
    const days = EQUITY_RANGES[this.equityRange];
    const coin = this.equityCoin;
    const range = { connectionId, from: this.statsFrom, to: null, symbol: null };
    // Read here, so that new trades and orders cause a new request.
    void this.#app.tradeSync.status?.stored;
    void this.#app.tradeSync.status?.orders.completedAt;
    // Profits read in another way are other results.
    const profit = this.#app.profit.finding?.convention ?? null;
    const what = JSON.stringify([range, days, coin, profit]);
    const ask = (): void => {
      this.#lastRequest = { what, at: clock.time.now() };
      const from = days === null ? null : clock.time.now() - days * DAY_MS;
      void this.equity
        .load(calls.call('equity.samples', { connectionId, from, to: null, coin, points: POINTS }))
        .then(() => this.#readBefore({ connectionId, from, coin }));
      void this.daily.load(calls.call('stats.daily', range));
      void this.summary.load(calls.call('stats.summary', range));
    };
    const wait = what === this.#lastRequest.what ? this.#lastRequest.at + GROWTH_MS - clock.time.now() : 0;
    const cancel = wait > 0 ? clock.time.after(wait, ask) : whenIdle(ask);
    const again = clock.time.every(AGAIN_MS, ask);
    return () => {
      cancel();
      again();
    };
  }

  /** Reads the results from before the first recorded point, if the archive has no older sample. */
  async #readBefore(request: {
    readonly connectionId: string;
    readonly from: number | null;
    readonly coin: string | null;
  }): Promise<void> {
    const { connectionId, from, coin } = request;
    const { calls } = this.#app;
    const samples = this.equity.value;
    const at = samples?.points[0]?.at;
    if (at === undefined) return;
    // Newer samples, perhaps of another range, have a reading of their own.
    const isOutdated = (): boolean => this.equity.value !== samples;
    const to = at - 1;
    const older = await calls.call('equity.samples', { connectionId, from: null, to, coin, points: 4 });
    if (!older.ok || isOutdated()) return; // the pane shows the failure of the main request
    if (older.data.samples > 0) {
      this.before = null;
      return;
    }
    // Partly covered days count as a whole, so the last one is requested separately.
    const today = Math.floor(at / DAY_MS) * DAY_MS;
    const [daily, last] = await Promise.all([
      calls.call('stats.daily', { connectionId, from, to: today - 1, symbol: null }),
      calls.call('stats.summary', { connectionId, from: today, to, symbol: null }),
    ]);
    if (!daily.ok || !last.ok || isOutdated()) return;
    const days = daily.data.days.filter(({ day }) => day < today);
    this.before = { at, days: [...days, { day: today, results: last.data.results }] };
  }
}
