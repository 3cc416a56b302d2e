/** Defines the input of an order's rules, and what a rule returns. */
import { calculated, greater } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import {
  contractOf,
  type KnownContract,
  type OrderContext,
  type Suggestion,
} from '../instrument/trading-context.ts';
import { type OrderPreview, type PreviewAnswer, previewOrder } from './preview.ts';

export interface OrderToJudge {
  /** `close-all` closes the whole position, without a quantity. */
  readonly kind: 'order' | 'close-all';
  readonly request: OrderRequest;
  /** Whether it is a take-profit from the close sheet: a limit order that closes at a profit and must not fill at once. */
  readonly takesProfit?: boolean;
}

/**
 * What a rule returns. `broken`: a breach, whose effect is in the table of rules. `doubtful`: a warning, whatever the
 * table says. `unknown`: it could not be checked, which blocks nothing.
 */
export interface Finding {
  readonly state: 'holds' | 'broken' | 'doubtful' | 'unknown';
  readonly message: string;
  /** What to do, where the message does not say it. */
  readonly next?: string;
  readonly suggestion?: Suggestion | undefined;
}

export const holds = (message: string): Finding => ({ state: 'holds', message });
export const uncertain = (message: string): Finding => ({ state: 'unknown', message });
export const doubtful = (message: string, suggestion?: Suggestion): Finding => ({
  state: 'doubtful',
  message,
  suggestion,
});
export const broken = (message: string, suggestion?: Suggestion): Finding => ({
  state: 'broken',
  message,
  suggestion,
});
/** A breach, with what to do. */
export const brokenThen = (message: string, next: string): Finding => ({ state: 'broken', message, next });

/** An order with the data its rules need. Its preview is computed when a rule first needs it. */
export class JudgedOrder {
  readonly kind: OrderToJudge['kind'];
  readonly request: OrderRequest;
  readonly takesProfit: boolean;
  readonly context: OrderContext;
  /** Null if the contracts have not been read or do not list it. */
  readonly contract: KnownContract | null;
  #answer: PreviewAnswer | undefined;
  #isDearest = false;

  /** Pass `answer`, the preview, if it is already computed: that is expensive. */
  constructor(order: OrderToJudge, context: OrderContext, answer?: PreviewAnswer) {
    this.kind = order.kind;
    this.request = order.request;
    this.takesProfit = order.takesProfit === true;
    this.context = context;
    this.contract = contractOf(order.request.symbolId, context);
    this.#answer = answer;
  }

  /** The preview; of a limit that crosses, the costlier of those at the market price and at the limit. */
  get answer(): PreviewAnswer {
    if (this.#answer !== undefined && this.#isDearest) return this.#answer;
    const answer = dearest(
      this.request,
      this.context,
      this.#answer ?? previewOrder(this.request, this.context),
    );
    this.#answer = answer;
    this.#isDearest = true;
    return answer;
  }

  get preview(): OrderPreview | null {
    return this.answer.ok ? this.answer.preview : null;
  }
}

function dearest(request: OrderRequest, context: OrderContext, answer: PreviewAnswer): PreviewAnswer {
  if (!answer.ok || answer.preview.crossing?.state !== 'crosses') return answer;
  const atLimit = previewOrder(request, context, 'limit');
  if (!atLimit.ok) return answer;
  const dearer = greater(calculated(atLimit.preview.notional), calculated(answer.preview.notional));
  return dearer ? atLimit : answer;
}
