import { describe, expect, it } from 'vitest';
import { blockedFailure, done, failed } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { BatchIntent, BatchProgress, BatchReview } from '../../../src-shared/ipc/batch.ts';
import { account, NOW, position } from '../../../tests/domain/order-samples.ts';
import { type Replies, fixture, record, settled } from '../../../tests/renderer/app-fixture.ts';

const THREE = [
  position(),
  position({ symbolId: 'BTC-USD-M', positionId: '2', side: 'SELL', quantity: '900' }),
  position({ positionId: '3', side: 'SELL', positionMode: 'HEDGE' }),
];

const PROGRESS: BatchProgress = {
  id: 'closing-1',
  connectionId: 'live-1',
  state: 'sending',
  rows: 3,
  sent: 0,
  stoppedBy: null,
  startedAt: NOW,
  closing: true,
};
const REVIEW: BatchReview = { token: 'token-1', expiresAt: NOW + 120_000, calls: [], heldBy: [] };

/** Three positions on the sheet; the main process starts every batch. */
async function opened(replies: Replies = {}, positions = THREE) {
  const all = await fixture('live', {
    'orders.reviewBatch': () => done({ review: REVIEW }),
    'orders.sendBatch': () => done(PROGRESS),
    'orders.stopBatch': () => done(null),
    ...replies,
  });
  all.accountIs(account(positions));
  const sheet = all.app.closePositions;
  sheet.start();
  const inputs = (name: string): unknown[] =>
    all.requests.filter((one) => one.name === name).map((one) => one.input);
  /** The rows of the batch as reviewed. */
  const rows = () => (inputs('orders.reviewBatch')[0] as BatchIntent).rows;
  /** The journal's record of a row. */
  const row = (index: number, changes: Partial<IntentRecord> = {}): void =>
    all.push('intent', record({ id: `row-${index}`, batch: place(index), ...changes }));
  const batch = (changes: Partial<BatchProgress>): void => all.push('batch', { ...PROGRESS, ...changes });
  return { ...all, sheet, inputs, rows, row, batch, steps: () => sheet.rows.map(({ step }) => step.at) };
}
const place = (row: number) => ({ id: PROGRESS.id, row, of: 3, call: row, closing: true }) as const;

describe('closing everything', () => {
  it('sends one batch of reduce-only market orders without quantity, one order per call', async () => {
    const { sheet, inputs, rows, row, batch, steps, count } = await opened();
    sheet.word = 'Close all ';
    await sheet.send();
    expect(inputs('orders.reviewBatch')).toMatchObject([{ connectionId: 'live-1', callSize: 1 }]);
    expect(rows()).toMatchObject([
      { request: { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true } },
      { request: { symbolId: 'BTC-USD-M', side: 'BUY' }, closes: '2' },
      { request: { symbolId: 'BTC-USDT-M', side: 'BUY' }, closes: '3' },
    ]);
    expect(JSON.stringify(rows())).not.toContain('quantity');
    expect(inputs('orders.sendBatch')).toEqual([{ token: 'token-1', release: [] }]);
    for (const index of [0, 1, 2]) row(index);
    batch({ state: 'done', sent: 3 });
    expect(steps()).toEqual(['sent', 'sent', 'sent']);
    expect(sheet.phase).toBe('over');
    await sheet.send();
    expect(count('orders.sendBatch')).toBe(1);
  });

  it('leaves out a listed position of quantity 0, whose rejection would stop the rest', async () => {
    const { sheet } = await opened({}, [position({ quantity: '0.000', positionId: '9' }), ...THREE.slice(1)]);
    expect(sheet.rows.map(({ position: { quantity } }) => quantity)).toEqual(['900', '2.000']);
  });

  it('sends nothing before the text is typed, and requires it again for another list', async () => {
    const { sheet, count, accountIs } = await opened();
    await sheet.send();
    sheet.word = 'close';
    await sheet.send();
    sheet.word = 'close all';
    expect(sheet.missing).toBeNull();
    accountIs(account(THREE.slice(1)));
    expect([sheet.word, sheet.changed]).toEqual(['', true]);
    await sheet.send();
    expect(count('orders.reviewBatch')).toBe(0);
  });

  it('shows the outcome of each order, and follows an unknown one', async () => {
    const { sheet, steps, row, batch } = await opened();
    sheet.word = 'close all';
    await sheet.send();
    expect(steps()).toEqual(['waiting', 'waiting', 'waiting']);
    row(0);
    row(1, { state: 'sending', orderId: null });
    expect(steps()).toEqual(['sent', 'sending', 'waiting']);
    const failure = { kind: 'unknown', message: 'Lost.', next: '' } as const;
    row(1, { state: 'unknown', orderId: null });
    batch({ state: 'stopped', sent: 2, stoppedBy: failure });
    expect(steps()).toEqual(['sent', 'sent', 'not-sent']);
    expect(sheet.rows[1]?.step).toMatchObject({ record: { state: 'unknown' } });
    row(1, { state: 'matched' });
    expect(sheet.rows[1]?.step).toMatchObject({ record: { state: 'matched' } });
  });

  it('adds what came of each order once the history shows it, with the closed PnL by coin', async () => {
    const { app, sheet, row, batch, push } = await opened();
    sheet.word = 'close all';
    await sheet.send();
    for (const index of [0, 1, 2]) row(index, { orderId: String(index) });
    batch({ state: 'done', sent: 3 });
    expect(sheet.closed).toEqual({ filled: 0, profits: [] });
    const { feed } = app.feeds.history;
    const [known] = app.feeds.history.value ?? [];
    const filled = (index: number, profit: string) => ({ ...known!, id: String(index), profit });
    const value = [filled(0, '-20.42'), filled(1, '0.0001'), filled(2, '1.02')];
    push('feed', { connectionId: 'live-1', name: 'history', feed: { ...feed, value } });
    expect(sheet.closed).toEqual({
      filled: 3,
      profits: [
        { asset: 'USDT', amount: '-19.4' },
        { asset: 'BTC', amount: '0.0001' },
      ],
    });
    expect(sheet.rows[0]?.step).toMatchObject({ progress: { stage: 'filled', fill: { price: '95000.0' } } });
  });

  it('adds the closed PnL of an order that was cancelled after a part of it filled, but of no unfilled one', async () => {
    const { app, sheet, row, batch, push } = await opened();
    sheet.word = 'close all';
    await sheet.send();
    for (const index of [0, 1, 2]) row(index, { orderId: String(index) });
    batch({ state: 'done', sent: 3 });
    const { feed } = app.feeds.history;
    const [known] = app.feeds.history.value ?? [];
    const cancelled = { ...known!, status: 'CANCELED' };
    const value = [
      { ...known!, id: '0', profit: '-20.42' },
      { ...cancelled, id: '1', profit: '0', tradeQuantity: '0.000' },
      { ...cancelled, id: '2', profit: '1.02', tradeQuantity: '0.001' },
    ];
    push('feed', { connectionId: 'live-1', name: 'history', feed: { ...feed, value } });
    expect(sheet.closed).toEqual({ filled: 1, profits: [{ asset: 'USDT', amount: '-19.4' }] });
  });

  it.each<[string, Replies, string]>([
    [
      'a blocked row at the review',
      { 'orders.reviewBatch': () => failed(blockedFailure('Locked.', '', 'account')) },
      'blocked',
    ],
    [
      'a row that breaks a rule',
      {
        'orders.reviewBatch': () => done({ faults: [{ row: 0, failure: blockedFailure('Too large.', '') }] }),
      },
      'blocked',
    ],
    [
      'a blocked row at the send',
      { 'orders.sendBatch': () => failed(blockedFailure('Held.', '', 'order')) },
      'blocked',
    ],
    [
      'an outcome that was not written',
      { 'orders.sendBatch': () => failed({ kind: 'unknown', message: '', next: '' }) },
      'unknown',
    ],
    [
      'no reply of the main process',
      { 'orders.sendBatch': () => failed({ kind: 'bug', message: '', next: '' }) },
      'unknown',
    ],
  ])('ends at %s', async (_, replies, first) => {
    const { sheet, steps, count } = await opened(replies);
    sheet.word = 'close all';
    await sheet.send();
    expect(steps()).toEqual([first, 'not-sent', 'not-sent']);
    expect(sheet.phase).toBe('over');
    expect(count('orders.sendBatch')).toBeLessThan(2);
  });

  it('says at the next position why the rest was blocked', async () => {
    const { sheet, steps, row, batch } = await opened();
    sheet.word = 'close all';
    await sheet.send();
    row(0);
    batch({ state: 'stopped', sent: 1, stoppedBy: blockedFailure('Trading is locked.', '', 'account') });
    expect(steps()).toEqual(['sent', 'blocked', 'not-sent']);
  });

  it('can be stopped between two orders, and sends once however often it is pressed', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof done<BatchProgress>>>();
    const { sheet, steps, count, inputs, row, batch } = await opened({
      'orders.sendBatch': () => reply.promise,
    });
    sheet.word = 'close all';
    const presses = Array.from({ length: 100 }, () => sheet.send());
    await settled();
    sheet.close(); // has no effect while an order is being sent
    sheet.start();
    expect([sheet.shown, sheet.phase]).toEqual([true, 'running']);
    reply.resolve(done(PROGRESS));
    await Promise.all(presses);
    sheet.stop();
    sheet.stop();
    expect(sheet.stopping).toBe(true);
    expect(inputs('orders.stopBatch')).toEqual([{ batchId: 'closing-1' }]);
    row(0);
    batch({ state: 'stopped', sent: 1, stoppedBy: { kind: 'cancelled', message: '', next: '' } });
    expect(steps()).toEqual(['sent', 'not-sent', 'not-sent']);
    expect(count('orders.sendBatch')).toBe(1);
  });

  it('stops a batch that starts after Stop was pressed', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof done<BatchProgress>>>();
    const { sheet, inputs } = await opened({ 'orders.sendBatch': () => reply.promise });
    sheet.word = 'close all';
    const run = sheet.send();
    await settled();
    sheet.stop();
    reply.resolve(done(PROGRESS));
    await run;
    expect(inputs('orders.stopBatch')).toEqual([{ batchId: 'closing-1' }]);
  });

  it('discards a token that arrives after it was stopped', async () => {
    const reply = Promise.withResolvers<ReturnType<typeof done<{ review: BatchReview }>>>();
    const { sheet, inputs, steps } = await opened({ 'orders.reviewBatch': () => reply.promise });
    sheet.word = 'close all';
    const run = sheet.send();
    sheet.stop();
    reply.resolve(done({ review: REVIEW }));
    await run;
    expect(inputs('orders.discard')).toEqual([{ token: 'token-1' }]);
    expect(inputs('orders.sendBatch')).toEqual([]);
    expect(steps()).toEqual(['not-sent', 'not-sent', 'not-sent']);
  });

  it('shows a position that was gone by its turn, and closes when the account is switched', async () => {
    const { app, sheet, row, batch, steps } = await opened();
    sheet.word = 'close all';
    await sheet.send();
    row(0);
    const events = [{ at: NOW, state: 'not-sent', text: 'Already closed' }] as const;
    row(1, { state: 'not-sent', orderId: null, events });
    row(2);
    batch({ state: 'done', sent: 2 });
    expect(steps()).toEqual(['sent', 'gone', 'sent']);
    expect(app.toasts.list).toEqual([]); // its sheet shows them
    sheet.close();
    expect(app.toasts.list.map((one) => one.record.id)).toEqual(['row-2', 'row-0']);

    const other = await opened({
      'orders.sendBatch': () => {
        other.sheet.reset();
        return done(PROGRESS);
      },
    });
    other.sheet.word = 'close all';
    await other.sheet.send();
    expect([other.sheet.shown, other.sheet.phase]).toEqual([false, 'choosing']);
  });

  it('opens again after a reload of the window while the batch is being sent', async () => {
    const requests = [
      { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true },
      { symbolId: 'BTC-USD-M', side: 'BUY', type: 'MARKET', reduceOnly: true },
    ] as const;
    const progress = { ...PROGRESS, rows: 2, sent: 1 };
    const intents = [record({ id: 'row-0', batch: place(0), body: JSON.stringify(requests[0]) })];
    const { app, push, count } = await fixture('live', {
      'orders.batches': () => done([{ progress, intents, requests }]),
    });
    const sheet = app.closePositions;
    expect([sheet.shown, sheet.phase]).toEqual([true, 'running']);
    expect(sheet.rows.map(({ position, step }) => [position.symbolId, position.side, step.at])).toEqual([
      ['BTC-USDT-M', 'BUY', 'sent'],
      ['BTC-USD-M', 'SELL', 'waiting'],
    ]);
    push('batch', { ...progress, state: 'done', sent: 2 });
    expect(sheet.phase).toBe('over');
    expect(count('orders.sendBatch')).toBe(0);
  });

  it('opens for a batch that is reported only after the reload', async () => {
    const { app, push } = await fixture();
    push('batch', { ...PROGRESS, connectionId: 'live-2' });
    expect(app.closePositions.shown).toBe(false);
    push('batch', PROGRESS);
    expect([app.closePositions.shown, app.closePositions.phase]).toEqual([true, 'running']);
  });

  it('closes winners, losers, one side, one coin or ticked ones, once their number is typed', async () => {
    const { sheet, rows } = await opened({}, [
      position({ profitUnreal: '-1.5' }),
      position({
        symbolId: 'BTC-USD-M',
        positionId: '2',
        side: 'SELL',
        quantity: '900',
        profitUnreal: '0.1',
      }),
      position({ positionId: '3', side: 'SELL', positionMode: 'HEDGE', profitUnreal: null }),
    ]);
    const chosen = () => sheet.rows.flatMap((row) => (row.chosen ? [row.key.split(' ').at(-1) ?? ''] : []));
    const ids = (group: Parameters<typeof sheet.choose>[0]) => {
      sheet.choose(group);
      expect(sheet.isChosen(group)).toBe(true);
      return chosen().map((id) => (id.length > 1 ? '1' : id));
    };
    expect(ids('profit')).toEqual(['2']);
    expect(ids('loss')).toEqual(['1']);
    expect(ids('short')).toEqual(['2', '3']);
    expect(ids('long')).toEqual(['1']);
    expect(ids({ coin: 'BTC' })).toEqual(['1', '2', '3']);
    expect(sheet.wanted).toBe('close all');
    sheet.choose('loss');
    sheet.tick(sheet.rows[1]!.key, true);
    sheet.word = 'close all';
    expect(sheet.missing).toBe('Type “close 2” to continue');
    sheet.word = 'close 2';
    expect(sheet.missing).toBeNull();
    sheet.tick(sheet.rows[0]!.key, false);
    expect(sheet.changed).toBe(true);
    sheet.word = 'close 1';
    await sheet.send();
    expect(sheet.rows).toHaveLength(1);
    expect(rows()).toMatchObject([{ request: { symbolId: 'BTC-USD-M' }, closes: '2' }]);
  });

  it('closes a part of each, rounded down to the step, and says which are too small', async () => {
    const { sheet, rows, row, batch } = await opened({}, [
      position({ quantity: '0.015', entryValue: '1425' }),
      position({ positionId: '2', side: 'SELL', positionMode: 'HEDGE', quantity: '0.001', entryValue: '95' }),
    ]);
    sheet.part = '50';
    expect(sheet.rows[1]?.problem).toContain('less than 0.001 BTC');
    sheet.word = 'close 1';
    await sheet.send();
    expect(rows()).toMatchObject([
      { request: { side: 'SELL', type: 'MARKET', reduceOnly: true, quantity: '0.007' } },
    ]);
    row(0);
    batch({ state: 'done', rows: 1, sent: 1 });
    expect(sheet.rows.map(({ step }) => step.at)).toEqual(['sent', 'not-sent']);
  });

  it('leaves out positions that no order can be written for, and says why', async () => {
    const odd = [
      position({ side: 'LONG' }),
      position({ symbolId: 'OLD-USDT-M', positionId: '2' }),
      position({ positionId: '3', side: 'SELL' }),
      position({ symbolId: 'BTC-USD-M', positionId: '4' }),
    ];
    const { sheet, count, steps, push, row, batch } = await opened({}, odd);
    push('intent', record({ id: 'held', symbolId: 'BTC-USD-M', side: 'SELL', state: 'unknown' }));
    expect(sheet.rows.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('does not know the side'),
      expect.stringContaining('not in the exchange'),
      null,
      expect.stringContaining('outcome of an earlier order is unknown'),
    ]);
    expect(sheet.count).toBe(1);
    sheet.word = 'close all';
    await sheet.send();
    row(0);
    batch({ state: 'done', rows: 1, sent: 1 });
    expect(steps()).toEqual(['not-sent', 'not-sent', 'sent', 'not-sent']);
    expect(count('orders.sendBatch')).toBe(1);
  });
});
