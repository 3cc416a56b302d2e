import { untrack } from 'svelte';
import * as v from 'valibot';
import { amount, calculated, divide, isDecimal, less, print, toPixels } from '../../../src-shared/amount.ts';
import { betaKey, riskSettingsSchema } from '../../../src-shared/ipc/risk-settings.ts';
import {
  prepareSteps,
  type RatioLine,
  ratioSteps,
  type Shock,
} from '../../../src-shared/domain/risk/price-shock.ts';
import type { EstimateContext } from '../../../src-shared/domain/position/resolved.ts';
import {
  type CoinAfter,
  equityAfter,
  type Liquidation,
  type ShockPath,
  shockSteps,
} from '../../../src-shared/domain/risk/liquidation-sequence.ts';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { ConventionFit } from '../account/tier-convention.svelte.ts';
import type { Feeds } from '../account/feeds.svelte.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import { inSlices } from '../runtime/time-slicing.ts';

export type ShockPreset = 'all' | 'each' | 'betas';

/** Stated, not measured: how far a coin goes for each percent of BTC. Any other coin: the last. */
const BETAS: Readonly<Record<string, string>> = { BTC: '1', ETH: '1.2' };
const OTHER_BETA = '1.5';
/** A contract's own move before another is typed, percent. */
const OWN_MOVE = '-10';
/** The base coin of `ETH1225-USDT-M`. */
const baseOf = (symbolId: string): string => /^[A-Z]+/.exec(symbolId)?.[0] ?? symbolId;

const RECALCULATED_MS = 5_000;
const POINTS = 41;
/** Ends of the scale: percent of a common move, or of the typed moves. */
const SPANS: Readonly<Record<ShockPreset, { readonly min: number; readonly max: number }>> = {
  all: { min: -50, max: 50 },
  betas: { min: -50, max: 50 },
  each: { min: 0, max: 100 },
};

/** What only Overview's one number needs of the app. */
export interface ShockParts {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly fit: ConventionFit;
}
export interface AccountShockParts extends ShockParts {
  readonly session: Session;
  readonly settings: Settings;
}

interface Found {
  readonly preset: ShockPreset;
  readonly shock: Shock;
  /** Null where the scale has no such side. */
  readonly down: ShockPath | null;
  readonly up: ShockPath;
  readonly moves: readonly string[];
  readonly lines: readonly RatioLine[];
}

/** Points of the curve, shares of the move. */
function movesOf(preset: ShockPreset): string[] {
  const { min, max } = SPANS[preset];
  const steps = (POINTS - 1) * 100;
  return Array.from({ length: POINTS }, (_, n) =>
    print(divide(amount(String(min * (POINTS - 1) + n * (max - min))), amount(String(steps)))),
  );
}

function* work(
  context: EstimateContext,
  preset: ShockPreset,
  betaOf: (symbolId: string) => string,
): Steps<Found> {
  const moves = movesOf(preset);
  const shock = yield* prepareSteps(context, betaOf);
  const up = yield* shockSteps(shock, false);
  const down = preset === 'each' ? null : yield* shockSteps(shock, true);
  const lines = yield* ratioSteps(shock, moves);
  return { preset, shock, down, up, moves, lines };
}

/** A price move over the whole account. Made in a component: it runs an effect. */
export class AccountShock {
  preset = $state<ShockPreset>('all');
  /** Whole percent of a common move. */
  common = $state(-10);
  /** Whole percent of the typed moves. */
  part = $state(100);
  #betas = $state.raw<ReadonlyMap<string, string>>(new Map());
  #own = $state.raw<ReadonlyMap<string, string>>(new Map());
  #found = $state.raw<Found | null>(null);
  readonly #parts: AccountShockParts;

  constructor(parts: AccountShockParts) {
    this.#parts = parts;
    $effect(() => {
      void this.#due;
      const { preset } = this;
      const factors = this.#factors;
      return untrack(() => {
        const { fit, clock } = parts;
        if (fit.context === null) return undefined;
        const steps = work(fit.context, preset, (symbolId) => factors.get(symbolId) ?? '1');
        return inSlices(steps, clock.time, (found) => (this.#found = found));
      });
    });
  }

  readonly #symbols: readonly string[] = $derived.by(() =>
    [...new Set(this.#parts.feeds.positions.map((one) => one.symbolId))].sort(),
  );
  /** Base coins of the open positions with their beta: as typed, as kept for this connection, as stated. */
  readonly betas: readonly { readonly coin: string; readonly beta: string; readonly fault: string | null }[] =
    $derived.by(() => {
      const kept = this.#parts.settings.value.risk.betas;
      const coins = [...new Set(this.#symbols.map(baseOf))].sort();
      return coins.map((coin) => {
        const beta =
          this.#betas.get(coin) ?? kept[betaKey(this.#connectionId, coin)] ?? BETAS[coin] ?? OTHER_BETA;
        const read = v.safeParse(riskSettingsSchema.entries.betas.value, beta);
        return { coin, beta, fault: read.success ? null : `“${beta}”: ${read.issues[0].message}.` };
      });
    });
  readonly betasChanged: boolean = $derived.by(() =>
    this.betas.some(({ coin, beta }) => beta !== (BETAS[coin] ?? OTHER_BETA)),
  );
  /** Open contracts with their own move, percent. */
  readonly own: readonly {
    readonly symbolId: string;
    readonly move: string;
    readonly fault: string | null;
  }[] = $derived.by(() =>
    this.#symbols.map((symbolId) => {
      const move = this.#own.get(symbolId) ?? OWN_MOVE;
      return { symbolId, move, fault: moveFault(move) };
    }),
  );
  /** Contract → percent for each percent of the move; for own moves the share at all of it. */
  readonly #factors: ReadonlyMap<string, string> = $derived.by(() => {
    if (this.preset === 'all') return new Map();
    if (this.preset === 'each')
      return new Map(
        this.own.map(({ symbolId, move, fault }) => [
          symbolId,
          fault === null ? print(divide(amount(move), amount('100'))) : '0',
        ]),
      );
    const betas = new Map(this.betas.map((one) => [one.coin, one.fault === null ? one.beta : '1']));
    return new Map(this.#symbols.map((symbolId) => [symbolId, betas.get(baseOf(symbolId)) ?? '1']));
  });

  /** Over the account as it stood a moment ago: every poll would calculate all of it anew. */
  readonly #due: string = $derived.by(() => {
    const { feeds, clock } = this.#parts;
    const held = feeds.positions.map((one) => `${one.symbolId} ${one.side} ${one.quantity} ${one.margin}`);
    return [Math.floor(clock.now / RECALCULATED_MS), feeds.account.value !== null, ...held].join('\n');
  });
  get #connectionId(): string {
    return this.#parts.session.activeId ?? '';
  }

  readonly span: { readonly min: number; readonly max: number } = $derived(SPANS[this.preset]);
  readonly move: number = $derived(this.preset === 'each' ? this.part : this.common);
  /** What the last work found for this way of moving; null until it is done. */
  readonly #now: Found | null = $derived.by(() =>
    this.#found !== null && this.#found.preset === this.preset ? this.#found : null,
  );
  readonly ready: boolean = $derived(this.#now !== null);
  readonly left: Shock['left'] = $derived(this.#now?.shock.left ?? []);
  readonly moves: readonly string[] = $derived(this.#now?.moves ?? []);
  readonly lines: readonly RatioLine[] = $derived(this.#now?.lines ?? []);

  /** The smallest move, either way, that liquidates anything. */
  readonly first: Liquidation | null = $derived.by(() => {
    const [down, up] = [this.#now?.down?.liquidations[0], this.#now?.up.liquidations[0]];
    if (!down || !up) return down ?? up ?? null;
    return shareOf(down) <= shareOf(up) ? down : up;
  });
  readonly #path: ShockPath | null = $derived.by(() => {
    if (this.#now === null) return null;
    return this.move < 0 ? this.#now.down : this.#now.up;
  });
  /** What goes on the way to the move, first to last. */
  readonly gone: readonly Liquidation[] = $derived.by(() =>
    (this.#path?.liquidations ?? []).filter((one) => shareOf(one) <= Math.abs(this.move) / 100),
  );
  readonly after: readonly CoinAfter[] = $derived.by(() =>
    this.#path === null ? [] : equityAfter(this.#path, String(this.move / 100)),
  );

  slide(value: number): void {
    if (this.preset === 'each') this.part = value;
    else this.common = value;
  }
  setOwn(symbolId: string, move: string): void {
    this.#own = new Map([...this.#own, [symbolId, move]]);
  }
  /** Kept for the connection once it is a number. */
  async setBeta(coin: string, beta: string): Promise<void> {
    this.#betas = new Map([...this.#betas, [coin, beta]]);
    if (this.betas.some((one) => one.coin === coin && one.fault !== null)) return;
    await this.#keep({ [betaKey(this.#connectionId, coin)]: beta });
  }
  async resetBetas(): Promise<void> {
    this.#betas = new Map();
    await this.#keep({});
  }
  /** Adds to what is kept; with nothing, what is kept of this connection goes. */
  async #keep(more: Readonly<Record<string, string>>): Promise<void> {
    const { settings } = this.#parts;
    const { risk } = settings.value;
    const mine = betaKey(this.#connectionId, '');
    const before =
      Object.keys(more).length === 0
        ? Object.fromEntries(Object.entries(risk.betas).filter(([key]) => !key.startsWith(mine)))
        : risk.betas;
    await settings.change({ risk: { ...risk, betas: { ...before, ...more } } });
  }
}

const LOWEST = amount('-95');
const HIGHEST = amount('200');
function moveFault(text: string): string | null {
  if (!isDecimal(text)) return `“${text}”: a plain number, such as -12.5.`;
  const move = amount(text);
  return less(move, LOWEST) || less(HIGHEST, move) ? `“${text}”: from -95 to 200.` : null;
}

/** For comparing and for pixels. */
const shareOf = ({ move }: Liquidation): number => Math.abs(toPixels(calculated(move)));
