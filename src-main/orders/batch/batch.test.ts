import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { type BatchIntent, batchIntentSchema, type BatchReview } from '../../../src-shared/ipc/batch.ts';
import { isLeftOut, type OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { blockedFailure } from '../../../src-shared/ipc/failures.ts';
import { encodeOrder } from '../../exchange/order-body.ts';
import type { PostOutcome } from '../../exchange/outcome.ts';
import { callBody } from './calls.ts';
import { openJournal } from '../journal/journal.ts';
import {
  accepted,
  acceptedAs,
  fixture,
  intent,
  lost,
  rejected,
  token,
  type Fixture,
} from '../../../tests/orders/scripted-order-service.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const taken = acceptedAs(true);

/** A ladder of `count` buys. */
const ladder = (count: number, callSize: number, request: object = {}): BatchIntent => ({
  connectionId: 'practice',
  callSize,
  rows: Array.from({ length: count }, (_, row) => ({
    request: { ...intent().request, price: `${30_000 + row}.50`, ...request },
    reference: null,
  })),
});

async function reviewed(b: Fixture, batch: BatchIntent): Promise<BatchReview> {
  const result = dataOf(await b.orders.batches.review(batch));
  if (!('review' in result)) throw new Error('rows were rejected');
  return result.review;
}
const send = async (b: Fixture, batch: BatchIntent, release: readonly string[] = []) =>
  b.orders.batches.send((await reviewed(b, batch)).token, release);

/** Sends the batch and waits for its end. */
async function through(b: Fixture, batch: BatchIntent, release: readonly string[] = []) {
  dataOf(await send(b, batch, release));
  return ended(b);
}
async function ended(b: Fixture) {
  for (let turn = 0; turn < 2_000; turn++) {
    const [newest] = b.orders.batches.list('practice');
    if (newest !== undefined && newest.progress.state !== 'sending') return newest;
    await Promise.resolve();
  }
  throw new Error('the batch did not end');
}

describe('a batch', () => {
  it('is reviewed as its calls and sent as exactly those bytes', async () => {
    const b = await fixture();
    b.answers = [taken, taken, taken];
    const review = await reviewed(b, ladder(5, 2));
    expect(review.calls.map((call) => [call.method, call.path, call.rows])).toEqual([
      ['POST', '/ftapi/v1/batchOrders', [0, 1]],
      ['POST', '/ftapi/v1/batchOrders', [2, 3]],
      ['POST', '/ftapi/v1/batchOrders', [4]],
    ]);
    expect(await b.orders.batches.send(review.token, [])).toMatchObject({
      ok: true,
      data: { state: 'sending' },
    });
    const { progress, intents } = await ended(b);
    expect(progress).toMatchObject({ state: 'done', rows: 5, sent: 5, stoppedBy: null });
    expect(b.posts.map((one) => one.body)).toEqual(review.calls.map((call) => call.body));
    expect(b.posts[0]?.body).toMatch(/^\[\{.*"price":30000\.50.*\},\{.*"price":30001\.50.*\}\]$/);
    for (const [call, post] of b.posts.entries()) {
      const rows = intents.filter((one) => one.batch?.call === call);
      // Before the first byte all rows were on disk as `sending`; joined they are the bytes sent.
      for (const { id } of rows)
        expect(post.disk.split('\n').filter((line) => line.includes(`"intent":"${id}"`))).toHaveLength(2);
      expect(callBody(rows, false)).toBe(post.body);
    }
  });

  it('records all rows of a call in one append, with one list of known ids', async () => {
    const b = await fixture();
    b.answers = [taken];
    const appends: string[] = [];
    const append = b.file.append.bind(b.file);
    b.file.append = (text) => (appends.push(text), append(text));
    const { intents } = await through(b, ladder(3, 3));
    expect(appends).toHaveLength(2);
    expect(appends[0]?.match(/"knownIds":\[/g)).toHaveLength(1);
    const again = await openJournal(b.file);
    expect(again.damaged).toBe(0);
    for (const { id } of intents) expect(again.head(id)?.knownIds).toEqual(['1']);
  });

  it('leaves every row of an accepted batch unknown, to be reconciled', async () => {
    const b = await fixture();
    b.answers = [taken];
    const { intents } = await through(b, ladder(3, 3));
    for (const row of intents) {
      expect(row).toMatchObject({ state: 'unknown', orderId: null });
      expect(row.events.at(-1)?.text).toContain('Batch accepted');
      expect(row.events.at(-1)?.failure).toBeUndefined();
    }
  });

  it('continues after an accepted call although its rows are unknown on the same side', async () => {
    const b = await fixture();
    b.answers = [taken, taken];
    expect((await through(b, ladder(4, 2))).progress).toMatchObject({ state: 'done', sent: 4 });
    expect(b.posts).toHaveLength(2);
  });

  it.each([
    ['lost', lost],
    ['rejected', rejected],
  ])(
    'stops at a call that was %s; its rows are unknown, the rest was never recorded',
    async (_name, result) => {
      const b = await fixture();
      b.answers = [taken, result];
      const { progress, intents } = await through(b, ladder(6, 2));
      expect(progress).toMatchObject({ state: 'stopped', rows: 6, sent: 4 });
      expect(progress.stoppedBy?.kind).toBe(result === lost ? 'unknown' : 'rejected');
      expect(intents.map((one) => one.state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
      expect(b.posts).toHaveLength(2);
    },
  );

  it('marks a whole call not sent if nothing left', async () => {
    const b = await fixture();
    const failure = {
      kind: 'offline',
      message: 'Not reached. Nothing was sent.',
      next: 'Try again.',
    } as const;
    b.answers = [{ ...accepted, outcome: 'not-sent', failure }];
    const { progress, intents } = await through(b, ladder(4, 2));
    expect(progress).toMatchObject({ state: 'stopped', sent: 0, stoppedBy: failure });
    expect(intents.map((one) => one.state)).toEqual(['not-sent', 'not-sent']);
  });

  it('of single orders gives each row its own outcome and stops at the first rejection', async () => {
    const b = await fixture();
    b.answers = [accepted, acceptedAs('8'), rejected];
    const { progress, intents } = await through(b, ladder(5, 1));
    expect(b.posts.map((one) => one.endpoint)).toEqual(['placeOrder', 'placeOrder', 'placeOrder']);
    expect(intents.map((one) => [one.state, one.orderId])).toEqual([
      ['accepted', '734829105569914880'],
      ['accepted', '8'],
      ['rejected', null],
    ]);
    expect(progress).toMatchObject({ state: 'stopped', sent: 3, stoppedBy: { code: '700017' } });
  });

  it('stops at the first rejection whatever its code, and so after a restart: no row closes a position', async () => {
    for (const code of ['700001', '700012', '700082']) {
      const b = await fixture();
      const refused = { ...rejected, code };
      b.answers = [accepted, refused];
      const { progress } = await through(b, ladder(3, 1));
      const stopped = { state: 'stopped', sent: 2, stoppedBy: { kind: 'rejected' } };
      expect(progress).toMatchObject(stopped);
      expect(b.posts).toHaveLength(2);
      const again = await fixture(b.file.text);
      expect(again.orders.batches.list('practice')[0]?.progress).toMatchObject(stopped);
    }
  });

  it('consumes its token on first use', async () => {
    const b = await fixture();
    b.answers = [taken];
    const { token: once } = await reviewed(b, ladder(2, 2));
    const both = await Promise.all([b.orders.batches.send(once, []), b.orders.batches.send(once, [])]);
    expect(both.map((one) => one.ok)).toEqual([true, false]);
    await ended(b);
    expect(b.posts).toHaveLength(1);
    const dropped = await reviewed(b, ladder(2, 2));
    b.orders.discard(dropped.token);
    expect((await b.orders.batches.send(dropped.token, ['BTC-USDT-M'])).ok).toBe(false);
  });

  it('sends nothing and reports no batch when the journal cannot be written', async () => {
    const b = await fixture();
    const { token: once } = await reviewed(b, ladder(2, 2));
    b.file.full = true;
    expect(await b.orders.batches.send(once, [])).toMatchObject({ ok: false, failure: { kind: 'file' } });
    expect(b.posts).toEqual([]);
    expect(b.batchReports).toEqual([]);
    expect(b.orders.batches.list('practice')).toEqual([]);
  });

  it('locks all its symbols until it has ended', async () => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    const two = ladder(2, 2);
    const batch = {
      ...two,
      rows: [...two.rows, { request: intent({}, { symbolId: 'ETH-USDT-M' }).request, reference: null }],
    };
    await send(b, batch);
    for (const symbolId of ['BTC-USDT-M', 'ETH-USDT-M']) {
      const sell = intent({}, { symbolId, side: 'SELL' });
      expect(await b.orders.send(token(b.orders, sell), null)).toMatchObject({
        failure: { kind: 'blocked' },
      });
    }
    expect(b.posts).toHaveLength(1);
    result.resolve(lost);
    await ended(b);
    expect((await b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null)).ok).toBe(true);
  });

  it('stops after its first call also where it is stopped while that is being recorded', async () => {
    const b = await fixture();
    const disk = Promise.withResolvers<undefined>();
    const append = b.file.append.bind(b.file);
    b.file.append = (text) => disk.promise.then(() => append(text));
    const sending = send(b, ladder(3, 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(b.orders.isSending()).toBe(true);
    b.orders.batches.stopAll();
    disk.resolve(undefined);
    await sending;
    expect((await ended(b)).progress).toMatchObject({ sent: 1, stoppedBy: { kind: 'cancelled' } });
    expect(b.posts).toHaveLength(1);
  });

  it('counts as unfinished while it is sent, and its rows while their outcome is unknown', async () => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    await send(b, ladder(4, 2));
    expect([b.orders.unfinished(), b.orders.isSending()]).toEqual([
      { unknown: 0, sending: 2, batches: 1, closing: false },
      true,
    ]);
    b.orders.batches.stopAll();
    result.resolve(taken);
    expect((await ended(b)).progress).toMatchObject({ state: 'stopped', sent: 2 });
    expect([b.orders.unfinished(), b.orders.isSending()]).toEqual([
      { unknown: 2, sending: 0, batches: 0, closing: false },
      false,
    ]);
  });

  it('waits for an order in flight on one of its symbols', async () => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    const single = b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null);
    const batch = ladder(2, 2);
    expect(await send(b, batch)).toMatchObject({
      ok: false,
      failure: { message: 'Another BTC-USDT-M order is being sent.' },
    });
    result.resolve(accepted);
    await single;
    expect(b.posts).toHaveLength(1);
    expect((await send(b, batch)).ok).toBe(true);
  });

  it('does not block what else is due while its rows are checked', async () => {
    const b = await fixture();
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    await reviewed(b, ladder(100, 50));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(turns).toBeLessThan(10);
  });
});

/** Closes the positions with these ids, in turns of BTC and ETH; half of each where `quantity` is given. */
const closing = (ids: readonly string[], quantity?: string): BatchIntent => ({
  connectionId: 'practice',
  callSize: 1,
  rows: ids.map((closes, row) => ({
    request: {
      symbolId: row % 2 === 0 ? 'BTC-USDT-M' : 'ETH-USDT-M',
      side: 'SELL',
      type: 'MARKET',
      ...(quantity === undefined ? {} : { quantity }),
      reduceOnly: true,
    },
    reference: null,
    closes,
  })),
});

describe('closing positions together', () => {
  it('sends one reduce-only market order without quantity for each, and knows its rows while it runs', async () => {
    const b = await fixture();
    b.answers = [acceptedAs('7'), acceptedAs('8')];
    const review = await reviewed(b, closing(['1', '2']));
    expect((await b.orders.batches.send(review.token, [])).ok).toBe(true);
    const { progress, intents, requests } = await ended(b);
    expect(progress).toMatchObject({ state: 'done', sent: 2, closing: true });
    expect(requests).toEqual(closing(['1', '2']).rows.map((one) => one.request));
    expect(b.posts.map((one) => [one.endpoint, one.kind, one.body])).toEqual(
      review.calls.map((call) => ['placeOrder', 'close-all', call.body]),
    );
    expect(b.posts[0]?.body).toBe(
      '{"symbolId":"BTC-USDT-M","side":"SELL","type":"MARKET","reduceOnly":true}',
    );
    expect(intents.map((one) => [one.kind, one.state, one.orderId])).toEqual([
      ['close-all', 'accepted', '7'],
      ['close-all', 'accepted', '8'],
    ]);
  });

  it('sends a part with its quantity, as any other order', async () => {
    const b = await fixture();
    b.answers = [acceptedAs('7')];
    const { intents } = await through(b, closing(['1'], '0.5'));
    expect(intents[0]).toMatchObject({ kind: 'order', body: expect.stringContaining('"quantity":0.5') });
    expect(b.posts.map((one) => one.kind)).toEqual(['order']);
  });

  it('is the only way to send a row without quantity', async () => {
    const b = await fixture();
    const [row] = closing(['1']).rows;
    const { closes: _closes, ...noPosition } = row!;
    const batch = { ...closing(['1']), rows: [noPosition] };
    expect(await b.orders.batches.review(batch)).toMatchObject({
      data: { faults: [{ row: 0, failure: { field: 'quantity' } }] },
    });
  });

  it('asks the rules of what is still held only', async () => {
    const b = await fixture();
    b.gone = ['1'];
    const breaks = (symbolId: string) => (one: OrderIntent) =>
      one.request.symbolId === symbolId ? blockedFailure('Not held.', 'Look again.', 'order') : null;
    b.stop = breaks('ETH-USDT-M');
    expect(await b.orders.batches.review(closing(['1', '2']))).toMatchObject({
      data: { faults: [{ row: 1 }] },
    });
    b.stop = breaks('BTC-USDT-M');
    b.answers = [acceptedAs('7')];
    expect((await through(b, closing(['1', '2']))).progress).toMatchObject({ state: 'done', sent: 1 });
  });

  it('is done with nothing sent if all are gone, or fails if that cannot be written', async () => {
    const b = await fixture();
    b.gone = ['1', '2'];
    const { progress, intents } = await through(b, closing(['1', '2']));
    expect(progress).toMatchObject({ state: 'done', sent: 0, stoppedBy: null });
    expect(intents[0]?.events.at(-1)?.text).toBe('The position was already closed. Nothing was sent.');
    const { token: once } = await reviewed(b, closing(['1', '2']));
    b.file.full = true;
    expect(await b.orders.batches.send(once, [])).toMatchObject({ ok: false, failure: { kind: 'file' } });
    expect(b.posts).toEqual([]);
  });

  it('leaves out a position that is gone by its turn, also the first, and goes on', async () => {
    const b = await fixture();
    b.gone = ['1', '3'];
    b.answers = [acceptedAs('7'), acceptedAs('8')];
    const { progress, intents } = await through(b, closing(['1', '2', '3', '4']));
    expect(progress).toMatchObject({ state: 'done', rows: 4, sent: 2, stoppedBy: null });
    expect(intents.map((one) => [one.state, isLeftOut(one)])).toEqual([
      ['not-sent', true],
      ['accepted', false],
      ['not-sent', true],
      ['accepted', false],
    ]);
    expect(b.posts).toHaveLength(2);
    const again = await fixture(b.file.text);
    expect(again.orders.batches.list('practice')).toMatchObject([
      { progress: { state: 'done', closing: true }, requests: null },
    ]);
  });

  it.each([
    ['lost', lost, 'unknown'],
    ['rejected', rejected, 'rejected'],
  ])('stops at an order that was %s; the rest is never recorded', async (_name, result, state) => {
    const b = await fixture();
    b.answers = [accepted, result];
    const { progress, intents } = await through(b, closing(['1', '2', '3']));
    expect(progress).toMatchObject({ state: 'stopped', sent: 2 });
    expect(intents.map((one) => one.state)).toEqual(['accepted', state]);
    expect(b.posts).toHaveLength(2);
  });

  it.each([
    ['a position that the exchange no longer has', '700001'],
    ['a contract that is not open to trading', '700041'],
    ['an invalid quantity', '700012'],
    ['a quantity that cannot be closed', '700022'],
    ['a quantity below that of an order', '700060'],
    ['a quantity above that of an order', '700082'],
  ])('goes on after %s, as it does after a restart', async (_name, code) => {
    const b = await fixture();
    const none = { ...rejected, code };
    b.answers = [accepted, none, acceptedAs('8'), none];
    const { progress, intents } = await through(b, closing(['1', '2', '3', '4']));
    expect(intents.map((one) => one.state)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
    expect(progress).toMatchObject({ state: 'done', sent: 4, stoppedBy: null });
    const again = await fixture(b.file.text);
    expect(again.orders.batches.list('practice')).toMatchObject([
      { progress: { state: 'done', sent: 4, stoppedBy: null } },
    ]);
  });

  it.each<[string, (b: Fixture) => void]>([
    ['another connection is opened', (b) => (b.closed = true)],
    ['its connection gets the key of another account', (b) => (b.account = { ...b.account, key: 'b' })],
  ])('stops when %s', async (_, change) => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    await send(b, closing(['1', '2']));
    change(b);
    result.resolve(accepted);
    expect((await ended(b)).progress).toMatchObject({ state: 'stopped', stoppedBy: { kind: 'blocked' } });
    expect(b.posts).toHaveLength(1);
  });

  it('is one order per call, reduce-only, and closing throughout', () => {
    const valid = (batch: BatchIntent): boolean => v.is(batchIntentSchema, batch);
    const two = closing(['1', '2']);
    expect(valid(two)).toBe(true);
    expect(valid({ ...two, callSize: 2 })).toBe(false);
    expect(valid({ ...two, rows: [...two.rows, ...ladder(1, 1).rows] })).toBe(false);
    const opens = two.rows.map((one) => ({ ...one, request: { ...one.request, reduceOnly: false } }));
    expect(valid({ ...two, rows: opens })).toBe(false);
  });
});

describe('what stops a batch', () => {
  it('reports row and field at the review', async () => {
    const b = await fixture();
    const batch = ladder(3, 3);
    const faulty = {
      ...batch,
      rows: batch.rows.with(1, { request: intent({}, { price: '0' }).request, reference: null }),
    };
    expect(await b.orders.batches.review(faulty)).toMatchObject({
      ok: true,
      data: { faults: [{ row: 1, failure: { field: 'price', code: '700011' } }] },
    });
  });

  it('checks again at the send and reports the row', async () => {
    const b = await fixture();
    const { token: once } = await reviewed(b, ladder(3, 1));
    b.stop = (one) =>
      one.request.price === '30002.50'
        ? blockedFailure('Too far from the market.', 'Move it.', 'price')
        : null;
    const sent = await b.orders.batches.send(once, []);
    expect(sent).toMatchObject({
      ok: false,
      failure: { message: 'Row 3: Too far from the market.', field: 'price' },
    });
    expect([b.posts, b.file.text]).toEqual([[], '']);
  });

  it('checks each call again before it is sent, counting the opening orders ahead in it', async () => {
    const b = await fixture();
    const aheads: number[] = [];
    b.stop = (one, ahead) => {
      aheads.push(ahead);
      return b.posts.length > 0 && one.request.price === '30003.50'
        ? blockedFailure('Too far from the market.', 'Move it.', 'price')
        : null;
    };
    const { rows, ...batch } = ladder(6, 3);
    const reduces = {
      ...rows[1]!,
      request: { ...rows[1]!.request, side: 'SELL', reduceOnly: true } as const,
    };
    b.answers = [taken];
    const { progress } = await through(b, { ...batch, rows: rows.with(1, reduces) });
    expect(progress).toMatchObject({
      ...{ state: 'stopped', sent: 3 },
      stoppedBy: { message: 'Row 4: Too far from the market.', field: 'price' },
    });
    expect(b.posts).toHaveLength(1);
    // At the review, at the send, then call by call.
    expect(aheads).toEqual([...[0, 1, 1, 2, 3, 4], ...[0, 1, 1, 2, 3, 4], ...[0, 1, 1], 0]);
  });

  it('the lock, before a hold is asked about', async () => {
    const b = await fixture();
    const { token: once } = await reviewed(b, ladder(1, 1));
    b.answers = [lost];
    await b.orders.send(token(b.orders, intent()), null);
    b.locked = true;
    expect(await b.orders.batches.send(once, [])).toMatchObject({ failure: { field: 'account' } });
  });

  it('names all orders that hold a symbol, of both sides', async () => {
    const b = await fixture();
    b.answers = [lost, lost];
    const held: string[] = [];
    for (const side of ['BUY', 'SELL'] as const) {
      const sent = await b.orders.send(token(b.orders, intent({}, { side })), null);
      held.push(sent.ok ? sent.data.id : '');
    }
    const [row] = ladder(1, 2, { side: 'SELL' }).rows;
    const both = { ...ladder(1, 2), rows: [...ladder(1, 2).rows, row!] };
    expect((await reviewed(b, both)).heldBy).toEqual([{ symbolId: 'BTC-USDT-M', intentIds: held }]);
  });

  it('the lock or read-only, before it and between calls', async () => {
    const b = await fixture();
    b.locked = true;
    expect(await b.orders.batches.review(ladder(2, 1))).toMatchObject({
      ok: false,
      failure: { field: 'account' },
    });
    b.locked = false;
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    await send(b, ladder(3, 1));
    b.summary = { ...b.summary, settings: { ...b.summary.settings, readOnly: true } };
    result.resolve(accepted);
    const { progress, intents } = await ended(b);
    expect(progress).toMatchObject({ state: 'stopped', sent: 1, stoppedBy: { field: 'account' } });
    expect(intents).toHaveLength(1);
  });

  it('the user: the call in flight ends, no other follows', async () => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    const started = await send(b, ladder(4, 2));
    const id = started.ok ? started.data.id : '';
    expect(b.orders.batches.stop(id).ok).toBe(true);
    result.resolve(taken);
    expect((await ended(b)).progress).toMatchObject({
      state: 'stopped',
      sent: 2,
      stoppedBy: { kind: 'cancelled' },
    });
    expect(b.posts).toHaveLength(1);
    expect(b.orders.batches.stop(id).ok).toBe(false);
  });

  it('a hold, until every held symbol is typed', async () => {
    const b = await fixture();
    b.answers = [lost, lost];
    await b.orders.send(token(b.orders, intent()), null);
    const eth = intent({}, { symbolId: 'ETH-USDT-M' });
    await b.orders.send(token(b.orders, eth), null);
    const batch = ladder(1, 2);
    const both = { ...batch, rows: [...batch.rows, { request: eth.request, reference: null }] };
    expect((await reviewed(b, both)).heldBy.map((one) => one.symbolId)).toEqual(['BTC-USDT-M', 'ETH-USDT-M']);
    expect((await send(b, both)).ok).toBe(false);
    expect(await send(b, both, ['BTC-USDT-M'])).toMatchObject({
      ok: false,
      failure: {
        field: 'order',
        message: 'The outcome of an earlier ETH-USDT-M order on this side is unknown.',
      },
    });
    expect((await send(b, ladder(2, 2, { side: 'SELL' }))).ok).toBe(true);
    await ended(b);
    b.answers = [taken];
    expect((await through(b, both, ['BTC-USDT-M', 'ETH-USDT-M'])).progress.state).toBe('done');
  });
});

describe('the end of a batch', () => {
  it('by a defect is reported, releases its symbols and leaves what was recorded unknown', async () => {
    const b = await fixture();
    b.answers = [taken, Promise.reject(new TypeError('a bug'))];
    expect((await send(b, ladder(6, 2))).ok).toBe(true);
    const batch = await ended(b);
    expect(batch.progress).toMatchObject({
      state: 'stopped',
      stoppedBy: {
        kind: 'bug',
        message: expect.stringContaining('Ballast failed'),
        next: expect.stringContaining('No more rows are sent'),
      },
    });
    expect(batch.intents.map((one) => one.state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(b.posts).toHaveLength(2);
    expect((await b.orders.send(token(b.orders, intent()), 'BTC-USDT-M')).ok).toBe(true);
  });

  it('by a defect in the first call is the caller’s', async () => {
    const b = await fixture();
    b.encode = (request) => encodeOrder(request).replace(/"quantity":[\d.]+,/, '');
    const review = await reviewed(b, ladder(2, 2));
    await expect(b.orders.batches.send(review.token, [])).rejects.toThrow('quantity');
    expect([b.posts, b.file.text]).toEqual([[], '']);
    b.encode = encodeOrder;
    expect((await b.orders.send(token(b.orders, intent()), null)).ok).toBe(true);
  });

  it('by the user names what is left, and is no longer there to be stopped', async () => {
    const b = await fixture();
    const reply = Promise.withResolvers<PostOutcome>();
    b.answers = [reply.promise];
    const started = await send(b, ladder(4, 2));
    const id = started.ok ? started.data.id : '';
    expect(b.orders.batches.stop(id)).toEqual({ ok: true, data: null });
    reply.resolve(taken);
    const { progress } = await ended(b);
    expect(progress).toMatchObject({
      state: 'stopped',
      sent: 2,
      stoppedBy: {
        kind: 'cancelled',
        message: 'Stopped by you.',
        next: expect.stringContaining('Send them as a new batch'),
      },
    });
    for (const one of [id, 'none'])
      expect(b.orders.batches.stop(one)).toEqual({
        ok: false,
        failure: {
          kind: 'blocked',
          field: 'order',
          message: 'This batch is no longer being sent.',
          next: 'Check Activity.',
        },
      });
    // After a restart, the journal alone gives the same progress.
    const again = await fixture(b.file.text);
    expect(again.orders.batches.list('practice')[0]?.progress).toMatchObject({
      state: 'stopped',
      sent: 2,
      stoppedBy: {
        kind: 'cancelled',
        message: '2 rows are not in the journal: the batch was stopped, or Ballast quit.',
        next: expect.stringContaining('Check which rows were placed'),
      },
    });
  });

  it('counts one row that was not sent', async () => {
    const b = await fixture();
    b.answers = [taken, Promise.withResolvers<PostOutcome>().promise];
    await send(b, ladder(3, 2));
    while (b.posts.length < 2) await Promise.resolve();
    const lines = b.file.text.trimEnd().split('\n').slice(0, 6);
    const again = await fixture(`${lines.join('\n')}\n`);
    expect(again.orders.batches.list('practice')[0]?.progress.stoppedBy?.message).toContain(
      '1 row is not in the journal',
    );
  });

  it('is that of a closed connection if there is none: nothing is reviewed or sent', async () => {
    const b = await fixture();
    const { token: confirmed } = await reviewed(b, ladder(2, 2));
    b.closed = true;
    const notOpen = {
      failure: { kind: 'blocked', field: 'connection', message: 'This connection is not open.' },
    };
    expect(await b.orders.batches.review(ladder(2, 2))).toMatchObject(notOpen);
    expect(await b.orders.batches.send(confirmed, [])).toMatchObject(notOpen);
    expect(b.posts).toEqual([]);
  });

  it('is reported as progress: started, sent call by call, done', async () => {
    const b = await fixture();
    b.answers = [taken, taken];
    await through(b, ladder(4, 2));
    expect(b.batchReports.map(({ state, sent, rows }) => [state, sent, rows])).toEqual([
      ['sending', 2, 4],
      ['sending', 4, 4],
      ['done', 4, 4],
    ]);
    expect(b.batchReports[0]).not.toHaveProperty('closing');
  });

  it('by discarding its confirmation sends nothing', async () => {
    const b = await fixture();
    const { token: confirmed } = await reviewed(b, ladder(2, 2));
    b.orders.discard(confirmed);
    expect(await b.orders.batches.send(confirmed, [])).toMatchObject({ failure: { kind: 'blocked' } });
    expect(b.posts).toEqual([]);
  });
});

describe('after a restart', () => {
  it('rebuilds the batch from the journal: unknown rows, and how many it does not have', async () => {
    const b = await fixture();
    b.answers = [taken, Promise.withResolvers<PostOutcome>().promise];
    await send(b, ladder(7, 2));
    while (b.posts.length < 2) await Promise.resolve();

    const again = await fixture(b.file.text);
    await again.orders.recover();
    const [batch] = again.orders.batches.list('practice');
    expect(batch?.intents.map((one) => one.state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
    expect(batch?.progress).toMatchObject({ state: 'stopped', rows: 7, sent: 4 });
    expect(batch?.progress.stoppedBy?.message).toContain('Ballast stopped');
    expect(batch?.progress).not.toHaveProperty('closing');
    expect(again.posts).toEqual([]);
  });

  it('counts a row as sent whose send is missing, since the file may have lost it', async () => {
    const b = await fixture();
    b.answers = [taken];
    await through(b, ladder(2, 2));
    // Both rows are recorded, and the send of the first one follows.
    const again = await fixture(`${b.file.text.split('\n').slice(0, 3).join('\n')}\n`);
    const [batch] = again.orders.batches.list('practice');
    expect(batch?.intents.map((one) => one.state)).toEqual(['sending', 'sending']);
    expect(batch?.progress).toMatchObject({ rows: 2, sent: 2 });
  });

  it('counts rows not in the journal after a stop between calls, and none for a finished batch', async () => {
    const b = await fixture();
    b.answers = [taken, lost];
    await through(b, ladder(6, 2));
    const stopped = await fixture(b.file.text);
    expect(stopped.orders.batches.list('practice')[0]?.progress).toMatchObject({
      state: 'stopped',
      sent: 4,
      stoppedBy: { kind: 'unknown' },
    });
    const c = await fixture();
    c.answers = [taken];
    await through(c, ladder(2, 2));
    const done = await fixture(c.file.text);
    expect(done.orders.batches.list('practice')[0]?.progress).toMatchObject({
      state: 'done',
      stoppedBy: null,
    });
  });
});
