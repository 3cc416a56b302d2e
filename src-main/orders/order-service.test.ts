import { describe, expect, it } from 'vitest';
import type { OrderIntent } from '../../src-shared/ipc/orders.ts';
import { encodeOrder } from '../exchange/order-body.ts';
import type { PostOutcome } from '../exchange/outcome.ts';
import { openJournal } from './journal/journal.ts';
import {
  accepted,
  acceptedAs,
  fixture,
  intent,
  lost,
  rejected,
  token,
  type Fixture,
} from '../../tests/orders/scripted-order-service.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

const late = (seconds: number) =>
  expect.objectContaining({
    text: `The order was not sent: saving it to the journal took ${seconds} s.`,
  });

describe('sending', () => {
  it('sends the reviewed bytes once, after they are on disk', async () => {
    const b = await fixture();
    const review = dataOf(b.orders.review(intent()));
    expect(review).toMatchObject({ method: 'POST', path: '/ftapi/v1/order' });
    expect(review.body).toContain('"quantity":0.850');
    const sent = await b.orders.send(review.token, null);
    expect(sent).toMatchObject({ ok: true, data: { state: 'accepted', orderId: '734829105569914880' } });
    expect(b.posts).toHaveLength(1);
    expect(b.posts[0]?.body).toBe(review.body);
    expect(b.posts[0]?.disk).toContain(JSON.stringify(review.body));
    expect(b.posts[0]?.disk).toContain('"event":"send"');
    expect(b.posts[0]?.disk).toContain('"knownIds":["1"]');
    expect(b.journal.head(sent.ok ? sent.data.id : '')).toMatchObject({
      clockOffsetMs: 250,
      position: 'long 1.000',
    });
  });

  it('consumes a token on first use, also when both uses are concurrent', async () => {
    const b = await fixture();
    const one = token(b.orders, intent());
    const [first, second] = await Promise.all([b.orders.send(one, null), b.orders.send(one, null)]);
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({
      failure: {
        kind: 'blocked',
        field: 'order',
        message: 'This confirmation was already used or has expired.',
        next: 'Review the order again.',
      },
    });
    expect(b.posts).toHaveLength(1);
  });

  it('rejects an expired and a discarded token', async () => {
    const b = await fixture();
    const old = token(b.orders, intent());
    b.now += 120_001;
    expect((await b.orders.send(old, null)).ok).toBe(false);
    const dropped = token(b.orders, intent());
    b.orders.discard(dropped);
    expect((await b.orders.send(dropped, null)).ok).toBe(false);
    expect(b.posts).toHaveLength(0);
  });

  it('sends nothing when the journal cannot be written', async () => {
    const b = await fixture();
    const one = token(b.orders, intent());
    b.file.full = true;
    const sent = await b.orders.send(one, null);
    expect(sent).toMatchObject({
      failure: {
        kind: 'file',
        message: 'Nothing was sent: the journal could not be written (ENOSPC).',
        next: expect.stringContaining('Free up disk space'),
      },
    });
    expect(b.posts).toHaveLength(0);
  });

  it.each([
    [15_000, { state: 'accepted' }],
    [15_600, { state: 'not-sent', events: expect.arrayContaining([late(16)]) }],
    [3_600_000, { state: 'not-sent', events: expect.arrayContaining([late(3_600)]) }],
  ])('sends nothing late: the disk, or sleep, took %i ms', async (ms, record) => {
    const b = await fixture();
    const one = token(b.orders, intent());
    const append = b.file.append.bind(b.file);
    b.file.append = async (text) => {
      await append(text);
      b.now += ms;
    };
    expect(await b.orders.send(one, null)).toMatchObject({ ok: true, data: record });
    expect(b.posts).toHaveLength(ms > 15_000 ? 0 : 1);
  });

  it('sends nothing on a connection that was closed after the review', async () => {
    const b = await fixture();
    const one = token(b.orders, intent());
    b.closed = true;
    expect(await b.orders.send(one, null)).toMatchObject({
      failure: {
        kind: 'blocked',
        field: 'connection',
        message: 'This connection is not open.',
        next: expect.stringContaining('Open it'),
      },
    });
    expect([b.posts, b.file.text]).toEqual([[], '']);
  });

  it('sends nothing to another account than was reviewed, but to the same one once its user id is known', async () => {
    const b = await fixture();
    const { account } = b;
    const [other, same] = [token(b.orders, intent()), token(b.orders, intent())];
    b.account = { ...account, key: 'b' };
    expect(await b.orders.send(other, null)).toMatchObject({
      failure: { kind: 'blocked', field: 'account', next: 'Review the order again.' },
    });
    expect([b.posts, b.file.text]).toEqual([[], '']);
    b.account = { ...account, uid: '7' };
    expect(await b.orders.send(same, null)).toMatchObject({ ok: true });
  });

  it('records and sends no bytes that do not match their kind, whatever was encoded', async () => {
    const b = await fixture();
    b.encode = (request) => encodeOrder(request).replace(/"quantity":[\d.]+,/, '');
    await expect(b.orders.send(token(b.orders, intent()), null)).rejects.toThrow('quantity');
    expect([b.posts, b.file.text]).toEqual([[], '']);
  });

  it('reports each step of the order once it is in the journal', async () => {
    const b = await fixture();
    await b.orders.send(token(b.orders, intent()), null);
    expect(b.reports.map((one) => one.state)).toEqual(['sending', 'accepted']);
    expect(b.reports.at(-1)?.events.map((one) => one.text)).toEqual([
      'Recorded in the journal',
      'Sending',
      'Accepted as order 734829105569914880',
    ]);
  });

  it('keeps one POST in flight per symbol', async () => {
    const b = await fixture();
    const result = Promise.withResolvers<PostOutcome>();
    b.answers = [result.promise];
    const first = b.orders.send(token(b.orders, intent()), null);
    const other = await b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null);
    expect(other).toMatchObject({
      failure: {
        kind: 'blocked',
        field: 'order',
        message: 'Another BTC-USDT-M order is being sent.',
        next: 'Wait for the reply.',
      },
    });
    result.resolve(accepted);
    expect((await first).ok).toBe(true);
    expect((await b.orders.send(token(b.orders, intent()), null)).ok).toBe(true);
    expect(b.posts).toHaveLength(2);
  });

  it('is unknown if the send throws: the bytes may have left', async () => {
    const b = await fixture();
    b.answers = [Promise.reject(new TypeError('a bug'))];
    await expect(b.orders.send(token(b.orders, intent()), null)).rejects.toThrow('a bug');
    const [record] = b.journal.list('practice');
    expect(record?.state).toBe('unknown');
    expect(record?.events.at(-1)?.failure).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('may or may not have been placed'),
      next: expect.stringContaining('Do not send it again'),
    });
    expect((await openJournal(b.file)).get(record?.id ?? '')).toEqual(record);
  });

  it.each([
    ['another order of ours', '734829105569914880'],
    ['an order that was there before the send', '1'],
  ])('does not take the id of %s for a second one', async (_whose, id) => {
    const b = await fixture();
    b.answers = [accepted, acceptedAs(id)];
    await b.orders.send(token(b.orders, intent()), null);
    const again = await b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null);
    expect(again).toMatchObject({ ok: true, data: { state: 'unknown', orderId: null } });
    expect(again.ok && again.data.events.at(-1)?.failure).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining(id),
    });
    // The file has it too.
    const restarted = await fixture(b.file.text);
    expect(restarted.journal.list('practice').map((one) => one.state)).toEqual(['unknown', 'accepted']);
  });

  it('returns the exchange’s rejection with its code', async () => {
    const b = await fixture();
    b.answers = [rejected];
    const sent = await b.orders.send(token(b.orders, intent()), null);
    expect(sent).toMatchObject({ ok: true, data: { state: 'rejected', code: '700017' } });
  });
});

describe('an unknown outcome', () => {
  it('holds its symbol and side until the symbol is typed', async () => {
    const b = await fixture();
    b.answers = [lost];
    expect(await b.orders.send(token(b.orders, intent()), null)).toMatchObject({
      data: { state: 'unknown' },
    });

    const review = b.orders.review(intent());
    expect(review.ok && review.data.heldBy).toHaveLength(1);
    expect((await b.orders.send(token(b.orders, intent()), null)).ok).toBe(false);
    expect((await b.orders.send(token(b.orders, intent()), 'btc-usdt-m')).ok).toBe(false);
    expect(b.posts).toHaveLength(1);

    expect((await b.orders.send(token(b.orders, intent()), 'BTC-USDT-M')).ok).toBe(true);
    expect((await b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null)).ok).toBe(true);
    expect((await b.orders.send(token(b.orders, intent({}, { symbolId: 'ETH-USDT-M' })), null)).ok).toBe(
      true,
    );
  });

  it('is dismissed only by the user, with the symbol typed', async () => {
    const b = await fixture();
    b.answers = [lost];
    const sent = await b.orders.send(token(b.orders, intent()), null);
    const id = sent.ok ? sent.data.id : '';
    expect((await b.orders.decisions.dismiss(id, 'BTC')).ok).toBe(false);
    expect(await b.orders.decisions.dismiss(id, 'BTC-USDT-M')).toMatchObject({
      data: { state: 'dismissed' },
    });
    expect((await b.orders.decisions.dismiss(id, 'BTC-USDT-M')).ok).toBe(false);
  });

  it('is the state of an interrupted send after a restart', async () => {
    const b = await fixture();
    b.answers = [Promise.withResolvers<PostOutcome>().promise];
    void b.orders.send(token(b.orders, intent()), null);
    while (b.posts.length === 0) await Promise.resolve();

    const again = await fixture(b.file.text);
    await again.orders.recover();
    const [record] = again.journal.list('practice');
    expect(record?.state).toBe('unknown');
    expect(record?.events.at(-1)).toMatchObject({
      text: 'Ballast stopped before the reply arrived',
      failure: { kind: 'unknown', next: expect.stringContaining('Ballast is searching') },
    });
    expect(again.posts).toHaveLength(0);
    // On disk: the next start finds nothing to end.
    const { text } = again.file;
    const third = await fixture(text);
    await third.orders.recover();
    expect(third.file.text).toBe(text);
    expect(third.journal.list('practice')).toEqual([record]);
  });

  it('is the state of an order whose send is missing, since the file may have lost it', async () => {
    const b = await fixture();
    await b.orders.send(token(b.orders, intent()), null);
    const [first] = b.file.text.split('\n');
    const again = await fixture(`${first}\n`);
    await again.orders.recover();
    expect(again.journal.list('practice')).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('a damaged line of the journal', () => {
  const damagedFixture = async () => {
    const b = await fixture();
    b.answers = [lost];
    await b.orders.send(token(b.orders, intent()), null);
    return fixture(b.file.text.replace('"v":1', '"v":x'));
  };

  it('holds its symbol until acknowledged, with the symbol typed', async () => {
    const b = await damagedFixture();
    const review = b.orders.review(intent());
    expect(review.ok && review.data.heldBy).toHaveLength(1);
    const rejected = await b.orders.send(token(b.orders, intent()), null);
    expect(rejected).toMatchObject({
      failure: { kind: 'blocked', message: expect.stringContaining('journal is damaged') },
    });
    expect((await b.orders.send(token(b.orders, intent({}, { side: 'SELL' })), null)).ok).toBe(true);
    const [damage] = b.journal.damage('practice');
    if (damage === undefined) throw new Error('no damage');
    expect((await b.orders.decisions.acknowledge(damage.id, 'BTC')).ok).toBe(false);
    expect((await b.orders.decisions.acknowledge('damage-other', 'BTC-USDT-M')).ok).toBe(false);
    expect((await b.orders.decisions.acknowledge(damage.id, 'BTC-USDT-M')).ok).toBe(true);
    expect(b.journal.damage('practice')).toEqual([]);
    expect((await b.orders.send(token(b.orders, intent()), null)).ok).toBe(true);
  });

  it('lets one order pass when its symbol is typed', async () => {
    const b = await damagedFixture();
    expect((await b.orders.send(token(b.orders, intent()), 'BTC-USDT-M')).ok).toBe(true);
    expect((await b.orders.send(token(b.orders, intent()), null)).ok).toBe(false);
  });
});

describe('pre-trade checks', () => {
  const cases: [string, (b: Fixture) => OrderIntent, string][] = [
    ['trading locked', (b) => ((b.locked = true), intent()), 'locked'],
    [
      'read-only',
      (b) => ((b.summary = { ...b.summary, settings: { ...b.summary.settings, readOnly: true } }), intent()),
      'read-only',
    ],
    [
      'no signed read yet',
      (b) => ((b.summary = { ...b.summary, verified: false }), intent()),
      'until a test of this connection succeeds',
    ],
    ['another connection', () => intent({ connectionId: 'live-1' }), 'not open'],
    ['unknown contract', () => intent({}, { symbolId: 'XYZ-USDT-M' }), 'XYZ-USDT-M'],
    ['no quantity', () => intent({}, { quantity: undefined as never }), 'no quantity'],
    ['quantity 0', () => intent({}, { quantity: '0.000' }), 'not above 0'],
    ['limit without price', () => intent({}, { price: undefined as never }), 'needs a price'],
    ['price 0', () => intent({}, { price: '0' }), 'not above 0'],
    ['close-all with a quantity', () => intent({ kind: 'close-all' }, { reduceOnly: true }), 'no quantity'],
    [
      'post-only market',
      () => intent({}, { type: 'MARKET', price: undefined as never, postOnly: true }),
      'Post-only',
    ],
    [
      'reverse of unknown meaning, live',
      (b) => (
        (b.summary = {
          ...b.summary,
          kind: 'live',
          settings: { ...b.summary.settings, reverseQuantity: 'unset' },
        }),
        intent({}, { reverseOrder: true })
      ),
      'reverse order',
    ],
    [
      'unknown trigger type',
      () => intent({}, { tpSl: { tpTriggerType: 'GUESS', tpPrice: '1', slTriggerType: 'NONE' } }),
      'GUESS',
    ],
  ];
  it.each(cases)('%s', async (_name, make, words) => {
    const b = await fixture();
    const review = b.orders.review(make(b));
    expect(review.ok).toBe(false);
    expect(review.ok ? '' : review.failure.message).toContain(words);
    expect(b.file.text).toBe('');
  });

  it('blocks during a rate limit, with the time left, also at the send', async () => {
    const b = await fixture();
    const one = token(b.orders, intent());
    b.pause = { kind: 'limited', message: 'The exchange asked Ballast to wait: 23 s left.', next: 'Wait.' };
    const sent = await b.orders.send(one, null);
    expect(sent).toMatchObject({
      failure: { kind: 'blocked', message: expect.stringContaining('23 s left') },
    });
    expect(b.orders.review(intent()).ok).toBe(false);
    expect(b.posts).toHaveLength(0);
  });

  it('checks again at the send: a lock set after the review blocks it', async () => {
    const b = await fixture();
    const one = token(b.orders, intent());
    b.locked = true;
    expect((await b.orders.send(one, null)).ok).toBe(false);
    expect(b.posts).toHaveLength(0);
  });

  it('sends nothing where trading was locked while the order was recorded, or the app quits', async () => {
    const blocks = [
      ['Trading is locked.', (b: Fixture) => (b.locked = true)],
      ['Ballast is quitting: nothing was sent.', (b: Fixture) => b.orders.end()],
    ] as const;
    for (const [message, block] of blocks) {
      const b = await fixture();
      const [one, later] = [
        token(b.orders, intent()),
        token(b.orders, intent({}, { symbolId: 'ETH-USDT-M' })),
      ];
      const sending = b.orders.send(one, null);
      block(b);
      const sent = await sending;
      expect(sent).toMatchObject({ ok: true, data: { state: 'not-sent' } });
      expect(sent.ok && sent.data.events.at(-1)?.failure?.message).toBe(message);
      expect(await b.orders.send(later, null)).toMatchObject({ failure: { message } });
      expect([b.posts, b.journal.list('practice').length]).toEqual([[], 1]);
    }
  });

  it('closes a whole position without a quantity in the bytes', async () => {
    const b = await fixture();
    const close = intent({ kind: 'close-all' }, { side: 'SELL', type: 'MARKET', reduceOnly: true });
    const { quantity: _q, price: _p, timeInForce: _t, ...request } = close.request;
    await b.orders.send(token(b.orders, { ...close, request }), null);
    expect(b.posts[0]?.body).not.toContain('quantity');
    expect(b.posts[0]?.body).toContain('"reduceOnly":true');
  });
});
