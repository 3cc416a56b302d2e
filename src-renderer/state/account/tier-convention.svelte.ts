import { untrack } from 'svelte';
import { amount, divide, print } from '../../../src-shared/amount.ts';
import {
  type AccountFit,
  diverges,
  type FitContext,
  fitSteps,
  type PositionFit,
} from '../../../src-shared/domain/risk/convention-fit.ts';
import { type Divergence, divergencesOf } from '../../../src-shared/domain/risk/divergence.ts';
import { positionKey } from '../../../src-shared/domain/position/identity.ts';
import type { EstimateContext } from '../../../src-shared/domain/position/resolved.ts';
import type { Convention } from '../../../src-shared/domain/margin/margin.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { Feeds } from './feeds.svelte.ts';
import type { SpecsStore } from './contract-specs.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import { SlicedCalculation } from '../runtime/time-slicing.svelte.ts';

/** One shared array, so that its identity does not change. */
const NONE: readonly Divergence[] = [];
const REFIT_MS = 10_000;

export interface ConventionDeps {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly specs: SpecsStore;
  readonly session: Session;
  readonly settings: Settings;
}

/** The tier convention: fitted to the open positions, else the connection's setting. */
export class ConventionFit {
  readonly #deps: ConventionDeps;

  constructor(deps: ConventionDeps) {
    this.#deps = deps;
  }

  readonly setting: Convention = $derived.by(() => this.#deps.session.active?.settings.convention ?? 'flat');
  /** Refitted when a position changes, else at intervals: marks change with each poll, conventions do not. */
  readonly #held: string = $derived.by(() =>
    this.#deps.feeds.positions
      .map((one) => `${positionKey(one)} ${one.quantity} ${one.entryValue} ${one.margin}`)
      .join('\n'),
  );
  readonly #known: boolean = $derived.by(
    () => this.#deps.feeds.account.value !== null && this.#deps.feeds.contracts.value !== null,
  );
  readonly #period: number = $derived.by(() => Math.floor(this.#deps.clock.now / REFIT_MS));
  /** The last fit and what it is of; another connection's or account's is never shown. */
  #found = $state.raw<{ readonly opened: string; readonly fit: AccountFit } | null>(null);
  readonly fit: AccountFit | null = $derived.by(() => {
    const { session, feeds } = this.#deps;
    if (this.#found === null || feeds.account.value === null) return null;
    return this.#found.opened === session.opened ? this.#found.fit : null;
  });
  /** Starts fitting and returns the function that stops it. Time-sliced: a large account takes several frames. */
  start(): () => void {
    return $effect.root(() => {
      const calculation = new SlicedCalculation(this.#deps.clock.time);
      $effect(() => {
        void [this.#held, this.#known, this.#period];
        const { opened } = this.#deps.session;
        untrack(() => {
          const context = this.#fitContext();
          const found = (fit: AccountFit): void => void (this.#found = { opened, fit });
          if (context === null) calculation.stop();
          else calculation.run(opened, fitSteps(context), found);
        });
      });
    });
  }
  readonly #fits = $derived.by(
    () => new Map((this.fit?.positions ?? []).map((one) => [positionKey(one.position), one] as const)),
  );
  readonly convention: Convention = $derived(this.fit?.convention ?? this.setting);
  /** Whether liquidation prices include the closing fee: assumed unless the open positions show otherwise. */
  readonly closingFee: boolean = $derived(this.fit?.fee !== 'out');
  /** The convention the estimates use, as text. */
  readonly source: string = $derived.by(() => {
    const named = `${this.convention} tiers`;
    if (this.fit?.state === 'named') return `${named}, detected from the positions`;
    if (this.fit?.state === 'undecidable')
      return `${named}, the connection’s setting: flat and marginal give the same here`;
    if (this.fit?.state === 'apart')
      return `${named}, the connection’s setting: neither flat nor marginal matches every position`;
    return `${named}, the connection’s setting`;
  });
  /** The context of account estimates; null until the account is read. */
  readonly context: EstimateContext | null = $derived.by(() => {
    const { convention, closingFee } = this;
    const context = this.#fitContext();
    return context && { ...context, convention, closingFee };
  });

  of(position: Position): PositionFit | null {
    return this.#fits.get(positionKey(position)) ?? null;
  }

  /**
   * Divergences by position, calculated on first use: two hundred at once would block the frame in which a fit ends.
   */
  readonly #divergencesOf = $derived.by(() => {
    const fits = this.#fits;
    const limit = this.#deps.settings.value.risk.divergencePercent;
    const use = { convention: this.convention, closingFee: this.closingFee };
    const known = new Map<string, readonly Divergence[]>();
    return (key: string): readonly Divergence[] => {
      const before = known.get(key);
      const fit = fits.get(key);
      if (before !== undefined || fit === undefined) return before ?? NONE;
      const list = divergencesOf(fit, use, limit);
      const found = list.length > 0 ? list : NONE;
      known.set(key, found);
      return found;
    };
  });
  /** Whether an estimate differs from the exchange's figure by more than the limit in the settings; false without one. */
  diverges(exchange: string | null, estimate: string | null): boolean {
    const limit = divide(amount(this.#deps.settings.value.risk.divergencePercent), amount('100'));
    return exchange !== null && estimate !== null && diverges(exchange, estimate, print(limit));
  }
  /** Figures of the position that differ from the estimate by more than the limit in the settings. */
  divergences(position: Position): readonly Divergence[] {
    return this.#divergencesOf(positionKey(position));
  }

  #fitContext(): FitContext | null {
    const { feeds, specs } = this.#deps;
    const account = feeds.account.value;
    if (account === null || feeds.contracts.value === null) return null;
    return {
      account,
      contractOf: (symbolId) => feeds.contractBySymbol.get(symbolId),
      specs: specs.reader(),
    };
  }
}
