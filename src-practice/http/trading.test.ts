/** Orders through HTTP: what each kind does, and the codes it is refused with. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startClient } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';

type Row = Record<string, unknown>;
interface State {
  contracts: { symbolId: string; bid: string; ask: string; mark: string }[];
}

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(() => client.stop());

const order = (fields: string): string => `{"symbolId":"ETH-USDT-M",${fields}}`;
const place = async (fields: string) => (await client.post('/ftapi/v1/order', order(fields))).envelope;
const code = async (fields: string): Promise<string> => (await place(fields)).code;

async function placed(fields: string): Promise<Row> {
  const { code: given, msg, data } = await place(fields);
  expect([given, msg]).toEqual(['0', 'success']);
  const { envelope } = await client.get(`/ftapi/v1/orderHis?orderId=${String(data)}`);
  const [row] = envelope.data as Row[];
  if (!row) throw new Error('the order is not in the history');
  return row;
}

async function prices(): Promise<{ bid: string; ask: string; mark: string }> {
  const { contracts } = (await client.control('GET', '/state')) as State;
  const found = contracts.find(({ symbolId }) => symbolId === 'ETH-USDT-M');
  if (!found) throw new Error('no ETH-USDT-M');
  return found;
}

const shifted = (price: string, cents: number): string =>
  ((Math.round(Number(price) * 100) + cents) / 100).toFixed(2);

/** Of the seeded account: 1.40 short. */
async function position(): Promise<Row | undefined> {
  const { envelope } = await client.get('/ftapi/v1/account/info');
  return (envelope.data as { positions: Row[] }).positions.find((each) => each['symbolId'] === 'ETH-USDT-M');
}

describe('what an order does', () => {
  it('MARKET fills, has price 0 and its fee at the taker rate', async () => {
    const row = await placed('"side":"SELL","type":"MARKET","quantity":0.50');
    expect(row).toMatchObject({
      status: 'FILLED',
      price: '0',
      tradeQuantity: '0.50',
      positionId: (await position())?.['positionId'],
    });
    expect(await position()).toMatchObject({ side: 'SELL', quantity: '1.90' });
  });

  it('LIMIT rests with its lock, and fills as a maker at its own price when the market comes', async () => {
    const { bid } = await prices();
    const price = shifted(bid, -500);
    const row = await placed(`"side":"BUY","type":"LIMIT","quantity":0.20,"price":${price}`);
    expect(row).toMatchObject({
      status: 'NEW',
      avgPrice: null,
      positionId: '0',
      releasedLock: '0',
      cancelReason: 0,
    });
    expect(Number(row['locked'])).toBeGreaterThan(0);
    await client.control('POST', '/shock', { symbolId: 'ETH-USDT-M', share: '0.98' });
    const { envelope } = await client.get(`/stapi/v1/trades?orderId=${String(row['id'])}`);
    expect((envelope.data as { data: Row[] }).data).toMatchObject([
      { price, liquidity: 'MAKER', executedQty: '0.20', offset: 1 },
    ]);
    const done = (await client.get(`/ftapi/v1/orderHis?orderId=${String(row['id'])}`)).envelope.data as Row[];
    expect(done[0]).toMatchObject({ status: 'FILLED', releasedLock: row['locked'] });
  });

  it('IOC fills what it meets and cancels the rest; FOK does all or nothing', async () => {
    const { ask } = await prices();
    const ioc = await placed(`"side":"BUY","type":"LIMIT","timeInForce":"IOC","quantity":40,"price":${ask}`);
    expect(ioc).toMatchObject({ status: 'CANCELED', cancelReason: 2, quantity: '0.00' });
    const traded = Number(ioc['tradeQuantity']);
    expect(traded).toBeGreaterThan(0);
    expect(traded + Number(ioc['cancelQuantity'])).toBeCloseTo(40, 9);
    const best = (await prices()).ask;
    const fok = await placed(`"side":"BUY","type":"LIMIT","timeInForce":"FOK","quantity":40,"price":${best}`);
    expect(fok).toMatchObject({ status: 'CANCELED', tradeQuantity: '0.00', cancelQuantity: '40.00' });
  });

  it('post-only rests, or is refused when it would take', async () => {
    const { bid, ask } = await prices();
    expect(await code(`"side":"BUY","type":"LIMIT","postOnly":true,"quantity":0.1,"price":${ask}`)).toBe(
      '700011',
    );
    const row = await placed(
      `"side":"BUY","type":"LIMIT","postOnly":true,"quantity":0.1,"price":${shifted(bid, -10)}`,
    );
    expect(row).toMatchObject({ status: 'NEW', postOnly: 1 });
  });

  it('reduce-only closes at most the position, locks nothing, and without quantity all of it', async () => {
    const over = await placed('"side":"BUY","type":"MARKET","reduceOnly":true,"quantity":1.00');
    expect(over).toMatchObject({ status: 'FILLED', locked: '0', reduceOnly: 1 });
    expect(await position()).toMatchObject({ quantity: '0.40' });
    const capped = await placed('"side":"BUY","type":"MARKET","reduceOnly":true,"quantity":1.00');
    expect(capped).toMatchObject({
      totalQuantity: '1.00',
      tradeQuantity: '0.40',
      cancelQuantity: '0.60',
      cancelReason: 2,
    });
    expect(await position()).toBeUndefined();
  });

  it('closes the whole position without a quantity, and a resting take-profit ends with it', async () => {
    const { bid } = await prices();
    const profit = await placed(
      `"side":"BUY","type":"LIMIT","reduceOnly":true,"quantity":1.00,"price":${shifted(bid, -5000)}`,
    );
    const close = await placed('"side":"BUY","type":"MARKET","reduceOnly":true');
    expect(close).toMatchObject({ status: 'FILLED', totalQuantity: '1.40' });
    expect(await position()).toBeUndefined();
    const [after] = (await client.get(`/ftapi/v1/orderHis?orderId=${String(profit['id'])}`)).envelope
      .data as Row[];
    expect(after).toMatchObject({ status: 'CANCELED', cancelReason: 2, cancelQuantity: '1.00' });
  });

  it('reverse closes the old position and opens `quantity` the other way', async () => {
    const row = await placed('"side":"BUY","type":"MARKET","reverseOrder":true,"quantity":0.30');
    expect(row).toMatchObject({ source: 10, reverseOrder: 1, totalQuantity: '0.30', status: 'FILLED' });
    expect(await position()).toMatchObject({ side: 'BUY', quantity: '0.30' });
    expect((await position())?.['positionId']).toBe(row['positionId']);
  });

  it('one-way: an opposite order beyond the position turns it', async () => {
    const before = await position();
    await placed('"side":"BUY","type":"MARKET","quantity":2.00');
    const after = await position();
    expect(after).toMatchObject({ side: 'BUY', quantity: '0.60' });
    expect(after?.['positionId']).not.toBe(before?.['positionId']);
  });

  it('hedge: reduceOnly selects the leg', async () => {
    const each = await startClient({ history: 0 });
    const { envelope } = await each.get('/ftapi/v1/account/info');
    for (const { symbolId, side } of (envelope.data as { positions: { symbolId: string; side: string }[] })
      .positions) {
      const closing = side === 'BUY' ? 'SELL' : 'BUY';
      await each.post(
        '/ftapi/v1/order',
        `{"symbolId":"${symbolId}","side":"${closing}","type":"MARKET","reduceOnly":true}`,
      );
    }
    for (const { orderId } of (await each.get('/ftapi/v1/openOrder')).envelope.data as {
      orderId: string;
    }[]) {
      await each.control('POST', '/cancel', { orderId });
    }
    await each.control('POST', '/position-mode', { mode: 'HEDGE' });
    for (const fields of [
      '"side":"BUY","type":"MARKET","quantity":1',
      '"side":"SELL","type":"MARKET","quantity":0.5',
      '"side":"SELL","type":"MARKET","quantity":0.25,"reduceOnly":true',
    ]) {
      expect((await each.post('/ftapi/v1/order', order(fields))).envelope.code).toBe('0');
    }
    const after = (await each.get('/ftapi/v1/account/info')).envelope.data as { positions: Row[] };
    await each.stop();
    expect(after.positions).toMatchObject([
      { side: 'BUY', quantity: '0.75', positionMode: 'HEDGE' },
      { side: 'SELL', quantity: '0.50', positionMode: 'HEDGE' },
    ]);
  });

  it('lets an own resting order yield to one that would meet it', async () => {
    const { ask, bid } = await prices();
    const inside = shifted(bid, 1);
    expect(Number(inside)).toBeLessThan(Number(ask));
    const resting = await placed(`"side":"SELL","type":"LIMIT","quantity":0.1,"price":${inside}`);
    await placed('"side":"BUY","type":"MARKET","quantity":0.1');
    const [after] = (await client.get(`/ftapi/v1/orderHis?orderId=${String(resting['id'])}`)).envelope
      .data as Row[];
    expect(after).toMatchObject({ status: 'CANCELED', cancelReason: 2, tradeQuantity: '0.00' });
  });

  it('carries TP/SL on the open order', async () => {
    const tpSl =
      '"tpSl":{"tpTriggerType":"MARK_PRICE","tpPrice":3600,"slTriggerType":"LAST_PRICE","slPrice":2700.5,"slExecutePrice":2690}';
    const { data } = await place(`"side":"BUY","type":"LIMIT","quantity":0.1,"price":3000,${tpSl}`);
    const [row] = (await client.get(`/ftapi/v1/openOrder?orderId=${String(data)}`)).envelope.data as Row[];
    expect(row?.['tpSl']).toEqual({
      tpPrice: '3600',
      tpExecutePrice: null,
      tpPriceType: 2,
      slPrice: '2700.5',
      slExecutePrice: '2690',
      slPriceType: 1,
    });
  });
});

describe('refusals', () => {
  const limit = '"side":"BUY","type":"LIMIT"';
  const market = '"side":"BUY","type":"MARKET"';
  const tp = (kind: string, price: number, rest = ''): string =>
    `"tpSl":{"tpTriggerType":"${kind}","tpPrice":${price},"slTriggerType":"NONE"${rest}}`;
  const sl = (kind: string, price: number, rest = ''): string =>
    `"tpSl":{"tpTriggerType":"NONE","slTriggerType":"${kind}","slPrice":${price}${rest}}`;
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
  for (const [expected, name, fields] of cases) {
    it(`${expected}: ${name}`, async () => {
      const answer = await client.post('/ftapi/v1/order', order(fields));
      expect(answer.status).toBe(200);
      expect(answer.envelope).toMatchObject({ code: expected, success: false, data: null });
    });
  }

  it('700001, 700019, 700060, 700061, 700062 by the state of the account', async () => {
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
      (await client.post('/ftapi/v1/order', `{"symbolId":"NONE-USDT-M",${market},"quantity":1}`)).envelope
        .code,
    ).toBe('700009');
  });

  it('a batch: malformed anywhere changes nothing; refused at a row leaves the rows before it', async () => {
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
