import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { createClient, type ClientOptions } from './client.ts';
import { rejection, reply, startServer, success } from '../../tests/exchange/server.ts';

const credentials = { key: 'canary-key-1234', secret: 'canary-secret-5678' };
const NOW = 1_763_700_000_000;
const ORDER = '{"symbolId":"BTC-USDT-M","side":"BUY","type":"MARKET","timeInForce":"IOC","quantity":1}';

async function serving(answer: Parameters<typeof startServer>[0], options: Partial<ClientOptions> = {}) {
  const server = await startServer(answer);
  const client = createClient({
    baseUrl: server.url,
    credentials,
    signing: 'practice',
    clock: { now: () => NOW },
    ...options,
  });
  onTestFinished(() => client.close());
  return { server, client };
}

const tier =
  '{"level":1,"minPositionValue":0,"maxPositionValue":1.0E7,"maintainMarginRate":0.004,"maxLeverage":125}';
const contract = (tiers: string) =>
  `{"code":"0","msg":"ok","success":true,"data":[{"symbolId":"BTC-USDT-M","contractSide":"FORWARD","contractType":"PERPETUAL","defaultLeverage":20,"defaultMarginMode":"CROSSED","riskLimitConfigs":[${tiers}]}]}`;

describe('records', () => {
  it('have every digit, the time of receipt, and reported drift', async () => {
    const drift: unknown[] = [];
    const body = contract(tier.replace('0.004', '0.004000000000000001')).replace(
      '"PERPETUAL"',
      '"QUANTO","new":1',
    );
    const { client } = await serving(reply(body), { onDrift: (one) => drift.push(one) });
    const result = await client.symbolConfig();
    expect(result).toMatchObject({
      ok: true,
      data: [
        {
          contractType: 'QUANTO',
          riskLimitConfigs: [
            {
              level: 1,
              minPositionValue: '0',
              maxPositionValue: '10000000',
              maintainMarginRate: '0.004000000000000001',
            },
          ],
        },
      ],
    });
    expect(result.ok && result.meta.latencyMs).toBeGreaterThan(0);
    expect(drift).toEqual([
      { record: 'contract', field: 'contractType', value: 'QUANTO' },
      { record: 'contract', field: 'new', value: null },
    ]);
  });
});

describe('failures, and the way out of each', () => {
  const cases: [string, Parameters<typeof startServer>[0], object][] = [
    ['HTML', reply('<html></html>'), { kind: 'server', field: 'baseUrl' }],
    ['404', reply('<html></html>', 404), { kind: 'server', field: 'baseUrl', status: 404 }],
    [
      'a redirect',
      reply('', 302, { location: 'https://login.example/' }),
      { kind: 'server', field: 'baseUrl' },
    ],
    [
      'a reply of a cache, which is no redirect',
      reply('', 304),
      { kind: 'server', status: 304, message: expect.stringContaining('nothing changed') },
    ],
    ['502', reply('<html></html>', 502), { kind: 'server', status: 502 }],
    ['503 with a time', reply('', 503, { 'retry-after': '5' }), { kind: 'server', retryAt: NOW + 5000 }],
    ['code 500', reply(rejection('500', 'oops')), { kind: 'server', code: '500' }],
    [
      'a time-out with a code of orders',
      reply(rejection('700008', 'Request timed out.')),
      { kind: 'server', message: 'The exchange reports a server error (code 700008: Request timed out).' },
    ],
    ['an internal error', reply(rejection('700000', ''), 400), { kind: 'server', code: '700000' }],
    ['429 in seconds', reply('', 429, { 'retry-after': '7' }), { kind: 'limited', retryAt: NOW + 7000 }],
    [
      '429 with a date',
      reply('', 429, { 'retry-after': new Date(NOW + 60_000).toUTCString() }),
      { kind: 'limited', retryAt: NOW + 60_000 },
    ],
    ['429 alone', reply(success([]), 429), { kind: 'limited', status: 429 }],
    ['a wrong key', reply(rejection('401', 'invalid API-KEY'), 401), { kind: 'rejected', field: 'apiKey' }],
    [
      'an expired key',
      reply(rejection('33004', 'Your api key has expired.')),
      { kind: 'rejected', field: 'apiKey', next: expect.stringContaining('Create a new API key') },
    ],
    [
      'a message that names three causes',
      reply(rejection('-2015', 'Invalid API-key, IP, or permissions for action.')),
      {
        message:
          'The exchange rejected the request with code -2015. The exchange says: “Invalid API-key, IP, or permissions for action”.',
        next: expect.stringContaining('API key, its permissions and the IP addresses'),
      },
    ],
    ['a wrong signature', reply(rejection('10004', 'error sign!')), { kind: 'rejected', field: 'secret' }],
    [
      'a wrong clock',
      reply(rejection('-1021', 'Timestamp outside recvWindow')),
      { kind: 'rejected', field: 'signing' },
    ],
    ...(
      [
        ['a time-stamp', 'Wrong time-stamp', 'signing'],
        ['a receive window, apart', 'recv window exceeded', 'signing'],
        ['a receive window, together', 'bad recvwindow', 'signing'],
        ['a passphrase', 'Wrong passphrase', 'secret'],
        ['a pass-phrase', 'Wrong pass-phrase', 'secret'],
        ['an expired key, the other way round', 'expired since March: this key', 'apiKey'],
      ] as const
    ).map(([name, message, field]): (typeof cases)[number] => [
      name,
      reply(rejection('10005', message)),
      { kind: 'rejected', field },
    ]),
    ['401 with a page', reply('<html></html>', 401), { kind: 'rejected', field: 'apiKey', status: 401 }],
    ...[403, 451].map((status): (typeof cases)[number] => [
      `${status} with a page`,
      reply('<html>The distribution is configured to block access from your country.</html>', status),
      {
        kind: 'server',
        message: `The server denies access with a web page instead of JSON (HTTP ${status}).`,
        next: expect.stringMatching(/firewall .* country, IP address or VPN/),
      },
    ]),
    ['403 with nothing', reply('', 403), { kind: 'rejected', field: 'apiKey', status: 403 }],
    ['no data', reply({ code: '0', msg: 'ok', success: true }), { kind: 'unreadable', field: 'data' }],
    [
      'null data',
      reply(success(null)),
      {
        kind: 'unreadable',
        field: 'data',
        message:
          'The reply does not match the exchange API: data: expected a list, received null, which may mean none or unknown.',
      },
    ],
    [
      'no envelope',
      reply([]),
      {
        kind: 'unreadable',
        field: 'envelope',
        message: expect.stringContaining('JSON without the fields of a reply'),
      },
    ],
    ['no code', reply({ success: true, data: [] }), { kind: 'unreadable', field: 'code' }],
    [
      'a code that is a number',
      reply({ ...success([]), code: 0 }),
      { kind: 'unreadable', message: expect.stringContaining('a reply without a valid “code”') },
    ],
    ['both yes and no', reply({ ...success([]), success: false }), { kind: 'unreadable', field: 'body' }],
    [
      'a repeated key',
      reply('{"code":"0","code":"0","success":true,"data":[]}'),
      { kind: 'unreadable', field: 'body' },
    ],
    ['not JSON', reply('ok'), { kind: 'unreadable', field: 'body' }],
    ['nothing', reply(''), { kind: 'unreadable', field: 'body' }],
    [
      '400 with nothing',
      reply('', 400),
      { kind: 'unreadable', message: expect.stringContaining('an empty reply (HTTP 400).') },
    ],
    [
      '402 with a page',
      reply('<html></html>', 402),
      { kind: 'server', message: 'The base URL returns a web page instead of JSON (HTTP 402).' },
    ],
    ['400 with a success', reply(success([]), 400), { kind: 'unreadable', field: 'status' }],
    [
      'a list that is none',
      reply(contract(tier).replace(/"data":.*$/, '"data":{"data":[]}}')),
      { kind: 'unreadable', field: 'data' },
    ],
    [
      'a long message',
      reply(rejection('1', 'key '.repeat(100_000)), 400),
      { kind: 'rejected', field: 'apiKey', message: expect.stringMatching(/^.{1,300}$/) },
    ],
    [
      'a body that is not compressed',
      reply(success([]), 200, { 'content-encoding': 'gzip' }),
      {
        kind: 'unreadable',
        status: 200,
        message: expect.stringContaining('not compressed as its header says'),
      },
    ],
    ['a reset', (response: ServerResponse) => void response.socket?.resetAndDestroy(), { kind: 'offline' }],
  ];
  it.each([
    ['without a field', tier.replace('"level":1,', '')],
    ['with text for a number', tier.replace('0.004', '"x"')],
  ])('reports a tier %s as unreadable and returns its contract', async (_name, bad) => {
    const { client } = await serving(reply(contract(bad)));
    const result = await client.symbolConfig();
    expect(result).toMatchObject({ ok: true, data: [{ riskLimitConfigs: [] }] });
    expect(result.ok && result.meta.unreadable).toMatchObject([{ record: 'risk tier' }]);
  });
  it.each(cases)('%s', async (_name, answer, failure) => {
    const { client, server } = await serving(answer);
    const result = await client.symbolConfig();
    expect(result).toMatchObject({ ok: false, failure });
    // It may be the first read, or that of a test: whether there are last values is the window's to say.
    expect(result.ok ? '' : result.failure.next).toMatch(/^(?!.*last values).+/);
    expect(server.arrived).toHaveLength(1);
  });

  it('a time-out, a closed port, a closed client', async () => {
    const { client, server } = await serving(() => undefined, { timeouts: { read: 100 } });
    expect(await client.account()).toMatchObject({ ok: false, failure: { kind: 'offline' } });
    server.server.closeAllConnections();
    server.server.close();
    expect(await client.account()).toMatchObject({
      ok: false,
      failure: { kind: 'offline', field: 'baseUrl' },
    });
    await client.close();
    expect(await client.account()).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
  });

  it('a server that speaks no TLS, which says nothing of a certificate', async () => {
    const plain = await startServer(reply('{}'));
    const { client } = await serving(() => undefined, { baseUrl: plain.url.replace('http:', 'https:') });
    const result = await client.account();
    expect(result).toMatchObject({
      failure: {
        kind: 'offline',
        field: 'baseUrl',
        message: expect.stringMatching(/^No secure connection \([A-Z_]+\)\.$/),
      },
    });
  });

  it('a read that close ends', async () => {
    const { client, server } = await serving(() => undefined);
    const asked = new Promise<void>((resolve) => (server.answer = () => resolve()));
    const result = client.account();
    await asked;
    await client.close();
    expect(await result).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  });

  it('quotes the exchange shortened, without echoed credentials', async () => {
    const echo = `bad key ${credentials.key} secret ${credentials.secret}\u202e\n\0 ${'long '.repeat(99)}`;
    for (const answer of [
      reply(rejection('401', echo), 401),
      reply(rejection(`4${credentials.key}`, echo)),
      reply(rejection('1', echo), 502),
    ]) {
      const { client } = await serving(answer);
      const text = JSON.stringify([await client.account(), await client.placeBatch([])]);
      expect(text).toContain('bad key [removed] secret [removed]');
      expect(text).not.toMatch(/canary|\\u202e|\\n|\\u0000/);
      expect(text.length).toBeLessThan(1200);
    }
  });

  it('names marks of direction, which would turn a sentence with a name around', async () => {
    const record = {
      ...{ symbol: 'A\u202e-USDT-M', side: 'BUY', price: '1', executedQty: '1', executedQuoteQty: '1' },
      ...{ fee: '0', feeAsset: '\u2067usdt', liquidity: 'TAKER', offset: 0, orderId: '7' },
      ...{ tradeId: '1', tradeTime: NOW },
    };
    const body = JSON.stringify(success({ data: [record], pageCount: 1, total: 1 }));
    for (const text of [body, body.replace('\u202e', '\\u202E').replace('\u2067', '\\u2067')]) {
      const { client } = await serving(reply(text));
      const read = await client.trades();
      const names = { symbol: 'A⟨U+202E⟩-USDT-M', feeAsset: '⟨U+2067⟩usdt' };
      expect(read.ok && read.data.data[0]).toMatchObject(names);
    }
  });

  it('keeps no part of an echoed secret: in fields, unknown values and names, or cut', async () => {
    const secret = 'canary/secret "5678" of an API';
    const passphrase = 'canary-passphrase';
    const signing = {
      ...SIGNING_PRESETS.practice.profile,
      headers: [{ name: 'X-PASSPHRASE', value: '', secret: true }],
    };
    const own = { ...credentials, secret, headers: { 'X-PASSPHRASE': passphrase } };
    const pad = (length: number): string => `${'x'.repeat(length)}${secret}`;
    const record = {
      ...{ symbol: pad(0), side: pad(50), price: pad(45), executedQty: '1.50', executedQuoteQty: '1' },
      ...{ fee: '0.1', feeAsset: passphrase, liquidity: 'TAKER', offset: 0, orderId: '9007199254740993' },
      tradeId: '1',
      tradeTime: NOW,
      [pad(52)]: [pad(1)],
    };
    const rows = [record, { ...record, tradeId: null }, { ...record, tradeTime: pad(48) }];
    const page = success({ data: rows, pageCount: 1, total: 1 });
    for (const body of [
      JSON.stringify(page),
      JSON.stringify(page).replaceAll('/', '\\/'),
      JSON.stringify(page).replaceAll('c', '\\u0063'),
      JSON.stringify(success({ data: [], pageCount: pad(50), total: 1 })),
    ]) {
      const seen: unknown[] = [];
      const { client } = await serving(reply(body), {
        credentials: own,
        signing,
        onDrift: (one) => seen.push(one),
      });
      const read = await client.trades();
      const text = JSON.stringify([read, seen]);
      expect(text).toContain('[remov');
      expect(text).not.toMatch(/canary/);
      if (read.ok)
        expect(read.data.data[0]).toMatchObject({ executedQty: '1.50', orderId: '9007199254740993' });
    }
    const { client } = await serving(reply({ ...rejection(pad(2)), data: '5' }), {
      credentials: own,
      signing,
    });
    const sent = JSON.stringify(await client.send('placeOrder', ORDER, 'order'));
    expect(sent).toContain('includes an order ID');
    expect(sent).not.toMatch(/canary/);
  });
});
