/** The client against the practice exchange. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPractice } from '../../src-practice/index.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { createClient, type ClientOptions } from './client.ts';
import { testConnection } from './test-connection.ts';
import { LIMIT } from '../../tests/domain/order-samples.ts';

async function start(
  change: { key?: string; secret?: string } = {},
  habits: Readonly<Record<string, string>> = {},
  signing: ClientOptions['signing'] = 'practice',
) {
  const practice = await startPractice({ port: 0, seed: 7, speed: 1, history: 40, habits });
  const client = createClient({
    baseUrl: practice.url,
    credentials: { ...practice.credentials, ...change },
    signing,
    clock: { now: () => Date.now() },
  });
  onTestFinished(async () => {
    await client.close();
    await practice.stop();
  });
  return client;
}

describe('with the practice exchange', () => {
  it('every read succeeds, and a connection test passes', async () => {
    const client = await start();
    const steps = await testConnection(client);
    expect(steps.map((step) => [step.name, step.state])).toEqual([
      ['reach', 'passed'],
      ['contracts', 'passed'],
      ['account', 'passed'],
      ['clock', 'passed'],
      ['open-orders', 'passed'],
      ['history', 'passed'],
      ['trades', 'passed'],
      ['orders', 'skipped'],
    ]);
    expect(client.clockOffsetMs()).toBe(0);
  });

  it('an order is accepted and listed with its digits, and a rejection has its field', async () => {
    const client = await start();
    const limit = { ...LIMIT, quantity: '0.010', price: '20000.0' };
    const placed = await client.placeOrder(limit);
    expect(placed).toMatchObject({ outcome: 'accepted' });
    const open = await client.openOrders({ symbolId: 'BTC-USDT-M' });
    const id = placed.outcome === 'accepted' ? placed.data : '';
    expect(open.ok && open.data.find((order) => order.orderId === id)).toMatchObject({
      type: 'LIMIT',
      side: 'BUY',
    });

    expect(await client.placeOrder({ ...limit, price: '20000.123456789' })).toMatchObject({
      outcome: 'rejected',
      failure: { kind: 'rejected', field: 'price' },
    });
    expect(await client.placeBatch([limit, { ...limit, price: '19000.0' }])).toMatchObject({
      outcome: 'accepted',
      data: true,
    });
  });

  it.each([
    { 'page-base': '1', 'page-outside': 'refused' },
    { 'page-base': '0', 'page-outside': 'refused' },
    { 'page-base': '0', 'page-outside': 'empty' },
  ])('a connection test finds the page size that is served: %o', async (paging) => {
    const client = await start({}, { ...paging, 'page-size': '30', 'page-too-large': 'refused' });
    const steps = await testConnection(client);
    expect(steps.find(({ name }) => name === 'trades')).toMatchObject({
      state: 'passed',
      detail: expect.stringContaining('Pages of more than 20 are rejected: Ballast requests 20.'),
    });
    const set = await testConnection(client, 20);
    expect(set.find(({ name }) => name === 'trades')?.detail).not.toContain('rejected');
  });

  it('sends a body as the content type that the signing profile has', async () => {
    const { profile } = SIGNING_PRESETS.practice;
    const text = { ...profile, contentType: 'text/plain' };
    const order = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '0.001' } as const;
    const client = await start({}, { 'body-type': 'text' }, text);
    expect(await client.placeOrder(order)).toMatchObject({ outcome: 'accepted' });
    const other = await start({}, { 'body-type': 'text' });
    expect(await other.placeOrder(order)).toMatchObject({ outcome: 'unknown', failure: { status: 415 } });
  });

  it('closes a whole position by a body without a quantity', async () => {
    const client = await start();
    const before = await client.account();
    const position = before.ok ? before.data.positions[0] : undefined;
    expect(position).toBeDefined();
    const { symbolId, side } = position!;
    const close = {
      symbolId,
      side: side === 'BUY' ? 'SELL' : 'BUY',
      type: 'MARKET',
      reduceOnly: true,
    } as const;
    expect(await client.placeOrder(close)).toMatchObject({ outcome: 'accepted' });
    const after = await client.account();
    const open = after.ok ? after.data.positions : [];
    expect(open.filter((one) => one.symbolId === symbolId && one.side === side)).toEqual([]);
  });

  it('a wrong secret is rejected, with the field to check', async () => {
    const client = await start({ secret: 'wrong' });
    expect(await client.account()).toMatchObject({
      ok: false,
      failure: { kind: 'rejected', field: 'secret' },
    });
  });
});
