import { untrack } from 'svelte';
import {
  add,
  amount,
  calculated,
  decimalsOf,
  divide,
  multiply,
  ONE,
  printFixed,
  subtract,
} from '../../../src-shared/amount.ts';
import { readNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import {
  ladderSteps,
  type Reached,
  reachedSteps,
  type RestingLadder,
} from '../../../src-shared/domain/risk/resting-ladder.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { accountContextOf } from '../../state/order/trading-context.ts';
import { SlicedCalculation } from '../../state/runtime/time-slicing.svelte.ts';

/** Interval for the effects of a price move, ms: they cost more than the ladder, so they do not follow each mark. */
const RECALCULATED_MS = 2_000;
/** The slider's steps are thousandths of its middle price. */
const STEPS = 1000;
/** The slider covers at least this many steps each way, and never reaches a price of 0. */
const LEAST = 50;
const LOWEST = -950;

/**
 * One contract's ladder, and what would fill if the price moved to a typed one. Construct it in a component: it runs
 * effects.
 */
export class Ladder {
  /** The price as typed; empty for none. */
  typed = $state('');
  #chosen = $state<string | null>(null);
  #ladder = $state.raw<RestingLadder | null>(null);
  /** `of`: contract and price. */
  #reached = $state.raw<{ readonly of: string; readonly found: Reached | null } | null>(null);
  /** The contract for which the ladder was calculated at least once. */
  #tried = $state<string | null>(null);
  readonly #app: AppState;

  constructor(app: AppState, preferred: string) {
    this.#app = app;
    if (preferred !== '') this.#chosen = preferred;
    const ladder = new SlicedCalculation(app.clock.time);
    const reached = new SlicedCalculation(app.clock.time);
    $effect(() => {
      const { symbolId } = this;
      // Recalculated with each poll, so that the ladder has its marks.
      void [app.feeds.account.value, app.feeds.openOrders.value, app.feeds.contracts.value];
      untrack(() => {
        if (symbolId === null) ladder.stop();
        else
          ladder.run(symbolId, ladderSteps(symbolId, accountContextOf(app)), (found) => {
            this.#ladder = found;
            this.#tried = symbolId;
          });
      });
    });
    $effect(() => {
      const { symbolId, price } = this;
      void [this.#period, app.feeds.openOrders.value, this.levels === null];
      untrack(() => {
        if (symbolId === null || price === null) reached.stop();
        else {
          const of = `${symbolId} ${price}`;
          reached.run(
            of,
            reachedSteps(symbolId, price, accountContextOf(app)),
            (found) => (this.#reached = { of, found }),
          );
        }
      });
    });
  }

  readonly #period: number = $derived.by(() => Math.floor(this.#app.clock.now / RECALCULATED_MS));

  /** Contracts with resting orders. */
  readonly symbols: readonly string[] = $derived.by(() =>
    [...new Set(this.#app.feeds.resting.map((one) => one.symbolId))].sort(),
  );
  /** The chosen contract, else the window's, else the first one, each only if it has resting orders. */
  readonly symbolId: string | null = $derived.by(
    () =>
      [this.#chosen, this.#app.navigation.symbol].find((one) => one !== null && this.symbols.includes(one)) ??
      this.symbols[0] ??
      null,
  );
  choose(symbolId: string): void {
    this.#chosen = symbolId;
    this.typed = '';
  }

  readonly #price = $derived.by(() => readNumber('Price', this.typed));
  readonly price: string | null = $derived.by(() => (this.#price.ok ? this.#price.text : null));
  readonly fault: string | null = $derived.by(() =>
    this.#price.ok || this.#price.empty ? null : this.#price.message,
  );
  /** Null during the first calculation, and when the ladder cannot be calculated. */
  readonly levels: RestingLadder | null = $derived.by(() =>
    this.#ladder?.symbolId === this.symbolId ? this.#ladder : null,
  );
  readonly failed: boolean = $derived.by(() => this.levels === null && this.#tried === this.symbolId);
  readonly reached: Reached | null = $derived.by(() =>
    this.#reached?.of === `${this.symbolId} ${this.price}` && this.levels !== null
      ? this.#reached.found
      : null,
  );

  /** The slider's middle: the mark, else the highest buy, else the lowest sell. */
  readonly #base: string | null = $derived.by(() => {
    if (this.levels === null) return null;
    const { mark, levels } = this.levels;
    return mark ?? levels.find((one) => one.side === 'BUY')?.price ?? levels.at(-1)?.price ?? null;
  });
  #stepOf(price: string): number {
    if (this.#base === null) return 0;
    const share = subtract(divide(calculated(price), amount(this.#base)), ONE);
    return Number.parseInt(printFixed(multiply(share, amount(String(STEPS))), 0), 10);
  }
  /** The slider's range in steps: a little beyond the last level each way. */
  readonly span: { readonly min: number; readonly max: number } = $derived.by(() => {
    const steps = (this.levels?.levels ?? []).map(({ price }) => this.#stepOf(price));
    return {
      min: Math.max(LOWEST, Math.min(-LEAST, ...steps.map((one) => one - LEAST / 2))),
      max: Math.max(LEAST, ...steps.map((one) => one + LEAST / 2)),
    };
  });
  readonly at: number = $derived.by(() => (this.price === null ? 0 : this.#stepOf(this.price)));
  slide(step: number): void {
    if (this.#base === null || this.symbolId === null) return;
    const decimals = this.#app.specs.of(this.symbolId).priceDecimals ?? decimalsOf(this.#base);
    const factor = divide(add(amount(String(STEPS)), calculated(String(step))), amount(String(STEPS)));
    this.typed = printFixed(multiply(amount(this.#base), factor), decimals);
  }
}
