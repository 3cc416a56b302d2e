/** Defines the input of an order's rules, and what a rule returns. */
import { calculated, greater } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import {
  contractOf,
  type KnownContract,
  type OrderContext,
  type Suggestion,
  legSideOf,
} from '../instrument/trading-context.ts';
import { type OrderPreview, type PreviewResult, previewOrder } from './preview.ts';

export interface OrderToCheck {
  /** `close-all` closes the whole position, without a quantity. */
  readonly kind: 'order' | 'close-all';
  readonly request: OrderRequest;
  /** Whether it is a take-profit from the close sheet: a limit order that closes at a profit and must not fill at once. */
  readonly takesProfit?: boolean;
}

/**
 * What a rule returns. `breach`: the rule is broken, and the table of rules says what follows. `warn`: a warning,
 * whatever the table says. `unknown`: it could not be checked, which blocks nothing.
 */
export interface Finding {
  readonly state: 'pass' | 'breach' | 'warn' | 'unknown';
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly next?: string;
  readonly suggestion?: Suggestion | undefined;
}

export const passes = (message: string): Finding => ({ state: 'pass', message });
export const unchecked = (message: string): Finding => ({ state: 'unknown', message });
export const warns = (message: string, suggestion?: Suggestion): Finding => ({
  state: 'warn',
  message,
  suggestion,
});
/** @param remedy what to do, in words or as a value to use */
export const breach = (message: string, remedy?: string | Suggestion): Finding => ({
  state: 'breach',
  message,
  ...(typeof remedy === 'string' ? { next: remedy } : { suggestion: remedy }),
});

/** An order with the data its rules need. Its preview is computed when a rule first needs it. */
export class RuleInput {
  readonly kind: OrderToCheck['kind'];
  readonly request: OrderRequest;
  readonly takesProfit: boolean;
  readonly context: OrderContext;
  /** Null if the contracts have not been read or do not list it. */
  readonly contract: KnownContract | null;
  #result: PreviewResult | undefined;
  #isDearest = false;

  /** Pass `result`, the preview, if it is already computed: that is expensive. */
  constructor(order: OrderToCheck, context: OrderContext, result?: PreviewResult) {
    this.kind = order.kind;
    this.request = order.request;
    this.takesProfit = order.takesProfit === true;
    this.context = context;
    this.contract = contractOf(order.request.symbolId, context, legSideOf(order.request));
    this.#result = result;
  }

  /** The preview; of a limit that crosses, the costlier of those at the market price and at the limit. */
  get result(): PreviewResult {
    if (this.#result !== undefined && this.#isDearest) return this.#result;
    const result = dearest(
      this.request,
      this.context,
      this.#result ?? previewOrder(this.request, this.context),
    );
    this.#result = result;
    this.#isDearest = true;
    return result;
  }

  get preview(): OrderPreview | null {
    return this.result.ok ? this.result.preview : null;
  }

  /** Whether leverage and margin mode are the contract's default, since no record shows the user's own. */
  get isLeverageAssumed(): boolean {
    return this.context.kind === 'live' && this.contract?.leverageFrom === 'contract default';
  }
}

function dearest(request: OrderRequest, context: OrderContext, result: PreviewResult): PreviewResult {
  if (!result.ok || result.preview.crossing?.state !== 'crosses') return result;
  const atLimit = previewOrder(request, context, 'limit');
  if (!atLimit.ok) return result;
  const dearer = greater(calculated(atLimit.preview.notional), calculated(result.preview.notional));
  return dearer ? atLimit : result;
}

/** Returns why there is no preview, as the end of a sentence. */
export const reasonOf = ({ result }: RuleInput): string =>
  result.ok
    ? ''
    : result.reason.startsWith('No price is known')
      ? 'no price is known'
      : result.reason.replace(/\.$/, '');
