import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionSummary, KeychainState } from '../../src-shared/ipc/connections.ts';
import { blocked, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import type { PortfolioState } from '../../src-shared/ipc/portfolio.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { startPractice, type Practice } from '../../src-practice/start.ts';
import { orderNumber } from '../../tests/archive/orders.ts';
import { account, INVERSE, LINEAR, position } from '../../tests/domain/order-samples.ts';
import { connectionSummary } from '../../tests/session/connection-settings.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { clock, timers } from '../app/system.ts';
import { openArchive } from '../archive/archive.ts';
import { createClient, type ReadResult } from '../exchange/client.ts';
import { RateLimit, rateLimits } from '../exchange/rate-limit.ts';
import type { SecretRead } from '../vault/vault.ts';
import type { EquityArchive } from './account-reader.ts';
import { Portfolio } from './portfolio.ts';
import type { ReadClient } from './read-client.ts';
import { control } from '../../tests/practice/controls.ts';

const SECOND = 1_000;
const live = (id: string, changes: Partial<ConnectionSummary['settings']> = {}): ConnectionSummary =>
  connectionSummary(id, { name: id, portfolio: true, ...changes });
const STORED: SecretRead = { state: 'stored', secret: { secret: 'canary', headers: {} }, message: '' };
const answered = <T>(data: T): Promise<ReadResult<T>> =>
  Promise.resolve({ ok: true, data, meta: { latencyMs: 1, receivedAt: 0, listed: 0 } });

/** A portfolio on a manual clock, with clients and archives that note what is done to them. */
function bench() {
  const time = new ManualTime();
  const is = {
    all: [live('a'), live('b')] as ConnectionSummary[],
    inUse: [] as string[],
    locked: false,
    keychain: { state: 'available', message: '' } as KeychainState,
    orders: [] as HistoryOrder[],
    held: (): AccountInfo => account([position()]),
    secret: (_id: string): Promise<SecretRead> => Promise.resolve(STORED),
    archive: (one: EquityArchive): Promise<Result<EquityArchive>> => Promise.resolve(done(one)),
    owner: done('same') as Result<'same' | 'other'>,
  };
  const did: string[] = [];
  const samples: string[] = [];
  const states: PortfolioState[] = [];
  const client = ({ id }: ConnectionSummary): ReadClient => ({
    account() {
      did.push(`account ${id}`);
      return answered(is.held());
    },
    openOrders: () => answered([]),
    symbolConfig: () => answered([LINEAR, INVERSE]),
    orderHistory() {
      did.push(`history ${id}`);
      return answered(is.orders);
    },
    clockOffsetMs: () => 0,
    close() {
      did.push(`close ${id}`);
      return Promise.resolve();
    },
  });
  const archive = ({ id }: ConnectionSummary): EquityArchive => ({
    movedAside: null,
    lastSample: () => Promise.resolve(done(null)),
    addSample(sample) {
      samples.push(`${id} ${sample.totals.equity}`);
      return Promise.resolve(done(null));
    },
    samples: () => Promise.resolve(done({ points: [], samples: 1, coins: [], moves: [] })),
    bindUser: () => Promise.resolve(is.owner),
    close() {
      did.push(`archive closed ${id}`);
      return Promise.resolve();
    },
  });
  const portfolio = new Portfolio({
    session: {
      state: () => ({ connections: is.all, keychain: is.keychain }),
      isInUse: (id) => is.inUse.includes(id),
      unloadsSecrets: () => is.locked,
    },
    ready: () => Promise.resolve(),
    secrets: { read: (id) => is.secret(id) },
    connection: {
      client,
      limitOf: () => new RateLimit(),
      openArchive: (summary) => is.archive(archive(summary)),
      clock: time,
      timers: time,
      notice: (message) => did.push(message),
    },
    changed: (state) => states.push(state),
    read: () => undefined,
  });
  return {
    ...{ portfolio, time, is, did, samples, states },
    /** Follows what is listed now, and lets so many ms pass. */
    follow(ms = 0) {
      portfolio.follow();
      return time.pass(ms);
    },
    reading: () => portfolio.readers().map(({ id }) => id),
    count: (what: string) => did.filter((one) => one === what).length,
  };
}

describe('which accounts are read', () => {
  it('are the included live ones that are not in use', async () => {
    const b = bench();
    const practice: ConnectionSummary = { ...live('practice'), kind: 'practice' };
    b.is.all = [practice, live('a'), live('b'), live('c', { portfolio: false }), live('d'), live('e')];
    b.is.inUse = ['b', 'e'];
    await b.follow();
    expect(b.reading()).toEqual(['a', 'd']);
  });

  it('bring the contracts that they list', async () => {
    const b = bench();
    await b.follow();
    expect(b.portfolio.state().readings.map(({ contracts }) => contracts)).toEqual([[LINEAR], [LINEAR]]);
    expect(b.states.at(-1)?.readings[1]?.contracts).toEqual([LINEAR]);
  });

  it('bring the multipliers that the fees of their orders show where no position does', async () => {
    const b = bench();
    b.is.held = () => account([position({ entryValue: null })]);
    b.is.orders = [
      orderNumber(0, {
        ...{
          symbolId: LINEAR.symbolId,
          type: 'MARKET',
          source: 0,
          feeAssetId: 'USDT',
          feeRateTaker: '0.0005',
        },
        ...{ tradeQuantity: '2', avgPrice: '180.20', feeAmount: '1.802' },
      }),
    ];
    b.portfolio.follow();
    await b.time.pass(0);
    expect(b.states.at(-1)?.readings[0]?.multipliers).toEqual({ [LINEAR.symbolId]: '10' });
  });

  it('follow the session: opened, left out, removed, and back', async () => {
    const b = bench();
    await b.follow();
    b.is.inUse = ['a'];
    await b.follow();
    expect([b.reading(), b.count('close a')]).toEqual([['b'], 1]);
    b.is.all = [live('a'), live('b', { portfolio: false })];
    b.is.inUse = [];
    await b.follow();
    expect([b.reading(), b.count('close b')]).toEqual([['a'], 1]);
  });

  it('are none under the lock that unloads secrets, whose clients are closed', async () => {
    const b = bench();
    await b.follow();
    b.is.locked = true;
    b.portfolio.follow();
    expect(b.states.at(-1)).toEqual({ locked: true, readings: [] });
    const before = b.count('account a');
    await b.time.pass(600 * SECOND);
    expect([b.reading(), b.count('close a'), b.count('account a')]).toEqual([[], 1, before]);
    b.is.locked = false;
    await b.follow();
    expect(b.reading()).toEqual(['a', 'b']);
  });

  it('drop a secret that arrives after the lock', async () => {
    const b = bench();
    const { promise, resolve } = Promise.withResolvers<SecretRead>();
    b.is.secret = () => promise;
    await b.follow();
    b.is.locked = true;
    b.portfolio.follow();
    resolve(STORED);
    await b.time.pass(600 * SECOND);
    expect([b.reading(), b.count('account a')]).toEqual([[], 0]);
  });

  it('say why one without a secret is not read, and try again when asked', async () => {
    const b = bench();
    b.is.all = [live('a')];
    b.is.secret = () => Promise.resolve({ state: 'missing', secret: null, message: '' });
    await b.follow();
    expect(b.portfolio.state().readings).toMatchObject([{ connectionId: 'a', secret: 'missing' }]);
    b.is.secret = () => Promise.resolve(STORED);
    b.portfolio.retry('a');
    await b.time.pass(0);
    expect(b.portfolio.state().readings).toMatchObject([{ secret: 'stored', account: { age: 0 } }]);
  });

  it('are read once the keychain is back, and once another secret shows that it is unlocked', async () => {
    const b = bench();
    let reads = 0;
    const withoutSecret = (state: SecretRead['state']) => () => {
      reads++;
      return Promise.resolve({ state, secret: null, message: '' });
    };
    b.is.all = [live('a'), { ...live('open'), secret: 'missing' }];
    b.is.inUse = ['open'];
    b.is.secret = withoutSecret('unavailable');
    b.portfolio.follow();
    b.is.keychain = { state: 'unavailable', message: 'No keychain.' };
    await b.follow();
    b.portfolio.follow();
    expect([reads, b.states.at(-1)?.readings[0]?.secret]).toEqual([1, 'unavailable']);

    b.is.keychain = { state: 'available', message: '' };
    b.is.secret = withoutSecret('missing');
    await b.follow();
    await b.follow();
    expect([reads, b.states.at(-1)?.readings[0]?.secret]).toEqual([2, 'missing']);

    b.is.all = [live('a'), live('open')];
    b.is.secret = () => Promise.resolve(STORED);
    await b.follow();
    expect(b.states.at(-1)?.readings).toMatchObject([{ secret: 'stored', account: { age: 0 } }]);
  });

  it('are not read again for a prompt that was dismissed, which would open the next one', async () => {
    const b = bench();
    const read: string[] = [];
    // One call at a time, each of which waits for the user.
    let calls = Promise.resolve();
    const dismissed = async (id: string): Promise<SecretRead> => {
      read.push(id);
      for (const state of ['waiting', 'available'] as const) {
        await Promise.resolve();
        b.is.keychain = { state, message: '' };
        if (read.length < 9) b.portfolio.follow();
      }
      return { state: 'missing', secret: null, message: '' };
    };
    b.is.secret = (id) => {
      const reading = calls.then(() => dismissed(id));
      calls = reading.then(() => undefined);
      return reading;
    };
    await b.follow();
    expect(read).toEqual(['a', 'b']);
  });
});

describe('an account beside the open one', () => {
  it('is read each 30 s, and a third as often where the connection is gentle', async () => {
    const b = bench();
    b.is.all = [live('a'), live('b', { pace: 'gentle' })];
    await b.follow(180 * SECOND);
    expect([b.count('account a'), b.count('account b')]).toEqual([7, 3]);
  });

  it('has its history read when its positions changed, so that an alert can name why', async () => {
    const b = bench();
    const held = [position(), position({ positionId: '2', side: 'SELL' })];
    b.is.held = () => account(held);
    b.is.all = [live('a')];
    await b.follow(SECOND);
    expect(b.count('history a')).toBe(1);
    // Another order of the rows is no change: it is not documented.
    b.is.held = () => account(held.toReversed());
    await b.time.pass(30 * SECOND);
    expect(b.count('history a')).toBe(1);
    b.is.held = () => account([]);
    await b.time.pass(30 * SECOND);
    expect(b.count('history a')).toBe(2);
  });

  it('has its equity sampled, unless the archive is another account’s', async () => {
    const b = bench();
    b.is.all = [live('a')];
    await b.follow(65 * SECOND);
    expect(b.samples).toEqual(['a 0', 'a 0']);
    const other = bench();
    other.is.owner = done('other');
    await other.follow(65 * SECOND);
    expect(other.samples).toEqual([]);
    const query = { from: null, to: null, coin: null, points: 4 };
    expect(await other.portfolio.samples('a', query)).toBeNull();
    const unknown = bench();
    unknown.is.all = [live('a')];
    unknown.is.owner = failed({ kind: 'file', message: 'The archive did not reply.', next: 'Wait.' });
    await unknown.follow(65 * SECOND);
    expect(unknown.samples).toEqual([]);
    unknown.is.owner = done('same');
    await unknown.time.pass(65 * SECOND);
    expect(unknown.samples).not.toEqual([]);
  });

  it('has its recorded equity at hand while it is read', async () => {
    const b = bench();
    await b.follow(SECOND);
    const query = { from: null, to: null, coin: null, points: 4 };
    expect(await b.portfolio.samples('a', query)).toMatchObject({ data: { samples: 1 } });
    await b.portfolio.release('a');
    expect(await b.portfolio.samples('a', query)).toBeNull();
  });

  it('is read without an archive where that cannot be opened, and says so where it was moved aside', async () => {
    const b = bench();
    b.is.all = [live('a')];
    for (const archive of [
      () => Promise.resolve(blocked('In use.', 'Close the other program.')),
      () => Promise.reject(new Error('no worker')),
    ]) {
      b.is.archive = archive;
      await b.follow(SECOND);
      expect(b.portfolio.state().readings).toMatchObject([{ account: { age: SECOND } }]);
      await b.portfolio.release('a');
    }
    expect(b.samples).toEqual([]);
    const movedAside = 'It was damaged.';
    b.is.archive = (one) => Promise.resolve(done({ ...one, movedAside }));
    await b.follow(SECOND);
    expect([b.samples, b.count('It was damaged.')]).toEqual([['a 0'], 1]);
  });

  it('has its archive closed before its connection is opened', async () => {
    const b = bench();
    await b.follow(SECOND);
    b.is.inUse = ['a'];
    await b.portfolio.release('a');
    expect(b.did.slice(-2)).toEqual(['close a', 'archive closed a']);
    await b.portfolio.stop();
    expect(b.count('archive closed b')).toBe(1);
  });
});

/** What the exchange received, by endpoint. */
async function received(practice: Practice): Promise<Record<string, number>> {
  const state = JSON.parse(await control(practice, 'GET', '/state')) as { received: Record<string, number> };
  return state.received;
}

it('reads two exchanges over HTTP, stores their equity and sends nothing', async () => {
  const exchanges = await Promise.all([startPractice({ seed: 7 }), startPractice({ seed: 11 })]);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-portfolio-'));
  const all = exchanges.map(({ url, credentials }, at) =>
    live(`live-${at}`, { baseUrl: url, apiKey: credentials.key }),
  );
  const archives: Awaited<ReturnType<typeof openArchive>>[] = [];
  const portfolio = new Portfolio({
    session: {
      state: () => ({ connections: all, keychain: { state: 'available', message: '' } }),
      isInUse: () => false,
      unloadsSecrets: () => false,
    },
    ready: () => Promise.resolve(),
    secrets: {
      read: (id) => {
        const { secret } = exchanges[all.findIndex((one) => one.id === id)]!.credentials;
        return Promise.resolve({ state: 'stored', secret: { secret, headers: {} }, message: '' });
      },
    },
    connection: {
      client: ({ settings }, { secret }) =>
        createClient({
          baseUrl: settings.baseUrl,
          credentials: { key: settings.apiKey, secret },
          signing: 'practice',
          clock,
        }),
      limitOf: rateLimits(clock.mono),
      async openArchive({ id }) {
        const opened = await openArchive({ file: join(folder, `${id}.sqlite`), connectionId: id, clock });
        archives.push(opened);
        return opened;
      },
      ...{ clock, timers },
      notice: () => undefined,
    },
    changed: () => undefined,
    read: () => undefined,
  });
  const begun = performance.now();
  portfolio.follow();
  const held = () => portfolio.state().readings.map(({ account: one }) => one.value?.totalEquities);
  await expect.poll(() => held().every((one) => one !== undefined)).toBe(true);
  expect(new Set(held()).size).toBe(2);
  for (const [at, opened] of archives.entries()) {
    if (!opened.ok) throw new Error(opened.failure.message);
    const { data } = opened;
    await expect
      .poll(async () => (await data.lastSample()).ok && (await data.lastSample()))
      .toMatchObject({
        ok: true,
        data: expect.stringContaining('"balances"'),
      });
    expect(at).toBeLessThan(2);
  }
  for (const exchange of exchanges) {
    const { order = 0, batchOrders = 0, ...reads } = await received(exchange);
    expect([order, batchOrders]).toEqual([0, 0]);
    // A busy machine may be late for the next ones, each 30 s.
    const rounds = 1 + Math.floor((performance.now() - begun) / 30_000);
    expect(Object.values(reads).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1 + 3 * rounds);
  }
  await portfolio.stop();
  await Promise.all(exchanges.map((one) => one.stop()));
  rmSync(folder, { recursive: true });
});
