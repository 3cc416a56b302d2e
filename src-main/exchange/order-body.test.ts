import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { assertBatchBody, assertBody, encodeBatch, encodeOrder } from './order-body.ts';

const digits = (min: number, max: number) =>
  fc.string({
    unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
    minLength: min,
    maxLength: max,
  });
/** Every decimal a request may carry, 24 digits before and 18 after the point. */
const decimals = fc
  .tuple(fc.constantFrom('0', '1', '7', '9'), digits(0, 23), fc.option(digits(1, 18)))
  .map(
    ([lead, rest, fraction]) =>
      (lead === '0' ? '0' : lead + rest) + (fraction === null ? '' : `.${fraction}`),
  );
const order = (quantity: string, price: string): OrderRequest => ({
  symbolId: 'BTC-USDT-M',
  side: 'SELL',
  type: 'LIMIT',
  quantity,
  price,
});

describe('encoding', () => {
  it('encodes every decimal with its digits, in JSON that others read', () => {
    fc.assert(
      fc.property(decimals, decimals, (quantity, price) => {
        const body = encodeOrder(order(quantity, price));
        expect(body).toContain(`"quantity":${quantity},"price":${price}}`);
        expect(JSON.parse(body)).toMatchObject({ quantity: Number(quantity), price: Number(price) });
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects anything but plain decimals, of any type', () => {
    const bad = [
      '',
      '1,5',
      '1e5',
      '+1',
      '-1',
      ' 1',
      '1 ',
      '.5',
      '5.',
      '01',
      '0x1',
      'NaN',
      '1}',
      '1,"x":2',
      '1\n',
    ];
    for (const text of [...bad, '1'.repeat(25), `0.${'1'.repeat(19)}`])
      expect(() => encodeOrder(order(text, '1')), text).toThrow('quantity');
    expect(() => encodeOrder(order(5 as never, '1'))).toThrow('quantity is not a decimal: 5');
    expect(() => encodeOrder({ ...order('1', '1'), reduceOnly: 'true' as never })).toThrow(
      'reduceOnly is not a flag: "true"',
    );
    expect(() => encodeOrder({ ...order('1', '1'), side: true as never })).toThrow(
      'side is not a text: true',
    );
    expect(() => encodeOrder({ ...order('1', '1'), reduceOnly: '1' as never })).toThrow(
      'reduceOnly is not a flag',
    );
    expect(() => encodeOrder(order('x'.repeat(99), '1'))).toThrow(/: "x{47}$/);
  });

  it('names the field of a value it rejects', () => {
    const bad = {
      ...order('1', '1'),
      tpSl: { tpTriggerType: 'NONE', tpPrice: '1e5', slTriggerType: 'NONE' },
    };
    expect(() => encodeOrder(bad)).toThrow(
      expect.objectContaining({ name: 'OrderBodyError', field: 'tpPrice' }),
    );
  });

  it('encodes every field there is', () => {
    const whole = {
      symbolId: 'BTC-USDT-M',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.10',
      price: '97000.5',
      reduceOnly: false,
      postOnly: true,
      reverseOrder: false,
      tpSl: {
        tpTriggerType: 'MARK_PRICE',
        tpPrice: '99000.0',
        tpExecutePrice: '98999.5',
        slTriggerType: 'LAST_PRICE',
        slPrice: '95000.0',
        slExecutePrice: '94999.5',
      },
    } as const;
    expect(encodeOrder(whole)).toBe(JSON.stringify(whole).replaceAll(/"([\d.]+)"/g, '$1'));
  });

  it('keeps the order of the API, nests tpSl, escapes text', () => {
    const tpSl = { slTriggerType: 'NONE', tpPrice: '1.0', tpTriggerType: 'A"B' };
    expect(encodeBatch([{ tpSl, postOnly: true, ...order('2', '3') }])).toBe(
      '[{"symbolId":"BTC-USDT-M","side":"SELL","type":"LIMIT","quantity":2,"price":3,"postOnly":true,"tpSl":{"tpTriggerType":"A\\"B","tpPrice":1.0,"slTriggerType":"NONE"}}]',
    );
  });

  it('rejects a field that has no value', () => {
    expect(() => encodeOrder({ ...order('1', '1'), quantity: undefined })).toThrow('has no value');
  });
});

describe('body assertion', () => {
  const close = '{"symbolId":"A-B-M","side":"SELL","type":"MARKET","reduceOnly":true}';
  const plain = '{"symbolId":"A-B-M","side":"SELL","type":"MARKET","quantity":0.1,"reduceOnly":true}';

  it('accepts each kind only as itself', () => {
    assertBody('close-all', close);
    assertBody('order', plain);
    expect(() => assertBody('order', close)).toThrow('no quantity');
    expect(() => assertBody('close-all', plain)).toThrow('has a quantity');
    expect(() => assertBody('close-all', close.replace('true', 'false'))).toThrow('not reduce-only');
    expect(() => assertBody('close-all', close.replace(',"reduceOnly":true', ''))).toThrow('not reduce-only');
  });

  it.each([
    ['a quantity as text', plain.replace('0.1', '"0.1"'), 'quantity', 'the order has no quantity'],
    ['0', plain.replace('0.1', '0.0'), 'quantity', 'the quantity is 0'],
    ['a quantity below 0', plain.replace('0.1', '-0.1'), 'quantity', 'the quantity is 0'],
    ['null', plain.replace('0.1', 'null'), 'quantity', 'the order has no quantity'],
    ['a quantity given twice', plain.replace('0.1', '0.1,"quantity":5'), 'order', 'not valid JSON'],
    ['a list', `[${plain}]`, 'order', 'the body is not one order'],
    ['half a body', plain.slice(0, -1), 'order', 'not valid JSON'],
  ])('stops %s', (_name, body, field, message) => {
    expect(() => assertBody('order', body)).toThrow(
      expect.objectContaining({ field, message: expect.stringContaining(message) }),
    );
  });

  it('names the field of a close-all that is none', () => {
    expect(() => assertBody('close-all', plain)).toThrow(expect.objectContaining({ field: 'quantity' }));
    const opens = close.replace('true', 'false');
    expect(() => assertBody('close-all', opens)).toThrow(expect.objectContaining({ field: 'reduceOnly' }));
  });

  it('requires a quantity in every row of a batch', () => {
    assertBatchBody(`[${plain},${plain}]`);
    for (const [body, field, message] of [
      [`[${plain},${close}]`, 'quantity', 'the order has no quantity'],
      ['[]', 'order', 'the batch has no orders'],
      [plain, 'order', 'the batch has no orders'],
      ['[1]', 'order', 'a row of the batch is not an order'],
    ])
      expect(() => assertBatchBody(body!), body).toThrow(expect.objectContaining({ field, message }));
  });
});
