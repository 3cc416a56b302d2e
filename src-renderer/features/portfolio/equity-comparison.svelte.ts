/** Recorded equity of the included accounts, each as its change since its own first sample of the range. */
import { absolute, amount, isZero, subtract } from '../../../src-shared/amount.ts';
import type { EquitySamples } from '../../../src-shared/ipc/archive.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import type { AccountRow, PortfolioView } from './portfolio.svelte.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { quotient } from '../../../src-shared/domain/numeric/quotient.ts';

export const RANGES = { '1W': 7, '1M': 30, '3M': 91, All: null } as const;
export type ComparedRange = keyof typeof RANGES;
/** Refresh interval while shown, which is that of the samples. */
const REFRESH_MS = 60_000;

export interface ChangePoint {
  readonly at: number;
  /** Change since the first point as a share: `0.0679`. */
  readonly share: string;
}
export interface AccountLine {
  readonly id: string;
  readonly name: string;
  /** At least two. */
  readonly points: readonly ChangePoint[];
  readonly change: string;
  /** Whether its account is stale or not read. */
  readonly old: boolean;
}

/** Returns the changes since the first point; none if that was 0. */
export function changesOf(points: EquitySamples['points']): ChangePoint[] {
  const [first] = points;
  if (first === undefined || isZero(amount(first.equity))) return [];
  const base = amount(first.equity);
  return points.map(({ at, equity }) => ({
    at,
    share: quotient(subtract(amount(equity), base), absolute(base)),
  }));
}

export class EquityComparison {
  range = $state<ComparedRange>('1M');
  readonly #app: AppState;
  readonly #view: PortfolioView;
  /** By connection id. Null before the first reply; a null entry could not be read. */
  #samples = $state.raw<ReadonlyMap<string, readonly ChangePoint[] | null> | null>(null);
  #newest = 0;

  constructor(app: AppState, view: PortfolioView) {
    this.#app = app;
    this.#view = view;
  }

  /** Accounts to request, as text, so that an equal list requests nothing. */
  readonly #requested: string = $derived.by(() =>
    this.#view.included.map(({ id, status }) => `${id}:${status === 'locked' ? 'locked' : 'read'}`).join(' '),
  );
  readonly loaded: boolean = $derived(this.#samples !== null);
  readonly lines: readonly AccountLine[] = $derived.by(() =>
    this.#view.included.flatMap((row) => lineOf(row, this.#samples?.get(row.id) ?? [])),
  );
  /** Accounts without a line. */
  readonly missing: readonly AccountRow[] = $derived.by(() =>
    this.#view.included.filter(({ id }) => !this.lines.some((line) => line.id === id)),
  );

  /** Loads now and at intervals. Returns the function that stops it. Reads state: call it in an `$effect`. */
  follow(): () => void {
    const ids = this.#requested.split(' ').flatMap((one) => (one === '' ? [] : [one.split(':')[0] ?? '']));
    const days = RANGES[this.range];
    const load = (): void => void this.#load(ids, days);
    load();
    return this.#app.clock.time.every(REFRESH_MS, load);
  }

  async #load(ids: readonly string[], days: number | null): Promise<void> {
    const mine = ++this.#newest;
    const from = days === null ? null : Math.floor(this.#app.clock.time.now()) - days * DAY_MS;
    const results = await Promise.all(
      ids.map((connectionId) => this.#app.calls.call('portfolio.equity', { connectionId, from })),
    );
    if (mine !== this.#newest) return; // another range was chosen meanwhile
    this.#samples = new Map(
      ids.map((id, at) => {
        const result = results[at];
        return [id, result?.ok === true ? changesOf(result.data.points) : null];
      }),
    );
  }
}

function lineOf({ id, name, account, old }: AccountRow, points: readonly ChangePoint[]): AccountLine[] {
  const last = points.at(-1);
  if (last === undefined || points.length < 2) return [];
  return [{ id, name, points, change: last.share, old: old || account === null }];
}
