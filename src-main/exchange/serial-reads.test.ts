import { describe, expect, it } from 'vitest';
import type { ExchangeClient } from './client.ts';
import { serializeReads } from './serial-reads.ts';

/** A client whose reads end when the test resolves them; unused methods are missing. */
function setUp() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const read = (name: string) => () => {
    began.push(name);
    return new Promise((resolve) => ends.push(() => resolve({ ok: false })));
  };
  const client = {
    account: read('account'),
    openOrders: read('openOrders'),
    orderHistory: read('orderHistory'),
    symbolConfig: read('symbolConfig'),
    trades: read('trades'),
    send: read('send'),
  } as unknown as ExchangeClient;
  return { began, ends, client: serializeReads(client) };
}
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('serialized reads', () => {
  it('a second read of a resource waits for the first; another resource does not', async () => {
    const { began, ends, client } = setUp();
    void client.openOrders();
    void client.openOrders({ symbolId: 'BTC-USDT-M' });
    void client.orderHistory();
    await turns();
    expect(began).toEqual(['openOrders', 'orderHistory']);
    ends[0]?.();
    await turns();
    expect(began).toEqual(['openOrders', 'orderHistory', 'openOrders']);
  });

  it('an order never waits', async () => {
    const { began, client } = setUp();
    void client.openOrders();
    void client.send('placeOrder', '{}', 'order');
    void client.send('placeOrder', '{}', 'order');
    await turns();
    expect(began).toEqual(['send', 'send', 'openOrders']);
  });

  it('continues after a failed read', async () => {
    let calls = 0;
    const broken = {
      openOrders: () => (++calls === 1 ? Promise.reject(new Error('bug')) : Promise.resolve()),
    };
    const client = serializeReads(broken as unknown as ExchangeClient);
    await expect(client.openOrders()).rejects.toThrow('bug');
    await client.openOrders();
    expect(calls).toBe(2);
  });
});
