import type { EquitySamples, StatsDaily, StatsSummary } from '../../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { whenIdle } from '../../state/runtime/when-idle.ts';

const DAY_MS = 86_400_000;
export const EQUITY_RANGES = { '1D': 1, '1W': 7, '1M': 30, '3M': 91, All: null } as const;
export type EquityRange = keyof typeof EQUITY_RANGES;
export const STATS_RANGES = { '7 d': 7, '30 d': 30, '90 d': 90, '1 y': 365, All: null } as const;
export type StatsRange = keyof typeof STATS_RANGES;

/** Points of the chart, at most: two a pixel of a usual width is more than can be told apart. */
const POINTS = 1_200;
/** How often the answers are asked again while they are looked at, ms: the recorder's own pace. */
const AGAIN_MS = 60_000;
/** How often at most the same is asked while the archive grows: with each page that is stored, or nothing else gets done. */
const GROWTH_MS = 1_000;

/** Answers of one kind: the last good one stays while the next is asked for, or when that fails. */
class Asked<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<Failure | null>(null);
  #newest = 0;

  async ask(request: Promise<Result<T>>): Promise<void> {
    const mine = ++this.#newest;
    const answer = await request;
    if (mine !== this.#newest) return; // another range was chosen meanwhile
    if (answer.ok) this.value = answer.data;
    this.failure = answer.ok ? null : answer.failure;
  }
}

/** What the archive knows of the past, for Overview: worth over time, profit by day, statistics. */
export class Past {
  equityRange = $state<EquityRange>('1M');
  statsRange = $state<StatsRange>('30 d');
  /** null: the totals. */
  equityCoin = $state.raw<string | null>(null);
  readonly equity = new Asked<EquitySamples>();
  readonly daily = new Asked<StatsDaily>();
  readonly summary = new Asked<StatsSummary>();
  readonly #app: AppState;
  #asked = { what: '', at: 0 };

  constructor(app: AppState) {
    this.#app = app;
  }

  /** First ms of the range; null for all there is. The UTC day of its first ms counts whole. */
  readonly statsFrom: number | null = $derived.by(() => {
    const days = STATS_RANGES[this.statsRange];
    return days === null ? null : (Math.floor(this.#today / DAY_MS) - days + 1) * DAY_MS;
  });
  // Changes once a day, whatever the clock does.
  readonly #today: number = $derived.by(() => Math.floor(this.#app.clock.now / DAY_MS) * DAY_MS);

  /** Asks now and again until the answered function is called. Reads state: call it in an `$effect`. */
  follow(): () => void {
    const connectionId = this.#app.session.activeId;
    if (connectionId === null) return () => {};
    const { calls, clock } = this.#app;
    const days = EQUITY_RANGES[this.equityRange];
    const coin = this.equityCoin;
    const range = { connectionId, from: this.statsFrom, to: null, symbol: null };
    // Read here, so that new trades and orders are asked about.
    void this.#app.tradeSync.status?.stored;
    void this.#app.tradeSync.status?.orders.completedAt;
    const what = JSON.stringify([range, days, coin]);
    const ask = (): void => {
      this.#asked = { what, at: clock.time.now() };
      const from = days === null ? null : clock.time.now() - days * DAY_MS;
      void this.equity.ask(
        calls.call('equity.samples', { connectionId, from, to: null, coin, points: POINTS }),
      );
      void this.daily.ask(calls.call('stats.daily', range));
      void this.summary.ask(calls.call('stats.summary', range));
    };
    const wait = what === this.#asked.what ? this.#asked.at + GROWTH_MS - clock.time.now() : 0;
    const soon = wait > 0 ? clock.time.after(wait, ask) : whenIdle(ask);
    const again = clock.time.every(AGAIN_MS, ask);
    return () => {
      soon();
      again();
    };
  }
}
