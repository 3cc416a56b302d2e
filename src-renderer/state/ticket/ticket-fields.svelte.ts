import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { OrderSide, OrderType, TimeInForce } from '../../../src-shared/exchange-api/enums.ts';
import { convertedSize, EMPTY_DRAFT, type OrderDraft } from '../../../src-shared/domain/order/draft.ts';
import type {
  DraftField,
  OrderContext,
  Suggestion,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import type { SizeMode } from '../../../src-shared/domain/order/size.ts';

/** An order that was blocked or rejected, with its time. */
export interface FailedSend {
  readonly failure: Failure;
  /** By the exchange, or by Ballast's main process. */
  readonly by: 'exchange' | 'ballast';
  readonly at: number;
}

/** Everything typed for one contract, kept while another contract is shown. */
export class TicketFields {
  side = $state<OrderSide>('BUY');
  type = $state<OrderType>('LIMIT');
  timeInForce = $state<TimeInForce>('GTC');
  /** Time in force of a market order; `AUTO` leaves it out of the request. */
  marketTimeInForce = $state<TimeInForce | 'AUTO'>('AUTO');
  sizeMode = $state<SizeMode>('quantity');
  #size = $state('');
  /** The size that the unit switched to cannot express, until another is written. */
  #unconverted: Pick<OrderDraft, 'sizeMode' | 'size'> | null = null;
  price = $state('');
  reduceOnly = $state(false);
  postOnly = $state(false);
  reverseOrder = $state(false);
  tpSlOn = $state(false);
  tpTriggerType = $state('');
  slTriggerType = $state('');
  tpPrice = $state('');
  tpExecutePrice = $state('');
  slPrice = $state('');
  slExecutePrice = $state('');
  failed = $state.raw<FailedSend | null>(null);
  readonly symbolId: string;

  constructor(symbolId: string) {
    this.symbolId = symbolId;
  }

  get size(): string {
    return this.#size;
  }
  set size(text: string) {
    this.#size = text;
    this.#unconverted = null;
  }

  readonly draft: OrderDraft = $derived.by(() => ({
    ...EMPTY_DRAFT,
    symbolId: this.symbolId,
    side: this.side,
    type: this.type,
    timeInForce: this.timeInForce,
    marketTimeInForce: this.marketTimeInForce === 'AUTO' ? null : this.marketTimeInForce,
    sizeMode: this.sizeMode,
    size: this.size,
    price: this.price,
    reduceOnly: this.reduceOnly,
    postOnly: this.postOnly,
    reverseOrder: this.reverseOrder,
    tpSl: {
      on: this.tpSlOn,
      tpTriggerType: this.tpTriggerType,
      slTriggerType: this.slTriggerType,
      tpPrice: this.tpPrice,
      tpExecutePrice: this.tpExecutePrice,
      slPrice: this.slPrice,
      slExecutePrice: this.slExecutePrice,
    },
  }));

  /** Switches the unit of the size to `mode`. A size that cannot be converted returns with a unit that has it. */
  sizeBy(mode: SizeMode, context: OrderContext): void {
    const from = this.#unconverted === null ? this.draft : { ...this.draft, ...this.#unconverted };
    const { sizeMode, size } = from;
    this.size = this.#unconverted?.sizeMode === mode ? size : convertedSize(from, mode, context);
    this.sizeMode = mode;
    if (this.size === '' && size !== '') this.#unconverted = { sizeMode, size };
  }

  /** Makes the order a reversal, which switches other options off. */
  reverses(): void {
    this.reverseOrder = true;
    this.reduceOnly = false;
    this.postOnly = false;
    this.tpSlOn = false;
    this.failed = null;
  }

  /**
   * Clears what was meant for one order once it was or may have been placed: size, take profit, stop loss, and the
   * reversal, which would turn the new position back.
   */
  clearSent(): void {
    this.size = '';
    this.reverseOrder = false;
    this.tpPrice = '';
    this.tpExecutePrice = '';
    this.slPrice = '';
    this.slExecutePrice = '';
    // A size by risk needs a stop loss, so its field stays open.
    this.tpSlOn = this.tpSlOn && this.sizeMode === 'risk';
  }

  /** Takes over a suggested value, except a reference price: that is no field of the order but of the ticket. */
  use({ field, value }: Suggestion): void {
    if (field === 'quantity') this.sizeMode = 'quantity';
    const name = textFieldOf(field);
    if (name !== undefined) this[name] = value;
  }

  /** Returns the text typed in a field; null for a field that is not text. */
  textOf(field: DraftField): string | null {
    const name = textFieldOf(field);
    return name === undefined ? null : this[name];
  }
}

const TEXT_FIELDS = ['size', 'price', 'tpPrice', 'tpExecutePrice', 'slPrice', 'slExecutePrice'] as const;
const textFieldOf = (field: DraftField): (typeof TEXT_FIELDS)[number] | undefined =>
  TEXT_FIELDS.find((one) => one === (field === 'quantity' ? 'size' : field));
