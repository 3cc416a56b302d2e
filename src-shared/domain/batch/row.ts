/**
 * Parses a batch row into an order. Cells have the exchange API's names; each invalid one gets a message with its value
 * and what is accepted. Only a limit order's empty time in force is assumed, as GTC (`assumed`).
 */
import {
  type OrderRequest,
  SYMBOL_SHAPE,
  type TpSlRequest,
  TRIGGER_NAME,
} from '../../exchange-api/order-request.ts';
import { readNumber } from '../numeric/number-input.ts';

/** The columns of a file, in the template's order: the fields of the Order request. */
export const ROW_FIELDS = [
  'symbolId',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'price',
  'reduceOnly',
  'postOnly',
  'reverseOrder',
  'tpTriggerType',
  'tpPrice',
  'tpExecutePrice',
  'slTriggerType',
  'slPrice',
  'slExecutePrice',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];
export type RowCells = Readonly<Record<RowField, string>>;

export const NO_CELLS: RowCells = {
  symbolId: '',
  side: '',
  type: '',
  timeInForce: '',
  quantity: '',
  price: '',
  reduceOnly: '',
  postOnly: '',
  reverseOrder: '',
  tpTriggerType: '',
  tpPrice: '',
  tpExecutePrice: '',
  slTriggerType: '',
  slPrice: '',
  slExecutePrice: '',
};

export interface CellFault {
  readonly field: RowField;
  readonly message: string;
}

export interface RowReading {
  /** Null if a cell is invalid. */
  readonly request: OrderRequest | null;
  readonly faults: readonly CellFault[];
  /** Whether an empty time in force is sent as GTC. */
  readonly assumed: boolean;
}

/** What each cell accepts, for tooltips and the template. */
export const ACCEPTED: RowCells = {
  symbolId: 'a contract, such as BTC-USDT-M',
  side: 'BUY or SELL',
  type: 'LIMIT or MARKET',
  timeInForce: 'GTC, IOC or FOK; empty is GTC for a limit order',
  quantity: 'digits and one point, above 0',
  price: 'digits and one point, above 0; empty for MARKET',
  reduceOnly: 'true, false or empty',
  postOnly: 'true, false or empty',
  reverseOrder: 'true, false or empty',
  tpTriggerType: 'a trigger type of the connection, or NONE',
  tpPrice: 'digits and one point, above 0, or empty',
  tpExecutePrice: 'digits and one point, above 0, or empty for market',
  slTriggerType: 'a trigger type of the connection, or NONE',
  slPrice: 'digits and one point, above 0, or empty',
  slExecutePrice: 'digits and one point, above 0, or empty for market',
};

/** Parses a row. Never throws. */
export function readRow(given: RowCells): RowReading {
  const faults: CellFault[] = [];
  const cell = (field: RowField): string => given[field].trim();
  const wrong = (field: RowField, message: string): void => void faults.push({ field, message });
  const choice = <T extends string>(field: RowField, known: readonly T[]): T | null => {
    const text = cell(field);
    const found = known.find((one) => one === text.toUpperCase());
    if (found !== undefined) return found;
    wrong(
      field,
      text === ''
        ? `${field} is missing: ${ACCEPTED[field]}.`
        : `${field} must be ${ACCEPTED[field]}, not ${shown(text)}.`,
    );
    return null;
  };
  const number = (field: RowField): string | undefined => {
    const read = readNumber(field, cell(field));
    if (read.ok) return read.text;
    wrong(field, numberMessage(field, cell(field), read.message));
    return undefined;
  };
  const optional = (field: RowField): string | undefined => (cell(field) === '' ? undefined : number(field));
  const flag = (field: RowField): boolean | undefined => {
    const text = cell(field).toLowerCase();
    if (text === '' || text === 'false' || text === '0') return text === '' ? undefined : false;
    if (text === 'true' || text === '1') return true;
    wrong(field, `${field} must be ${ACCEPTED[field]}, not ${shown(cell(field))}.`);
    return undefined;
  };

  const symbolId = cell('symbolId');
  if (!SYMBOL_SHAPE.test(symbolId)) {
    const message =
      symbolId === ''
        ? `symbolId is missing: ${ACCEPTED.symbolId}.`
        : `symbolId must be ${ACCEPTED.symbolId}, not ${shown(symbolId)}.`;
    wrong('symbolId', message);
  }
  const side = choice('side', ['BUY', 'SELL']);
  const type = choice('type', ['LIMIT', 'MARKET']);
  const typed = cell('timeInForce');
  const assumed = type === 'LIMIT' && typed === '';
  const timeInForce = typed === '' ? null : choice('timeInForce', ['GTC', 'IOC', 'FOK']);
  const quantity = number('quantity');
  const price = type === 'MARKET' ? undefined : type === null ? optional('price') : number('price');
  if (type === 'MARKET' && cell('price') !== '') {
    wrong('price', `price must be empty for a MARKET order, not ${shown(cell('price'))}.`);
  }
  const reduceOnly = flag('reduceOnly');
  const postOnly = flag('postOnly');
  const reverseOrder = flag('reverseOrder');
  const tpSl = readTpSl(cell, optional, wrong);
  if (faults.length > 0 || side === null || type === null || quantity === undefined) {
    return { request: null, faults, assumed };
  }
  return {
    request: {
      symbolId,
      side,
      type,
      // Required for LIMIT only; a market order's is sent only if given.
      ...(timeInForce !== null ? { timeInForce } : type === 'LIMIT' ? { timeInForce: 'GTC' as const } : {}),
      quantity,
      ...(price === undefined ? {} : { price }),
      ...(reduceOnly === undefined ? {} : { reduceOnly }),
      ...(postOnly === undefined ? {} : { postOnly }),
      ...(reverseOrder === undefined ? {} : { reverseOrder }),
      ...(tpSl === undefined ? {} : { tpSl }),
    },
    faults,
    assumed,
  };
}

function readTpSl(
  cell: (field: RowField) => string,
  optional: (field: RowField) => string | undefined,
  wrong: (field: RowField, message: string) => void,
): TpSlRequest | undefined {
  const side = (name: 'tp' | 'sl') => {
    const label = name === 'tp' ? 'take-profit' : 'stop-loss';
    const price = optional(`${name}Price`);
    const execute = optional(`${name}ExecutePrice`);
    const trigger = cell(`${name}TriggerType`);
    const set = trigger !== '' && trigger.toUpperCase() !== 'NONE';
    if (set && !TRIGGER_NAME.test(trigger)) {
      wrong(
        `${name}TriggerType`,
        `${name}TriggerType must be ${ACCEPTED[`${name}TriggerType`]}, not ${shown(trigger)}.`,
      );
    }
    if (cell(`${name}Price`) === '' && (set || cell(`${name}ExecutePrice`) !== '')) {
      wrong(`${name}Price`, `${name}Price is missing: the ${label} has no trigger price.`);
    } else if (cell(`${name}Price`) !== '' && !set) {
      wrong(
        `${name}TriggerType`,
        `${name}TriggerType is missing: the ${label} at ${shown(cell(`${name}Price`))} needs one.`,
      );
    }
    return { price, execute, trigger: set ? trigger : 'NONE' };
  };
  const tp = side('tp');
  const sl = side('sl');
  if (tp.trigger === 'NONE' && sl.trigger === 'NONE') return undefined;
  return {
    tpTriggerType: tp.trigger,
    ...(tp.price === undefined ? {} : { tpPrice: tp.price }),
    ...(tp.execute === undefined ? {} : { tpExecutePrice: tp.execute }),
    slTriggerType: sl.trigger,
    ...(sl.price === undefined ? {} : { slPrice: sl.price }),
    ...(sl.execute === undefined ? {} : { slExecutePrice: sl.execute }),
  };
}

/** Names the letters in an invalid number: `94,6O0.0` contains the letter O. */
function numberMessage(field: RowField, text: string, otherwise: string): string {
  const letters = [...new Set(text.match(/\p{L}/gu) ?? [])];
  if (letters.length === 0 || /^[\d.]+e[+-]?\d+$/i.test(text)) return otherwise;
  const named = `${letters.length === 1 ? 'the letter' : 'the letters'} ${letters.slice(0, 6).join(', ')}`;
  const comma = text.includes(',') ? ' and a comma' : '';
  return `${field} is not a number: ${shown(text)} contains ${named}${comma}. Accepted: ${ACCEPTED[field]}.`;
}

const shown = (text: string): string => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/** Returns the cells of an order. */
export function cellsOf(request: OrderRequest): RowCells {
  const flag = (value: boolean | undefined): string => (value === undefined ? '' : String(value));
  return {
    symbolId: request.symbolId,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce ?? '',
    quantity: request.quantity ?? '',
    price: request.price ?? '',
    reduceOnly: flag(request.reduceOnly),
    postOnly: flag(request.postOnly),
    reverseOrder: flag(request.reverseOrder),
    tpTriggerType: request.tpSl?.tpTriggerType ?? '',
    tpPrice: request.tpSl?.tpPrice ?? '',
    tpExecutePrice: request.tpSl?.tpExecutePrice ?? '',
    slTriggerType: request.tpSl?.slTriggerType ?? '',
    slPrice: request.tpSl?.slPrice ?? '',
    slExecutePrice: request.tpSl?.slExecutePrice ?? '',
  };
}
