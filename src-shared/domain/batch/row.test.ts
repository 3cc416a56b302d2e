import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type OrderRequest, orderRequestSchema, type TpSlRequest } from '../../exchange-api/order-request.ts';
import { cellsOf, NO_CELLS, readRow, type RowCells } from './row.ts';

const CELLS: RowCells = {
  ...NO_CELLS,
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.120',
  price: '96100.0',
};
const faults = (changes: Partial<RowCells>) =>
  readRow({ ...CELLS, ...changes }).faults.map((one) => `${one.field}: ${one.message}`);

describe('a row', () => {
  it('becomes an order with every digit as written; an empty time in force is GTC', () => {
    const { request } = readRow(CELLS);
    expect(request).toEqual({
      symbolId: 'BTC-USDT-M',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.120',
      price: '96100.0',
    });
    expect(readRow({ ...CELLS, type: 'market', price: '' }).request).toEqual({
      symbolId: 'BTC-USDT-M',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.120',
    });
  });

  it('survives a round trip to cells with every field', () => {
    const full: RowCells = {
      ...CELLS,
      timeInForce: 'IOC',
      reduceOnly: 'true',
      postOnly: 'false',
      reverseOrder: 'false',
      tpTriggerType: 'MARK_PRICE',
      tpPrice: '99000.0',
      tpExecutePrice: '98990.0',
      slTriggerType: 'LAST_PRICE',
      slPrice: '90000.0',
      slExecutePrice: '89990.0',
    };
    const { request } = readRow(full);
    if (request === null) throw new Error('faults');
    expect(v.is(orderRequestSchema, request)).toBe(true);
    expect(v.is(orderRequestSchema, { ...request, symbolId: 'BTC\u{200b}-USDT-M' })).toBe(false);
    expect(cellsOf(request)).toEqual(full);
  });

  it('gives back every order, with what was left out left out', () => {
    const price = fc.constantFrom('0.1', '96100.0', '95000.50');
    const target = fc.option(fc.record({ price, execute: fc.option(price, { nil: undefined }) }));
    const tpSl = fc.tuple(target, target).map(([tp, sl]): { tpSl?: TpSlRequest } =>
      tp === null && sl === null
        ? {}
        : {
            tpSl: {
              tpTriggerType: tp === null ? 'NONE' : 'MARK_PRICE',
              ...(tp === null ? {} : { tpPrice: tp.price }),
              ...(tp?.execute === undefined ? {} : { tpExecutePrice: tp.execute }),
              slTriggerType: sl === null ? 'NONE' : 'LAST_PRICE',
              ...(sl === null ? {} : { slPrice: sl.price }),
              ...(sl?.execute === undefined ? {} : { slExecutePrice: sl.execute }),
            },
          },
    );
    const flags = fc.record(
      { reduceOnly: fc.boolean(), postOnly: fc.boolean(), reverseOrder: fc.boolean() },
      { requiredKeys: [] },
    );
    const timeInForce = fc.constantFrom('GTC', 'IOC', 'FOK');
    const kind = fc.oneof(
      fc.record({ type: fc.constant('LIMIT'), timeInForce, price }),
      fc.record({ type: fc.constant('MARKET'), timeInForce }, { requiredKeys: ['type'] }),
    );
    const both = fc.record({
      symbolId: fc.constantFrom('BTC-USDT-M', 'ETH-USD-M'),
      side: fc.constantFrom('BUY', 'SELL'),
      quantity: fc.constantFrom('1', '0.120'),
    });
    fc.assert(
      fc.property(both, kind, flags, tpSl, (...parts) => {
        const request = { ...parts[0], ...parts[1], ...parts[2], ...parts[3] } as OrderRequest;
        expect(readRow(cellsOf(request))).toStrictEqual({ request, faults: [] });
      }),
      { numRuns: 500 },
    );
  });

  it.each<[Partial<RowCells>, ...(keyof RowCells)[]]>([
    [{ symbolId: '' }, 'symbolId'],
    // Shown from right to left, it would read as another contract.
    [{ symbolId: '\u{202e}CTB-USDT-M' }, 'symbolId'],
    [{ side: 'LONG' }, 'side'],
    [{ type: 'STOP' }, 'type'],
    [{ type: 'STOP', price: '' }, 'type'],
    [{ type: 'STOP', price: 'x' }, 'type', 'price'],
    [{ timeInForce: 'GTX' }, 'timeInForce'],
    [{ quantity: '' }, 'quantity'],
    [{ quantity: '0' }, 'quantity'],
    [{ price: '' }, 'price'],
    [{ type: 'MARKET', price: '1' }, 'price'],
    [{ reduceOnly: 'y' }, 'reduceOnly'],
    [{ postOnly: '2' }, 'postOnly'],
    [{ reverseOrder: '-' }, 'reverseOrder'],
    [{ tpTriggerType: 'MARK_PRICE', tpPrice: '1,5' }, 'tpPrice'],
    [{ tpTriggerType: 'MARK_PRICE', tpPrice: '2', tpExecutePrice: 'x' }, 'tpExecutePrice'],
    [{ tpExecutePrice: '2' }, 'tpPrice'],
    [{ slTriggerType: 'none', slPrice: '2' }, 'slTriggerType'],
    [{ slTriggerType: 'mark price!', slPrice: '2' }, 'slTriggerType'],
    [{ side: '', type: '', quantity: '' }, 'side', 'type', 'quantity'],
  ])('is no order while a cell is invalid: %j', (changes, ...fields) => {
    const { request, faults } = readRow({ ...CELLS, ...changes });
    expect([request, faults.map(({ field }) => field)]).toEqual([null, fields]);
  });

  it('reads cells with spaces around, in either case, and flags as digits', () => {
    const flags = { reduceOnly: ' 1 ', postOnly: '0', reverseOrder: 'FALSE' };
    const loose = { symbolId: ' BTC-USDT-M', side: 'buy ', type: ' Limit', timeInForce: ' gtc ' };
    expect(readRow({ ...CELLS, ...loose, ...flags, price: ' 96100.0 ' }).request).toEqual({
      ...readRow(CELLS).request,
      ...{ reduceOnly: true, postOnly: false, reverseOrder: false },
    });
    expect(readRow({ ...CELLS, reduceOnly: 'True' }).request?.reduceOnly).toBe(true);
  });

  it('names the letters of what is no number, six at most, but not that of an exponent', () => {
    for (const price of ['1e5', '12.5E+10', '1e-7', '12e5'])
      expect(faults({ price })[0]).toContain('exponent');
    for (const [price, letters] of [
      ['a1e5', 'the letters a, e.'],
      ['1e5x', 'the letters e, x.'],
      ['1OO', 'the letter O.'],
      ['1,Ol', 'the letters O, l and a comma.'],
      ['9abcdefgh', 'the letters a, b, c, d, e, f.'],
    ] as const)
      expect(faults({ price })[0]).toContain(`contains ${letters}`);
  });

  it('names each bad cell, its value and what is accepted', () => {
    expect(faults({ price: '94,6O0.0' })).toEqual([
      'price: price is not a number: “94,6O0.0” contains the letter O and a comma. Accepted: digits and one point, above 0.'.replace(
        'above 0.',
        'above 0; empty for MARKET.',
      ),
    ]);
    expect(faults({ side: 'SHORT' })).toEqual(['side: side must be BUY or SELL, not “SHORT”.']);
    expect(faults({ side: '', type: 'STOP' })).toEqual([
      'side: side is missing: BUY or SELL.',
      'type: type must be LIMIT or MARKET, not “STOP”.',
    ]);
    expect(faults({ quantity: '' })).toEqual(['quantity: quantity is missing.']);
    expect(faults({ quantity: '0' })[0]).toContain('must be above 0');
    expect(faults({ type: 'MARKET' })).toEqual([
      'price: price must be empty for a MARKET order, not “96100.0”.',
    ]);
    expect(faults({ postOnly: 'yes' })).toEqual([
      'postOnly: postOnly must be true, false or empty, not “yes”.',
    ]);
    expect(faults({ symbolId: 'btcusdt' })[0]).toContain('such as BTC-USDT-M, not “btcusdt”');
    expect(faults({ timeInForce: 'GTX' })[0]).toContain('not “GTX”');
    expect(faults({ tpPrice: '99000' })).toEqual([
      'tpTriggerType: tpTriggerType is missing: the take profit at “99000” needs one.',
    ]);
    expect(faults({ slTriggerType: 'MARK_PRICE' })).toEqual([
      'slPrice: slPrice is missing: the stop loss has no trigger price.',
    ]);
    expect(faults({ price: '1e5' })[0]).toContain('exponent');
  });
});
