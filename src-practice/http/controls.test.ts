import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startClient } from '../../tests/practice/client.ts';
import type { Client } from '../../tests/practice/client.ts';

const ORDER = '/ftapi/v1/order';
const BUY = '{"symbolId":"DOGE-USDT-M","side":"BUY","type":"MARKET","quantity":100}';

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(() => client.stop());

const orders = async (): Promise<number> =>
  ((await client.get('/ftapi/v1/orderHis?limit=1000')).envelope.data as unknown[]).length;

describe('faults', () => {
  const cases: [string, object, (text: string, status: number) => void][] = [
    [
      'status',
      { status: 502 },
      (text, status) => expect([status, text.startsWith('<!doctype')]).toEqual([502, true]),
    ],
    ['html', {}, (text, status) => expect([status, text.startsWith('<!doctype')]).toEqual([200, true])],
    ['truncated', {}, (text) => expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)],
    ['duplicate-keys', {}, (text) => expect(text).toMatch(/"code":"700017","code":"0"/)],
    ['contradictory', {}, (text) => expect(JSON.parse(text)).toMatchObject({ code: '0', success: false })],
    ['no-data', {}, (text) => expect(JSON.parse(text)).toEqual({ code: '0', msg: 'success', success: true })],
  ];
  for (const [action, rest, check] of cases) {
    it(`${action}: the order exists although the reply is corrupted`, async () => {
      const before = await orders();
      await client.control('POST', '/faults', { endpoint: 'order', action, ...rest });
      const { text, status } = await client.post(ORDER, BUY);
      check(text, status);
      expect(await orders()).toBe(before + 1);
      expect((await client.post(ORDER, BUY)).envelope.code).toBe('0');
    });
  }

  for (const action of ['reset', 'cut']) {
    for (const accept of [true, false]) {
      it(`${action} ${accept ? 'after' : 'before'} acceptance`, async () => {
        const before = await orders();
        await client.control('POST', '/faults', { endpoint: 'order', action, accept });
        await expect(client.post(ORDER, BUY)).rejects.toThrow();
        expect(await orders()).toBe(before + (accept ? 1 : 0));
      });
    }
  }

  it('delayed visibility: lists a new row only after the delay', async () => {
    await client.control('POST', '/clock', { advanceMs: 6000 });
    const before = await orders();
    expect((await client.post(ORDER, BUY)).envelope.code).toBe('0');
    const rule = { action: 'delayed-visibility', ms: 5000, times: 0 };
    for (const endpoint of ['orderHis', 'trades'])
      await client.control('POST', '/faults', { endpoint, ...rule });
    expect(await orders()).toBe(before);
    const total = async (): Promise<number> =>
      ((await client.get('/stapi/v1/trades')).envelope.data as { total: number }).total;
    const hidden = await total();
    await client.control('POST', '/clock', { advanceMs: 5000 });
    expect(await orders()).toBe(before + 1);
    expect(await total()).toBeGreaterThan(hidden);
  });

  it('page drift: a trade is added before each page is read, so rows move from page to page', async () => {
    const page = async (number: number): Promise<string[]> => {
      const { data } = (await client.get(`/stapi/v1/trades?pageSize=10&pageNumber=${number}`)).envelope
        .data as { data: { tradeId: string }[] };
      return data.map(({ tradeId }) => tradeId);
    };
    const first = await page(1);
    await client.control('POST', '/faults', { endpoint: 'trades', action: 'page-drift', times: 0 });
    expect((await page(2))[0]).toBe(first.at(-1));
  });

  it('unknown enum values: uses a value the API does not list', async () => {
    await client.control('POST', '/faults', { endpoint: '*', action: 'unknown-enum', times: 0 });
    const trades = (await client.get('/stapi/v1/trades')).text;
    const history = (await client.get('/ftapi/v1/orderHis')).text;
    expect(trades).toContain('"liquidity":"UNHEARD_OF"');
    expect(history).toContain('"status":"UNHEARD_OF"');
  });

  it('429 with Retry-After, nothing placed', async () => {
    const before = await orders();
    await client.control('POST', '/faults', { endpoint: '*', action: 'rate-limit', retryAfter: 7 });
    const { status, headers } = await client.post(ORDER, BUY);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect(await orders()).toBe(before);
  });

  it('applies to the nth request, a set number of times, and counts its hits', async () => {
    await client.control('POST', '/faults', {
      endpoint: 'order',
      action: 'code',
      code: '700106',
      nth: 2,
      times: 2,
    });
    const codes: string[] = [];
    for (let i = 0; i < 5; i += 1) codes.push((await client.post(ORDER, BUY)).envelope.code);
    expect(codes).toEqual(['0', '700106', '700106', '0', '0']);
    expect(await client.control('GET', '/faults')).toMatchObject([{ action: 'code', seen: 5, hits: 2 }]);
    await client.control('DELETE', '/faults');
    expect(await client.control('GET', '/faults')).toEqual([]);
  });

  it('delays a reply, not the order; stop ends a delay', async () => {
    await client.control('POST', '/faults', { endpoint: 'order', action: 'delay', ms: 60_000 });
    const before = await orders();
    const waiting = expect(client.post(ORDER, BUY)).rejects.toThrow();
    await expect.poll(orders).toBe(before + 1);
    await client.stop();
    await waiting;
    client = await startClient();
  });

  it('sends a delayed reply when the faults are cleared', async () => {
    await client.control('POST', '/faults', { endpoint: 'order', action: 'delay', ms: 600_000, times: 0 });
    const before = await orders();
    const delayed = client.post(ORDER, BUY);
    await expect.poll(orders).toBe(before + 1);
    await client.control('DELETE', '/faults');
    expect((await delayed).envelope.code).toBe('0');
    expect((await client.post(ORDER, BUY)).envelope.code).toBe('0');
  });
});

describe('controls', () => {
  it('need their token', async () => {
    for (const authorization of ['', 'Bearer wrong']) {
      const response = await fetch(`${client.practice.controls.url}/state`, { headers: { authorization } });
      expect(response.status).toBe(401);
      await response.arrayBuffer();
    }
  });

  it('are not reachable through the API', async () => {
    const response = await fetch(`${client.practice.url}/state`, {
      headers: { authorization: `Bearer ${client.practice.controls.token}` },
    });
    expect(response.status).toBe(404);
    await response.arrayBuffer();
  });

  it('count the requests received', async () => {
    await client.post(ORDER, BUY);
    await client.get('/ftapi/v1/account/info');
    expect(await client.control('GET', '/state')).toMatchObject({
      received: { order: 1, account: 1, batchOrders: 0 },
    });
  });

  it('move the manual clock, funding included', async () => {
    const fund = async (): Promise<unknown[]> => {
      const { data } = (await client.get('/ftapi/v1/account/info')).envelope;
      return (data as { positions: { fundAmount: string }[] }).positions.map((each) => each.fundAmount);
    };
    const before = await fund();
    await client.control('POST', '/clock', { advanceMs: 8 * 3_600_000 });
    expect(await client.control('GET', '/state')).toMatchObject({
      clock: { now: 1_795_392_000_000 + 8 * 3_600_000, speed: 0 },
    });
    expect(await fund()).not.toEqual(before);
  });

  it('set leverage where nothing is open, and reject it otherwise', async () => {
    const set = (symbolId: string, leverage: number) =>
      client.control('POST', '/leverage', { symbolId, leverage, marginMode: 'ISOLATED' });
    await set('SHIB-USDT-M', 7);
    await client.post(ORDER, '{"symbolId":"SHIB-USDT-M","side":"BUY","type":"MARKET","quantity":100000}');
    const { data } = (await client.get('/ftapi/v1/account/info')).envelope;
    expect((data as { positions: object[] }).positions.at(-1)).toMatchObject({
      leverage: 7,
      marginMode: 'ISOLATED',
    });
    await expect(set('BTC-USDT-M', 5)).rejects.toThrow('700048');
    await expect(set('ETH-USD-M', 999)).rejects.toThrow('700019');
  });

  it('grant trial funds, which are spent first and shown', async () => {
    await client.control('POST', '/grant', { coin: 'USDT', amount: '0.01' });
    await client.post(ORDER, BUY);
    const { data } = (await client.get('/ftapi/v1/account/info')).envelope;
    const account = data as { assets: object[]; positions: object[] };
    expect(account.assets[0]).toMatchObject({ totalTrialFundBalance: '0.01' });
    const { deductFeeAmount, feeAmount } = account.positions.at(-1) as Record<string, string>;
    expect(deductFeeAmount).toBe(feeAmount);
  });

  it('reject an invalid input by its field', async () => {
    await expect(client.control('POST', '/clock', { advanceMs: -1 })).rejects.toThrow('advanceMs');
    await expect(client.control('POST', '/shock', { symbolId: 'BTC-USDT-M' })).rejects.toThrow('share');
    await expect(
      client.control('POST', '/faults', { endpoint: 'order', action: 'reset', when: 1 }),
    ).rejects.toThrow('when');
  });

  it('reset to the same new account', async () => {
    const fresh = (await client.get('/stapi/v1/trades')).text;
    await client.post(ORDER, BUY);
    expect((await client.get('/stapi/v1/trades')).text).not.toBe(fresh);
    await client.control('POST', '/reset', {});
    expect((await client.get('/stapi/v1/trades')).text).toBe(fresh);
  });
});
