import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestStep } from '../../src-shared/ipc/connections.ts';
import { createClient, type ClientOptions } from './client.ts';
import { testConnection } from './test-connection.ts';
import accountInfo from '../../src-shared/exchange-api/samples/account.json' with { type: 'json' };
import { reply, startServer, success } from '../../tests/exchange/server.ts';

function connect(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({
    baseUrl,
    credentials: { key: 'k', secret: 's' },
    signing: 'practice',
    clock: { now: () => Date.now() },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
const stateOf = (steps: readonly TestStep[], name: TestStep['name']) =>
  steps.find((step) => step.name === name);

const ALL = ['reach', 'contracts', 'account', 'clock', 'open-orders', 'history', 'trades', 'orders'];

describe('a connection that does not work', () => {
  it('an unreachable host: names the base URL, skips the rest', async () => {
    const server = await startServer(reply('{}'));
    server.server.close();
    const steps = await testConnection(connect(server.url));
    expect(steps[0]).toMatchObject({
      name: 'reach',
      state: 'failed',
      failure: { kind: 'offline', field: 'baseUrl' },
    });
    expect(steps.slice(1).every((step) => step.state === 'skipped')).toBe(true);
    expect(steps.map((step) => step.name).sort()).toEqual([...ALL].sort());
  });

  it('a website, or http to another machine: names the base URL', async () => {
    const server = await startServer(reply('<html></html>'));
    for (const url of [server.url, 'http://api.exchange.example']) {
      const [reach, ...others] = await testConnection(connect(url));
      expect(reach).toMatchObject({ name: 'reach', state: 'failed', failure: { field: 'baseUrl' } });
      // The website was reached: not “the base URL could not be reached”.
      expect(new Set(others.map(({ detail }) => detail))).toEqual(
        new Set(['Skipped: the exchange API was not reached.']),
      );
    }
  });

  it('a server error or a rate limit: says that the test is to be repeated, which nothing else does', async () => {
    for (const [status, end] of [
      [503, 'Try again.'],
      [304, 'Try again.'],
      [429, 'Wait, then try again.'],
    ] as const) {
      const server = await startServer(reply('', status));
      const [failed] = (await testConnection(connect(server.url))).filter(({ state }) => state === 'failed');
      expect([failed?.detail, failed?.failure?.next]).toEqual([
        expect.stringMatching(`${end}$`),
        expect.stringMatching(`${end}$`),
      ]);
    }
  });

  it('a malformed secret: names the secret, sends nothing', async () => {
    const server = await startServer(reply(success([])));
    const steps = await testConnection(connect(server.url, { signing: 'prehash' }));
    expect(stateOf(steps, 'account')).toMatchObject({ state: 'failed', failure: { field: 'secret' } });
    expect(steps).toHaveLength(ALL.length);
    expect(server.arrived).toEqual([]);
  });

  it('an envelope without data: names data, goes no further than the signed read', async () => {
    const server = await startServer(reply({ code: '0', msg: '', success: true }));
    const steps = await testConnection(connect(server.url));
    expect(stateOf(steps, 'reach')).toMatchObject({ state: 'passed' });
    expect(stateOf(steps, 'account')).toMatchObject({ state: 'failed', failure: { field: 'data' } });
    expect(stateOf(steps, 'history')).toMatchObject({ state: 'skipped' });
  });
});

it('takes an order that cannot be read for none of another contract', async () => {
  const account = JSON.stringify(success({ ...accountInfo.data, positions: [] }));
  const config = success([{ symbolId: 'BTC-USDT-M', riskLimitConfigs: [] }]);
  const listed: unknown[] = [{ symbolId: 'BTC-USDT-M' }];
  const server = await startServer((response, request) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const body = pathname.endsWith('/info')
      ? account
      : pathname.endsWith('Config')
        ? config
        : success(listed);
    reply(body)(response, request);
  });
  const openOrders = async () => stateOf(await testConnection(connect(server.url)), 'open-orders');
  expect(await openOrders()).toMatchObject({ state: 'passed' });
  listed.push({ symbolId: 'ETH-USDT-M', side: 'BUY', orderId: '1' });
  expect(await openOrders()).toMatchObject({
    state: 'warned',
    detail: expect.stringContaining('1 order of other contracts'),
  });
});

it('warns of a clock that is far off, by the Date header', async () => {
  const server = await startServer(
    reply(success([]), 200, { date: new Date(Date.now() + 3_600_000).toUTCString() }),
  );
  const client = connect(server.url);
  const steps = await testConnection(client);
  expect(stateOf(steps, 'clock')).toMatchObject({
    state: 'warned',
    detail: expect.stringContaining('s behind'),
  });
  // The signature carries the exchange's time from the second request on.
  const stamp = Number(server.arrived.at(-1)?.headers['x-timestamp']);
  expect(Math.abs(stamp - Date.now() - 3_600_000)).toBeLessThan(60_000);
});
