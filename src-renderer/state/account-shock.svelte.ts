import { untrack } from 'svelte';
import { calculated, toPixels } from '../../src-shared/amount.ts';
import {
  prepareShock,
  type RatioLine,
  ratioLines,
  type Shock,
} from '../../src-shared/domain/account-shock.ts';
import {
  type CoinAfter,
  equityAfter,
  type Liquidation,
  shockPath,
  type ShockPath,
} from '../../src-shared/domain/shock-path.ts';
import { readNumber } from '../../src-shared/domain/typed-number.ts';
import type { Clock } from './clock.svelte.ts';
import type { ConventionFit } from './convention.svelte.ts';
import type { Feeds } from './feeds.svelte.ts';

export type ShockPreset = 'all' | 'one' | 'betas';

/** Stated, not measured: how far a coin goes for each percent of BTC. Any other coin: the last. A map, for the exchange names the coin. */
const BETAS: ReadonlyMap<string, string> = new Map([
  ['BTC', '1'],
  ['ETH', '1.2'],
]);
const OTHER_BETA = '1.5';
/** The base coin of `ETH1225-USDT-M`. */
const baseOf = (symbolId: string): string => /^[A-Z]+/.exec(symbolId)?.[0] ?? symbolId;

/** Moves of the curve, shares, −50 % to +50 %. */
export const MOVES: readonly string[] = Array.from({ length: 41 }, (_, n) => ((n - 20) * 25) / 1000).map(
  (one) => String(one),
);
const RECALCULATED_MS = 5_000;

export interface ShockParts {
  readonly clock: Clock;
  readonly feeds: Feeds;
  readonly fit: ConventionFit;
}

/** A price move over the whole account. */
export class AccountShock {
  preset = $state<ShockPreset>('all');
  /** The contract that moves alone. */
  only = $state('');
  /** Whole percent, −50 to 50. */
  move = $state(-10);
  #betas = $state.raw<ReadonlyMap<string, string>>(new Map());
  readonly #parts: ShockParts;

  constructor(parts: ShockParts) {
    this.#parts = parts;
  }

  /** Base coins of the open positions with their beta, as typed or as stated. */
  readonly betas: readonly { readonly coin: string; readonly beta: string; readonly fault: string | null }[] =
    $derived.by(() => {
      const coins = [...new Set(this.#parts.feeds.positions.map((one) => baseOf(one.symbolId)))].sort();
      return coins.map((coin) => {
        const beta = this.#betas.get(coin) ?? BETAS.get(coin) ?? OTHER_BETA;
        const read = readNumber('Beta', beta);
        return { coin, beta, fault: read.ok ? null : read.message };
      });
    });
  readonly betasChanged: boolean = $derived(this.#betas.size > 0);

  readonly #due: string = $derived.by(() => {
    const { feeds, clock } = this.#parts;
    const held = feeds.positions.map((one) => `${one.symbolId} ${one.side} ${one.quantity} ${one.margin}`);
    return [Math.floor(clock.now / RECALCULATED_MS), feeds.account.value !== null, ...held].join('\n');
  });
  /** Over the account as it stood a moment ago: every poll would calculate all of it anew. */
  readonly shock: Shock | null = $derived.by(() => {
    void this.#due;
    const { preset, only, betas } = this;
    return untrack(() => {
      const { context } = this.#parts.fit;
      if (context === null) return null;
      const typed = new Map(betas.map((one) => [one.coin, one.fault === null ? one.beta : '1']));
      return prepareShock(context, (symbolId) => {
        if (preset === 'all') return '1';
        if (preset === 'one') return baseOf(symbolId) === baseOf(only) ? '1' : '0';
        return typed.get(baseOf(symbolId)) ?? '1';
      });
    });
  });
  readonly down: ShockPath | null = $derived(this.shock === null ? null : shockPath(this.shock, true));
  readonly up: ShockPath | null = $derived(this.shock === null ? null : shockPath(this.shock, false));
  readonly lines: readonly RatioLine[] = $derived(this.shock === null ? [] : ratioLines(this.shock, MOVES));

  /** The smallest move, either way, that liquidates anything. */
  readonly first: Liquidation | null = $derived.by(() => {
    const [down, up] = [this.down?.liquidations[0], this.up?.liquidations[0]];
    if (!down || !up) return down ?? up ?? null;
    return shareOf(down) <= shareOf(up) ? down : up;
  });
  readonly #path: ShockPath | null = $derived(this.move < 0 ? this.down : this.up);
  /** What goes on the way to the move, first to last. */
  readonly gone: readonly Liquidation[] = $derived.by(() =>
    (this.#path?.liquidations ?? []).filter((one) => shareOf(one) <= Math.abs(this.move) / 100),
  );
  readonly after: readonly CoinAfter[] = $derived.by(() =>
    this.#path === null ? [] : equityAfter(this.#path, String(this.move / 100)),
  );

  setBeta(coin: string, beta: string): void {
    this.#betas = new Map([...this.#betas, [coin, beta]]);
  }
  resetBetas(): void {
    this.#betas = new Map();
  }
}

/** For comparing and for pixels. */
const shareOf = ({ move }: Liquidation): number => Math.abs(toPixels(calculated(move)));
