import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { AlertRecord, AlertSettings, AlertUpdate, DesktopOutcome } from '../../src-shared/ipc/alerts.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Feed, FeedValues } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { WorstLevel } from '../../src-shared/domain/alerts/worst.ts';
import { connectionSummary } from '../../tests/session/connection-settings.ts';
import { account, asset, NOW, position } from '../../tests/domain/order-samples.ts';
import { EMPTY_FEED } from '../../src-shared/ipc/feeds.ts';
import { type AlertFile, withMessage } from './alert-file.ts';
import { Alerts, type AlertPorts, type DesktopNote, type WatchedConnection } from './alerts.ts';
import { intentRecord } from '../../tests/orders/memory-file.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const summary = (id: string): ConnectionSummary => connectionSummary(id, { apiKey: 'key-canary' });

function memoryAlertFile(kept: AlertRecord[]): AlertFile {
  return {
    get records() {
      return kept;
    },
    append(record) {
      kept.push(record);
      return Promise.resolve();
    },
    acknowledge(ids, at) {
      const changed = kept
        .filter((one) => ids.has(one.id) && one.acknowledgedAt === null)
        .map((one) => ({ ...one, acknowledgedAt: at }));
      kept.splice(0, kept.length, ...kept.map((one) => changed.find((next) => next.id === one.id) ?? one));
      return Promise.resolve(changed);
    },
    message(id, outcome) {
      kept.splice(0, kept.length, ...kept.map((one) => (one.id === id ? withMessage(one, outcome) : one)));
      return Promise.resolve();
    },
  };
}

/** Creates an app with one connection and a manual clock. */
function createFixture(kept: AlertRecord[] = [], id = 'live-1') {
  let now = NOW;
  let feed: Feed<FeedValues['account']> = EMPTY_FEED;
  /** How far the clock was set. */
  let set = 0;
  let due: { at: number; run: () => void } | null = null;
  let open: WatchedConnection | null = null;
  const besides: WatchedConnection[] = [];
  let opening: Promise<unknown> = Promise.resolve();
  let settings: Settings = { ...DEFAULT_SETTINGS, timeZone: 'utc' };
  let intents: IntentRecord[] = [];
  let ids = 0;
  const fired: AlertUpdate[] = [];
  const desktop: DesktopNote[] = [];
  let outcome: DesktopOutcome = 'shown';
  const notices: string[] = [];
  let worst: WorstLevel | null = null;
  const messages: {
    readonly message: Parameters<AlertPorts['message']>[0];
    readonly quiet: boolean;
    readonly changed: Parameters<AlertPorts['message']>[2];
  }[] = [];
  let file: (connectionId: string) => Promise<AlertFile> = () => Promise.resolve(memoryAlertFile(kept));
  const alerts = new Alerts({
    session: { current: () => open, opened: () => opening.then(() => open), summary },
    portfolio: { readers: () => besides },
    file: (one) => file(one.id),
    journal: { list: () => intents },
    settings: () => settings,
    push: (update) => fired.push(update),
    desktop(note) {
      desktop.push(note);
      return Promise.resolve(outcome);
    },
    message: (message, quiet, changed) => {
      messages.push({ message, quiet, changed });
    },
    worst: (state) => (worst = state.level),
    notice: (message) => notices.push(message),
    clock: { now: () => now },
    timers: {
      after(ms, run) {
        due = { at: now + ms, run };
        return () => (due = null);
      },
    },
    newId: () => `alert-${++ids}`,
  });
  return {
    alerts,
    fired,
    desktop,
    notices,
    messages,
    worst: () => worst,
    kept,
    raised: () => fired.flatMap((one) => (one.do === 'raised' ? [one] : [])),
    /** Delays listing until the returned function is called. */
    isOpening(): () => void {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      opening = promise;
      return () => resolve(undefined);
    },
    connect(other = id) {
      open = {
        id: other,
        feeds: { all: () => ({ account: feed, openOrders: EMPTY_FEED, history: EMPTY_FEED }) },
      };
    },
    besides,
    set: (next: Partial<AlertSettings>) =>
      (settings = { ...settings, alerts: { ...settings.alerts, ...next } }),
    hideAmounts: () => (settings = { ...settings, privacy: true }),
    fileIs: (next: typeof file) => (file = next),
    outcomeIs: (next: DesktopOutcome) => (outcome = next),
    unknown: (record: IntentRecord) => {
      intents = [record];
      alerts.intentChanged(record);
    },
    intentsAre: (next: IntentRecord[]) => (intents = next),
    /** Reads the account with its long at this distance, in percent of a mark of 100. */
    async reads(distance: number, held: Parameters<typeof asset>[0] = {}) {
      const value = account(
        [position({ markPrice: '100', liquidPrice: String(100 - distance) })],
        [asset(held)],
      );
      const [receivedAt, before] = [now, set];
      feed = {
        ...EMPTY_FEED,
        value,
        receivedAt,
        get age() {
          return Math.max(now - receivedAt, now - set - (receivedAt - before));
        },
      };
      alerts.evaluate();
      await tick();
    },
    async passes(ms: number) {
      const end = now + ms;
      while (due !== null && due.at <= end) {
        const { at, run } = due;
        due = null;
        now = Math.max(now, at);
        run();
        await tick();
      }
      now = end;
    },
    /** Puts the computer to sleep: no timer runs. */
    sleeps(ms: number) {
      now += ms;
    },
    /** Sets the clock; timers run on. */
    setsClock(ms: number) {
      now += ms;
      set += ms;
      if (due !== null) due = { ...due, at: due.at + ms };
    },
    at: (text: string) => (now = Date.parse(text)),
  };
}
const rules = (all: ReturnType<typeof createFixture>): string[] =>
  all.raised().map(({ record }) => record.rule);

async function opened(kept: AlertRecord[] = []) {
  const all = createFixture(kept);
  all.connect();
  all.alerts.start();
  await tick();
  return all;
}

describe('alerts of the open connection', () => {
  it('are logged, shown and put on the desktop, which names the account and no secret', async () => {
    const all = await opened();
    await all.reads(4);
    expect(all.kept.map((one) => [one.rule, one.connectionId, one.acknowledgedAt])).toEqual([
      ['liquidation-danger', 'live-1', null],
    ]);
    expect(all.raised()).toMatchObject([{ notice: true, sound: false }]);
    expect(all.desktop[0]?.title).toBe('LIVE Meridian main: BTC-USDT-M long: liquidation ≈ 4.00% away');
    expect(all.desktop[0]?.body).toContain('Mark 100');
    expect(JSON.stringify(all.desktop)).not.toContain('canary');
    all.desktop[0]?.clicked();
    expect(all.fired.at(-1)).toMatchObject({ do: 'open', record: { rule: 'liquidation-danger' } });
  });

  it('reach the window after their condition, so that none begins as no longer active', async () => {
    const all = await opened();
    await all.reads(4);
    const known = all.fired.findIndex(
      (one) => one.do === 'status' && one.status.raised.includes(all.kept[0]?.key ?? ''),
    );
    expect(known).toBeGreaterThan(-1);
    expect(known).toBeLessThan(all.fired.findIndex((one) => one.do === 'raised'));
  });

  it('go to webhooks with their account, and each outcome is logged and shown', async () => {
    const all = await opened();
    await all.reads(4);
    const [sent] = all.messages;
    expect(all.messages).toHaveLength(1);
    expect(sent?.quiet).toBe(false);
    expect(sent?.message).toEqual({
      id: 'alert-1',
      rule: 'liquidation-danger',
      critical: true,
      at: NOW,
      account: 'LIVE Meridian main',
      title: 'BTC-USDT-M long: liquidation ≈ 4.00% away',
      text: expect.stringContaining('Mark 100') as string,
    });
    const outcome = { webhookId: 'webhook-1', name: 'Phone', at: NOW } as const;
    sent?.changed({ ...outcome, state: 'sending', why: '' });
    sent?.changed({ ...outcome, state: 'delivered', why: '' });
    const messages = [{ ...outcome, state: 'delivered', why: '' }];
    expect(all.kept[0]?.messages).toEqual(messages);
    expect(all.fired.at(-1)).toMatchObject({ do: 'changed', record: { id: 'alert-1', messages } });
    expect(all.notices).toEqual([]);
  });

  it('report the worst state, until it has passed and is acknowledged', async () => {
    const all = await opened();
    await all.reads(30);
    expect(all.worst()).toBe('ok');
    await all.reads(8);
    expect(all.worst()).toBe('caution');
    await all.reads(4);
    expect(all.worst()).toBe('critical');
    await all.reads(30);
    expect(all.worst()).toBe('critical');
    await all.alerts.acknowledge('live-1', null);
    expect(all.worst()).toBe('ok');
    await all.passes(61_000);
    expect(all.worst()).toBe('caution');
  });

  it('report a message that was not delivered once, until one is', async () => {
    const all = await opened();
    await all.reads(4);
    const changed = (state: 'failed' | 'delivered') =>
      all.messages[0]?.changed({
        webhookId: 'webhook-1',
        name: 'Phone',
        at: NOW,
        state,
        why: state === 'failed' ? 'Status 404.' : '',
      });
    changed('failed');
    changed('failed');
    expect(all.notices).toEqual(['A message to Phone was not delivered.']);
    changed('delivered');
    changed('failed');
    expect(all.notices).toHaveLength(2);
  });

  it('store the outcome of a message in their own log after another connection was opened', async () => {
    const all = await opened();
    await all.reads(4);
    all.connect('live-2');
    const other: AlertRecord[] = [];
    all.fileIs(() => Promise.resolve(memoryAlertFile(other)));
    await all.reads(30);
    all.messages[0]?.changed({ webhookId: 'w', name: 'Phone', at: NOW, state: 'delivered', why: '' });
    expect([all.kept[0]?.messages?.length, other.length]).toEqual([1, 0]);
  });

  it('are repeated after the pause while it lasts, by the clock alone', async () => {
    const all = await opened();
    await all.reads(4);
    for (let second = 0; second < 301; second++) {
      await all.passes(1_000);
      await all.reads(4);
    }
    expect(rules(all)).toEqual(['liquidation-danger', 'liquidation-danger']);
  });

  it('are not evaluated on stale data: only the stale rule fires, and the others name the reason', async () => {
    const all = await opened();
    await all.reads(30);
    await all.passes(61_000);
    expect(rules(all)).toEqual(['stale']);
    const status = all.fired.findLast((one) => one.do === 'status');
    expect(status).toMatchObject({ connectionId: 'live-1' });
    expect(JSON.stringify(status)).toContain('the account was last read');
  });

  it('call nothing stale for the time this computer slept', async () => {
    const all = await opened();
    await all.reads(30);
    all.sleeps(8 * 60 * MINUTE);
    await all.passes(30_000);
    expect(rules(all)).toEqual([]);
    await all.passes(40_000);
    expect(rules(all)).toEqual(['stale']);
  });

  it.each([-24 * HOUR, 24 * HOUR])(
    'call nothing stale, and miss nothing, where the clock is set by %i ms',
    async (ms) => {
      const all = await opened();
      await all.reads(30);
      all.setsClock(ms);
      // Another list is read before the next tick.
      all.alerts.evaluate();
      await all.passes(50_000);
      expect(rules(all)).toEqual([]);
      await all.passes(20_000);
      expect(rules(all)).toEqual(['stale']);
    },
  );

  it('in quiet hours are logged; only what must be seen is shown, without desktop and sound', async () => {
    const all = await opened();
    all.set({ sound: true, quietHours: { on: true, from: '22:00', to: '07:00' } });
    all.at('2026-11-22T03:00:00Z');
    await all.reads(8);
    await all.reads(4);
    expect(all.raised().map((one) => [one.record.rule, one.notice, one.sound, one.record.quiet])).toEqual([
      ['liquidation', false, false, true],
      ['liquidation-danger', true, false, true],
    ]);
    expect(all.desktop).toEqual([]);
    expect(all.kept).toHaveLength(2);
  });

  it('resume from the log after a restart: nothing fires twice within its repeat interval', async () => {
    const before = await opened();
    await before.reads(4);
    const after = await opened(before.kept);
    after.sleeps(2 * MINUTE);
    await after.reads(4);
    expect(rules(after)).toEqual([]);
    after.sleeps(3 * MINUTE);
    await after.reads(4);
    expect(rules(after)).toEqual(['liquidation-danger']);
  });

  it('of a rule that fires once fire again after a restart if the log’s last one is of more than a day ago', async () => {
    const before = await opened();
    await before.reads(4);
    const again = async (age: number): Promise<string[]> => {
      const after = createFixture(before.kept.map((one) => ({ ...one, at: NOW - age })));
      const rule = { ...DEFAULT_SETTINGS.alerts.rules['liquidation-danger'], repeatMinutes: null };
      after.set({ rules: { ...DEFAULT_SETTINGS.alerts.rules, 'liquidation-danger': rule } });
      after.connect();
      after.alerts.start();
      await tick();
      await after.reads(4);
      return rules(after);
    };
    expect([await again(23 * HOUR), await again(24 * HOUR)]).toEqual([[], ['liquidation-danger']]);
  });

  it('are listed for a window that asks while the connection is being opened', async () => {
    const before = await opened();
    await before.reads(4);
    const after = createFixture(before.kept);
    const isOpen = after.isOpening();
    const asked = after.alerts.list('live-1');
    after.connect();
    isOpen();
    expect(await asked).toMatchObject({ ok: true, data: { records: after.kept } });
  });

  it('are of the connection that is open: another one begins with its own log', async () => {
    const all = await opened();
    await all.reads(4);
    const list = await all.alerts.list('live-1');
    expect(list).toMatchObject({ ok: true, data: { records: [{ id: 'alert-1' }] } });
    all.connect('live-2');
    all.fileIs(() => Promise.resolve(memoryAlertFile([])));
    expect(await all.alerts.list('live-1')).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    const other = await all.alerts.list('live-2');
    expect(other.ok && other.data.connectionId).toBe('live-2');
  });

  it('report an unknown outcome that a first search did not find, also one from before the start', async () => {
    const all = createFixture();
    all.intentsAre([lost]);
    all.connect();
    all.alerts.start();
    await tick();
    expect(rules(all)).toEqual(['unknown']);
    all.unknown({ ...unsearched, id: 'intent-2' });
    await all.passes(2_000);
    expect(rules(all)).toEqual(['unknown']);
    all.unknown({ ...lost, id: 'intent-2' });
    await all.passes(1_000);
    expect(all.raised().at(-1)?.record).toMatchObject({
      title: 'Outcome unknown: Buy BTC-USDT-M, limit',
      link: { intentId: 'intent-2' },
    });
    expect(all.worst()).toBe('critical');
    all.intentsAre([]);
    for (const id of ['intent-1', 'intent-2']) all.alerts.intentChanged({ ...lost, id, state: 'matched' });
    expect(all.worst()).not.toBe('critical');
    expect(await all.alerts.acknowledge('live-1', null)).toMatchObject({ ok: true, data: [] });
  });

  it('report no outcome that the first search finds, and one that no search reaches in time', async () => {
    const all = await opened();
    all.unknown(unsearched);
    all.alerts.intentChanged({ ...unsearched, state: 'matched' });
    all.unknown({ ...unsearched, id: 'intent-2' });
    await all.passes(4_000);
    expect(rules(all)).toEqual([]);
    await all.passes(2_000);
    expect(all.raised().map(({ record }) => record.link)).toMatchObject([{ intentId: 'intent-2' }]);
  });

  it('name the position of an unknown outcome while several are closed', async () => {
    const all = createFixture();
    const batch = { id: 'closing-1', row: 1, of: 3, call: 1, closing: true } as const;
    all.intentsAre([{ ...lost, kind: 'close-all', batch }]);
    all.connect();
    all.alerts.start();
    await tick();
    expect(all.raised().map((one) => one.record.title)).toEqual(['Outcome unknown: Close all of BTC-USDT-M']);
  });

  it('report a batch once, and an accepted one only when its rows are not found', async () => {
    const all = createFixture();
    const row = (id: string, at: number, failure?: { kind: 'unknown'; message: string; next: string }) => ({
      ...lost,
      id,
      batch: { id: 'batch-1', row: at, of: 3, call: 0 },
      events: [
        { at: NOW, state: 'unknown' as const, text: '', ...(failure === undefined ? {} : { failure }) },
      ],
    });
    all.intentsAre([row('a', 0), row('b', 1), row('c', 2)]);
    all.connect();
    all.alerts.start();
    await all.passes(29_000);
    expect(rules(all)).toEqual([]);
    await all.passes(2_000);
    expect(all.raised().map((one) => [one.record.title, one.record.link])).toEqual([
      ['Outcome unknown: 3 of 3 rows of a batch', { symbolId: 'BTC-USDT-M', intentId: 'a' }],
    ]);
    const setBack = createFixture();
    setBack.intentsAre([row('a', 0)]);
    setBack.connect();
    setBack.alerts.start();
    setBack.setsClock(-HOUR);
    await setBack.passes(2_000);
    expect(rules(setBack)).toEqual(['unknown']);
    const lostCall = createFixture();
    lostCall.intentsAre([row('a', 0, { kind: 'unknown', message: 'cut', next: '' }), row('b', 1)]);
    lostCall.connect();
    lostCall.alerts.start();
    await tick();
    expect(lostCall.raised().map((one) => one.record.title)).toEqual([
      'Outcome unknown: 1 of 3 rows of a batch',
    ]);
  });

  it('are acknowledged one by one or together', async () => {
    const all = await opened();
    await all.reads(8);
    await all.reads(4);
    const [first] = all.kept;
    const one = await all.alerts.acknowledge('live-1', first?.id ?? '');
    expect(one.ok && one.data.map((record) => record.rule)).toEqual(['liquidation']);
    const rest = await all.alerts.acknowledge('live-1', null);
    expect(rest.ok && rest.data.map((record) => record.rule)).toEqual(['liquidation-danger']);
    expect(all.kept.every((record) => record.acknowledgedAt !== null)).toBe(true);
  });

  it('fire when their log cannot be read or written, which is reported once', async () => {
    const all = createFixture();
    all.fileIs(() => Promise.reject(new Error('EACCES')));
    all.connect();
    all.alerts.start();
    await tick();
    await all.reads(4);
    expect(rules(all)).toEqual(['liquidation-danger']);
    expect(all.notices).toEqual(['The alert log could not be read.']);
    const full = createFixture();
    const file = memoryAlertFile([]);
    full.fileIs(() => Promise.resolve({ ...file, append: () => Promise.reject(new Error('ENOSPC')) }));
    full.connect();
    full.alerts.start();
    await tick();
    await full.reads(8);
    await full.reads(4);
    expect(rules(full)).toEqual(['liquidation', 'liquidation-danger']);
    expect(full.notices).toEqual(['An alert could not be saved.']);
  });

  it('go on after a defect, which locks trading elsewhere', async () => {
    const all = await opened();
    Object.defineProperty(all.besides, Symbol.iterator, {
      value() {
        throw new Error('a defect');
      },
      configurable: true,
    });
    await expect(all.passes(1_000)).rejects.toThrow('a defect');
    Reflect.deleteProperty(all.besides, Symbol.iterator);
    await all.reads(1);
    await all.passes(1_000);
    expect(rules(all)).not.toEqual([]);
    const before = all.desktop.length;
    await all.passes(3_600_000);
    expect(all.desktop.length).toBeGreaterThan(before);
  });

  it('rest when stopped', async () => {
    const all = await opened();
    all.alerts.stop();
    await all.passes(10 * MINUTE);
    expect(rules(all)).toEqual([]);
  });

  it('hide their amounts on the desktop, and not in the log, where the window hides them', async () => {
    const all = await opened();
    all.hideAmounts();
    await all.reads(30, { crossedMaintainMargin: '99000', crossedMaintainMarginRate: '0.95' });
    expect(all.kept.at(-1)?.text).toContain('99000 USDT');
    expect(all.desktop.at(-1)?.body).toContain('USDT');
    expect(all.desktop.at(-1)?.body).not.toContain('99000');
  });

  it('try the desktop on demand', async () => {
    const all = await opened();
    expect(await all.alerts.test()).toEqual({ desktop: 'shown' });
    expect(all.desktop[0]?.title).toBe('LIVE Meridian main: test notification');
    all.outcomeIs('rejected');
    expect(await all.alerts.test()).toEqual({ desktop: 'rejected' });
  });

  it('are in the window where the desktop refuses them, and report that once', async () => {
    const all = await opened();
    const refusals = () => all.notices.filter((one) => one.includes('rejected')).length;
    all.outcomeIs('rejected');
    await all.reads(4);
    await all.passes(HOUR);
    expect([all.desktop.length > 1, refusals()]).toEqual([true, 1]);
    all.outcomeIs('shown');
    await all.passes(HOUR);
    all.outcomeIs('rejected');
    await all.passes(HOUR);
    expect(refusals()).toBe(2);
  });

  it('watch every connection that is read, each by its own log and name', async () => {
    const r = createFixture();
    const logs: Record<string, AlertRecord[]> = {};
    r.fileIs((one) => Promise.resolve(memoryAlertFile((logs[one] ??= []))));
    r.connect();
    const value = account([position({ markPrice: '100', liquidPrice: '97' })], [asset()]);
    const slow: Feed<FeedValues['account']> = { ...EMPTY_FEED, value, age: 45_000, intervalFactor: 30 };
    r.besides.push({
      id: 'live-2',
      feeds: { all: () => ({ account: slow, openOrders: EMPTY_FEED, history: EMPTY_FEED }) },
    });
    await r.reads(50);
    expect(r.raised().map(({ record }) => [record.connectionId, record.rule])).toEqual([
      ['live-2', 'liquidation-danger'],
    ]);
    expect(logs['live-1']).toEqual([]);
    expect(logs['live-2']).toHaveLength(1);
    r.besides.pop();
    await r.passes(2_000);
    expect(r.raised()).toHaveLength(1);
  });

  it('are not late on an account that is read less often than each second', async () => {
    const r = createFixture();
    let age = 80_000;
    const value = account([], [asset()]);
    r.besides.push({
      id: 'live-2',
      feeds: {
        all: () => ({
          account: { ...EMPTY_FEED, value, age, intervalFactor: 30 },
          openOrders: EMPTY_FEED,
          history: EMPTY_FEED,
        }),
      },
    });
    r.alerts.start();
    await r.passes(120_000);
    expect(r.raised()).toEqual([]);
    age = 95_000;
    await r.passes(1_000);
    expect(r.raised().map(({ record }) => record.rule)).toEqual(['stale']);
  });
});

const unsearched = intentRecord({ state: 'unknown', createdAt: NOW });
const lost: IntentRecord = { ...unsearched, finding: { checks: [], rounds: 1, absent: 0 } };
