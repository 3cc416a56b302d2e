import { describe, expect, it } from 'vitest';
import type { CallName } from '../../../src-shared/ipc/names.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import { blockedFailure, done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { pastOrder } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import {
  connection,
  FakeBridge,
  FakeTime,
  feed,
  noFeeds,
  session,
} from '../../../tests/renderer/fake-bridge.ts';
import { AppState } from './app-state.svelte.ts';
import { DeferredState } from './deferred-state.svelte.ts';
import { intentRecord } from '../../../tests/orders/memory-file.ts';

const account = (balance: string): AccountInfo =>
  ({ balance, assets: [], positions: [] }) as unknown as AccountInfo;
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

async function start(replies: FakeBridge['replies'] = {}) {
  const bridge = new FakeBridge();
  bridge.replies = replies;
  const time = new FakeTime();
  const app = new AppState(bridge, time, () => Promise.resolve(DeferredState));
  app.attach(new DeferredState(app));
  const end = app.start();
  await settled();
  return { app, bridge, time, end };
}
type Started = Awaited<ReturnType<typeof start>>;
const intent = (state: IntentRecord['state'], connectionId = 'practice'): IntentRecord =>
  intentRecord({
    ...{ id: 'i1', connectionId, connectionKind: 'practice', state, createdAt: 1 },
    body: '{"symbolId":"BTC-USDT-M","quantity":0.850,"price":97250.0}',
    events: [{ at: 1, state, text: 'text' }],
  });

describe('the window’s state', () => {
  it('drops a late reply and feeds of another connection', async () => {
    const { app, bridge } = await start();
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('2'), 7) });
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('1'), 6) });
    bridge.emit('feed', { connectionId: 'meridian', name: 'account', feed: feed(account('9'), 8) });
    expect(app.feeds.account.value?.balance).toBe('2');
  });

  it('shows nothing of the previous connection after a switch, and clears its drafts', async () => {
    const { app, bridge } = await start({ 'feeds.get': () => noFeeds('meridian') });
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('2'), 7) });
    app.navigation.trade({ symbolId: 'BTC-USDT-M', quantity: '1' });
    bridge.emit('intent', intent('unknown'));
    bridge.emit('session', session({ activeId: 'meridian' }));
    expect(app.feeds.account.value).toBeNull();
    expect([app.navigation.seed, app.navigation.symbol]).toEqual([null, null]);
    expect(app.intents.unknown).toEqual([]);
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('2'), 9) });
    expect(app.feeds.account.value).toBeNull();
  });

  it('shows nothing of the previous account of the same connection: practice reset, or another key', async () => {
    const { app, bridge } = await start({
      'feeds.get': () => ({ ...noFeeds('practice'), pausedUntil: 'resumed' }),
    });
    const warned = { id: 'a1', connectionId: 'practice', rule: 'margin', key: 'margin', link: {} };
    const raise = () =>
      bridge.emit('alert', { do: 'raised', record: warned, notice: false, sound: false } as never);
    const open = (value: string | null) => bridge.emit('session', session({ account: value }));
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('2'), 7) });
    raise();
    // It is opened, renamed and opened anew.
    for (const value of ['exchange 1', 'exchange 1', null, 'exchange 1']) open(value);
    await settled();
    expect([app.feeds.account.value?.balance, app.feeds.pause, app.alerts.records.length]).toEqual([
      '2',
      'resumed',
      1,
    ]);
    bridge.replies = {};
    for (const value of [null, 'exchange 2']) open(value);
    await settled();
    expect([app.feeds.account.value, app.feeds.pause, app.alerts.records]).toEqual([null, null, []]);
  });

  it('shows no convention that was found in the figures of the previous account of the same connection', async () => {
    const finding = { convention: 'after-fees' } as never;
    const { app } = await fixture('live', { 'archive.profit': () => done(finding) });
    await app.profit.request();
    const found = () => [app.profit.finding === null, app.fit.fit === null];
    expect(found()).toEqual([false, false]);
    app.session.replace({ ...app.session.state!, account: 'another account' });
    expect(found()).toEqual([true, true]);
  });

  it('switches and goes elsewhere only after what is typed may be lost', async () => {
    const { app, bridge } = await start();
    let leave = (): void => undefined;
    app.navigation.beforeLeaving = (then) => (leave = then);
    const selected = (): number => bridge.requests.filter((one) => one.name === 'connections.select').length;
    app.navigation.go('trades', { symbolId: 'BTC-USDT-M' });
    app.navigation.openSection('data');
    await app.selectConnection('live-1');
    expect([app.navigation.screen, app.navigation.link, app.navigation.settingsSection, selected()]).toEqual([
      'overview',
      null,
      'connections',
      0,
    ]);
    leave();
    await settled();
    expect(selected()).toBe(1);
  });

  it('says why nothing may be sent, giving the session’s reason first', async () => {
    const { app, bridge, time } = await start();
    expect(app.sendingOff).toMatch(/not been read/);
    bridge.emit('feed', {
      connectionId: 'practice',
      name: 'account',
      feed: feed(account('2'), 7, { receivedAt: time.now() }),
    });
    expect(app.sendingOff).toBeNull();
    bridge.emit('session', session({ locked: true }));
    expect(app.sendingOff).toBe('Trading is locked');
    const readOnly = connection('practice');
    bridge.emit(
      'session',
      session({ connections: [{ ...readOnly, settings: { ...readOnly.settings, readOnly: true } }] }),
    );
    expect(app.sendingOff).toMatch(/read-only/);
    bridge.emit('session', session({ connections: [connection('practice', { verified: false })] }));
    expect(app.sendingOff).toMatch(/test of this connection/);
  });

  it('ages data by a clock that cannot be set: old data stays old when the wall clock is set back', async () => {
    const { app, bridge, time } = await start();
    bridge.emit('feed', {
      connectionId: 'practice',
      name: 'account',
      feed: feed(account('2'), 7, { receivedAt: time.now() }),
    });
    time.set = -3_600_000;
    time.pass(7_000);
    expect([app.feeds.account.freshness, app.feeds.account.age]).toEqual(['stale', 7_000]);
    // A reloaded window receives the age too.
    bridge.replies['feeds.get'] = () => ({
      ...noFeeds('practice'),
      account: feed(account('2'), 8, { receivedAt: time.now(), age: 60_000 }),
    });
    await app.feeds.follow('practice');
    expect(app.feeds.account.freshness).toBe('stale');
  });

  it('keeps what was read before the connection was opened anew until it is read again, and says why not', async () => {
    const { app, bridge, time } = await start();
    const push = (value: AccountInfo | null, serial: number, failure: Failure | null) =>
      bridge.emit('feed', {
        connectionId: 'practice',
        name: 'account',
        feed: { ...feed(account('2'), serial), value, failure, ...(value === null ? { age: null } : {}) },
      });
    const waits = { kind: 'keychain', message: 'The keychain waits.', next: '' } as const;
    push(account('2'), 7, null);
    push(null, 8, waits);
    expect([app.feeds.account.value?.balance, app.feeds.account.failure]).toEqual(['2', waits]);
    expect(app.feeds.account.freshness).toBe('offline');
    time.pass(30_000);
    expect(app.feeds.account.age).toBe(30_000);
    push(account('3'), 9, null);
    expect([app.feeds.account.value?.balance, app.feeds.account.freshness]).toEqual(['3', 'fresh']);
  });

  it('shows what an earlier run read, stale however recent, until this run has read the account', async () => {
    const time = new FakeTime();
    const { app, bridge } = await start({
      'feeds.last': () => ({ connectionId: 'practice', readAt: time.now() + 60_000, value: account('2') }),
    });
    const shown = (): unknown[] => [app.feeds.account.value?.balance, app.feeds.account.freshness];
    expect(shown()).toEqual(['2', 'stale']);
    expect(app.sendingOff).toMatch(/too old/);
    const failure = { kind: 'offline', message: 'No reply.', next: '' } as const;
    bridge.emit('feed', {
      connectionId: 'practice',
      name: 'account',
      feed: { ...feed(account('0'), 7, { failure, age: null, receivedAt: null }), value: null },
    });
    expect(shown()).toEqual(['2', 'offline']);
    expect(app.sendingOff).toMatch(/too old/);
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account('3'), 8) });
    expect(shown()).toEqual(['3', 'fresh']);
    expect(app.sendingOff).toBeNull();
  });

  it('shows no account of an earlier run that is another connection’s, or older than a read of this one', async () => {
    const other = await start({
      'feeds.last': () => ({ connectionId: 'meridian', readAt: 1, value: account('9') }),
    });
    expect(other.app.feeds.account.value).toBeNull();
    const read = await start({
      'feeds.get': () => ({ ...noFeeds('practice'), account: feed(account('2'), 7) }),
      'feeds.last': () => ({ connectionId: 'practice', readAt: 1, value: account('9') }),
    });
    expect(read.app.feeds.account.value?.balance).toBe('2');
  });

  it('keeps what is pushed after the reply with the feeds and before that with an earlier run’s account', async () => {
    const lastRun = Promise.withResolvers<null>();
    const reading = { ...noFeeds('practice').contracts, serial: 7 };
    const { app, bridge } = await start({
      'feeds.get': () => ({ ...noFeeds('practice'), contracts: reading }),
      'feeds.last': () => lastRun.promise,
    });
    // The contracts were being read at the time of the reply, which has the number of that read.
    bridge.emit('feed', { connectionId: 'practice', name: 'contracts', feed: feed([], 7) });
    lastRun.resolve(null);
    await settled();
    expect(app.feeds.contracts.value).toEqual([]);
  });

  it('loses nothing that happens before the deferred state is loaded', async () => {
    const bridge = new FakeBridge();
    const app = new AppState(bridge, new FakeTime(), () => Promise.resolve(DeferredState));
    app.start();
    await settled();
    bridge.emit('intent', intent('unknown'));
    bridge.emit('file', { name: 'orders.csv', text: 'symbolId,side,type,quantity\nBTC-USDT-M,BUY,MARKET,1' });
    await app.deferred();
    await settled();
    expect(app.toasts.list.map((one) => one.progress.stage)).toEqual(['unknown']);
    expect([app.navigation.screen, app.batch.draft.count]).toEqual(['batch', 1]);
  });

  it('ticks with a poll that arrives in time, and on its own when one is late', async () => {
    const { app, bridge, time } = await start();
    const began = time.now();
    const tick = (): number => app.clock.now - began;
    const poll = (serial: number): void =>
      bridge.emit('feed', {
        connectionId: 'practice',
        name: 'account',
        feed: feed(account('2'), serial, { receivedAt: time.now() }),
      });
    poll(7);
    time.pass(1_100);
    expect(tick()).toBe(0);
    poll(8);
    expect(tick()).toBe(1_100);
    time.pass(1_250);
    expect(tick()).toBe(2_350);
    time.pass(750);
    expect(tick()).toBe(3_100);
    time.pass(1_000);
    expect(tick()).toBe(4_100);
  });

  it('ages data by the clock alone: slow after 3 s, stale and blocking after 6', async () => {
    const { app, bridge, time } = await start();
    bridge.emit('feed', {
      connectionId: 'practice',
      name: 'account',
      feed: feed(account('2'), 7, { receivedAt: time.now() }),
    });
    expect(app.feeds.account.freshness).toBe('fresh');
    time.pass(4_000);
    expect([app.feeds.account.freshness, app.sendingOff]).toEqual(['slow', null]);
    time.pass(3_000);
    expect(app.feeds.account.freshness).toBe('stale');
    expect(app.sendingOff).toMatch(/too old/);
    bridge.emit('pause', { connectionId: 'practice', until: time.now() + 65_000 });
    expect(app.sendingOff).toBe('The exchange asked Ballast to wait: 1 min 5 s');
    time.pass(65_000);
    expect(app.sendingOff).not.toMatch(/requests Ballast to wait/);
    bridge.emit('pause', { connectionId: 'practice', until: 'resumed' });
    expect(app.sendingOff).toMatch(/banned this IP address/);
  });

  it('has one toast per order, which follows the outcome and leaves once that is known', async () => {
    const { app, bridge, time } = await start();
    const stages = (): string[] => app.toasts.list.map((one) => one.progress.stage);
    bridge.emit('intent', intent('sending'));
    bridge.emit('intent', intent('unknown'));
    bridge.emit('intent', intent('unknown'));
    expect(stages()).toEqual(['unknown']);
    time.pass(60_000);
    expect(stages()).toEqual(['unknown']);
    expect(app.intents.holding('BTC-USDT-M', 'BUY')).toHaveLength(1);
    expect(app.intents.holding('BTC-USDT-M', 'SELL')).toHaveLength(0);
    bridge.emit('intent', intent('matched'));
    expect(app.intents.unknown).toEqual([]);
    expect(stages()).toEqual(['accepted']);
    expect(app.notices.list).toEqual([]);
  });

  it('has no toast of an order that its sheet showed to be over, though the history no longer lists it', async () => {
    const { app, bridge } = await start();
    const sent = { ...intent('accepted'), orderId: '71' };
    const stages = (): string[] => app.toasts.list.map((one) => one.progress.stage);
    const list = (rows: readonly HistoryOrder[], serial: number): void =>
      bridge.emit('feed', { connectionId: 'practice', name: 'history', feed: feed(rows, serial) });
    bridge.emit('intent', sent);
    list([pastOrder({ id: '71', status: 'FILLED' })], 7);
    expect(stages()).toEqual(['filled']);
    app.toasts.read(sent, app.toasts.progress(sent));
    expect(stages()).toEqual([]);
    list([], 8);
    expect(stages()).toEqual([]);
    bridge.emit('intent', intent('sending'));
    bridge.emit('intent', sent);
    expect(stages()).toEqual([]);
  });

  it('keeps a toast that has the pointer or focus, and shows three at most', async () => {
    const { app, bridge, time } = await start();
    for (const id of ['a', 'b', 'c', 'd']) bridge.emit('intent', { ...intent('rejected'), id });
    expect(app.toasts.list.map((one) => one.record.id)).toEqual(['d', 'c', 'b']);
    app.toasts.dismiss('d');
    expect(app.toasts.list.map((one) => one.record.id)).toEqual(['c', 'b', 'a']);
    const [first] = app.toasts.list;
    if (first === undefined) throw new Error('no toast');
    const filled = { ...first, progress: { ...first.progress, stage: 'filled' as const } };
    app.toasts.keep('c');
    app.toasts.settle(filled);
    time.pass(8_000);
    expect(app.toasts.list.map((one) => one.record.id)).toContain('c');
    app.toasts.keep(null);
    time.pass(8_000);
    expect(app.toasts.list.map((one) => one.record.id)).not.toContain('c');
  });

  it('requests settings, session and feeds together, and has them before the first drawing', async () => {
    const bridge = new FakeBridge();
    bridge.replies = {
      'settings.get': () => ({ ...DEFAULT_SETTINGS, theme: 'light' }),
      'feeds.get': () => ({ ...noFeeds('practice'), account: feed(account('2'), 7) }),
    };
    const app = new AppState(bridge, new FakeTime(), () => Promise.resolve(DeferredState));
    app.start();
    expect(bridge.requests.map((one) => one.name)).toEqual([
      'settings.get',
      'session.get',
      'feeds.get',
      'feeds.last',
    ]);
    await app.ready;
    expect([app.settings.theme, app.session.activeId]).toEqual(['light', 'practice']);
    expect(app.feeds.account.value?.balance).toBe('2');
  });

  it('ignores feeds of another connection than the session’s', async () => {
    const { app } = await start({
      'feeds.get': () => ({ ...noFeeds('meridian'), account: feed(account('9'), 7) }),
    });
    expect(app.feeds.account.value).toBeNull();
  });

  it.each<readonly [what: string, call: CallName, act: (one: Started) => void]>([
    ['quits', 'app.saved', ({ bridge }) => bridge.emit('quitting', null)],
    ['switches', 'connections.select', ({ app }) => void app.selectConnection('meridian')],
  ])('%s once every note is saved', async (_what, call, act) => {
    const one = await start({ [call]: () => session({ activeId: 'meridian' }) });
    const saving = Promise.withResolvers<undefined>();
    one.app.notes.settled = () => saving.promise;
    const calls = (): number => one.bridge.requests.filter(({ name }) => name === call).length;
    act(one);
    await settled();
    expect(calls()).toBe(0);
    saving.resolve(undefined);
    await settled();
    expect(calls()).toBe(1);
  });

  it('reports notes that are not saved at once when the app quits, and those that could not be', async () => {
    const { app, bridge } = await start();
    const saving = Promise.withResolvers<Result<never>>();
    const { call } = bridge;
    bridge.call = (name, input) => (name === 'trades.saveNote' ? saving.promise : call(name, input));
    const edit = app.notes.edit('7', undefined);
    edit.text = 'why';
    void edit.save();
    const reported = (): unknown[] =>
      bridge.requests.filter(({ name }) => name === 'app.saved').map(({ input }) => input);
    bridge.emit('quitting', null);
    await settled();
    expect(reported()).toEqual([{ unsaved: 1, isOver: false }]);
    saving.resolve(failed(blockedFailure('The archive is locked.', '')));
    await settled();
    expect(reported()).toEqual([
      { unsaved: 1, isOver: false },
      { unsaved: 1, isOver: true },
    ]);
  });

  it('reports for the newest quit alone that every note was tried', async () => {
    const { app, bridge } = await start();
    const saves = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
    for (const { promise } of saves) {
      app.notes.settled = () => promise;
      bridge.emit('quitting', null);
    }
    await settled();
    for (const [at, { resolve }] of saves.entries()) {
      resolve(undefined);
      await settled();
      expect(bridge.requests.filter(({ name }) => name === 'app.saved')).toHaveLength(at);
    }
  });

  it('stops listening and ticking when it ends', async () => {
    const { app, bridge, time, end } = await start();
    end();
    const before = app.clock.now;
    time.pass(5_000);
    bridge.emit('session', session({ locked: true }));
    expect([app.clock.now, app.session.locked]).toEqual([before, false]);
  });

  it('reverts a setting that the main process refuses', async () => {
    const { app, bridge } = await start();
    const full = { kind: 'file', message: 'The disk is full.', next: 'Free some space.' } as const;
    bridge.call = () => Promise.resolve({ ok: false, failure: full });
    await app.settings.change({ theme: 'light' });
    expect(app.settings.value.theme).toBe('system');
  });
});
