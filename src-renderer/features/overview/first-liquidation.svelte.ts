import { untrack } from 'svelte';
import { prepareSteps } from '../../../src-shared/domain/risk/price-shock.ts';
import type { EstimateContext } from '../../../src-shared/domain/position/resolved.ts';
import { firstSteps, type Liquidation } from '../../../src-shared/domain/risk/liquidation-sequence.ts';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { ShockDeps } from '../../state/risk/price-shock.svelte.ts';
import { inSlices } from '../../state/runtime/time-slicing.ts';

const RECALCULATED_MS = 5_000;

function* steps(context: EstimateContext): Steps<Liquidation | null> {
  const shock = yield* prepareSteps(context, () => '1');
  return yield* firstSteps(shock);
}

/** The smallest common price move that liquidates a position. Construct it in a component: it runs an effect. */
export class FirstLiquidation {
  /** Undefined during the first calculation. */
  value = $state.raw<Liquidation | null | undefined>(undefined);

  constructor({ clock, feeds, fit }: ShockDeps) {
    const due = $derived.by(() => {
      const held = feeds.positions.map((one) => `${one.symbolId} ${one.side} ${one.quantity} ${one.margin}`);
      return [Math.floor(clock.now / RECALCULATED_MS), feeds.account.value !== null, ...held].join('\n');
    });
    $effect(() => {
      void due;
      return untrack(() => {
        if (fit.context === null) return undefined;
        const found = (value: Liquidation | null): void => void (this.value = value);
        return inSlices(steps(fit.context), clock.time, found, this.value !== undefined);
      });
    });
  }
}
