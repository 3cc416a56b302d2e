/** Compares the code's tables with a copy of the exchange API document's tables (samples/interface-fields.json). */
import { describe, expect, it } from 'vitest';
import { accountTotals, assetFields, positionFields } from './account.ts';
import { ENDPOINTS } from './endpoints.ts';
import * as enums from './enums.ts';
import { SERVER_ERROR_CODE, TRADING_CODES } from './error-codes.ts';
import type { FieldTable } from './fields.ts';
import { openOrderFields, openOrderTpSlFields } from './open-order.ts';
import { orderHistoryFields } from './order-history.ts';
import { orderRequestSchema, tpSlSchema } from './order-request.ts';
import document from './samples/interface-fields.json' with { type: 'json' };
import { riskTierFields, symbolConfigFields } from './symbol-config.ts';
import { tradeFields } from './trade.ts';

const { records } = document;
const TABLES: Readonly<Record<string, FieldTable>> = {
  accountTotals,
  asset: assetFields,
  position: positionFields,
  openOrder: openOrderFields,
  orderHistory: orderHistoryFields,
  symbolConfig: symbolConfigFields,
  riskTier: riskTierFields,
  trade: tradeFields,
};
/** Kinds accepted for a type of the document. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  STRING: ['decimal', 'text', 'choice', 'id'],
  'STRING or null': ['decimal', 'text', 'choice'],
  INTEGER: ['integer', 'time', 'number-choice', 'flag'],
  NUMBER: ['number'],
  BOOLEAN: ['flag'],
  OBJECT: ['object'],
  ARRAY: ['list'],
  list: ['list'],
};
const NAMES = [
  'accountTotals',
  'asset',
  'position',
  'openOrder',
  'orderHistory',
  'symbolConfig',
  'riskTier',
  'trade',
] as const;
const CASES = NAMES.flatMap((name) => records[name].map(({ field, type }) => ({ name, field, type })));

describe('records', () => {
  it('have the fields of the document, all of them and no other', () => {
    for (const name of NAMES)
      expect(Object.keys(TABLES[name]!).sort(), name).toEqual(records[name].map(({ field }) => field).sort());
    expect(Object.keys(openOrderTpSlFields).sort()).toEqual([...document.openOrderTpSl].sort());
    expect(NAMES.map((name) => records[name].length)).toEqual([15, 16, 37, 28, 42, 6, 5, 12]);
  });

  it.each(CASES)('$name.$field is $type', ({ name, field, type }) => {
    const own = TABLES[name]![field]!;
    expect(KINDS[type]).toContain(own.kind);
    // An open order without TP/SL: each part may be null, and so may the whole.
    const lenient = name === 'openOrder' && field === 'tpSl';
    expect(own.optional).toBe(type.includes('or null') || lenient);
    expect(own.accepts(undefined)).toBe(false);
    expect(own.label).not.toBe('');
  });

  it('allow null for each part of an open order’s tpSl', () => {
    for (const own of Object.values<FieldTable[string]>(openOrderTpSlFields))
      expect(own.accepts(null)).toBe(true);
  });
});

it('an order request has the fields of the document', () => {
  expect(Object.keys(orderRequestSchema.entries)).toEqual(records.orderRequest.map(({ field }) => field));
  expect(Object.keys(tpSlSchema.entries)).toEqual(records.tpSl.map(({ field }) => field));
});

it('endpoints have the paths, methods and parameters of the document', () => {
  const own = Object.values(ENDPOINTS).map(({ path, method, parameters }) => [
    path,
    { method, parameters: [...parameters] },
  ]);
  const theirs = Object.entries(document.endpoints).map(([path, { method, parameters }]) => [
    path,
    { method, parameters: parameters.map(({ field }) => field) },
  ]);
  expect(Object.fromEntries(own)).toEqual(Object.fromEntries(theirs));
});

it('all 52 trading codes have the meaning of the document, a field and a next step', () => {
  const meanings = Object.entries(TRADING_CODES).map(([code, { meaning }]) => [code, meaning]);
  expect(Object.fromEntries(meanings)).toEqual(document.codes);
  expect(meanings).toHaveLength(52);
  for (const { concerns, next } of Object.values(TRADING_CODES)) {
    expect(concerns).not.toBe('');
    expect(next).toMatch(/^[A-Z].*\.$/);
  }
  expect(SERVER_ERROR_CODE).toBe('500');
  const vague = Object.keys(TRADING_CODES).filter((code) => TRADING_CODES[code]?.confirms === 'unknown');
  expect(vague).toEqual(['700000', '700008', '700048', '700106']);
});

it('the next step after a code that the practice exchange returns names no website, which it lacks', () => {
  for (const code of ['700016', '700019', '700022', '700052'])
    expect(TRADING_CODES[code]?.next).not.toContain('website');
});

it('enums carry the values that the document shows', () => {
  const keys = (values: object) => Object.keys(values);
  expect(keys(enums.ORDER_SIDE)).toEqual(['BUY', 'SELL']);
  expect(keys(enums.ORDER_TYPE)).toEqual(['LIMIT', 'MARKET']);
  expect(keys(enums.TIME_IN_FORCE)).toEqual(['GTC', 'IOC', 'FOK']);
  expect(keys(enums.TRIGGER_TYPE)).toEqual(['NONE']);
  expect(keys(enums.LIQUIDITY)).toEqual(['TAKER']);
  expect(keys(enums.OPEN_ORDER_STATUS)).toEqual(['OPEN', 'FILLED', 'CANCELED']);
  expect(keys(enums.HISTORY_STATUS)).toEqual(['NEW', 'FILLED', 'CANCELED']);
  expect(keys(enums.ORDER_SOURCE)).toEqual(['0', '2', '10']);
  expect(keys(enums.CANCEL_REASON)).toEqual(['1', '2']);
  expect(keys(enums.CONTRACT_SIDE)).toEqual(['FORWARD', 'REVERSE']);
  expect(keys(enums.CONTRACT_TYPE)).toEqual(['PERPETUAL', 'DELIVERY']);
  expect(keys(enums.DEFAULT_MARGIN_MODE)).toEqual(['CROSSED', 'ISOLATION']);
  expect(enums.marginModeLabel('ISOLATION')).toBe(enums.marginModeLabel('ISOLATED'));
  expect(enums.marginModeLabel('PORTFOLIO')).toBe('PORTFOLIO');
});
