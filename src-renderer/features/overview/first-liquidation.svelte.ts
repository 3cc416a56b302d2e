import { untrack } from 'svelte';
import { prepareSteps } from '../../../src-shared/domain/risk/price-shock.ts';
import type { EstimateContext } from '../../../src-shared/domain/position/resolved.ts';
import { firstSteps, type Liquidation } from '../../../src-shared/domain/risk/liquidation-sequence.ts';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import { shockDue, type ShockDeps } from '../../state/risk/price-shock.svelte.ts';
import { SlicedCalculation } from '../../state/runtime/time-slicing.svelte.ts';

interface Found {
  readonly first: Liquidation | null;
  /** Number of positions that could not be counted: one of them may be first. */
  readonly notCounted: number;
}

function* steps(context: EstimateContext): Steps<Found> {
  const shock = yield* prepareSteps(context, () => '1');
  return { first: yield* firstSteps(shock), notCounted: shock.notCounted.length };
}

/** The smallest common price move that liquidates a position. Construct it in a component: it runs an effect. */
export class FirstLiquidation {
  /** Undefined during the first calculation. */
  value = $state.raw<Found | undefined>(undefined);

  constructor(deps: ShockDeps) {
    const { clock, fit } = deps;
    const due = $derived(shockDue(deps));
    const calculation = new SlicedCalculation(clock.time);
    $effect(() => {
      void due;
      untrack(() => {
        if (fit.context === null) calculation.stop();
        else calculation.run('account', steps(fit.context), (value) => (this.value = value));
      });
    });
  }
}
