/** Reaches every code of the API through HTTP: a table of code → scenario, and the order of the checks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TRADING_CODES } from '../../src-shared/exchange-api/error-codes.ts';
import { startClient } from '../../tests/practice/client.ts';
import type { Client } from '../../tests/practice/client.ts';

type Row = Record<string, unknown>;

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(() => client.stop());

const ORDER = '/ftapi/v1/order';
const on = (symbolId: string, fields: string): string => `{"symbolId":"${symbolId}",${fields}}`;
const order = (fields: string): string => on('ETH-USDT-M', fields);
const code = async (fields: string): Promise<string> =>
  (await client.post(ORDER, order(fields))).envelope.code;

async function markOf(symbolId: string): Promise<number> {
  const { contracts } = (await client.control('GET', '/state')) as {
    contracts: { symbolId: string; mark: string; last: string }[];
  };
  return Number(contracts.find((each) => each.symbolId === symbolId)?.mark);
}

describe('error codes', () => {
  const limit = '"side":"BUY","type":"LIMIT"';
  const market = '"side":"BUY","type":"MARKET"';
  const tp = (kind: string, price: number, rest = ''): string =>
    `"tpSl":{"tpTriggerType":"${kind}","tpPrice":${price},"slTriggerType":"NONE"${rest}}`;
  const sl = (kind: string, price: number, rest = ''): string =>
    `"tpSl":{"tpTriggerType":"NONE","slTriggerType":"${kind}","slPrice":${price}${rest}}`;
  const cents = (price: number): number => Math.round(price * 100) / 100;
  const LAST = 'LAST_PRICE';
  const MARK = 'MARK_PRICE';

  const cases: [string, string, string][] = [
    ['700004', 'LIMIT without price', `${limit},"quantity":1`],
    ['700004', 'no quantity', market],
    ['700004', 'a quantity as text', `${market},"quantity":"1"`],
    ['700004', 'an unknown field', `${market},"quantity":1,"clientOid":"x"`],
    ['700004', 'a repeated key', `${market},"quantity":1,"quantity":2`],
    ['700009', 'an unknown side', '"side":"HOLD","type":"MARKET","quantity":1'],
    ['700009', 'an unknown type', '"side":"BUY","type":"STOP","quantity":1'],
    ['700009', 'an unknown time in force', `${market},"quantity":1,"timeInForce":"GTX"`],
    ['700009', 'post-only IOC', `${limit},"quantity":1,"price":3000,"postOnly":true,"timeInForce":"IOC"`],
    ['700009', 'reverse and reduce-only', `${market},"quantity":1,"reverseOrder":true,"reduceOnly":true`],
    ['700011', 'a price of 0', `${limit},"quantity":1,"price":0`],
    ['700011', 'a price off the tick', `${limit},"quantity":1,"price":3000.001`],
    ['700011', 'a price far above the mark', `${limit},"quantity":1,"price":6000`],
    ['700012', 'a quantity of 0', `${limit},"quantity":0,"price":3000`],
    ['700012', 'a quantity below 0', `${limit},"quantity":-1,"price":3000`],
    ['700012', 'a quantity off the lot', `${limit},"quantity":0.001,"price":3000`],
    ['700082', 'too much', `${limit},"quantity":2000.01,"price":3000`],
    [
      '700022',
      'reduce-only on the side of the position',
      '"side":"SELL","type":"MARKET","quantity":1,"reduceOnly":true',
    ],
    ['700016', 'more than the tier of the leverage holds', `${limit},"quantity":1700,"price":3000`],
    ['700017', 'more than the balance carries', `${limit},"quantity":800,"price":3000`],
    [
      '700042',
      'TP/SL with neither',
      `${limit},"quantity":1,"price":3000,"tpSl":{"tpTriggerType":"NONE","slTriggerType":"NONE"}`,
    ],
    ['700009', 'an unknown trigger', `${limit},"quantity":1,"price":3000,${tp('ORACLE', 3500)}`],
    ['700068', 'long TP at the order price', `${limit},"quantity":1,"price":3000,${tp(LAST, 3000)}`],
    ['700070', 'long SL above the order price', `${limit},"quantity":1,"price":3000,${sl(LAST, 3100)}`],
    [
      '700072',
      'short TP above the order price',
      `"side":"SELL","type":"LIMIT","quantity":1,"price":3400,${tp(LAST, 3500)}`,
    ],
    [
      '700074',
      'short SL below the order price',
      `"side":"SELL","type":"LIMIT","quantity":1,"price":3400,${sl(LAST, 3300)}`,
    ],
    ['700069', 'long TP below the last price', `${market},"quantity":1,${tp(LAST, 2000)}`],
    ['700071', 'long SL above the last price', `${market},"quantity":1,${sl(LAST, 5000)}`],
    [
      '700073',
      'short TP above the last price',
      `"side":"SELL","type":"MARKET","quantity":1,${tp(LAST, 5000)}`,
    ],
    [
      '700075',
      'short SL below the last price',
      `"side":"SELL","type":"MARKET","quantity":1,${sl(LAST, 2000)}`,
    ],
    ['700076', 'long TP below the mark', `${market},"quantity":1,${tp(MARK, 2000)}`],
    ['700077', 'short TP above the mark', `"side":"SELL","type":"MARKET","quantity":1,${tp(MARK, 5000)}`],
    ['700078', 'short SL below the mark', `"side":"SELL","type":"MARKET","quantity":1,${sl(MARK, 2000)}`],
    ['700079', 'long SL above the mark', `${market},"quantity":1,${sl(MARK, 5000)}`],
    [
      '700089',
      'long TP executes below the order',
      `${limit},"quantity":1,"price":3000,${tp(LAST, 3300, ',"tpExecutePrice":2900')}`,
    ],
    [
      '700093',
      'long SL executes above the order',
      `${limit},"quantity":1,"price":3000,${sl(LAST, 2900, ',"slExecutePrice":3100')}`,
    ],
    [
      '700096',
      'long TP executes below the last',
      `${market},"quantity":1,${tp(LAST, 5000, ',"tpExecutePrice":2000')}`,
    ],
    [
      '700098',
      'long SL executes above the last',
      `${market},"quantity":1,${sl(LAST, 2000, ',"slExecutePrice":5000')}`,
    ],
    [
      '700080',
      'short SL beyond the liquidation price',
      `"side":"SELL","type":"MARKET","quantity":1,${sl(LAST, 500000)}`,
    ],
  ];
  // Orders against the account's positions: SOL long, ETH short, nothing in LINK. `share` moves the market first.
  const MARKET = {
    BUY: '"side":"BUY","type":"MARKET","quantity":1',
    SELL: '"side":"SELL","type":"MARKET","quantity":1',
  };
  const LIMIT = {
    BUY: '"side":"BUY","type":"LIMIT","quantity":1',
    SELL: '"side":"SELL","type":"LIMIT","quantity":1',
  };
  const held: [string, string, string, string, (mark: number) => string][] = [
    [
      '700044',
      'long TP below the entry',
      'SOL-USDT-M',
      '0.97',
      (m) => `${MARKET.BUY},${tp(MARK, cents(m * 1.005))}`,
    ],
    [
      '700046',
      'long SL above the entry',
      'SOL-USDT-M',
      '1.05',
      (m) => `${MARKET.BUY},${sl(MARK, cents(m * 0.99))}`,
    ],
    [
      '700043',
      'short TP above the entry',
      'ETH-USDT-M',
      '1.05',
      (m) => `${MARKET.SELL},${tp(MARK, cents(m * 0.99))}`,
    ],
    [
      '700045',
      'short SL below the entry',
      'ETH-USDT-M',
      '0.95',
      (m) => `${MARKET.SELL},${sl(MARK, cents(m * 1.01))}`,
    ],
    [
      '700081',
      'long SL below the liquidation price',
      'SOL-USDT-M',
      '1',
      () => `${MARKET.BUY},${sl(MARK, 50)}`,
    ],
    ['700057', 'a new long SL below the estimate', 'LINK-USDT-M', '1', () => `${MARKET.BUY},${sl(MARK, 5)}`],
    [
      '700058',
      'a new short SL above the estimate',
      'LINK-USDT-M',
      '1',
      () => `${MARKET.SELL},${sl(MARK, 30)}`,
    ],
    [
      '700040',
      'a trigger one tick away',
      'LINK-USDT-M',
      '1',
      (m) => `${MARKET.BUY},${tp(MARK, Number((m + 0.001).toFixed(3)))}`,
    ],
    [
      '700047',
      'a trigger one tick from the order',
      'LINK-USDT-M',
      '1',
      () => `${LIMIT.BUY},"price":14.000,${tp(LAST, 14.001)}`,
    ],
    [
      '700091',
      'short TP executes above the order',
      'LINK-USDT-M',
      '1',
      () => `${LIMIT.SELL},"price":15,${tp(LAST, 14, ',"tpExecutePrice":16')}`,
    ],
    [
      '700095',
      'short SL executes below the order',
      'LINK-USDT-M',
      '1',
      () => `${LIMIT.SELL},"price":15,${sl(LAST, 15.5, ',"slExecutePrice":14')}`,
    ],
    [
      '700097',
      'short TP executes above the last',
      'LINK-USDT-M',
      '1',
      () => `${MARKET.SELL},${tp(LAST, 10, ',"tpExecutePrice":30')}`,
    ],
    [
      '700099',
      'short SL executes below the last',
      'LINK-USDT-M',
      '1',
      () => `${MARKET.SELL},${sl(LAST, 15.5, ',"slExecutePrice":2')}`,
    ],
    [
      '700041',
      'a contract closed to trading',
      'LUNC-USDT-M',
      '1',
      () => '"side":"BUY","type":"MARKET","quantity":1000',
    ],
  ];
  for (const [expected, name, symbolId, share, fields] of held) {
    it(`${expected}: ${name}`, async () => {
      await client.control('POST', '/shock', { symbolId, share });
      const { envelope } = await client.post(ORDER, on(symbolId, fields(await markOf(symbolId))));
      expect(envelope).toMatchObject({ code: expected, success: false, data: null });
    });
  }

  it('accepts a stop at the entry price', async () => {
    await client.control('POST', '/shock', { symbolId: 'SOL-USDT-M', share: '1.04' });
    const { positions } = (await client.get('/ftapi/v1/account/info')).envelope.data as { positions: Row[] };
    const entry = Number(positions.find((each) => each['symbolId'] === 'SOL-USDT-M')?.['avgEntryPrice']);
    const stop = Math.floor(entry * 100) / 100;
    const { envelope } = await client.post(ORDER, on('SOL-USDT-M', `${MARKET.BUY},${sl(MARK, stop)}`));
    expect(envelope.code).toBe('0');
  });

  it('700052: more than a thousand resting orders', async () => {
    const row = on('DOGE-USDT-M', '"side":"BUY","type":"LIMIT","quantity":10,"price":0.05');
    const rows = (count: number): string => `[${Array.from({ length: count }, () => row).join(',')}]`;
    const { envelope } = await client.get('/ftapi/v1/openOrder?limit=1000');
    let open = (envelope.data as Row[]).length;
    for (; open <= 900; open += 100) {
      expect((await client.post('/ftapi/v1/batchOrders', rows(100))).envelope.code).toBe('0');
    }
    expect((await client.post('/ftapi/v1/batchOrders', rows(1000 - open))).envelope.code).toBe('0');
    expect((await client.post(ORDER, row)).envelope.code).toBe('700052');
  });

  // Codes with no natural cause here; they come from a scripted fault.
  const scripted = ['700000', '700008', '700013', '700018', '700019', '700048', '700106'];
  for (const expected of scripted) {
    it(`${expected}: by a scripted fault`, async () => {
      await client.control('POST', '/faults', { endpoint: 'order', action: 'code', code: expected });
      const { envelope } = await client.post(ORDER, order(`${market},"quantity":1`));
      expect(envelope).toMatchObject({ code: expected, success: false, data: null });
    });
  }

  it('have a scenario here, all 52', () => {
    const byState = ['700001', '700052', '700060', '700061', '700062'];
    const reached = [...cases, ...held].map(([expected]) => expected);
    expect([...new Set([...reached, ...scripted, ...byState])].toSorted()).toEqual(
      Object.keys(TRADING_CODES).toSorted(),
    );
    expect(Object.keys(TRADING_CODES).length).toBe(52);
  });

  it('come in the documented order: of several errors the first is returned', async () => {
    const bar = (from: string) => client.control('POST', '/bar', { from });
    const ask = async (symbolId: string, fields: string) => {
      const { code: given, msg } = (await client.post(ORDER, on(symbolId, fields))).envelope;
      return `${given} ${msg}`;
    };
    const none = '"tpSl":{"tpTriggerType":"NONE","slTriggerType":"NONE"}';
    const flags = '"reverseOrder":true,"reduceOnly":true';
    await bar('trading');
    const tail = `"price":30.00001,"quantity":0.01,${flags},${none}`;
    expect(await ask('NO-USDT-M', `"side":"X","type":"Y","timeInForce":"Z",${tail},"extra":1`)).toMatch(
      /^700004/,
    );
    expect(await ask('NO-USDT-M', `"side":"X","type":"Y","timeInForce":"Z",${tail}`)).toBe('700009 side');
    expect(await ask('NO-USDT-M', `"side":"BUY","type":"Y","timeInForce":"Z",${tail}`)).toBe('700009 type');
    expect(await ask('NO-USDT-M', `${limit},"timeInForce":"Z",${tail}`)).toBe('700009 timeInForce');
    expect(await ask('NO-USDT-M', `${limit},${tail}`)).toMatch(/^700041/);
    expect(await ask('LUNC-USDT-M', `${limit},${tail}`)).toMatch(/^700041/);
    expect(await ask('LINK-USDT-M', `${limit},${tail}`)).toBe('700009 reverseOrder needs MARKET');
    const rest = (price: string, quantity: string): string =>
      `${limit},"price":${price},"quantity":${quantity},${none}`;
    expect(await ask('LINK-USDT-M', rest('30.00001', '0.01'))).toMatch(/^700011 price is not a multiple/);
    expect(await ask('LINK-USDT-M', rest('30', '0.01'))).toMatch(/^700012/);
    expect(await ask('LINK-USDT-M', rest('30', '199999'))).toMatch(/^700061/);
    await bar('opening');
    expect(await ask('LINK-USDT-M', rest('30', '199999'))).toMatch(/^700062/);
    await bar('no');
    expect(await ask('LINK-USDT-M', rest('30', '199999'))).toMatch(/^700011 price beyond/);
    expect(await ask('ETH-USDT-M', rest('3000', '1700'))).toMatch(/^700016/);
    expect(await ask('ETH-USDT-M', rest('3000', '800'))).toMatch(/^700042/);
    expect(await ask('ETH-USDT-M', `${limit},"price":3000,"quantity":800`)).toMatch(/^700017/);
  });

  for (const [expected, name, fields] of cases) {
    it(`${expected}: ${name}`, async () => {
      const reply = await client.post('/ftapi/v1/order', order(fields));
      expect(reply.status).toBe(200);
      expect(reply.envelope).toMatchObject({ code: expected, success: false, data: null });
    });
  }

  it('700001, 700019, 700060, 700061, 700062: by the state of the account', async () => {
    const doge = (fields: string) =>
      client
        .post('/ftapi/v1/order', `{"symbolId":"DOGE-USDT-M",${fields}}`)
        .then(({ envelope }) => envelope.code);
    expect(await doge(`${market},"reduceOnly":true`)).toBe('700001');
    expect(await doge(`${market},"quantity":5`)).toBe('700060');
    await client.control('POST', '/bar', { from: 'opening' });
    expect(await code(`${market},"quantity":1`)).toBe('700062');
    expect(await code(`${market},"quantity":1,"reduceOnly":true`)).toBe('0');
    await client.control('POST', '/bar', { from: 'trading' });
    expect(await code(`${market},"quantity":0.1,"reduceOnly":true`)).toBe('700061');
    expect(
      (await client.post('/ftapi/v1/order', `{"symbolId":"NONE-USDT-M",${market},"quantity":1}`)).envelope,
    ).toMatchObject({ code: '700041', msg: 'no contract NONE-USDT-M' });
  });

  it('a batch: a malformed row changes nothing; a rejected row keeps the rows before it', async () => {
    const count = async (): Promise<number> =>
      ((await client.get('/ftapi/v1/openOrder?limit=1000')).envelope.data as Row[]).length;
    const row = (price: string): string => order(`${limit},"quantity":0.1,"price":${price}`);
    const batch = async (rows: string[]) =>
      (await client.post('/ftapi/v1/batchOrders', `[${rows.join(',')}]`)).envelope;
    const before = await count();
    expect(await batch([row('3000'), row('3000.001')])).toMatchObject({ code: '700011', success: false });
    expect(await count()).toBe(before);
    expect(
      await batch([row('3000'), order(`${limit},"quantity":800,"price":3000`), row('3001')]),
    ).toMatchObject({ code: '700017' });
    expect(await count()).toBe(before + 1);
    expect(await batch([row('3002'), row('3003')])).toMatchObject({ code: '0', success: true, data: true });
    expect(await count()).toBe(before + 3);
    expect(await batch([])).toMatchObject({ code: '700004' });
  });
});
