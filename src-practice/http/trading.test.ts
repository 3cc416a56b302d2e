/** The effect of each kind of order, through HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startClient } from '../../tests/practice/client.ts';
import type { Client } from '../../tests/practice/client.ts';

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

/** The seeded account's position: 1.40 short. */
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

  it('LIMIT rests with its lock, and fills as a maker at its own price', async () => {
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

  it('IOC fills what it matches and cancels the rest; FOK does all or nothing', async () => {
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

  it('post-only rests, or is rejected when it would take', async () => {
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

  it('one-way: an opposite order beyond the position reverses it', async () => {
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

  it('cancels an own resting order that a new one would match', async () => {
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
