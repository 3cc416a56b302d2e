import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Events } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import { FEED_INTERVAL_MS } from '../../src-shared/ipc/feeds.ts';
import { done, failed } from '../../src-shared/ipc/failures.ts';
import { startPractice, type Practice } from '../../src-practice/start.ts';
import { createClient } from '../exchange/client.ts';
import { encodeOrder } from '../exchange/order-body.ts';
import { openArchive } from '../archive/archive.ts';
import { orders } from '../../tests/archive/orders.ts';
import { clock, timers } from '../app/system.ts';
import { openJournal, type Journal } from '../orders/journal/journal.ts';
import { journalFile } from '../orders/journal/file.ts';
import { connectionClient } from './connection-client.ts';
import { type ConnectionServices, LiveConnection } from './live-connection.ts';
import { accountOf } from './account.ts';
import { rateLimits } from '../exchange/rate-limit.ts';
import { PRACTICE_ID, practiceSettings } from './stored.ts';
import { dataOf } from '../../tests/shared/data-of.ts';
import { LIMIT } from '../../tests/domain/order-samples.ts';

const HISTORY = 40;
let practice: Practice;
let folder: string;
let services: ConnectionServices;
let journal: Journal;
const others: string[] = [];
const archiveFile = (): string => join(folder, 'archive', 'practice.sqlite');

beforeEach(async () => {
  others.length = 0;
  practice = await startPractice({ seed: 7, history: HISTORY });
  folder = mkdtempSync(join(tmpdir(), 'ballast-open-'));
  journal = await openJournal(journalFile(join(folder, 'orders.jsonl')));
  const limitOf = rateLimits(clock.mono);
  const redact = () => () => undefined;
  services = {
    ...{ clock, timers, journal, limitOf },
    client: ({ settings }, secret, onDrift) =>
      connectionClient(settings, secret, { clock, limitOf, redact, onDrift }),
    openArchive: ({ id, kind, settings }) =>
      openArchive({
        file: archiveFile(),
        connectionId: id,
        account: kind === 'practice' ? null : accountOf(settings),
        clock,
      }),
    push: () => undefined,
    feedRead: () => undefined,
    intentChanged: () => undefined,
    accountOf: ({ settings }) => accountOf(settings),
    connectionIds: () => [PRACTICE_ID],
    otherAccount: ({ id }) => void others.push(id),
    verified: () => undefined,
    notice: () => undefined,
    isWindowHidden: () => false,
  };
});
afterEach(async () => {
  await practice.stop();
  rmSync(folder, { recursive: true });
});

function open(
  archive: ConnectionServices['openArchive'],
  changes: Partial<ConnectionSummary> = {},
): LiveConnection {
  const { url, credentials } = practice;
  const summary: ConnectionSummary = {
    id: PRACTICE_ID,
    kind: 'practice',
    settings: practiceSettings(url, credentials.key),
    secret: 'memory',
    verified: true,
    createdAt: 0,
    ...changes,
  };
  const secret = { secret: credentials.secret, headers: {} };
  return new LiveConnection(summary, secret, { ...services, openArchive: archive });
}

it('shows the account while the archive opens, and stores what was read meanwhile', async () => {
  const door = Promise.withResolvers<null>();
  const live = open(async (summary) => {
    await door.promise;
    return services.openArchive(summary);
  });
  await expect.poll(() => live.snapshot().account.value?.positions.length).toBeGreaterThan(0);
  await expect.poll(() => live.snapshot().history.value?.length).toBeGreaterThan(0);
  door.resolve(null);
  const history = dataOf(await live.history);
  const { archive, sync } = history;
  await expect.poll(() => sync.status().stored).toBeGreaterThanOrEqual(HISTORY);
  // The account read before the archive opened is its first sample.
  await expect.poll(() => archive.lastSample()).toMatchObject({ ok: true, data: expect.any(String) });
  await live.close();
});

it('reads the order history once at the start: what is read first is no change', async () => {
  const { client } = services;
  let asked = 0;
  services = {
    ...services,
    client: (...of) => {
      const own = client(...of);
      return { ...own, orderHistory: (query) => (asked++, own.orderHistory(query)) };
    },
    // The order backfill starts automatically.
    openArchive: () => Promise.reject(new Error('none here')),
  };
  const live = open(services.openArchive);
  await expect.poll(() => live.snapshot().openOrders.value?.length).toBeGreaterThan(0);
  await expect.poll(() => live.snapshot().account.serial).toBeGreaterThan(1);
  expect(asked).toBe(1);
  await live.close();
});

it('takes another order of the rows, which is not documented, for no change', async () => {
  const { client } = services;
  const asked = { history: 0, openOrders: 0, account: 0 };
  const turned = <T>(rows: readonly T[], reads: number): readonly T[] =>
    reads % 2 === 0 ? rows.toReversed() : rows;
  services = {
    ...services,
    // Nothing is read by its interval.
    timers: { after: (ms, run) => timers.after(ms === 0 ? 0 : 3_600_000, run) },
    client: (...of) => {
      const own = client(...of);
      const [openOrders, account] = [own.openOrders(), own.account()];
      return {
        ...own,
        orderHistory: (query) => (asked.history++, own.orderHistory(query)),
        openOrders: async () => {
          const read = await openOrders;
          return read.ok ? { ...read, data: turned(read.data, ++asked.openOrders) } : read;
        },
        account: async () => {
          const read = await account;
          if (!read.ok) return read;
          const { positions } = read.data;
          return { ...read, data: { ...read.data, positions: turned(positions, ++asked.account) } };
        },
      };
    },
  };
  const live = open(() => Promise.reject(new Error('none here')));
  for (const reads of [1, 2, 3, 4]) {
    await expect.poll(() => Math.min(asked.openOrders, asked.account)).toBe(reads);
    for (const name of ['openOrders', 'account'] as const) live.feeds.refresh(name);
  }
  const { openOrders, account } = live.snapshot();
  expect(openOrders.value?.length).toBeGreaterThan(1);
  expect(account.value?.positions.length).toBeGreaterThan(1);
  expect(asked.history).toBe(1);
  await live.close();
});

it.each([
  ['normal', 'shown', FEED_INTERVAL_MS.account],
  ['gentle', 'shown', 3 * FEED_INTERVAL_MS.account],
  ['normal', 'hidden', 3 * FEED_INTERVAL_MS.account],
  ['gentle', 'hidden', 3 * FEED_INTERVAL_MS.account],
] as const)(
  'at the %s polling speed, window %s, waits %i ms between two reads of the account',
  async (pace, window, wanted) => {
    const waits: number[] = [];
    services = {
      ...services,
      isWindowHidden: () => window === 'hidden',
      timers: { after: (ms, run) => (waits.push(ms), timers.after(ms, run)) },
      // Stands still, so that no part of an interval has passed when a reply arrives.
      clock: { ...clock, mono: () => 0 },
    };
    const settings = { ...practiceSettings(practice.url, practice.credentials.key), pace };
    const live = open(() => Promise.reject(new Error('none here')), { settings });
    // No feed is polled as often as the account.
    await expect.poll(() => Math.min(...waits.filter((ms) => ms > 0))).toBe(wanted);
    await live.close();
  },
);

it('sends a hidden window nothing it reads; when shown again all of it, and reads at once', async () => {
  let hidden = true;
  let reads = 0;
  const waits: number[] = [];
  const pushed: Events['feed'][] = [];
  services = {
    ...services,
    isWindowHidden: () => hidden,
    timers: { after: (ms, run) => (waits.push(ms), ms === 0 ? timers.after(ms, run) : () => undefined) },
    push: (name, value) => {
      if (name === 'feed') pushed.push(value as Events['feed']);
    },
    feedRead: () => reads++,
  };
  const live = open(() => Promise.reject(new Error('none here')));
  const names = ['account', 'openOrders', 'history', 'contracts'] as const;
  for (const name of names) await expect.poll(() => live.snapshot()[name].value).not.toBeNull();
  expect(live.snapshot().account.intervalFactor).toBe(3);
  expect([reads, pushed]).toEqual([4, []]);

  hidden = false;
  waits.length = 0;
  live.windowShown();
  // Figures are old as soon as before it was hidden.
  expect(pushed.map(({ name, feed }) => [name, feed.serial, feed.intervalFactor])).toEqual(
    names.map((name) => [name, live.snapshot()[name].serial, 1]),
  );
  // Contracts, read daily, are not read for this.
  expect(waits).toEqual([0, 0, 0]);
  await expect.poll(() => pushed.length).toBeGreaterThan(4);
  await live.close();
});

it('closed while its archive opens, closes that too and writes nothing more', async () => {
  const door = Promise.withResolvers<null>();
  const live = open(async (summary) => {
    await door.promise;
    return services.openArchive(summary);
  });
  const closing = live.close();
  door.resolve(null);
  await closing;
  const history = dataOf(await live.history);
  expect(await history.archive.state()).toMatchObject({ ok: false });
});

it('trades without an archive when its folder is missing, and reports it', async () => {
  const live = open(() => {
    throw new Error('EACCES: /home/somebody/archive');
  });
  expect(await live.history).toMatchObject({ ok: false, failure: { kind: 'file' } });
  await expect.poll(() => live.snapshot().account.value).not.toBeNull();
  await live.close();
});

it('looks for a lost order of its account, which an entry that was removed had sent', async () => {
  const { url, credentials } = practice;
  const settings = practiceSettings(url, credentials.key);
  const client = createClient({ baseUrl: url, credentials, signing: 'practice', clock });
  const request = { ...LIMIT, symbolId: 'SOL-USDT-M', quantity: '1', price: '120.00' };
  const sent = await client.placeOrder(request);
  if (sent.outcome !== 'accepted') throw new Error('not placed');
  await client.close();
  const step = (event: 'record' | 'send' | 'lose') => ({ event, text: event, at: clock.now(), mono: 0 });
  await journal.write('lost', [step('record'), step('send'), step('lose')], {
    ...{ connectionId: 'live-removed', connectionKind: 'live', account: accountOf(settings) },
    ...{ kind: 'order', symbolId: request.symbolId, side: request.side, type: request.type },
    ...{ path: '/ftapi/v1/order', body: encodeOrder(request), knownIds: [] },
  });
  const none = (): never => {
    throw new Error('no archive here');
  };
  const live = open(none, { id: 'live-added', kind: 'live' });
  expect(journal.list('live-added').map((one) => one.id)).toEqual(['lost']);
  await expect
    .poll(() => journal.get('lost'))
    .toMatchObject({
      state: 'matched',
      orderId: sent.data,
      connectionId: 'live-added',
    });
  // The records have identified the account.
  await expect.poll(() => live.account().uid).toMatch(/\d+/);
  await live.close();
});

it('names what is stored as soon as its archive is open, also where nothing can be read', async () => {
  const first = open(services.openArchive);
  const history = await first.history;
  if (!history.ok) throw new Error(history.failure.message);
  const { sync } = history.data;
  await expect.poll(() => sync.status()).toMatchObject({ state: 'complete', orders: { state: 'complete' } });
  const { stored, oldest, newest, completedAt, orders } = sync.status();
  expect(stored).toBeGreaterThanOrEqual(HISTORY);
  await first.close();

  const again = open(services.openArchive);
  await again.stopReading({ kind: 'keychain', message: 'No secret.', next: 'Enter it.' });
  const opened = dataOf(await again.history);
  expect(opened.sync.status()).toMatchObject({
    ...{ state: 'idle', stored, oldest, newest, completedAt },
    orders: { state: 'idle', stored: orders.stored, completedAt: orders.completedAt },
  });
  await again.close();
});

it('leaves an archive with another user’s orders unchanged and moves it aside', async () => {
  const settings = practiceSettings(practice.url, practice.credentials.key);
  const before = dataOf(
    await openArchive({
      file: archiveFile(),
      connectionId: 'live-1',
      account: accountOf(settings),
      clock,
    }),
  );
  await before.insertOrders(orders(0, 3), null, []); // of user 1
  await before.close();
  const live = open(services.openArchive, { id: 'live-1', kind: 'live' });
  await expect.poll(() => others).toEqual(['live-1']);
  const history = dataOf(await live.history);
  // Not at the user's request either.
  expect(live.startSync()).toMatchObject({ failure: { kind: 'blocked' } });
  expect(history.sync.status()).toMatchObject({ state: 'idle', stored: 0 });
  expect(await history.archive.orderState()).toMatchObject({ data: { stored: 3 } });
  await live.close();
});

it('stores nothing while its archive does not say whose it is, and asks it again', async () => {
  let asked = 0;
  let isSilent = true;
  const silent = failed({ kind: 'file', message: 'The archive did not reply.', next: 'Wait.' });
  const live = open(
    async (summary) => {
      const opened = await services.openArchive(summary);
      if (!opened.ok) return opened;
      const bindUser = (uid: string) => (
        asked++,
        isSilent ? Promise.resolve(silent) : opened.data.bindUser(uid)
      );
      return done({ ...opened.data, bindUser });
    },
    { id: 'live-1', kind: 'live' },
  );
  const history = dataOf(await live.history);
  const { archive, sync } = history;
  await expect.poll(() => asked).toBeGreaterThan(1);
  expect(await archive.lastSample()).toEqual(done(null));
  expect(sync.status()).toMatchObject({ state: 'idle', stored: 0 });
  isSilent = false;
  await expect.poll(() => sync.status().stored).toBeGreaterThanOrEqual(HISTORY);
  await expect.poll(() => archive.lastSample()).toMatchObject({ data: expect.any(String) });
  expect(others).toEqual([]);
  await live.close();
});

it('that is stopped reads nothing more, says why, and still opens its archive', async () => {
  const waiting = new Set<object>();
  services = {
    ...services,
    timers: {
      after(ms, run) {
        const wait = {};
        waiting.add(wait);
        const cancel = timers.after(ms, () => (waiting.delete(wait), run()));
        return () => (waiting.delete(wait), cancel());
      },
    },
  };
  const live = open(services.openArchive);
  const why = { kind: 'keychain', message: 'No secret.', next: 'Enter it.', field: 'secret' } as const;
  await live.stopReading(why);
  expect((await live.history).ok).toBe(true);
  expect(live.feeds.get('account').failure).toEqual(why);
  const failingSince = live.feeds.get('account').failingSince;
  live.retry('account');
  expect(await live.client.account()).toMatchObject({ ok: false, failure: why });
  await new Promise(setImmediate);
  expect(waiting.size).toBe(0);
  expect(live.feeds.get('account')).toMatchObject({ failure: why, failingSince, value: null });
  const opened = dataOf(await live.history);
  expect(live.startSync()).toMatchObject({ ok: false, failure: why });
  expect(opened.sync.status()).toMatchObject({ state: 'idle', orders: { state: 'idle' } });
  await live.close();
});
