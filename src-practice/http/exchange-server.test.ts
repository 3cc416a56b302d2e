import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import { readData } from '../../src-shared/exchange-api/replies.ts';
import type { Drift, ReadReport, UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import { MANUAL_START, startPractice } from '../start.ts';
import { send, signed, startClient } from '../../tests/practice/client.ts';
import type { Client } from '../../tests/practice/client.ts';

const ACCOUNT = '/ftapi/v1/account/info';
const ORDER = '/ftapi/v1/order';
const BUY = '{"symbolId":"ETH-USDT-M","side":"BUY","type":"MARKET","quantity":0.10}';

let client: Client;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.stop());

const rows = async (target: string): Promise<Record<string, unknown>[]> => {
  const { envelope } = await client.get(target);
  expect(envelope).toMatchObject({ code: '0', success: true });
  return envelope.data as Record<string, unknown>[];
};

describe('signing', () => {
  it('replies 401 and does nothing when key, signature, timestamp, body or query was not signed', async () => {
    const { practice } = client;
    const good = signed(practice, 'POST', ORDER, BUY);
    const before = (await rows('/ftapi/v1/orderHis?limit=1000')).length;
    const rejections = [
      await send(practice, 'POST', ORDER, BUY, { ...good, 'X-API-KEY': 'another' }),
      await send(practice, 'POST', ORDER, BUY, { ...good, 'X-SIGNATURE': '0'.repeat(64) }),
      await send(practice, 'POST', ORDER, BUY, { ...good, 'X-TIMESTAMP': '1' }),
      await send(practice, 'POST', ORDER, BUY.replace('0.10', '9.10'), good),
      await send(practice, 'GET', `${ACCOUNT}?a=1`, '', signed(practice, 'GET', ACCOUNT, '')),
      await send(practice, 'GET', ACCOUNT, '', {}),
    ];
    for (const { status, envelope } of rejections) {
      expect(status).toBe(401);
      expect(envelope).toMatchObject({ code: '401', success: false, data: null });
    }
    expect((await rows('/ftapi/v1/orderHis?limit=1000')).length).toBe(before);
  });

  it('checks the time window at speed 1 only', async () => {
    const stale = String(Date.now() - 31_000);
    const { practice } = client;
    const headers = signed(practice, 'GET', ACCOUNT, '', stale);
    expect((await send(practice, 'GET', ACCOUNT, '', headers)).status).toBe(200);
    const real = await startPractice({ speed: 1, history: 0 });
    const late = await send(real, 'GET', ACCOUNT, '', signed(real, 'GET', ACCOUNT, '', stale));
    const fresh = await send(real, 'GET', ACCOUNT, '', signed(real, 'GET', ACCOUNT, ''));
    await real.stop();
    expect([late.status, fresh.status]).toEqual([401, 200]);
    expect(late.envelope.msg).toContain('30 s');
  });

  it('shows its own time in Date', async () => {
    const { headers } = await client.get(ACCOUNT);
    expect(headers.get('date')).toBe(new Date(MANUAL_START).toUTCString());
  });

  it('is not behind by the time that its start took', async () => {
    let calls = 0;
    const now = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => (calls++ === 0 ? MANUAL_START : MANUAL_START + 5_000));
    const slow = await startPractice({ speed: 1, history: 0 });
    const { headers } = await send(slow, 'GET', ACCOUNT, '', {});
    await slow.stop();
    now.mockRestore();
    expect(headers.get('date')).toBe(new Date(MANUAL_START + 5_000).toUTCString());
  });
});

describe('records', () => {
  it('match the schemas of the app: every field, no others, with two known drifts', async () => {
    const drifts: Drift[] = [];
    const unreadable: UnreadableRecord[] = [];
    const note: ReadReport = {
      drift: (one) => drifts.push(one),
      unreadable: (one) => unreadable.push(one),
    };
    const data = async (target: string): Promise<unknown> => {
      const { data: found } = parseLossless((await client.get(target)).text) as { data: unknown };
      return found;
    };
    const account = readData('account', await data(ACCOUNT), note);
    const open = readData('openOrders', await data('/ftapi/v1/openOrder'), note);
    const history = readData('orderHistory', await data('/ftapi/v1/orderHis?limit=1000'), note);
    const config = readData('symbolConfig', await data('/ftapi/v1/symbolConfig'), note);
    const trades = readData('trades', await data('/stapi/v1/trades?pageSize=500'), note);
    expect(unreadable).toEqual([]);
    expect([account.positions.length, open.length, config.length]).toEqual([4, 2, 13]);
    expect([history.length, trades.data.length]).not.toContain(0);
    // Both are chosen here: a maker's liquidity, and the reason of an order that was not cancelled.
    expect(new Set(drifts.map(({ field, value }) => `${field} ${value ?? 'unknown field'}`))).toEqual(
      new Set(['liquidity MAKER', 'cancelReason 0']),
    );
  });

  it('writes tiers as JSON numbers, contiguous and rising', async () => {
    const contracts = await rows('/ftapi/v1/symbolConfig');
    expect(contracts.filter((each) => each['contractSide'] === 'FORWARD').length).toBeGreaterThanOrEqual(4);
    expect(contracts.filter((each) => each['contractSide'] === 'REVERSE').length).toBeGreaterThanOrEqual(2);
    for (const { riskLimitConfigs } of contracts) {
      const tiers = riskLimitConfigs as Record<string, number>[];
      expect(tiers.length).toBeGreaterThanOrEqual(6);
      expect(tiers[0]).toMatchObject({ level: 1, minPositionValue: 0 });
      for (const [i, tier] of tiers.entries()) {
        const before = tiers[i - 1];
        if (!before) continue;
        expect(tier['minPositionValue']).toBe(before['maxPositionValue']);
        expect(tier['maintainMarginRate']).toBeGreaterThan(before['maintainMarginRate'] ?? 1);
        expect(tier['maxLeverage']).toBeLessThan(before['maxLeverage'] ?? 0);
      }
    }
  });

  it('makes as many contracts as asked for, all but the closed one tradable', async () => {
    const many = await startClient({ contracts: 40 });
    const config = (await many.get('/ftapi/v1/symbolConfig')).envelope.data as { symbolId: string }[];
    expect(new Set(config.map((each) => each.symbolId)).size).toBe(40);
    const { contracts } = (await many.control('GET', '/state')) as {
      contracts: { symbolId: string; minQuantity: string; open: boolean }[];
    };
    for (const { symbolId, minQuantity, open } of contracts) {
      if (!open) continue;
      const body = `{"symbolId":"${symbolId}","side":"BUY","type":"MARKET","quantity":${minQuantity}}`;
      expect([symbolId, (await many.post(ORDER, body)).envelope.msg]).toEqual([symbolId, 'success']);
    }
    await many.stop();
  });

  it('gives ids no double can hold', async () => {
    for (const { id } of await rows('/ftapi/v1/orderHis')) {
      expect(BigInt(String(id)) > 2n ** 53n && BigInt(String(id)) < 2n ** 63n).toBe(true);
      expect(String(Number(id))).not.toBe(id);
    }
  });
});

describe('filters and pages', () => {
  it('filters orders by symbol, id and creation time, newest first, up to the limit', async () => {
    const all = await rows('/ftapi/v1/orderHis?limit=1000');
    const times = all.map((each) => Number(each['orderTime']));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [, second] = all;
    expect(await rows(`/ftapi/v1/orderHis?orderId=${String(second?.['id'])}`)).toEqual([second]);
    const sol = await rows('/ftapi/v1/orderHis?symbolId=SOL-USDT-M&limit=1000');
    expect(sol).toEqual(all.filter((each) => each['symbolId'] === 'SOL-USDT-M'));
    const [from, to] = [times[60], times[20]];
    const between = await rows(`/ftapi/v1/orderHis?startTime=${from}&endTime=${to}&limit=1000`);
    expect(between).toEqual(
      all.filter(
        (each) => Number(each['orderTime']) >= (from ?? 0) && Number(each['orderTime']) <= (to ?? 0),
      ),
    );
    expect(await rows('/ftapi/v1/orderHis?limit=3')).toEqual(all.slice(0, 3));
    expect(await rows('/ftapi/v1/openOrder?symbolId=SHIB-USDT-M')).toEqual([]);
  });

  it('rejects unknown, malformed or out-of-range parameters with 500', async () => {
    for (const target of [
      '/ftapi/v1/openOrder?symbol=BTC-USDT-M',
      '/ftapi/v1/orderHis?limit=1001',
      '/ftapi/v1/orderHis?limit=0',
      '/ftapi/v1/orderHis?startTime=yesterday',
      '/ftapi/v1/orderHis?limit=1&limit=2',
      '/stapi/v1/trades?side=HOLD',
      '/stapi/v1/trades?pageNumber=0',
      '/ftapi/v1/account/info?x=1',
    ]) {
      const { status, envelope } = await client.get(target);
      expect([target, status, envelope.code, envelope.success]).toEqual([target, 200, '500', false]);
    }
  });

  for (const [base, order] of [
    [0, 'asc'],
    [1, 'desc'],
    [0, 'none'],
  ] as const) {
    it(`pages from ${base} in order ${order} hold every trade once`, async () => {
      const paged = await startClient({ pageBase: base, order, maxPageSize: 30 });
      const page = async (number: number, size: number) =>
        (await paged.get(`/stapi/v1/trades?pageNumber=${number}&pageSize=${size}`)).envelope.data as {
          data: { tradeId: string }[];
          pageCount: number;
          total: number;
        };
      const first = await page(base, 1000);
      expect(first.data.length).toBe(30);
      const ids = first.data.map((each) => each.tradeId);
      for (let number = base + 1; number < base + first.pageCount; number += 1) {
        ids.push(...(await page(number, 1000)).data.map((each) => each.tradeId));
      }
      expect((await page(base + first.pageCount, 1000)).data).toEqual([]);
      const all = (await paged.control('GET', '/trades')) as { tradeId: string }[];
      await paged.stop();
      expect(ids.length).toBe(first.total);
      const oldestFirst = all.map((each) => each.tradeId);
      expect(ids.toSorted()).toEqual(oldestFirst.toSorted());
      if (order === 'asc') expect(ids).toEqual(oldestFirst);
      if (order === 'desc') expect(ids.toReversed()).toEqual(oldestFirst);
    });
  }
});

describe('replay', () => {
  it('gives the same bytes for the same seed, clock and requests', async () => {
    const run = async (): Promise<string[]> => {
      const each = await startClient({ seed: 21 });
      const texts: string[] = [];
      texts.push((await each.post(ORDER, BUY)).text);
      await each.control('POST', '/clock', { advanceMs: 61_500 });
      texts.push((await each.post(ORDER, BUY.replace('0.10', '100000.10'))).text);
      for (const target of [ACCOUNT, '/ftapi/v1/openOrder', '/ftapi/v1/orderHis', '/stapi/v1/trades']) {
        texts.push((await each.get(target)).text);
      }
      await each.stop();
      return texts;
    };
    expect(await run()).toEqual(await run());
  });
});
