import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIGNING_PRESETS, type PresetName } from '../../src-shared/ipc/signing.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { OpenOrdersQuery } from '../../src-shared/exchange-api/endpoints.ts';
import openOrders from '../../src-shared/exchange-api/samples/open-orders.json' with { type: 'json' };
import orderHistory from '../../src-shared/exchange-api/samples/order-history.json' with { type: 'json' };
import { createClient, type ClientOptions } from './client.ts';
import { RateLimit } from './rate-limit.ts';
import { LIMIT } from '../../tests/domain/order-samples.ts';
import { rejection, reply, startServer, success } from '../../tests/exchange/server.ts';

const credentials = { key: 'canary-key-1234', secret: 'canary-secret-5678' };
const clock = { now: () => 1_763_700_000_123 };

function connect(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({ baseUrl, credentials, signing: 'practice', clock, ...options });
  onTestFinished(() => client.close());
  return client;
}

const limit: OrderRequest = {
  ...LIMIT,
  price: '97250.10',
  reduceOnly: false,
};
const lookFor = { outcome: 'unknown', failure: { kind: 'unknown' } };

describe('a rate limit', () => {
  it('after a send blocks reads and sends until it ends', async () => {
    let now = clock.now();
    const server = await startServer(reply('', 429, { 'retry-after': '30' }));
    const client = connect(server.url, { clock: { now: () => now }, limit: new RateLimit() });
    expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'unknown', failure: { status: 429 } });
    server.answer = reply(success([]));
    now += 29_999;
    expect(await client.openOrders()).toMatchObject({
      ok: false,
      failure: { kind: 'limited', retryAt: now + 1, message: expect.stringContaining('1 s left') },
    });
    expect(await client.placeOrder(limit)).toMatchObject({
      outcome: 'not-sent',
      failure: {
        kind: 'limited',
        message: expect.stringContaining('1 s left'),
        next: 'Nothing is sent on its own. Review it again after the pause.',
      },
    });
    expect(server.arrived).toHaveLength(1);
    now += 1;
    expect(await client.openOrders()).toMatchObject({ ok: true });
  });

  it('holds where the body of the reply is lost', async () => {
    for (const status of [429, 418]) {
      // Not compressed, as a page of a gateway may be.
      const server = await startServer(reply('<html></html>', status, { 'content-encoding': 'gzip' }));
      const client = connect(server.url, { limit: new RateLimit() });
      expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'unknown', failure: { status } });
      expect(await client.openOrders()).toMatchObject({ ok: false, failure: { kind: 'limited' } });
      expect(server.arrived).toHaveLength(1);
    }
  });

  it('after a read blocks sends, and a bare 429 has an end', async () => {
    const server = await startServer(reply('', 429));
    const client = connect(server.url, { limit: new RateLimit() });
    const failed = await client.openOrders();
    expect(failed).toMatchObject({ ok: false, failure: { kind: 'limited', retryAt: clock.now() + 60_000 } });
    expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'not-sent' });
    expect(server.arrived).toHaveLength(1);
  });

  it('of no time has ended', async () => {
    const server = await startServer(reply('', 429, { 'retry-after': '0' }));
    const failed = await connect(server.url).openOrders();
    expect(failed).toMatchObject({ failure: { kind: 'limited', retryAt: clock.now() } });
  });

  it.each([{}, { 'retry-after': '120' }])('at 418 lasts until the user resumes, with %j', async (headers) => {
    const server = await startServer(reply('', 418, headers));
    const shared = new RateLimit();
    const client = connect(server.url, { limit: shared });
    const banned = await client.account();
    expect(banned).toMatchObject({
      failure: { kind: 'limited', status: 418, next: expect.stringContaining('press Retry') },
    });
    // Nobody knows when it ends, and nothing resumes by itself.
    expect(banned.ok || banned.failure).not.toHaveProperty('retryAt');
    expect(await client.openOrders()).toMatchObject({ failure: { kind: 'limited', status: 418 } });
    expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'not-sent' });
    // It blocks another client of the same exchange too.
    expect(await connect(server.url, { limit: shared }).account()).toMatchObject({ ok: false });
    expect(server.arrived).toHaveLength(1);
  });
});

describe('a rate limit that began during a request', () => {
  it('delays the next read, and is no part of another failure', async () => {
    const shared = new RateLimit();
    const server = await startServer((response, request) => {
      // A reply to another client of the same exchange.
      shared.note(429, clock.now() + 90_000, clock.now());
      reply('', 500)(response, request);
    });
    const client = connect(server.url, { limit: shared });
    const failed = await client.openOrders();
    expect(failed).toMatchObject({ ok: false, failure: { kind: 'server' } });
    expect(failed.ok ? null : failed.failure).not.toHaveProperty('retryAt');
    expect(await client.openOrders()).toMatchObject({ failure: { retryAt: clock.now() + 90_000 } });
  });
});

describe('the meta data of a read', () => {
  it('counts all rows listed, and has the unreadable ones only if there are any', async () => {
    const server = await startServer(reply(JSON.stringify(openOrders)));
    const client = connect(server.url);
    const meta = { latencyMs: expect.any(Number), listed: 3 };
    const whole = await client.openOrders();
    expect(whole.ok && whole.meta).toEqual(meta);
    server.answer = reply(success([...openOrders.data, { symbolId: 'BTC-USDT-M' }]));
    const read = await client.openOrders();
    expect(read.ok && read.meta).toEqual({
      ...{ ...meta, listed: 4 },
      unreadable: [expect.objectContaining({ symbolId: 'BTC-USDT-M' })],
    });
  });

  it('signs by the exchange’s clock at once where the computer’s was set back', async () => {
    const START = clock.now();
    let [setBy, passed] = [0, 0];
    const time = { now: () => START + passed + setBy, mono: () => passed };
    const server = await startServer(reply(success([]), 200, { date: new Date(START).toUTCString() }));
    const client = connect(server.url, { clock: time });
    await client.openOrders();
    [setBy, passed] = [-3_600_000, 500];
    await client.send('placeOrder', '{"quantity":1}', 'order');
    expect(server.arrived.at(-1)?.headers['x-timestamp']).toBe(String(START + passed));
  });

  it('knows the exchange’s clock from the Date header only', async () => {
    const server = await startServer(reply(success([]), 200, { date: '' }));
    const client = connect(server.url);
    await client.openOrders();
    expect(client.clockOffsetMs()).toBeNull();
    server.answer = reply(success([]), 200, { date: new Date(clock.now() + 60_000).toUTCString() });
    await client.openOrders();
    const offset = client.clockOffsetMs();
    expect(offset).toBeGreaterThan(59_000);
    server.answer = reply(success([]), 200, { date: '' });
    await client.openOrders();
    expect(client.clockOffsetMs()).toBe(offset);
  });
});

describe('sent bytes', () => {
  it('are the signed ones: GET with a query that needs encoding', async () => {
    const server = await startServer(reply(success([]), 200, { date: '' }));
    await connect(`${server.url}/api/`).openOrders({ symbolId: "A'(b)*!+&=é-USDT-M".replace('é', '%') });
    const [request] = server.arrived;
    expect(request?.url).toBe(
      '/api/ftapi/v1/openOrder?symbolId=A%27%28b%29%2A%21%2B%26%3D%25-USDT-M&limit=1000',
    );
    const signature = createHmac('sha256', credentials.secret)
      .update(`${clock.now()}GET${request?.url}`)
      .digest('hex');
    expect(request?.headers).toMatchObject({
      'x-api-key': credentials.key,
      'x-timestamp': String(clock.now()),
      'x-signature': signature,
    });
  });

  it('of an order have the typed digits, in the order of the API', async () => {
    const server = await startServer(reply(success('734829105569914880'), 200, { date: '' }));
    expect(await connect(server.url).placeOrder(limit)).toEqual({
      outcome: 'accepted',
      data: '734829105569914880',
    });
    const [request] = server.arrived;
    expect(request?.body).toBe(
      '{"symbolId":"BTC-USDT-M","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":0.850,"price":97250.10,"reduceOnly":false}',
    );
    expect(request?.headers['content-type']).toBe('application/json');
    const signature = createHmac('sha256', credentials.secret)
      .update(`${clock.now()}POST/ftapi/v1/order${request?.body}`)
      .digest('hex');
    expect(request?.headers['x-signature']).toBe(signature);
  });

  it('include limit=1000 where the API has it, and nothing elsewhere', async () => {
    const server = await startServer(reply(success([])));
    const client = connect(server.url);
    await client.openOrders();
    await client.orderHistory({ orderId: '9007199254740993', startTime: 1, endTime: 2 });
    await client.trades({ pageNumber: 0 });
    expect(server.arrived.map((request) => request.url)).toEqual([
      '/ftapi/v1/openOrder?limit=1000',
      '/ftapi/v1/orderHis?orderId=9007199254740993&startTime=1&endTime=2&limit=1000',
      '/stapi/v1/trades?pageNumber=0',
    ]);
  });
});

describe('a filter that the exchange ignores', () => {
  it('is applied here, and all listed rows are counted', async () => {
    const server = await startServer(reply(JSON.stringify(openOrders)));
    const client = connect(server.url);
    const ids = async (query: OpenOrdersQuery): Promise<readonly string[]> => {
      const read = await client.openOrders(query);
      if (!read.ok) throw new Error(read.failure.message);
      expect(read.meta.listed).toBe(3);
      return read.data.map((one) => one.orderId);
    };
    expect(await ids({ symbolId: 'BTC-USDT-M' })).toEqual([]);
    expect(await ids({ symbolId: 'DOGE-USDT-M' })).toHaveLength(3);
    expect(await ids({ orderId: '734829105569915001' })).toEqual(['734829105569915001']);
    server.answer = reply(JSON.stringify(orderHistory));
    const [first] = orderHistory.data;
    const past = await client.orderHistory({ symbolId: first!.symbolId, orderId: first!.id });
    expect(past).toMatchObject({ data: [{ id: first!.id }], meta: { listed: orderHistory.data.length } });
  });

  it('leaves out unreadable records of other contracts, and counts them', async () => {
    const other = { symbolId: 'ETH-USDT-M' };
    const server = await startServer(reply(success([...openOrders.data, other])));
    const client = connect(server.url);
    const own = await client.openOrders({ symbolId: 'DOGE-USDT-M' });
    expect(own.ok && own.meta).toEqual({ latencyMs: expect.any(Number), listed: 4 });
    // It may be of any contract while its own cannot be read.
    server.answer = reply(success([...openOrders.data, other, { symbolId: null }]));
    const all = await client.openOrders({ symbolId: 'DOGE-USDT-M' });
    expect(all.ok && all.meta).toMatchObject({ listed: 5, unreadable: [{ symbolId: null }] });
  });
});

describe('blocked by Ballast, nothing sent', () => {
  const cases: [string, unknown, string][] = [
    ['a comma', { ...limit, quantity: '1,5' }, 'quantity'],
    ['an exponent', { ...limit, price: '1e5' }, 'price'],
    ['40 digits', { ...limit, quantity: '1'.repeat(40) }, 'quantity'],
    ['a JavaScript number', { ...limit, quantity: 0.1 }, 'quantity'],
    ['a minus', { ...limit, quantity: '-1' }, 'quantity'],
    ['0', { ...limit, quantity: '0.00' }, 'quantity'],
    ['a LIMIT without price', { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', quantity: '1' }, 'price'],
    [
      'a quantity that got lost',
      { ...limit, reduceOnly: true, type: 'MARKET', quantity: undefined },
      'quantity',
    ],
    ['a MARKET order without quantity', { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET' }, 'quantity'],
    ['an unknown field', { ...limit, leverage: 5 }, 'leverage'],
    [
      'a trigger price',
      { ...limit, tpSl: { tpTriggerType: 'X', tpPrice: '1e1', slTriggerType: 'NONE' } },
      'tpPrice',
    ],
  ];
  it.each(cases)('%s', async (_name, request, field) => {
    const server = await startServer(reply(success('1')));
    const outcome = await connect(server.url).placeOrder(request as OrderRequest);
    expect(outcome).toMatchObject({ outcome: 'not-sent', failure: { kind: 'blocked', field } });
    expect(server.arrived).toEqual([]);
  });

  it('bytes whose kind does not fit', async () => {
    const server = await startServer(reply(success('1')));
    const client = connect(server.url);
    const close = '{"symbolId":"BTC-USDT-M","side":"SELL","type":"MARKET","reduceOnly":true}';
    expect(await client.send('placeOrder', close, 'order')).toMatchObject({ outcome: 'not-sent' });
    expect(await client.send('placeBatch', `[${close}]`, 'order')).toMatchObject({ outcome: 'not-sent' });
    expect(await client.send('placeOrder', close.replace('true', 'false'), 'close-all')).toMatchObject({
      outcome: 'not-sent',
    });
    expect(server.arrived).toEqual([]);
    expect(await client.send('placeOrder', close, 'close-all')).toMatchObject({ outcome: 'accepted' });
    expect(server.arrived.map((request) => request.body)).toEqual([close]);
  });

  it.each([
    ['http://api.exchange.example', 'baseUrl'],
    ['api.exchange.example', 'baseUrl'],
  ])('the base URL %s', async (baseUrl, field) => {
    const client = connect(baseUrl);
    expect(await client.account()).toMatchObject({ ok: false, failure: { kind: 'blocked', field } });
    expect(await client.placeOrder(limit)).toMatchObject({
      outcome: 'not-sent',
      failure: { kind: 'blocked', field },
    });
  });

  it('a signing profile that cannot be used', async () => {
    const server = await startServer(reply(success('1')));
    const next = 'Choose a preset in the connection’s signing profile, or correct the field.';
    const cases = [
      [`none${'x'.repeat(50)}`, `There is no signing preset “none${'x'.repeat(36)}”.`],
      [{ ...SIGNING_PRESETS.practice.profile, algorithm: 'MD5' }, /^Signing profile, algorithm: .+\.$/],
      [null, /^Signing profile, profile: .+\.$/],
    ] as const;
    for (const [signing, message] of cases) {
      const client = connect(server.url, { signing: signing as PresetName });
      const failure = { kind: 'blocked', field: 'signing', message: expect.stringMatching(message), next };
      expect(await client.account()).toEqual({ ok: false, failure });
      expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'not-sent', failure });
    }
    expect(server.arrived).toEqual([]);
  });

  it('unknown and wrong query parameters', async () => {
    const server = await startServer(reply(success([])));
    const client = connect(server.url);
    const asked = [
      client.openOrders({ symbol: 'BTC-USDT-M' } as object),
      client.openOrders({ limit: 1001 }),
      client.orderHistory({ orderId: '1 or 1' }),
      client.trades({ startTime: 1.5 }),
    ];
    for (const result of await Promise.all(asked))
      expect(result).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    expect(server.arrived).toEqual([]);
  });
});

describe('an order in flight', () => {
  it('is sent once, whatever comes back', async () => {
    const server = await startServer(reply('{}', 500));
    const client = connect(server.url, { timeouts: { order: 300 } });
    const answers = [
      reply(rejection('700017'), 500),
      reply('<html>gateway</html>', 200),
      reply(success('1'), 308, { location: `${server.url}/ftapi/v1/order` }),
      (response: ServerResponse) => void response.socket?.resetAndDestroy(),
      (response: ServerResponse) => void response.socket?.destroy(),
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"code":"0"');
        response.socket?.end();
      },
      () => undefined,
    ];
    for (const [index, answer] of answers.entries()) {
      server.answer = answer;
      expect(await client.placeOrder(limit)).toMatchObject(lookFor);
      expect(server.arrived).toHaveLength(index + 1);
    }
  });

  it('on a kept-alive connection that the server drops is sent once and unknown', async () => {
    const server = await startServer(reply(success([])));
    const client = connect(server.url);
    await client.openOrders();
    server.answer = (response) => void response.socket?.resetAndDestroy();
    expect(await client.placeOrder(limit)).toMatchObject(lookFor);
    expect(server.arrived).toHaveLength(2);
  });

  it('is not sent when nothing listens', async () => {
    const server = await startServer(reply(success('1')));
    server.server.close();
    const outcome = await connect(server.url).placeOrder(limit);
    expect(outcome).toMatchObject({ outcome: 'not-sent', failure: { kind: 'offline' } });
    expect(outcome.outcome === 'not-sent' && outcome.failure.message).toContain('ECONNREFUSED');
  });

  it('is waited for by close', async () => {
    const server = await startServer(() => undefined);
    const client = connect(server.url);
    const held = Promise.withResolvers<ServerResponse>();
    server.answer = (response) => held.resolve(response);
    const outcome = client.placeOrder(limit);
    const response = await held.promise;
    const closed = client.close();
    reply(success('7'))(response, server.arrived[0]!);
    expect(await outcome).toMatchObject({ outcome: 'accepted', data: '7' });
    await closed;
    expect(await client.placeOrder(limit)).toMatchObject({
      outcome: 'not-sent',
      failure: {
        kind: 'blocked',
        message: 'This connection is closed.',
        next: 'Select the connection again.',
      },
    });
  });

  it('has its connection ended by close', async () => {
    const server = await startServer(reply(success('1')));
    server.server.keepAliveTimeout = 0; // never ended from there
    const ended = new Promise((resolve) =>
      server.server.on('connection', (socket: Socket) => socket.once('close', resolve)),
    );
    const client = connect(server.url, { timeouts: { idle: 60_000 } });
    await client.placeOrder(limit);
    await client.close();
    await ended;
  });

  it('returns the reason of closing to later calls, and sends nothing', async () => {
    const server = await startServer(() => undefined);
    const client = connect(server.url);
    const locked = { kind: 'locked', message: 'Locked.', next: 'Unlock.' } as const;
    await client.close(locked);
    expect(await client.account()).toEqual({ ok: false, failure: locked });
    expect(await client.placeOrder(limit)).toMatchObject({ outcome: 'not-sent', failure: locked });
    expect(server.arrived).toEqual([]);
  });
});
