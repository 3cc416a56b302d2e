/** Each habit has the effect its value describes over HTTP, and the engine's figures stay unchanged. */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { send, signed, startClient } from '../../tests/practice/client.ts';
import type { Client } from '../../tests/practice/client.ts';
import { HABIT_NAMES, HABITS } from '../habits.ts';
import type { Habit } from '../habits.ts';
import { JsonNumber, readJson } from './json.ts';
import type { Json } from './json.ts';
import { ACCOUNT, CONTRACT, HISTORY_ORDER, OPEN_ORDER, TRADE_PAGE } from './record-fields.ts';
import type { FieldKinds } from './record-fields.ts';

const ORDER = '/ftapi/v1/order';
const ACCOUNT_PATH = '/ftapi/v1/account/info';
const OPEN = '/ftapi/v1/openOrder';
const HISTORY = '/ftapi/v1/orderHis';
const TRADES = '/stapi/v1/trades';
const BUY = '{"symbolId":"DOGE-USDT-M","side":"BUY","type":"MARKET","quantity":100}';

let client: Client;
afterEach(() => client.stop());

const start = async (habits: Record<string, string>): Promise<void> => {
  client = await startClient({ habits });
};
type Row = Record<string, unknown>;
const list = async (target: string): Promise<Row[]> => (await client.get(target)).envelope.data as Row[];
const page = async (query = ''): Promise<{ data: Row[]; pageCount: number; total: number }> =>
  (await client.get(TRADES + query)).envelope.data as { data: Row[]; pageCount: number; total: number };
const rejectionOf = async (target: string): Promise<[number, string]> => {
  const { status, envelope } = await client.get(target);
  return [status, envelope.code];
};

describe('the default habits', () => {
  it('reply with the pinned bytes', async () => {
    await start({});
    const hash = createHash('sha256');
    const posts = [BUY, BUY.replace('100', '1')];
    for (const body of posts) {
      const { status, text } = await client.post(ORDER, body);
      hash.update(`${status} ${text}\n`);
    }
    for (const target of [
      ...[
        ACCOUNT_PATH,
        OPEN,
        `${HISTORY}?limit=1000`,
        '/ftapi/v1/symbolConfig',
        TRADES,
        `${HISTORY}?limit=0`,
      ],
      ...[`${TRADES}?pageNumber=0`, `${TRADES}?pageNumber=99&pageSize=9`, `${TRADES}?pageSize=1000&side=BUY`],
    ]) {
      const { status, text, headers } = await client.get(target);
      hash.update(`${status} ${headers.get('date')} ${text}\n`);
    }
    expect(hash.digest('hex')).toBe('3f1ea0adb4da3724b6e9f48b9151728727f0e8f1e2f775938dcf091f4f0e479c');
  });

  it('define the kind of every field the engine writes, and of no other', async () => {
    await start({});
    await client.post(
      ORDER,
      BUY.replace('}', ',"tpSl":{"tpTriggerType":"MARK_PRICE","tpPrice":0.9,"slTriggerType":"NONE"}}'),
    );
    const unknown = (kinds: FieldKinds, value: Json): string[] => {
      if (Array.isArray(value)) return [...new Set(value.flatMap((each) => unknown(kinds, each)))];
      if (!(value instanceof Map)) return [];
      const missing = Object.keys(kinds).filter((name) => !value.has(name));
      return [...value]
        .flatMap(([name, each]) => {
          const kind = kinds[name];
          if (kind === undefined) return [name];
          return typeof kind === 'string' ? [] : unknown(kind, each);
        })
        .concat(missing);
    };
    for (const [target, kinds] of [
      [ACCOUNT_PATH, ACCOUNT],
      [OPEN, OPEN_ORDER],
      [HISTORY, HISTORY_ORDER],
      ['/ftapi/v1/symbolConfig', CONTRACT],
      [TRADES, TRADE_PAGE],
    ] as const) {
      const envelope = readJson((await client.get(target)).text);
      expect([target, unknown(kinds, (envelope as Map<string, Json>).get('data') ?? null)]).toEqual([
        target,
        [],
      ]);
    }
  });
});

describe('pages and lists', () => {
  it('count pages from 0, and reply to a page out of range as the habit says', async () => {
    await start({ 'page-base': '0', 'page-size': '30', 'page-outside': 'empty' });
    const { total, pageCount, data } = await page('?pageNumber=0&pageSize=1000');
    expect([data.length, pageCount]).toEqual([30, Math.ceil(total / 30)]);
    expect((await page(`?pageNumber=${pageCount}&pageSize=30`)).data).toEqual([]);
    await client.stop();
    await start({ 'page-size': '30', 'page-outside': 'nearest' });
    expect((await page('?pageNumber=0&pageSize=30')).data).toEqual((await page('?pageSize=30')).data);
    const last = await page(`?pageNumber=${pageCount}&pageSize=30`);
    expect((await page('?pageNumber=99&pageSize=30')).data).toEqual(last.data);
    await client.stop();
    await start({ 'page-outside': 'refused' });
    expect(await rejectionOf(`${TRADES}?pageNumber=0`)).toEqual([200, '500']);
    expect(await rejectionOf(`${TRADES}?pageNumber=99`)).toEqual([200, '500']);
    await client.stop();
    await start({ 'page-outside': 'empty' });
    expect(await page('?pageNumber=0')).toMatchObject({ data: [], total });
  });

  it('reject a page size that is too large, or shorten the page', async () => {
    await start({ 'page-size': '20', 'page-default': '10', 'page-too-large': 'refused' });
    expect(await rejectionOf(`${TRADES}?pageSize=21`)).toEqual([200, '500']);
    expect((await page('?pageSize=20')).data.length).toBe(20);
    expect((await page()).data.length).toBe(10);
    await client.stop();
    await start({ 'page-size': '20', 'page-too-large': 'refused-400' });
    expect(await rejectionOf(`${TRADES}?pageSize=21`)).toEqual([400, '500']);
    expect((await page()).data.length).toBe(20);
  });

  it('order orders and trades independently', async () => {
    await start({ 'trade-order': 'asc', 'order-order': 'desc', 'limit-default': '10' });
    const times = (await page()).data.map((row) => Number(row['tradeTime']));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const created = (await list(HISTORY)).map((row) => Number(row['orderTime']));
    expect(created.length).toBe(10);
    expect(created).toEqual(created.toSorted((a, b) => b - a));
  });

  it('order balances, positions and contracts anew in each reply', async () => {
    const orders = async () => {
      const account = (await client.get(ACCOUNT_PATH)).envelope.data as Record<'assets' | 'positions', Row[]>;
      const contracts = await list('/ftapi/v1/symbolConfig');
      return JSON.stringify([
        account.assets.map((row) => row['coin']),
        account.positions.map((row) => row['symbolId']),
        contracts.map((row) => row['symbolId']),
      ]);
    };
    await start({ 'row-order': 'changing' });
    expect(new Set([await orders(), await orders(), await orders()]).size).toBe(3);
    await client.stop();
    await start({});
    expect(await orders()).toBe(await orders());
  });

  it.each([
    ['both', 1, 1],
    ['neither', 0, 0],
    ['start', 1, 0],
    ['end', 0, 1],
  ])('include %s of the time bounds', async (bounds, atStart, atEnd) => {
    await start({ 'time-bounds': bounds });
    const times = [...new Set((await list(`${HISTORY}?limit=1000`)).map((row) => Number(row['orderTime'])))];
    const [to = 0, , , from = 0] = times;
    const found = (await list(`${HISTORY}?startTime=${from}&endTime=${to}&limit=1000`)).map(
      (row) => row['orderTime'],
    );
    expect([found.includes(from), found.includes(to)]).toEqual([atStart === 1, atEnd === 1]);
    const traded = [...new Set((await page()).data.map((row) => Number(row['tradeTime'])))];
    const [last = 0, , , first = 0] = traded;
    const trades = (await page(`?startTime=${first}&endTime=${last}`)).data.map((row) => row['tradeTime']);
    expect([trades.includes(first), trades.includes(last)]).toEqual([atStart === 1, atEnd === 1]);
  });

  it('obey filters, all but the contract, or none', async () => {
    for (const [filters, narrow] of [
      ['obeyed', [true, true, true]],
      ['symbol-ignored', [false, true, true]],
      ['ignored', [false, false, false]],
    ] as const) {
      await start({ filters });
      const all = await list(`${HISTORY}?limit=1000`);
      const { total } = await page();
      expect([
        (await list(`${HISTORY}?symbolId=SOL-USDT-M&limit=1000`)).length < all.length,
        (await list(`${HISTORY}?orderId=${String(all[3]?.['id'])}`)).length === 1,
        (await page('?side=BUY&liquidity=MAKER')).total < total,
      ]).toEqual(narrow);
      await client.stop();
    }
    await start({});
  });

  it('list orders that ended among the open ones', async () => {
    await start({ 'open-orders': 'ended' });
    const placed = await client.post(ORDER, BUY);
    const rows = await list(OPEN);
    expect(rows.find((row) => row['orderId'] === placed.envelope.data)?.['status']).toBe('FILLED');
    expect(new Set(rows.map((row) => row['status']))).toEqual(new Set(['OPEN', 'FILLED']));
    expect(new Set(rows.map((row) => row['orderId'])).size).toBe(rows.length);
  });

  it('list each order once where an account has only a few', async () => {
    client = await startClient({ history: 0, habits: { 'open-orders': 'ended' } });
    const ids = (await list(OPEN)).map((row) => row['orderId']);
    const past = (await list(`${HISTORY}?limit=1000`)).map((row) => row['id']);
    expect(ids.toSorted()).toEqual(past.toSorted());
  });

  it('limit open orders and batches', async () => {
    await start({ 'resting-limit': '3', 'batch-limit': '5' });
    const limit = '{"symbolId":"DOGE-USDT-M","side":"BUY","type":"LIMIT","quantity":100,"price":0.15}';
    expect((await client.post(ORDER, limit)).envelope.code).toBe('0');
    expect((await client.post(ORDER, limit)).envelope).toMatchObject({
      code: '700052',
      msg: 'at most 3 resting orders',
    });
    const rows = (count: number): string => `[${new Array<string>(count).fill(BUY).join(',')}]`;
    expect((await client.post('/ftapi/v1/batchOrders', rows(6))).envelope.code).toBe('700052');
    expect((await client.post('/ftapi/v1/batchOrders', rows(5))).envelope.code).toBe('0');
  });
});

describe('decimals and fields', () => {
  const amountOf = async (): Promise<[total: string, mark: string, rate: string, zero: string]> => {
    const data = (await client.get(ACCOUNT_PATH)).envelope.data as Row & { positions: Row[] };
    const [position] = data.positions;
    return [
      String(data['balance']),
      String(position?.['markPrice']),
      String(position?.['marginRate']),
      String(position?.['deductFeeAmount']),
    ];
  };

  it.each([
    ['short', /^\d+\.\d*[1-9]$/, /^\d+(\.\d*[1-9])?$/, /^0\.\d*[1-9]$/, /^0$/],
    ['padded', /^\d+\.\d{20}$/, /^\d+\.\d{20}$/, /^0\.\d{8}0{12}$/, /^0\.0{20}$/],
    ['long', /^\d+\.\d{8}0{32}$/, /^\d+\.\d0{39}$/, /^0\.\d{4,8}(142857)+/, /^0\.0{40}$/],
    ['longest', /^\d+\.\d{60}$/, /^\d+\.\d{60}$/, /^0\.\d{60}$/, /^0\.0{60}$/],
    ['exponent', /^\d+\.\d{1,8}$/, /^\d+\.\d$/, /^0\.\d+$/, /^0E-8$/],
  ])('can be the same values written with other digits: %s', async (decimals, total, mark, rate, zero) => {
    await start({});
    const plain = await amountOf();
    await client.stop();
    await start({ decimals });
    const figures = await amountOf();
    for (const [i, form] of [total, mark, rate, zero].entries()) expect(figures[i]).toMatch(form);
    // Existing digits stay; only a quotient gets more.
    for (const i of [0, 1, 2])
      expect(figures[i]?.startsWith(plain[i]?.replace(/\.?0+$/, '') ?? '?')).toBe(true);
  });

  it('add a coin with that many digits, for which the identities hold', async () => {
    await start({ decimals: 'long' });
    const { assets } = (await client.get(ACCOUNT_PATH)).envelope.data as { assets: Row[] };
    const coin = assets.at(-1);
    expect(coin).toMatchObject({ coin: 'LONG', balance: coin?.['available'], equities: coin?.['balance'] });
    expect(String(coin?.['balance'])).toMatch(/^[1-9]\d{39}\.\d{39}1$/);
  });

  it('can be JSON numbers, ids included, without losing a digit', async () => {
    await start({ 'text-fields': 'numbers', decimals: 'exponent' });
    const { text } = await client.get(OPEN);
    expect(text).toMatch(/"avgPrice":0E-8,.*"orderId":1790448213507215\d{3},/);
    await client.stop();
    await start({ 'text-fields': 'decimals-as-numbers' });
    expect((await client.get(OPEN)).text).toMatch(/"avgPrice":0,.*"orderId":"1790448213507215\d{3}",/);
    const placed = await client.post(ORDER, BUY);
    expect(placed.text).toMatch(/"data":"\d{19}"/);
  });

  it('can be text where they are integers', async () => {
    await start({ integers: 'text' });
    expect((await client.get(TRADES)).text).toMatch(/"offset":"[01]".*"tradeTime":"\d{13}".*"total":"\d+"/);
    expect((await client.get('/ftapi/v1/symbolConfig')).text).toMatch(/"defaultLeverage":"\d+".*"level":"1"/);
  });

  it.each([
    ['mixed', '0', null, '0', ''],
    ['empty', '', '', '', ''],
    ['null', null, null, null, ''],
    ['zero', '0', '0', '0', '0'],
  ])('write a field without meaning as the habit says: %s', async (form, price, rate, profit, condition) => {
    await start({ 'no-figure': form });
    const market = (await list(`${HISTORY}?limit=1000`)).find((row) => row['type'] === 'MARKET');
    expect(market).toMatchObject({ price, liquidationFeeRate: rate, conditionOrderId: condition });
    const [open] = await list(OPEN);
    expect(open).toMatchObject({ avgPrice: profit, profit });
    expect(open?.['price']).toMatch(/^[1-9]|^0\.\d*[1-9]/);
  });

  it('can be rates times 100, and only rates', async () => {
    const rates = async (): Promise<(string | undefined)[]> => {
      const data = (await client.get(ACCOUNT_PATH)).envelope.data as { assets: Row[]; positions: Row[] };
      return [
        ...data.assets.map((row) => String(row['crossedMaintainMarginRate'])),
        ...data.positions.flatMap((row) => [String(row['marginRate']), String(row['profitUnrealRate'])]),
      ];
    };
    await start({});
    const ones = await rates();
    const maker = (await list(HISTORY))[0]?.['feeRateMaker'];
    await client.stop();
    await start({ ratios: '100' });
    expect((await rates()).map((rate) => (Number(rate) / 100).toFixed(8))).toEqual(
      ones.map((rate) => Number(rate).toFixed(8)),
    );
    expect((await list(HISTORY))[0]?.['feeRateMaker']).toBe(maker);
  });

  it('can be profit after the closing fee', async () => {
    const closed = async (): Promise<Row | undefined> =>
      (await list(`${HISTORY}?limit=1000`)).find((row) => row['reduceOnly'] === 1 && row['profit'] !== '0');
    await start({});
    const before = await closed();
    await client.stop();
    await start({ profit: 'after-fees' });
    const after = await closed();
    const [gross, fee, net] = [before?.['profit'], before?.['feeAmount'], after?.['profit']].map(Number);
    expect(after?.['id']).toBe(before?.['id']);
    expect((net ?? 0).toFixed(8)).toBe(((gross ?? 0) - (fee ?? 0)).toFixed(8));
  });

  it('can be sizes below zero of what is sold or held short', async () => {
    await start({ 'sold-sizes': 'minus' });
    const { positions } = (await client.get(ACCOUNT_PATH)).envelope.data as { positions: Row[] };
    const rows = [
      ...positions.map((row) => [row['side'], row['quantity']]),
      ...(await list(HISTORY)).map((row) => [row['side'], row['totalQuantity']]),
    ];
    expect(new Set(rows.map(([side]) => side))).toEqual(new Set(['BUY', 'SELL']));
    for (const [side, size] of rows) expect(Number(size) < 0).toBe(side === 'SELL');
  });
});

describe('names, ids and enum values', () => {
  it.each([
    ['unsigned', /^1844674\d{13}$/],
    ['small', /^\d{1,4}$/],
  ])('%s order ids, also of a placed order and in filters', async (ids, form) => {
    await start({ 'order-ids': ids });
    const id = String((await client.post(ORDER, BUY)).envelope.data);
    expect(id).toMatch(form);
    expect((await list(`${HISTORY}?orderId=${id}`)).map((row) => row['id'])).toEqual([id]);
    expect((await page(`?orderId=${id}`)).data[0]?.['orderId']).toBe(id);
  });

  it('can be UUIDs or any text as ids, all different', async () => {
    for (const form of ['uuid', 'any-text']) {
      await start({ 'trade-ids': form, 'other-ids': form });
      const { data, total } = await page('?pageSize=500');
      const ids = data.map((row) => String(row['tradeId']));
      expect(new Set(ids).size).toBe(total);
      const [order] = await list(HISTORY);
      const shape = form === 'uuid' ? /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8/ : /^=№ \d{9}, “ß”;"'\/±$/;
      for (const id of [...ids, String(order?.['uid'])]) expect(id).toMatch(shape);
      await client.stop();
    }
    await start({});
  });

  it.each([
    ['lower', 'doge-usdt-M', 'usdt', 'dogeusdt'],
    ['underscore', 'DOGE_1-USDT-M', 'USDT_1', 'DOGE_1USDT'],
    ['beyond-ascii', 'DOGE币-USDT-M', 'USDT币', 'DOGE币USDT'],
  ])(
    '%s names are listed, traded and filtered by; the default names are unknown',
    async (form, symbol, coin, pair) => {
      await start({ 'contract-names': form, 'coin-names': form, 'trade-symbols': 'pair' });
      expect((await client.post(ORDER, BUY)).envelope.code).toBe('700041');
      expect((await client.post(ORDER, BUY.replace('DOGE-USDT-M', symbol))).envelope.code).toBe('0');
      const orders = await list(`${HISTORY}?symbolId=${encodeURIComponent(symbol)}`);
      expect(orders[0]).toMatchObject({ symbolId: symbol, feeAssetId: coin, lockAssetId: coin });
      expect(await list(`${HISTORY}?symbolId=DOGE-USDT-M`)).toEqual([]);
      const { data } = await page(`?symbol=${encodeURIComponent(pair)}`);
      expect(data[0]).toMatchObject({ symbol: pair, feeAsset: coin });
      const account = (await client.get(ACCOUNT_PATH)).envelope.data as { assets: Row[]; positions: Row[] };
      expect(account.assets.map((row) => row['coin'])).toContain(coin);
      expect(account.positions.map((row) => row['symbolId'])).toContain(symbol);
      expect((await list('/ftapi/v1/symbolConfig')).map((row) => row['symbolId'])).toContain(symbol);
    },
  );

  it('can name trigger types differently, in requests and records', async () => {
    await start({ 'trigger-names': 'market-fair' });
    const body = (name: string): string =>
      BUY.replace('}', `,"tpSl":{"tpTriggerType":"${name}","tpPrice":0.9,"slTriggerType":"NONE"}}`);
    expect((await client.post(ORDER, body('MARK_PRICE'))).envelope.code).toBe('700009');
    expect((await client.post(ORDER, body('FAIR_PRICE'))).envelope.code).toBe('0');
    expect((await client.get(ACCOUNT_PATH)).text).toContain('"triggerType":"FAIR_PRICE"');
  });

  it('can use another maker value and other cancel reasons', async () => {
    await start({ liquidity: 'Maker', 'cancel-reasons': 'more' });
    const { data, total } = await page('?liquidity=Maker&pageSize=500');
    expect(data.length > 0 && data.every((row) => row['liquidity'] === 'Maker')).toBe(true);
    expect(total).toBe(data.length);
    expect((await page('?liquidity=MAKER')).total).toBe(0);
    const reasons = new Set((await list(`${HISTORY}?limit=1000`)).map((row) => row['cancelReason']));
    expect([...reasons].sort()).toEqual([-1, 3]);
  });
});

describe('account', () => {
  it('can start in hedge mode, with two legs of a contract and a past of hedge orders', async () => {
    await start({ positions: 'hedge' });
    const { positions } = (await client.get(ACCOUNT_PATH)).envelope.data as { positions: Row[] };
    const legs = positions.filter((row) => row['symbolId'] === 'BTC-USDT-M');
    expect(legs.map((row) => [row['side'], row['positionMode']])).toEqual([
      ['BUY', 'HEDGE'],
      ['SELL', 'HEDGE'],
    ]);
    expect(new Set((await list(HISTORY)).map((row) => row['positionMode']))).toEqual(new Set(['HEDGE']));
  });

  it('can list a position of quantity 0 for each contract that is not held', async () => {
    const positions = async (): Promise<Row[]> =>
      ((await client.get(ACCOUNT_PATH)).envelope.data as { positions: Row[] }).positions;
    await start({});
    const symbols = (await list('/ftapi/v1/symbolConfig')).map((row) => row['symbolId']);
    const held = await positions();
    await client.stop();
    await start({ 'listed-positions': 'all' });
    const all = await positions();
    expect(all.map((row) => row['symbolId']).sort()).toEqual([...symbols].sort());
    const flat = all.filter((row) => row['quantity'] === '0');
    expect(all.length - flat.length).toBe(held.length);
    expect(Object.keys(flat[0] ?? {}).sort()).toEqual(Object.keys(held[0] ?? {}).sort());
    expect(flat[0]).toMatchObject({
      positionMode: 'ONEWAY',
      entryValue: '0',
      markPrice: null,
      tpSlOrders: [],
    });
    await client.stop();
    await start({ 'listed-positions': 'all', positions: 'hedge' });
    expect((await positions()).length).toBe(2 * symbols.length);
  });

  it('can leave the currency of locked margin empty', async () => {
    await start({ 'lock-asset': 'empty' });
    expect(new Set((await list(HISTORY)).map((row) => row['lockAssetId']))).toEqual(new Set(['']));
  });

  it('can require a time in force of a market order', async () => {
    await start({ 'market-orders': 'time-in-force' });
    expect((await client.post(ORDER, BUY)).envelope.code).toBe('700004');
    expect((await client.post(ORDER, BUY.replace('}', ',"timeInForce":"IOC"}'))).envelope.code).toBe('0');
  });

  it('can have marginal tiers', async () => {
    await start({ tiers: 'marginal' });
    expect(client.practice.settings).toEqual({
      triggerTypes: ['LAST_PRICE', 'MARK_PRICE'],
      convention: 'marginal',
    });
  });
});

describe('HTTP', () => {
  it.each([
    ['200', 200, { code: '700009', msg: 'side', success: false, data: null }],
    ['400', 400, { code: '700009', msg: 'side', success: false, data: null }],
    ['500', 500, { code: '700009', msg: 'side', success: false, data: null }],
    ['no-message', 200, { code: '700009', success: false }],
    ['other-shape', 400, { error: 'side', status: 700009 }],
  ])('replies to a rejected request as the habit says: %s', async (failures, status, body) => {
    await start({ failures });
    const result = await client.post(ORDER, BUY.replace('"BUY"', '"HOLD"'));
    expect([result.status, JSON.parse(result.text)]).toEqual([status, body]);
    await client.control('POST', '/faults', { endpoint: 'order', action: 'code', code: '700017' });
    expect((await client.post(ORDER, BUY)).status).toBe(status);
  });

  it('sends Retry-After in seconds, as a date or not at all, and Date exact, absent or 40 s off', async () => {
    const now = 1_795_392_000_000;
    const dateAt = (ms: number): string => new Date(ms).toUTCString();
    for (const [after, date, retry, shown] of [
      ['seconds', 'exact', '7', dateAt(now)],
      ['date', 'ahead', dateAt(now + 47_000), dateAt(now + 40_000)],
      ['date', 'behind', dateAt(now - 33_000), dateAt(now - 40_000)],
      ['absent', 'absent', null, null],
    ] as const) {
      await start({ 'retry-after': after, 'date-header': date });
      await client.control('POST', '/faults', { endpoint: '*', action: 'rate-limit', retryAfter: 7 });
      const { status, headers } = await client.get(ACCOUNT_PATH);
      expect([status, headers.get('retry-after'), headers.get('date')]).toEqual([429, retry, shown]);
      await client.stop();
    }
    await start({});
  });

  it.each([
    ['any', [200, 200, 200]],
    ['json', [200, 200, 415]],
    ['json-utf8', [415, 200, 415]],
    ['text', [415, 415, 200]],
  ])('requires the Content-Type of the habit: %s', async (type, statuses) => {
    await start({ 'body-type': type });
    const { practice } = client;
    const found: number[] = [];
    for (const given of ['application/json', 'application/json; charset=utf-8', 'text/plain']) {
      const headers = { ...signed(practice, 'POST', ORDER, BUY), 'content-type': given };
      found.push((await send(practice, 'POST', ORDER, BUY, headers)).status);
    }
    expect(found).toEqual(statuses);
    expect((await client.get(ACCOUNT_PATH)).status).toBe(200);
  });

  it('adds undocumented fields to every record and the envelope', async () => {
    await start({ 'extra-fields': 'some' });
    const { envelope, text } = await client.get(OPEN);
    const [open] = envelope.data as Row[];
    expect(envelope).toHaveProperty('traceId');
    expect(open).toMatchObject({ addedLater: 'β', tpSl: { addedLater: 'β' } });
    expect(text).toContain('"addedRecord":{"note":null,"count":1}');
  });
});

describe('the controls', () => {
  it('list the habits with their values, and restart with others', async () => {
    await start({ 'page-base': '0' });
    const shown = (await client.control('GET', '/habits')) as {
      name: string;
      value: string;
      preset: string;
    }[];
    expect(shown.map(({ name }) => name)).toEqual(HABIT_NAMES);
    expect(shown.filter(({ value, preset }) => value !== preset).map(({ name }) => name)).toEqual([
      'page-base',
    ]);
    const before = (await client.control('GET', '/state')) as { exchangeId: string };
    await client.control('POST', '/reset', { habits: { 'order-ids': 'small', 'trigger-names': 'lower' } });
    const after = (await client.control('GET', '/state')) as {
      exchangeId: string;
      habits: Row;
      settings: Row;
    };
    expect(after.exchangeId).not.toBe(before.exchangeId);
    expect(after.habits).toMatchObject({ 'page-base': '1', 'order-ids': 'small' });
    expect(after.settings).toEqual({ triggerTypes: ['last', 'mark'], convention: 'flat' });
    expect(String((await client.post(ORDER, BUY)).envelope.data)).toMatch(/^\d{1,4}$/);
    await client.control('POST', '/reset', {});
    expect(await client.control('GET', '/state')).toMatchObject({ habits: { 'order-ids': 'small' } });
    const wrong = client.control('POST', '/reset', { habits: { 'page-base': '7' } });
    await expect(wrong).rejects.toThrow('page-base must be one of 0, 1');
  });

  it('list trades and orders as API records', async () => {
    await start({ 'trade-ids': 'uuid', 'order-ids': 'small', decimals: 'long' });
    const { data } = await page('?pageSize=500');
    const trades = (await client.control('GET', '/trades')) as Row[];
    expect(trades.toReversed()).toEqual(data);
    const orders = (await client.control('GET', '/orders')) as Row[];
    expect(orders.toReversed()).toEqual(await list(`${HISTORY}?limit=1000`));
  });

  it('every value of every habit starts an exchange whose replies are JSON', async () => {
    await start({});
    for (const name of HABIT_NAMES) {
      const { values }: Habit = HABITS[name];
      for (const value of Object.keys(values)) {
        await client.control('POST', '/reset', { habits: { [name]: value } });
        for (const target of [ACCOUNT_PATH, OPEN, HISTORY, '/ftapi/v1/symbolConfig', TRADES])
          expect([name, value, readJson((await client.get(target)).text) instanceof JsonNumber]).toEqual([
            name,
            value,
            false,
          ]);
      }
    }
  });
});
