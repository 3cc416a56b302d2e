import { untrack } from 'svelte';
import { type AccountByMove, afterRestingSteps } from '../../../src-shared/domain/risk/after-fills.ts';
import { accountContextOf, type TradingContext } from './trading-context.ts';
import { SlicedCalculation } from '../runtime/time-slicing.svelte.ts';

/** Recalculated when the order list changes and every few seconds, not with every mark. */
const RECALCULATED_MS = 5_000;

/** The account after the resting orders that fill when prices fall, and when they rise. Construct it in a component. */
export class Resting {
  #found = $state.raw<AccountByMove | null>(null);
  readonly #deps: TradingContext;

  constructor(deps: TradingContext) {
    this.#deps = deps;
    const calculation = new SlicedCalculation(deps.clock.time);
    $effect(() => {
      void this.#deps.feeds.restingDue;
      void this.#period;
      if (!this.due) {
        calculation.stop();
        this.#found = null;
        return;
      }
      untrack(() => {
        calculation.run(
          'orders',
          afterRestingSteps(accountContextOf(deps)),
          (value) => (this.#found = value),
        );
      });
    });
  }

  /** Whether there are resting orders, and the data to calculate their effect. */
  readonly due: boolean = $derived.by(() => {
    const { account, contracts, resting } = this.#deps.feeds;
    return account.value !== null && contracts.value !== null && resting.length > 0;
  });
  readonly #period: number = $derived.by(() => Math.floor(this.#deps.clock.now / RECALCULATED_MS));
  /** Null during the first calculation, and without resting orders. */
  readonly exposure: AccountByMove | null = $derived.by(() => (this.due ? this.#found : null));
}
