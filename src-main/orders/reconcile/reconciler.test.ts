/** Reconciliation against the real practice exchange over HTTP. */
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../journal/journal.ts';
import { isAmbiguous } from '../../../src-shared/ipc/orders.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import { LIMIT } from '../../../tests/domain/order-samples.ts';
import { memoryFile } from '../../../tests/orders/memory-file.ts';
import {
  startFixture,
  type Fixture,
  type FixtureOptions,
  type Fault,
} from '../../../tests/orders/lost-replies.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const request = (change: Partial<OrderRequest> = {}): OrderRequest => ({
  ...LIMIT,
  quantity: '0.010',
  price: '30000.0',
  ...change,
});
const market: OrderRequest = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '0.002' };
const reset: Fault = { action: 'reset', accept: true };

const reviewed = ({ orders }: Fixture) =>
  orders.review({ connectionId: 'practice', kind: 'order', request: request(), reference: null });

const running: Fixture[] = [];
async function fixture(options: FixtureOptions = {}): Promise<Fixture> {
  const one = await startFixture(options);
  running.push(one);
  one.reconciler.start();
  await one.poll('BTC-USDT-M');
  return one;
}
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

describe('a placed order whose reply was lost', () => {
  const faults: [string, Fault][] = [
    ['reset', reset],
    ['reply cut off', { action: 'cut', accept: true }],
    ['HTTP 503', { action: 'status', accept: true, status: 503 }],
    ['HTML', { action: 'html', accept: true }],
    ['truncated JSON', { action: 'truncated', accept: true }],
    ['repeated keys', { action: 'duplicate-keys', accept: true }],
    ['contradictory envelope', { action: 'contradictory', accept: true }],
    ['no data', { action: 'no-data', accept: true }],
    ['code 700000', { action: 'code', accept: true, code: '700000' }],
    ['late reply', { action: 'delay', accept: true, ms: 400 }],
  ];
  it.each(faults)('is matched: %s', async (_name, fault) => {
    const b = await fixture();
    const before = b.time.now();
    const sent = await b.send(request(), fault);
    expect(sent.state).toBe('unknown');
    await b.time.passUntil(before + 5_000);
    const [truth] = await b.trueIds('BTC-USDT-M', before);
    expect(b.journal.get(sent.id)).toMatchObject({
      state: 'matched',
      orderId: truth,
      finding: { rounds: 1, checks: [{ verdict: 'matched', nextAt: null }] },
    });
    expect(b.posts()).toBe(1);
  });

  it('is matched when it filled at once, with its trades as evidence', async () => {
    const b = await fixture();
    const sent = await b.send(market, reset);
    await b.time.passUntil(b.time.now() + 1_000);
    const record = b.journal.get(sent.id);
    expect(record?.state).toBe('matched');
    expect(record?.finding?.checks[0]?.hints[0]).toMatch(/^Trades of order \d+: 1, total 0\.002/);
  });

  it.each([0, 4_000, 29_000, 75_000, 120_000])(
    'is found within 30 s of showing, %i ms late',
    async (late) => {
      const b = await fixture({ visibleAfter: () => late });
      const sentAt = b.time.now();
      const sent = await b.send(request(), reset);
      await b.time.passUntil(sentAt + late - 1);
      if (late > 0) expect(b.journal.get(sent.id)).toMatchObject({ state: 'unknown' });
      await b.time.passUntil(sentAt + late + 30_000);
      expect(b.journal.get(sent.id)?.state).toBe('matched');
    },
  );

  it.each([-3_600_000, 3_600_000])(
    'is found with this computer’s clock off by %i ms',
    async (clockAheadMs) => {
      const b = await fixture({ clockAheadMs });
      const sent = await b.send(request(), reset);
      await b.time.passUntil(b.time.now() + 5_000);
      expect(b.journal.get(sent.id)?.state).toBe('matched');
    },
  );
});

describe('a match that the user gives back', () => {
  it('is no candidate again, holds its side, and is dismissed by the user only', async () => {
    const file = memoryFile();
    const b = await fixture({ file });
    const sent = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 5_000);
    const orderId = b.journal.get(sent.id)?.orderId ?? '';
    expect(await b.orders.decisions.unmatch(sent.id, 'BTC')).toMatchObject({ failure: { field: 'typed' } });
    expect(b.journal.get(sent.id)?.state).toBe('matched');

    expect(await b.orders.decisions.unmatch(sent.id, 'BTC-USDT-M')).toMatchObject({
      data: { state: 'unknown', orderId: null, disowned: [orderId] },
    });
    await b.time.passUntil(b.time.now() + 60_000);
    expect(b.journal.get(sent.id)).toMatchObject({ state: 'unknown', orderId: null });
    expect(b.journal.get(sent.id)?.finding?.rounds).toBeGreaterThan(2);
    expect((await b.orders.decisions.match(sent.id, orderId, 'BTC-USDT-M')).ok).toBe(false);
    const review = reviewed(b);
    expect(review.ok && review.data.heldBy).toEqual([sent.id]);
    expect(b.posts()).toBe(1);

    // As a restart reads it.
    const again = await openJournal(file);
    expect(again.get(sent.id)).toMatchObject({ state: 'unknown', orderId: null, disowned: [orderId] });
    expect(await b.orders.decisions.unmatch(sent.id, 'BTC-USDT-M')).toMatchObject({ ok: false });
    await b.orders.decisions.dismiss(sent.id, 'BTC-USDT-M');
    expect(b.journal.get(sent.id)?.state).toBe('dismissed');
  });
});

describe('with a Date header of another clock', () => {
  it.each([-3_600_000, -600_000, 600_000, 3_600_000])('finds an order: %i ms off', async (headerAheadMs) => {
    const b = await fixture({ headerAheadMs });
    const sent = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 5_000);
    expect(b.journal.get(sent.id)).toMatchObject({
      state: 'matched',
      finding: { checks: [{ verdict: 'matched' }] },
    });
  });

  it.each([-3_600_000, 3_600_000])(
    'takes the clock from accepted orders where this computer’s is wrong too (%i ms)',
    async (headerAheadMs) => {
      const b = await fixture({ headerAheadMs, clockAheadMs: 7_200_000 });
      const accepted = await b.send(request({ price: '29000.0' }), null);
      expect(accepted.state).toBe('accepted');
      await b.poll('BTC-USDT-M');
      const sent = await b.send(request(), reset);
      await b.time.passUntil(b.time.now() + 5_000);
      expect(b.journal.get(sent.id)?.state).toBe('matched');
    },
  );

  it('reports no absence for an order that both clock readings miss', async () => {
    const b = await fixture({ headerAheadMs: 3_600_000, clockAheadMs: 7_200_000 });
    const sent = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 200_000);
    expect(b.journal.get(sent.id)).toMatchObject({ state: 'unknown', finding: { absent: 0 } });
  });

  it('neither misses nor matches an order between the clock readings', async () => {
    const b = await fixture({ headerAheadMs: -3_600_000, clockAheadMs: 7_200_000 });
    const sent = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 5_000);
    const record = b.journal.get(sent.id);
    expect(record).toMatchObject({ state: 'unknown', finding: { absent: 0 } });
    expect(record !== null && isAmbiguous(record)).toBe(true);
  });
});

describe('an order that was never placed', () => {
  it('stays unknown with its checks, holds its side, and is dismissed by the user only', async () => {
    const b = await fixture();
    const sent = await b.send(request(), { action: 'reset', accept: false });
    await b.time.passUntil(b.time.now() + 200_000);
    const record = b.journal.get(sent.id);
    expect(record).toMatchObject({ state: 'unknown', orderId: null });
    expect(record?.finding?.rounds).toBeGreaterThan(10);
    expect(record?.finding?.absent).toBe(record?.finding?.rounds);
    const review = reviewed(b);
    expect(review.ok && review.data.heldBy).toEqual([sent.id]);
    await b.orders.decisions.dismiss(sent.id, 'BTC-USDT-M');
    await b.time.passUntil(b.time.now() + 60_000);
    expect(b.journal.get(sent.id)).toMatchObject({ state: 'dismissed', finding: record?.finding });
  });

  it('is not reported absent while a list fails; reads stop during Retry-After', async () => {
    const b = await fixture();
    await b.control('POST', '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
    const review = dataOf(reviewed(b));
    await b.control('POST', '/faults', { endpoint: 'order', action: 'reset', accept: false });
    const sent = await b.orders.send(review.token, null);
    await b.time.passUntil(b.time.now() + 10_000);
    const id = sent.ok ? sent.data.id : '';
    expect(b.journal.get(id)?.finding).toMatchObject({ absent: 0 });
    expect(b.journal.get(id)?.finding?.checks[0]).toMatchObject({
      verdict: 'undecided',
      reads: [{ outcome: 'complete' }, { outcome: 'failed', failure: { kind: 'server' } }],
    });

    await b.control('DELETE', '/faults');
    await b.control('POST', '/faults', { endpoint: 'openOrder', action: 'rate-limit', retryAfter: 60 });
    b.reconciler.reconcile('BTC-USDT-M');
    await b.time.passUntil(b.time.now() + 20_000);
    const before = (await b.control('GET', '/state')).received as Record<string, number>;
    await b.time.passUntil(b.time.now() + 38_000);
    const after = (await b.control('GET', '/state')).received as Record<string, number>;
    expect(after.openOrder).toBe(before.openOrder);
  });
});

describe('identical orders', () => {
  it('assigns one order each to two requests that were both placed', async () => {
    const b = await fixture();
    const before = b.time.now();
    const sent = [await b.send(request(), reset), await b.send(request(), reset)];
    await b.time.passUntil(b.time.now() + 5_000);
    const found = sent.map((one) => b.journal.get(one.id)?.orderId).sort();
    expect(found).toEqual(await b.trueIds('BTC-USDT-M', before));
  });

  it('leaves both to the user if only one of two was placed', async () => {
    const b = await fixture();
    // The first is listed only after the second is sent; else it would be the first's without doubt.
    const first = await b.send(request(), { action: 'reset', accept: false });
    const second = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 5_000);
    const [one, two] = [b.journal.get(first.id), b.journal.get(second.id)];
    expect([one, two].map((record) => record !== null && isAmbiguous(record))).toEqual([true, true]);
    const candidate = two?.finding?.checks.at(-1)?.candidates[0]?.orderId ?? '';

    expect(await b.orders.decisions.match(second.id, candidate, 'BTC')).toMatchObject({
      failure: { field: 'typed' },
    });
    expect((await b.orders.decisions.match(second.id, '1', 'BTC-USDT-M')).ok).toBe(false);
    expect(await b.orders.decisions.match(second.id, candidate, 'BTC-USDT-M')).toMatchObject({
      data: { state: 'matched-by-user', orderId: candidate },
    });
    expect(await b.orders.decisions.match(first.id, candidate, 'BTC-USDT-M')).toMatchObject({
      failure: { message: expect.stringContaining('belongs to another request') },
    });
    b.reconciler.reconcile('BTC-USDT-M');
    await b.time.passUntil(b.time.now() + 1_000);
    expect(b.journal.get(first.id)).toMatchObject({ state: 'unknown' });
    expect(b.journal.get(first.id)?.finding?.checks.at(-1)).toMatchObject({ verdict: 'absent' });
  });

  it('leaves a foreign identical order beside ours to the user', async () => {
    const b = await fixture();
    const sent = await b.send(request(), reset);
    await b.client.placeOrder(request());
    await b.time.passUntil(b.time.now() + 5_000);
    const record = b.journal.get(sent.id);
    expect(record !== null && isAmbiguous(record)).toBe(true);
    expect(record?.finding?.checks.at(-1)?.candidates).toHaveLength(2);
  });

  it('never matches an identical order that existed before the send', async () => {
    const b = await fixture();
    await b.client.placeOrder(request());
    await b.poll('BTC-USDT-M');
    const sent = await b.send(request(), { action: 'reset', accept: false });
    await b.time.passUntil(b.time.now() + 5_000);
    expect(b.journal.get(sent.id)?.finding?.checks.at(-1)?.verdict).toBe('absent');
  });

  it('never matches an order accepted for another intent', async () => {
    const b = await fixture();
    const lost = await b.send(request(), { action: 'reset', accept: false });
    const accepted = await b.send(request(), null);
    expect(accepted.state).toBe('accepted');
    await b.time.passUntil(b.time.now() + 60_000);
    expect(b.journal.get(lost.id)).toMatchObject({ state: 'unknown' });
  });
});

describe('after a restart', () => {
  it('continues with the journal’s known orders, window and rounds', async () => {
    const file = memoryFile();
    const b = await fixture({ file, visibleAfter: () => 60_000 });
    const sent = await b.send(request(), reset);
    await b.time.passUntil(b.time.now() + 20_000);
    await b.reconciler.stop();
    const rounds = b.journal.get(sent.id)?.finding?.rounds ?? 0;
    expect(rounds).toBeGreaterThan(2);
    await b.time.passUntil(b.time.now() + 300_000);

    const again = await b.restart(file.text);
    again.reconciler.start();
    await b.time.passUntil(b.time.now() + 5_000);
    expect(again.journal.get(sent.id)).toMatchObject({
      state: 'matched',
      orderId: expect.stringMatching(/^\d+$/),
      finding: { rounds: rounds + 1 },
    });
    await again.reconciler.stop();
  });
});
