/** Reads the bodies of the two POSTs as order requests. A wrong shape is rejected with 700004, by field. */
import { accept, reject } from '../engine/request.ts';
import type { Checked, OrderRequest } from '../engine/request.ts';
import type { TpSl } from '../engine/orders.ts';
import type { Reading } from './params.ts';
import { JsonError } from '../../src-shared/exchange-api/lossless-json.ts';
import { JsonNumber, readJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Kind = 'text' | 'decimal' | 'flag' | 'object';

const ORDER_FIELDS: Readonly<Record<string, Kind>> = {
  symbolId: 'text',
  side: 'text',
  type: 'text',
  timeInForce: 'text',
  quantity: 'decimal',
  price: 'decimal',
  reduceOnly: 'flag',
  postOnly: 'flag',
  reverseOrder: 'flag',
  tpSl: 'object',
};

const TP_SL_FIELDS: Readonly<Record<string, Kind>> = {
  tpTriggerType: 'text',
  tpPrice: 'decimal',
  tpExecutePrice: 'decimal',
  slTriggerType: 'text',
  slPrice: 'decimal',
  slExecutePrice: 'decimal',
};

/** DECIMAL parameters are JSON numbers. A number sent as text is rejected, so that a client's mistake shows here. */
function hasKind(value: Json, kind: Kind): boolean {
  if (value === null) return true; // same as an absent field
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'decimal') return value instanceof JsonNumber && value.decimal !== null;
  return value instanceof Map;
}

function fault(object: JsonObject, fields: Readonly<Record<string, Kind>>): string | null {
  for (const [name, value] of object) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!kind) return `unknown field ${name.slice(0, 40)}`;
    if (!hasKind(value, kind)) return `${name} must be a ${kind}`;
  }
  return null;
}

const text = (object: JsonObject, name: string): string | null => {
  const value = object.get(name);
  return typeof value === 'string' ? value : null;
};
const decimal = (object: JsonObject, name: string): string | null => {
  const value = object.get(name);
  return value instanceof JsonNumber ? value.decimal : null;
};
const flag = (object: JsonObject, name: string): boolean => object.get(name) === true;

function tpSlOf(value: Json | undefined, { names }: Reading): Checked<TpSl | null> {
  if (!(value instanceof Map)) return accept(null);
  const wrong = fault(value, TP_SL_FIELDS);
  if (wrong) return reject('700004', `tpSl: ${wrong}`);
  const trigger = (name: string): string | null => {
    const given = text(value, name);
    return given === null ? null : names.triggerIn(given);
  };
  return accept({
    tpTriggerType: trigger('tpTriggerType'),
    tpPrice: decimal(value, 'tpPrice'),
    tpExecutePrice: decimal(value, 'tpExecutePrice'),
    slTriggerType: trigger('slTriggerType'),
    slPrice: decimal(value, 'slPrice'),
    slExecutePrice: decimal(value, 'slExecutePrice'),
  });
}

function orderOf(value: Json, reading: Reading): Checked<OrderRequest> {
  if (!(value instanceof Map)) return reject('700004', 'an order is a JSON object');
  const wrong = fault(value, ORDER_FIELDS);
  if (wrong) return reject('700004', wrong);
  const symbolId = text(value, 'symbolId');
  const side = text(value, 'side');
  const type = text(value, 'type');
  if (symbolId === null || side === null || type === null) {
    return reject('700004', 'symbolId, side and type are required');
  }
  const tpSl = tpSlOf(value.get('tpSl'), reading);
  if (!tpSl.ok) return tpSl;
  const timeInForce = text(value, 'timeInForce');
  if (type === 'MARKET' && timeInForce === null && reading.habits['market-orders'] === 'time-in-force')
    return reject('700004', 'timeInForce is required for MARKET');
  return accept({
    symbolId: reading.names.contractIn(symbolId),
    side,
    type,
    timeInForce,
    quantity: decimal(value, 'quantity'),
    price: decimal(value, 'price'),
    reduceOnly: flag(value, 'reduceOnly'),
    postOnly: flag(value, 'postOnly'),
    reverseOrder: flag(value, 'reverseOrder'),
    tpSl: tpSl.value,
  });
}

function readBody(body: string): Checked<Json> {
  try {
    return accept(readJson(body));
  } catch (error) {
    if (error instanceof JsonError) return reject('700004', error.message);
    throw error;
  }
}

export function readOrder(body: string, reading: Reading): Checked<OrderRequest> {
  const json = readBody(body);
  return json.ok ? orderOf(json.value, reading) : json;
}

export function readBatch(body: string, reading: Reading): Checked<OrderRequest[]> {
  const json = readBody(body);
  if (!json.ok) return json;
  if (!Array.isArray(json.value)) return reject('700004', 'a batch is a JSON array of orders');
  const most = Number.parseInt(reading.habits['batch-limit'], 10);
  const orders: OrderRequest[] = [];
  for (const [row, value] of json.value.entries()) {
    const order = orderOf(value, reading);
    if (!order.ok) return reject(order.code, `row ${row + 1}: ${order.why}`);
    orders.push(order.value);
  }
  return orders.length > most ? reject('700052', `at most ${most} orders in a batch`) : accept(orders);
}
