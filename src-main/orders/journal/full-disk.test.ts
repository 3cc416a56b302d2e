/** A disk that fills after the order was sent: it is unknown at once, and nothing is sent again. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../../exchange/outcome.ts';
import { journalFile } from './file.ts';
import { openJournal } from './journal.ts';
import { memoryFile } from '../../../tests/orders/memory-file.ts';
import { startFixture } from '../../../tests/orders/lost-replies.ts';
import {
  accepted,
  fixture,
  intent,
  lost,
  rejected,
  token,
} from '../../../tests/orders/scripted-order-service.ts';

const tooSmall: PostOutcome = {
  ...rejected,
  failure: { kind: 'rejected', message: 'Below 0.850', next: 'Raise the quantity.' },
} as PostOutcome;

describe('a disk that fills between the POST and its outcome', () => {
  it.each([
    ['accepted', accepted, 'Accepted as order 734829105569914880'],
    ['rejected', rejected, 'Balance insufficient'],
    ['rejected below a limit', tooSmall, 'Below 0.850'],
    ['unknown', lost, 'The reply was lost'],
  ])('leaves an order that was %s unknown, with words', async (_name, outcome, words) => {
    const b = await fixture();
    const reply = Promise.withResolvers<PostOutcome>();
    b.answers = [reply.promise];
    const sending = b.orders.send(token(b.orders, intent()), null);
    while (b.posts.length === 0) await Promise.resolve();
    b.file.full = true;
    reply.resolve(outcome);
    const sent = await sending;
    expect(sent).toMatchObject({ ok: true, data: { state: 'unknown', orderId: null } });
    const record = sent.ok ? sent.data : null;
    const message = `${words}. This could not be saved to the journal (ENOSPC), so the outcome counts as unknown.`;
    expect(record?.events.at(-1)).toMatchObject({
      text: message,
      failure: {
        kind: 'unknown',
        message,
        next: expect.stringMatching(/^Free up disk space\. Do not send it/),
      },
    });
    expect(b.journal.list('practice')).toEqual([record]);
    // It holds its symbol like any unknown outcome.
    expect(b.orders.review(intent())).toMatchObject({ data: { heldBy: [record?.id] } });

    // After a kill the file has `sending`, so the next start is unknown too.
    const killed = await fixture(b.file.text);
    await killed.orders.recover();
    expect(killed.journal.list('practice')).toMatchObject([{ state: 'unknown' }]);
    expect(killed.posts).toEqual([]);

    // With space again, the deferred step is written before the next one.
    b.file.full = false;
    expect((await b.orders.decisions.dismiss(record?.id ?? '', 'BTC-USDT-M')).ok).toBe(true);
    const again = await openJournal(b.file);
    expect(again.damaged).toBe(0);
    expect(again.get(record?.id ?? '')?.events.map((one) => one.state)).toEqual([
      'recorded',
      'sending',
      'unknown',
      'dismissed',
    ]);
    expect(b.posts).toHaveLength(1);
  });

  it('at a start leaves interrupted sends unknown all the same', async () => {
    const b = await fixture();
    b.answers = [Promise.withResolvers<PostOutcome>().promise];
    void b.orders.send(token(b.orders, intent()), null);
    while (b.posts.length === 0) await Promise.resolve();
    const again = await fixture(b.file.text);
    again.file.full = true;
    await again.orders.recover();
    expect(again.journal.list('practice')).toMatchObject([{ state: 'unknown' }]);
  });
});

it.each([
  [Object.assign(new Error('/home/me/orders.jsonl'), { code: 'EROFS' }), 'EROFS'],
  [Object.assign(new Error('/home/me/orders.jsonl'), { code: 5 }), 'unknown error'],
  [new Error('/home/me/orders.jsonl'), 'unknown error'],
])(
  'a line that could not be written is reported by the code of the error, without its path: %o',
  async (error, code) => {
    const b = await fixture();
    b.file.append = () => Promise.reject(error);
    expect(await b.orders.send(token(b.orders, intent()), null)).toMatchObject({
      failure: { message: `Nothing was sent: the journal could not be written (${code}).` },
    });
    expect(b.posts).toEqual([]);
  },
);

it('continues reconciling while the disk is full, and writes the result once it has space', async () => {
  const disk = memoryFile();
  let appends = 0;
  let freeAppends = 1;
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const b = await startFixture({
    file: {
      read: () => disk.read(),
      append: (text) => (++appends > freeAppends ? Promise.reject(full) : disk.append(text)),
    },
  });
  try {
    b.reconciler.start();
    const since = b.time.now();
    const request = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
    const { id, state } = await b.send({ ...request, quantity: '0.001', price: '30000.5' }, null);
    expect(state).toBe('unknown');
    await b.time.passUntil(since + 10_000);
    expect(b.journal.get(id)?.state).toBe('unknown');
    freeAppends = Infinity;
    await b.time.passUntil(since + 60_000);
    const [orderId] = await b.trueIds('BTC-USDT-M', since);
    expect(b.journal.get(id)).toMatchObject({ state: 'matched', orderId });
    const again = await openJournal(disk);
    expect(again.damaged).toBe(0);
    expect(again.get(id)).toEqual(b.journal.get(id));
    expect(b.posts()).toBe(1);
  } finally {
    await b.stop();
  }
});

/** tests/stress/disk.ts does the same on a real small tmpfs, filled before and after the POST. */
it.skipIf(!existsSync('/dev/full'))('a file on a full device refuses the line and says why', async () => {
  await expect(journalFile('/dev/full').append('one\n')).rejects.toMatchObject({ code: 'ENOSPC' });
});
