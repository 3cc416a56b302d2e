import { describe, expect, it } from 'vitest';
import type { BatchProgress, BatchReview } from '../../../src-shared/ipc/batch.ts';
import { blockedFailure, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { OrderReview } from '../../../src-shared/ipc/orders.ts';
import { account, NOW, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { NO_DAY_LIMITS } from '../../../tests/renderer/day-state.ts';
import {
  type Replies,
  fixture,
  record,
  REVIEW as ORDER_REVIEW,
  settled,
} from '../../../tests/renderer/app-fixture.ts';

const REVIEW: BatchReview = {
  token: 'batch-token',
  expiresAt: NOW + 120_000,
  calls: [{ method: 'POST', path: '/ftapi/v1/batchOrders', body: '[]', rows: [0, 1, 2] }],
  heldBy: [],
};
const PROGRESS: BatchProgress = {
  id: 'batch-1',
  connectionId: 'live-1',
  state: 'sending',
  rows: 3,
  sent: 0,
  stoppedBy: null,
  startedAt: NOW,
};
const FILE = [
  'symbol,side,type,quantity,price',
  'BTC-USDT-M,BUY,LIMIT,0.100,96000.0',
  'BTC-USDT-M,BUY,LIMIT,0.100,95900.0',
  'BTC-USDT-M,BUY,LIMIT,0.1O0,95800.0',
].join('\n');

async function opened(replies: Replies = {}) {
  const all = await fixture('live', {
    'orders.reviewBatch': () => done({ review: REVIEW }),
    'orders.sendBatch': () => done(PROGRESS),
    ...replies,
  });
  const { batch } = all.app;
  batch.draft.import('orders.csv', FILE);
  const rows = () => batch.draft.groups[0]?.rows ?? [];
  /** Corrects the third row. */
  const mend = (): void => batch.draft.edit(rows()[2]?.row.key ?? '', 'quantity', '0.100');
  /** Returns the tokens given back. */
  const discarded = () =>
    all.requests.flatMap(({ name, input }) => (name === 'orders.discard' ? [input] : []));
  return { ...all, batch, rows, mend, discarded };
}

describe('the batch', () => {
  it('checks each row like the ticket, and a corrected cell makes its row ready', async () => {
    const { batch, rows, mend } = await opened();
    expect(rows().map((one) => one.faults.length)).toEqual([0, 0, 1]);
    expect(rows()[2]?.faults[0]).toMatchObject({ field: 'quantity' });
    expect(rows()[0]?.checked.notional).toBe('9600');
    expect(batch.draft.sending).toHaveLength(2);
    mend();
    expect(batch.draft.errors).toBe(0);
    expect(batch.draft.account?.coins[0]?.orders).toBe(3);
    batch.draft.tick(rows()[0]?.row.key ?? '', false);
    expect(batch.draft.sending).toHaveLength(2);
  });

  it('stops at the last opening order of the day, counting the selected rows before it', async () => {
    const { app, batch, rows, mend, push } = await opened();
    mend();
    const limits = { loss: null, orders: 5 };
    push('day', { ...NO_DAY_LIMITS, limits, sent: 3 });
    expect(app.day.state?.limits).toEqual(limits);
    const faults = () => rows().map((one) => one.faults.map(({ message }) => message).join());
    expect(faults().map((text) => text !== '')).toEqual([false, false, true]);
    expect(faults()[2]).toMatch(/limit of 5 opening orders a day is reached/);
    expect(batch.draft.sending).toHaveLength(2);
    batch.draft.tick(rows()[0]?.row.key ?? '', false);
    expect(faults()).toEqual(['', '', '']);
    expect(batch.draft.sending).toHaveLength(2);
    push('day', { ...NO_DAY_LIMITS, limits, sent: 5, lifted: true });
    batch.draft.tick(rows()[0]?.row.key ?? '', true);
    expect(batch.draft.sending).toHaveLength(3);
  });

  it('warns where reduce-only rows together close more than the position', async () => {
    const { batch, accountIs, push, passes } = await opened();
    accountIs(account([position({ quantity: '2.000' })]));
    const row = (side: string, quantity: string): string =>
      `BTC-USDT-M,${side},LIMIT,${quantity},${side === 'SELL' ? 98000 : 96000},true`;
    const warnings = (): readonly string[] =>
      (batch.draft.groups[0]?.rows ?? []).map(({ checked }) =>
        checked.warnings
          .map(({ message }) => message)
          .filter((text) => text.includes('cover'))
          .join(),
      );
    const rows = [row('SELL', '1.5'), row('SELL', '0.5'), row('SELL', '0.1')];
    batch.draft.import('closing.csv', ['symbol,side,type,quantity,price,reduceOnly', ...rows].join('\n'));
    expect(warnings()).toEqual([
      '',
      '',
      'The reduce-only rows before it already cover 2 of 2.000 BTC; the exchange may reject this one.',
    ]);
    // A row that is not sent closes nothing.
    batch.draft.tick(batch.draft.groups[0]?.rows[0]?.row.key ?? '', false);
    expect(warnings()).toEqual(['', '', '']);
    const resting = openOrder({ side: 'SELL', reduceOnly: true, quantity: '1.6' });
    push('feed', { connectionId: 'live-1', name: 'openOrders', feed: feed([resting], 2) });
    passes(1_000);
    batch.draft.import('closing.csv', ['symbol,side,type,quantity,price,reduceOnly', ...rows].join('\n'));
    expect(warnings()[1]).toMatch(/^Resting reduce-only orders and the rows before it already cover 3\.1 of/);
  });

  it('lets no row exceed a limit while the contracts are not read', async () => {
    const { app, batch, push, rows } = await opened();
    app.settings.value = { ...app.settings.value, limits: { ...app.settings.value.limits, notional: '1' } };
    const none = Promise.resolve(failed(blockedFailure('No reply.', 'Wait.')));
    await app.feeds.follow('live-1', [none, none]);
    const { feed } = app.feeds.account;
    expect(feed.value).toBeNull();
    push('feed', {
      connectionId: 'live-1',
      name: 'account',
      feed: { ...feed, value: account([position()]), receivedAt: NOW, serial: 99 },
    });
    expect(app.feeds.contracts.value).toBeNull();
    expect(
      rows()[0]
        ?.faults.map((one) => one.message)
        .join(),
    ).toMatch(/limit.*contracts have not been read/);
    expect(batch.draft.sending).toHaveLength(0);
  });

  it('blocks all rows of a file with an unknown column until it is left out', async () => {
    const { batch } = await opened();
    batch.draft.import(
      'x.csv',
      'symbol,side,type,quantity,price,reduce_only\nBTC-USDT-M,BUY,LIMIT,1,96000.0,true',
    );
    expect(batch.draft.sending).toHaveLength(0);
    batch.draft.leaveOutColumns();
    expect(batch.draft.sending).toHaveLength(1);
  });

  it('keeps what was imported when the next file cannot be read', async () => {
    const { batch } = await opened();
    expect(batch.draft.import('bad.csv', 'a,b\n1,2')).toBe(false);
    expect(batch.draft.importFault?.name).toBe('bad.csv');
    expect(batch.draft.count).toBe(3);
  });

  it('shows what the main process blocked at its row until the row is edited', async () => {
    const fault = {
      row: 1,
      failure: { kind: 'blocked', message: 'Too large.', next: 'Lower it.', code: '700016' },
    } as const;
    const { batch, rows } = await opened({ 'orders.reviewBatch': () => done({ faults: [fault] }) });
    await batch.review();
    expect(batch.confirm.shown).toBe(false);
    expect(rows()[1]?.faults).toEqual([{ field: null, message: 'Too large. Lower it.', code: '700016' }]);
    batch.draft.edit(rows()[1]?.row.key ?? '', 'quantity', '0.050');
    expect(rows()[1]?.faults).toEqual([]);
  });

  it('sends once, however often it is pressed, and sent rows leave the draft', async () => {
    const { batch, mend, count, requests } = await opened();
    mend();
    await batch.review();
    expect(batch.confirm.shown).toBe(true);
    void batch.confirm.send([]);
    void batch.confirm.send([]);
    await settled();
    expect(count('orders.sendBatch')).toBe(1);
    expect(requests.find((one) => one.name === 'orders.sendBatch')?.input).toEqual({
      token: 'batch-token',
      release: [],
    });
    expect(batch.draft.count).toBe(0);
    expect(batch.view).toBe('sent');
    expect(batch.missing).toBe('Add rows to review');
  });

  it('has a message for a batch that ends only where its rows are not on screen', async () => {
    const { app, batch, mend, push } = await opened();
    mend();
    await batch.review();
    await batch.confirm.send([]);
    const messages = (): number => app.notices.list.length;
    app.navigation.screen = 'batch';
    push('batch', { ...PROGRESS, state: 'done', sent: 3 });
    expect(messages()).toBe(0);
    batch.view = 'draft';
    push('batch', { ...PROGRESS, state: 'done', sent: 3 });
    expect(messages()).toBe(1);
    batch.view = 'sent';
    app.navigation.screen = 'positions';
    push('batch', { ...PROGRESS, state: 'stopped', sent: 1 });
    expect(messages()).toBe(2);
  });

  it('says that a switch stopped it, wherever the user was, and whose it is', async () => {
    const { app, batch, mend, push } = await opened();
    mend();
    await batch.review();
    await batch.confirm.send([]);
    app.navigation.screen = 'batch';
    const stoppedBy = blockedFailure('This connection is not open.', 'Open it.', 'connection');
    const stopped = { ...PROGRESS, state: 'stopped', sent: 1, stoppedBy } as const;
    // It may come before the window knows of the switch, or after.
    push('batch', stopped);
    push('session', { ...app.session.state!, activeId: 'live-2' });
    push('batch', { ...stopped, sent: 2, closing: true });
    expect(app.notices.list.map(({ title, stays, of }) => [title, stays, of])).toEqual([
      ['Closing of positions stopped: 2 of 3 orders sent', true, 'live-1'],
      ['Batch stopped: 1 of 3 rows sent', true, 'live-1'],
    ]);
  });

  it('keeps the rows if nothing was sent', async () => {
    const failure = { kind: 'blocked', message: 'Trading is locked.', next: 'Unlock it.' } as const;
    const { batch } = await opened({ 'orders.sendBatch': () => failed(failure) });
    await batch.review();
    await batch.confirm.send([]);
    expect(batch.confirm.phase).toBe('ended');
    expect(batch.draft.count).toBe(3);
  });

  it('asks for a new review when the position changed or the review is old', async () => {
    const { batch, accountIs, passes, count } = await opened();
    await batch.review();
    accountIs(account([position({ quantity: '3.000' })]));
    expect(batch.confirm.changed).toContain('BTC-USDT-M: The position changed from long 2.000 to long 3.000');
    await batch.confirm.send([]);
    expect(count('orders.sendBatch')).toBe(0);
    await batch.confirm.again();
    expect(batch.confirm.changed).toBeNull();
    passes(121_000);
    expect(batch.confirm.expired).toBe(true);
    await batch.confirm.send([]);
    expect(count('orders.sendBatch')).toBe(0);
  });

  it('shows the outcome of each row; unsent rows are restored once', async () => {
    const { batch, mend, push } = await opened();
    mend();
    await batch.review();
    await batch.confirm.send([]);
    const body =
      '{"symbolId":"BTC-USDT-M","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":0.100,"price":96000.0}';
    const row = { id: 'batch-1', row: 0, of: 3, call: 0 };
    push('intent', record({ id: 'r0', state: 'unknown', orderId: null, body, batch: row }));
    expect(batch.sent.rows.map((one) => [one.intent?.state ?? null, one.waiting])).toEqual([
      ['unknown', false],
      [null, true],
      [null, true],
    ]);
    expect(batch.sent.returnable).toEqual([]);
    push('batch', {
      ...PROGRESS,
      state: 'stopped',
      sent: 1,
      stoppedBy: { kind: 'unknown', message: 'Lost.', next: '' },
    });
    expect(batch.sent.placed).toBe(0);
    expect(batch.sent.unsent).toBe(2);
    // The order is found: it rests, with another quantity than requested.
    push('intent', record({ id: 'r0', state: 'matched', orderId: '734829105569911040', body, batch: row }));
    expect(batch.sent.placed).toBe(1);
    expect(batch.sent.rows[0]?.found).toMatchObject({
      status: 'Open',
      differences: ['price 99000.0 instead of 96000.0', 'quantity 1.500 instead of 0.100'],
    });
    batch.takeBack();
    expect(batch.draft.sending.map(({ checked }) => checked.request.price)).toEqual(['95900.0', '95800.0']);
    expect(batch.sent.returnable).toEqual([]);
  });

  it('is read from the journal at the start, which does not have the unsent rows', async () => {
    const intent = record({ id: 'r0', state: 'matched', batch: { id: 'batch-1', row: 0, of: 3, call: 0 } });
    const { batch } = await opened({
      'orders.batches': () =>
        done([{ progress: { ...PROGRESS, state: 'stopped', sent: 1 }, intents: [intent], requests: null }]),
    });
    expect(batch.sent.chosen?.id).toBe('batch-1');
    expect(batch.sent.rows.map((one) => one.intent?.orderId ?? null)).toEqual([
      '734829105569911040',
      null,
      null,
    ]);
    expect(batch.sent.unsent).toBe(2);
    expect(batch.sent.returnable).toEqual([]);
  });

  it('withdraws a review that the ticket requested before its own', async () => {
    const reply = Promise.withResolvers<Result<OrderReview>>();
    const { app, batch, discarded } = await opened({ 'orders.review': () => reply.promise });
    app.navigation.symbol = 'BTC-USDT-M';
    Object.assign(app.ticket.fields, { price: '97000.0', size: '0.100' });
    const late = app.ticket.submit();
    await batch.review();
    reply.resolve(done(ORDER_REVIEW));
    await late;
    expect([batch.confirm.shown, app.review.shown]).toEqual([true, false]);
    expect(discarded()).toEqual([{ token: ORDER_REVIEW.token }]);
  });

  it('is not reviewed over the sheet of a closing that was begun while its review was requested', async () => {
    const reply = Promise.withResolvers<Result<{ review: typeof REVIEW }>>();
    const { app, batch, discarded } = await opened({ 'orders.reviewBatch': () => reply.promise });
    const requests = [() => app.close.start(position()), () => app.closePositions.start()].map((begin) => {
      const late = batch.review();
      expect(batch.confirm.isRequesting).toBe(true);
      begin();
      return late;
    });
    reply.resolve(done({ review: REVIEW }));
    await Promise.all(requests);
    expect([batch.confirm.shown, app.closePositions.shown]).toEqual([false, true]);
    expect(discarded()).toEqual(Array(2).fill({ token: REVIEW.token }));
  });

  it('turns a ladder into rows, and starts empty on another connection', async () => {
    const { batch } = await opened();
    const { ladder } = batch;
    Object.assign(ladder, { symbolId: 'BTC-USDT-M', count: '4', from: '96000', to: '95000', total: '1' });
    batch.draft.takeLadder(ladder.rows() ?? []);
    expect(batch.draft.groups.map(({ group, rows }) => [group.source, rows.length])).toEqual([
      ['ladder', 4],
      ['file', 3],
    ]);
    void batch.follow('other');
    expect(batch.draft.count).toBe(0);
    expect(ladder.symbolId).toBe('');
    expect(ladder.rows()).toBeNull();
  });

  it('gives every row of a ladder its triggers, at market, and none of a wrong price', async () => {
    const { batch } = await opened();
    const { ladder } = batch;
    Object.assign(ladder, { symbolId: 'BTC-USDT-M', count: '2', from: '96000', to: '95000', total: '1' });
    Object.assign(ladder, { tpSlOn: true, tp: '99000', sl: '90000' });
    const triggers = () => {
      batch.draft.takeLadder(ladder.rows() ?? []);
      const [group] = batch.draft.groups;
      return group?.group.source === 'ladder' ? group.rows.map((one) => one.checked.request?.tpSl) : null;
    };
    const type = { tpTriggerType: 'MARK_PRICE', slTriggerType: 'MARK_PRICE' };
    expect(triggers()).toEqual(Array(2).fill({ ...type, tpPrice: '99000', slPrice: '90000' }));
    Object.assign(ladder, { tp: ' ', triggerType: 'LAST_PRICE' });
    const sl = { tpTriggerType: 'NONE', slTriggerType: 'LAST_PRICE', slPrice: '90000' };
    expect(triggers()).toEqual([sl, sl]);
    ladder.sl = '9O000';
    expect(ladder.messageAt('sl')).toMatch(/^Stop loss/);
    expect(ladder.rows()).toBeNull();
    ladder.tpSlOn = false;
    expect(triggers()).toEqual([undefined, undefined]);
  });

  it('knows that its rows are those of an earlier ladder once a field makes another', async () => {
    const { ladder } = (await opened()).batch;
    Object.assign(ladder, { symbolId: 'BTC-USDT-M', count: '2', from: '96000', to: '95000', total: '1' });
    ladder.rows();
    expect(ladder.isChanged).toBe(false);
    ladder.wereTaken();
    for (const change of [
      { total: '2' },
      { side: 'SELL' },
      { to: '94000' },
      { reduceOnly: true },
      { tpSlOn: true, tp: '99000' },
    ]) {
      Object.assign(ladder, change);
      expect(ladder.isChanged).toBe(true);
      ladder.wereTaken();
      expect(ladder.isChanged).toBe(false);
    }
    // Fields that make no ladder are not taken for the rows.
    ladder.clear();
    expect(ladder.isChanged).toBe(false);
  });

  it('clears the ladder’s total once its rows were sent, so that they are not added again by one key', async () => {
    const { batch } = await opened();
    const { ladder } = batch;
    Object.assign(ladder, { symbolId: 'BTC-USDT-M', count: '2', from: '96000', to: '95000', total: '1' });
    await batch.review();
    await batch.confirm.send([]);
    await settled();
    expect(ladder.total).toBe('1');
    batch.draft.takeLadder(ladder.rows() ?? []);
    batch.view = 'draft';
    await batch.confirm.ask(10);
    await batch.confirm.send([]);
    await settled();
    expect([ladder.total, ladder.from, ladder.rows()]).toEqual(['', '96000', null]);
  });

  it('says which position a ladder turns over', async () => {
    const { ladder } = (await opened()).batch;
    ladder.choose('BTC-USDT-M');
    // A long of 2.000.
    Object.assign(ladder, { side: 'SELL', count: '2', from: '98000', to: '99000', total: '2' });
    expect(ladder.turned).toBeNull();
    ladder.total = '2.002';
    expect(ladder.turned?.quantity).toBe('2.000');
    ladder.reduceOnly = true;
    expect(ladder.turned).toBeNull();
    Object.assign(ladder, { reduceOnly: false, side: 'BUY', from: '96000', to: '95000' });
    expect(ladder.turned).toBeNull();
  });

  it('says that the ladder’s contract is the ticket’s until one is chosen', async () => {
    const { ladder } = (await opened()).batch;
    ladder.suggest('BTC-USDT-M');
    expect([ladder.symbolId, ladder.isFromTicket]).toEqual(['BTC-USDT-M', true]);
    ladder.suggest('BTC-USD-M');
    expect(ladder.symbolId).toBe('BTC-USDT-M');
    ladder.choose('BTC-USDT-M');
    expect(ladder.isFromTicket).toBe(false);
  });

  it('makes no rows while a large part of the ladder’s total is in none of them', async () => {
    const { ladder } = (await opened()).batch;
    ladder.choose('BTC-USDT-M');
    Object.assign(ladder, { count: '3', from: '96000', to: '95000', total: '0.011' });
    expect(ladder.result).toMatchObject({ ladder: { remainder: '0.002', remainderPercent: '18.2' } });
    expect([ladder.needsRemainderChoice, ladder.rows()]).toEqual([true, null]);
    ladder.remainder = 'last';
    expect(ladder.rows()?.map((one) => one.cells.quantity)).toEqual(['0.003', '0.003', '0.005']);
    ladder.remainder = 'leave';
    expect(ladder.rows()).toHaveLength(3);
    ladder.clear();
    Object.assign(ladder, { count: '3', from: '96000', to: '95000', total: '0.100' });
    expect(ladder.needsRemainderChoice).toBe(false);
  });
});
