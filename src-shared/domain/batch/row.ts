/**
 * Parses a batch row into an order. Cells have the exchange API's names; each invalid one gets a message with its value
 * and what is accepted. Only a limit order's empty time in force is assumed, as GTC.
 */
import {
  type OrderRequest,
  SYMBOL_SHAPE,
  type TpSlRequest,
  TRIGGER_NAME,
} from '../../exchange-api/order-request.ts';
import { quoted, readNumber } from '../numeric/number-input.ts';
import type { OrderType } from '../../exchange-api/enums.ts';

/** The columns of a file, in the template's order: the fields of the Order request, and what each cell accepts. */
export const ACCEPTED = {
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
export type RowField = keyof typeof ACCEPTED;
export type RowCells = Readonly<Record<RowField, string>>;

export const ROW_FIELDS = Object.keys(ACCEPTED) as readonly RowField[];
export const NO_CELLS = Object.fromEntries(ROW_FIELDS.map((field) => [field, ''])) as RowCells;

export interface CellFault {
  readonly field: RowField;
  readonly message: string;
}

export interface RowReading {
  /** Null if a cell is invalid. */
  readonly request: OrderRequest | null;
  readonly faults: readonly CellFault[];
}

/** Parses a row. Never throws. */
export function readRow(given: RowCells): RowReading {
  const cells = new CellReader(given);
  const symbolId = cells.symbol();
  const side = cells.choice('side', ['BUY', 'SELL']);
  const type = cells.choice('type', ['LIMIT', 'MARKET']);
  const typed = cells.text('timeInForce');
  const timeInForce = typed === '' ? null : cells.choice('timeInForce', ['GTC', 'IOC', 'FOK']);
  const quantity = cells.number('quantity');
  const price = cells.price(type);
  const reduceOnly = cells.flag('reduceOnly');
  const postOnly = cells.flag('postOnly');
  const reverseOrder = cells.flag('reverseOrder');
  const tpSl = cells.tpSl();
  const { faults } = cells;
  if (faults.length > 0 || side === null || type === null || quantity === undefined) {
    return { request: null, faults };
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
  };
}

/** Reads the cells of one row and collects what is wrong with them. */
class CellReader {
  readonly faults: CellFault[] = [];
  readonly #given: RowCells;

  constructor(given: RowCells) {
    this.#given = given;
  }

  text(field: RowField): string {
    return this.#given[field].trim();
  }

  symbol(): string {
    const symbolId = this.text('symbolId');
    if (!SYMBOL_SHAPE.test(symbolId)) this.#reject('symbolId');
    return symbolId;
  }

  choice<T extends string>(field: RowField, known: readonly T[]): T | null {
    const text = this.text(field).toUpperCase();
    const found = known.find((one) => one === text);
    if (found === undefined) this.#reject(field);
    return found ?? null;
  }

  number(field: RowField): string | undefined {
    const read = readNumber(field, this.text(field));
    if (read.ok) return read.text;
    this.#wrong(field, numberMessage(field, this.text(field), read.message));
    return undefined;
  }

  price(type: OrderType | null): string | undefined {
    if (type !== 'MARKET') return type === null ? this.#optional('price') : this.number('price');
    const text = this.text('price');
    if (text !== '') this.#wrong('price', `price must be empty for a MARKET order, not ${quoted(text)}.`);
    return undefined;
  }

  flag(field: RowField): boolean | undefined {
    const text = this.text(field).toLowerCase();
    if (text === '') return undefined;
    if (text === 'false' || text === '0') return false;
    if (text === 'true' || text === '1') return true;
    this.#reject(field);
    return undefined;
  }

  tpSl(): TpSlRequest | undefined {
    const tp = this.#trigger('tp', 'take profit');
    const sl = this.#trigger('sl', 'stop loss');
    if (tp.type === 'NONE' && sl.type === 'NONE') return undefined;
    return {
      tpTriggerType: tp.type,
      ...(tp.price === undefined ? {} : { tpPrice: tp.price }),
      ...(tp.execute === undefined ? {} : { tpExecutePrice: tp.execute }),
      slTriggerType: sl.type,
      ...(sl.price === undefined ? {} : { slPrice: sl.price }),
      ...(sl.execute === undefined ? {} : { slExecutePrice: sl.execute }),
    };
  }

  #trigger(name: 'tp' | 'sl', label: string) {
    const price = this.#optional(`${name}Price`);
    const execute = this.#optional(`${name}ExecutePrice`);
    const type = this.text(`${name}TriggerType`);
    const priceText = this.text(`${name}Price`);
    const isSet = type !== '' && type.toUpperCase() !== 'NONE';
    if (isSet && !TRIGGER_NAME.test(type)) this.#reject(`${name}TriggerType`);
    if (priceText === '' && (isSet || this.text(`${name}ExecutePrice`) !== '')) {
      this.#wrong(`${name}Price`, `${name}Price is missing: the ${label} has no trigger price.`);
    } else if (priceText !== '' && !isSet) {
      this.#wrong(
        `${name}TriggerType`,
        `${name}TriggerType is missing: the ${label} at ${quoted(priceText)} needs one.`,
      );
    }
    return { price, execute, type: isSet ? type : 'NONE' };
  }

  #optional(field: RowField): string | undefined {
    return this.text(field) === '' ? undefined : this.number(field);
  }

  /** The cell is missing, or not what its field accepts. */
  #reject(field: RowField): void {
    const text = this.text(field);
    const accepted = ACCEPTED[field];
    this.#wrong(
      field,
      text === ''
        ? `${field} is missing: ${accepted}.`
        : `${field} must be ${accepted}, not ${quoted(text)}.`,
    );
  }

  #wrong(field: RowField, message: string): void {
    this.faults.push({ field, message });
  }
}

/** Names the letters in an invalid number: `94,6O0.0` contains the letter O. */
function numberMessage(field: RowField, text: string, otherwise: string): string {
  const letters = [...new Set(text.match(/\p{L}/gu) ?? [])];
  if (letters.length === 0 || /^[\d.]+e[+-]?\d+$/i.test(text)) return otherwise;
  const named = `${letters.length === 1 ? 'the letter' : 'the letters'} ${letters.slice(0, 6).join(', ')}`;
  const comma = text.includes(',') ? ' and a comma' : '';
  return `${field} is not a number: ${quoted(text)} contains ${named}${comma}. Accepted: ${ACCEPTED[field]}.`;
}

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
