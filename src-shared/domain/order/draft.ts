/**
 * Converts a ticket draft to an order. Texts stay as typed; the result is a request, or faults with field, value and
 * what to do.
 */
import { type OrderRequest, SYMBOL_SHAPE, type TpSlRequest } from '../../exchange-api/order-request.ts';
import {
  contractOf,
  type DraftField,
  type KnownContract,
  type OrderContext,
  referenceOf,
  type Suggestion,
  legSideOf,
} from '../instrument/trading-context.ts';
import {
  equivalents,
  SIZE_NAMES,
  type SizedQuantity,
  type SizeMode,
  sizeOf,
  type SizeQuestion,
  typedFor,
} from './size.ts';
import { readNumber } from '../numeric/number-input.ts';
import type { OrderSide, OrderType, TimeInForce } from '../../exchange-api/enums.ts';

export interface TpSlDraft {
  readonly on: boolean;
  /** Trigger price types (`MARK_PRICE`); '' while nothing is chosen. */
  readonly tpTriggerType: string;
  readonly slTriggerType: string;
  readonly tpPrice: string;
  readonly tpExecutePrice: string;
  readonly slPrice: string;
  readonly slExecutePrice: string;
}

export interface OrderDraft {
  readonly symbolId: string;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Time in force of a market order; null omits it, so the exchange decides. */
  readonly marketTimeInForce: TimeInForce | null;
  readonly sizeMode: SizeMode;
  /** Quantity, notional, times the equity, percent of free margin (of the position when reducing), or loss at the stop. */
  readonly size: string;
  readonly price: string;
  readonly reduceOnly: boolean;
  readonly postOnly: boolean;
  readonly reverseOrder: boolean;
  readonly tpSl: TpSlDraft;
}

export const EMPTY_DRAFT: OrderDraft = {
  symbolId: '',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  marketTimeInForce: null,
  sizeMode: 'quantity',
  size: '',
  price: '',
  reduceOnly: false,
  postOnly: false,
  reverseOrder: false,
  tpSl: {
    on: false,
    tpTriggerType: '',
    slTriggerType: '',
    tpPrice: '',
    tpExecutePrice: '',
    slPrice: '',
    slExecutePrice: '',
  },
};

export interface DraftFault {
  readonly field: DraftField;
  readonly message: string;
  /** Whether the field is empty: shown on the button, not as an error. */
  readonly missing: boolean;
  /** The exchange's code for the same error, if any. */
  readonly code: string | null;
  readonly suggestion?: Suggestion;
}

export interface DraftReading {
  readonly request: OrderRequest | null;
  /**
   * The order without TP/SL that is still missing or invalid, so that its preview shows before it is complete. Never
   * sent; equals `request` if nothing is wrong.
   */
  readonly outline: OrderRequest | null;
  readonly size: SizedQuantity | null;
  readonly faults: readonly DraftFault[];
}

const missing = (field: DraftField, message: string): DraftFault => ({
  field,
  message,
  missing: true,
  code: field === 'price' || field === 'size' ? '700004' : null,
});
const wrong = (field: DraftField, message: string, code: string | null = null): DraftFault => ({
  field,
  message,
  missing: false,
  code,
});

/** Reads the draft, with what is known of its contract. Never throws. */
export function readDraft(draft: OrderDraft, context: OrderContext): DraftReading {
  const faults: DraftFault[] = [];
  const contract = contractOf(draft.symbolId, context, legSideOf(draft));
  const symbolFault = faultOfSymbol(draft.symbolId, contract, context);
  if (symbolFault) faults.push(symbolFault);
  const market = referenceOf(context)?.price ?? null;
  const price = draft.type === 'LIMIT' ? number(faults, 'price', 'Price', draft.price, market) : null;
  const tpSl = draft.tpSl.on ? readTpSl(faults, draft, draft.type === 'LIMIT' ? price : market) : undefined;
  const typed = number(faults, 'size', SIZE_NAMES[draft.sizeMode], draft.size);
  const size =
    typed === null || !contract ? null : sized(faults, typed, sizeQuestion(draft, price, contract, context));
  if (size === null || faults.some((fault) => !TPSL_FIELDS.has(fault.field)))
    return { request: null, outline: null, size, faults };
  const timeInForce = draft.type === 'LIMIT' ? draft.timeInForce : draft.marketTimeInForce;
  const request: OrderRequest = {
    symbolId: draft.symbolId,
    side: draft.side,
    type: draft.type,
    ...(timeInForce === null ? {} : { timeInForce }),
    quantity: size.quantity,
    ...(price === null ? {} : { price }),
    reduceOnly: draft.reduceOnly,
    postOnly: draft.postOnly,
    ...(draft.reverseOrder ? { reverseOrder: true } : {}),
  };
  if (faults.length > 0) return { request: null, outline: request, size, faults };
  const whole = tpSl ? { ...request, tpSl } : request;
  return { request: whole, outline: whole, size, faults };
}

const TPSL_FIELDS: ReadonlySet<DraftField> = new Set([
  'tpSl',
  'tpPrice',
  'tpExecutePrice',
  'slPrice',
  'slExecutePrice',
]);

function sized(
  faults: DraftFault[],
  typed: string,
  question: Omit<SizeQuestion, 'typed'>,
): SizedQuantity | null {
  const reply = sizeOf({ ...question, typed });
  if (reply.ok) return reply.size;
  // A missing price is already reported at its own field.
  if (!faults.some((fault) => fault.field === reply.field)) {
    faults.push(reply.missing ? missing(reply.field, reply.message) : wrong(reply.field, reply.message));
  }
  return null;
}

function sizeQuestion(
  draft: OrderDraft,
  limitPrice: string | null,
  contract: KnownContract,
  context: OrderContext,
): Omit<SizeQuestion, 'typed'> {
  const stop = draft.tpSl.on ? readNumber('Stop loss', draft.tpSl.slPrice) : null;
  return {
    contract,
    mode: draft.sizeMode,
    side: draft.side,
    reduceOnly: draft.reduceOnly,
    limit: draft.type === 'LIMIT',
    entryPrice: draft.type === 'LIMIT' ? limitPrice : (referenceOf(context)?.price ?? null),
    stopPrice: stop?.ok ? stop.text : null,
  };
}

/** Returns a draft's quantity, and how its size is asked for; null without a size. */
function sizeOfDraft(draft: OrderDraft, context: OrderContext) {
  const contract = contractOf(draft.symbolId, context, legSideOf(draft));
  const { size } = readDraft(draft, context);
  if (contract === null || size === null) return null;
  const price = readNumber('Price', draft.price);
  const question = sizeQuestion(draft, price.ok ? price.text : null, contract, context);
  return { quantity: size.quantity, question };
}

/**
 * Returns the size of the same order in another `mode`; '' if it cannot be converted, since a stale number must not
 * change its meaning.
 */
export function convertedSize(draft: OrderDraft, mode: SizeMode, context: OrderContext): string {
  if (mode === draft.sizeMode) return draft.size;
  const sized = sizeOfDraft(draft, context);
  return sized === null ? '' : (typedFor(sized.quantity, { ...sized.question, mode }) ?? '');
}

/** Returns the order's quantity, notional and multiple of equity at the price it is sized at; null without a size. */
export function sizeEquivalents(
  draft: OrderDraft,
  context: OrderContext,
): {
  readonly quantity: string;
  readonly notional: string | null;
  readonly timesEquity: string | null;
} | null {
  const sized = sizeOfDraft(draft, context);
  return sized && { quantity: sized.quantity, ...equivalents(sized.quantity, sized.question) };
}

function faultOfSymbol(
  symbolId: string,
  contract: KnownContract | null,
  context: OrderContext,
): DraftFault | null {
  if (symbolId === '') return missing('symbolId', 'Choose a contract.');
  if (contract) return null;
  if (context.contracts === null) {
    return wrong(
      'symbolId',
      'The list of contracts has not been received yet. Wait, or check the connection.',
    );
  }
  const shown = symbolId.slice(0, 40);
  if (!SYMBOL_SHAPE.test(symbolId)) {
    return wrong(
      'symbolId',
      `“${shown}” is not a contract; they look like BTC-USDT-M. Choose one of the list.`,
    );
  }
  const listed = context.contracts.some((one) => one.symbolId === symbolId);
  if (listed) {
    return wrong(
      'symbolId',
      `${shown} is neither linear nor inverse: Ballast cannot calculate it. Choose another contract.`,
    );
  }
  return wrong(
    'symbolId',
    `${shown} is not in the exchange’s list of contracts. Choose one of the list.`,
    '700041',
  );
}

/** Returns the typed number, or null after adding a fault. */
function number(
  faults: DraftFault[],
  field: DraftField,
  name: string,
  typed: string,
  percentOf?: string | null,
): string | null {
  const read = readNumber(name, typed, percentOf);
  if (read.ok) return read.text;
  const fault = read.empty
    ? missing(field, read.message)
    : wrong(field, read.message, CODE_OF[field] ?? null);
  faults.push(
    read.instead === null
      ? fault
      : { ...fault, suggestion: { field, value: read.instead, label: `Use ${read.instead}` } },
  );
  return null;
}

const CODE_OF: Partial<Record<DraftField, string>> = { price: '700011', size: '700012' };

/** @param entry the price that percentages are measured from; null if unknown */
function readTpSl(faults: DraftFault[], draft: OrderDraft, entry: string | null): TpSlRequest | null {
  const { tpSl } = draft;
  if (draft.reduceOnly) {
    faults.push(
      wrong('tpSl', 'Take profit and stop loss require an opening order. Turn off reduce-only or TP/SL.'),
    );
    return null;
  }
  const tp = tpSl.tpPrice.trim() !== '';
  const sl = tpSl.slPrice.trim() !== '';
  if (!tp && tpSl.tpExecutePrice.trim() !== '') {
    faults.push(wrong('tpPrice', 'Take profit has an order price but no trigger. Enter the trigger price.'));
  }
  if (!sl && tpSl.slExecutePrice.trim() !== '') {
    faults.push(wrong('slPrice', 'Stop loss has an order price but no trigger. Enter the trigger price.'));
  }
  if (!tp && !sl) {
    faults.push({
      ...missing('tpSl', 'Enter a take profit or a stop loss, or turn TP/SL off.'),
      code: '700042',
    });
    return null;
  }
  if ((tp && tpSl.tpTriggerType === '') || (sl && tpSl.slTriggerType === '')) {
    faults.push(wrong('tpSl', 'Choose a trigger type. Its names are set in Settings › Connections.'));
  }
  const optional = (
    field: DraftField,
    name: string,
    text: string,
    percentOf?: string | null,
  ): string | null => (text.trim() === '' ? null : number(faults, field, name, text, percentOf));
  const tpPrice = optional('tpPrice', 'Take profit', tpSl.tpPrice, entry);
  const tpExecutePrice = optional('tpExecutePrice', 'Take-profit order price', tpSl.tpExecutePrice);
  const slPrice = optional('slPrice', 'Stop loss', tpSl.slPrice, entry);
  const slExecutePrice = optional('slExecutePrice', 'Stop-loss order price', tpSl.slExecutePrice);
  return {
    tpTriggerType: tp ? tpSl.tpTriggerType : 'NONE',
    ...(tpPrice === null ? {} : { tpPrice }),
    ...(tpExecutePrice === null ? {} : { tpExecutePrice }),
    slTriggerType: sl ? tpSl.slTriggerType : 'NONE',
    ...(slPrice === null ? {} : { slPrice }),
    ...(slExecutePrice === null ? {} : { slExecutePrice }),
  };
}
