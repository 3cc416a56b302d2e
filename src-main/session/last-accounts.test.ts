import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';
import type { Feed } from '../../src-shared/ipc/feeds.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import { account, position } from '../../tests/domain/order-samples.ts';
import { jsonFile } from './json-file.ts';
import { LastAccounts, lastAccountsSchema, NO_ACCOUNTS } from './last-accounts.ts';

const AT = 1_795_000_000_000;
const ACCOUNT = account([position()]);
const identity = (changes: Partial<AccountIdentity> = {}): AccountIdentity => ({
  ...{ address: 'https://api.meridian.example', key: 'fingerprint', uid: null },
  ...changes,
});
const feedOf = (changes: Partial<Feed<AccountInfo>> = {}): Feed<AccountInfo> => ({
  ...{ value: ACCOUNT, receivedAt: AT, age: 0, latencyMs: 1, failure: null, failingSince: null, serial: 1 },
  ...changes,
});
const open = (feed: Feed<AccountInfo> = feedOf(), id = 'live-1', account = identity({ uid: '7' })) => ({
  id,
  account: () => account,
  feeds: { get: () => feed },
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'last-accounts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const path = (): string => join(folder, 'accounts.json');

/** One run of the app: what it stores is read by the next. */
function run(who: AccountIdentity = identity()) {
  let due: (() => void) | null = null;
  const failures: string[] = [];
  const accounts = new LastAccounts({
    file: jsonFile(path(), lastAccountsSchema, NO_ACCOUNTS, { now: () => AT }, () => undefined),
    accountOf: () => who,
    timers: {
      after(ms, then) {
        expect(ms).toBe(30_000);
        due = then;
        return () => (due = null);
      },
    },
    writeFailed: () => failures.push('write failed'),
  });
  const last = (current: ReturnType<typeof open> | null = null, activeId = 'live-1') =>
    accounts.last({
      state: () => ({ activeId }),
      summary: (id) => ({ id }) as ConnectionSummary,
      current: () => current,
    });
  return { accounts, due: () => due, last, failures };
}
async function stored(feed = feedOf(), who = identity({ uid: '7' })): Promise<void> {
  const { accounts } = run();
  accounts.take(open(feed, 'live-1', who));
  await accounts.flush();
}

describe('the account of an earlier run', () => {
  it('comes back digit for digit, with the time it was read', async () => {
    const received = { ...position(), avgEntryPrice: null, received: { avgEntryPrice: 'n/a' } };
    const value = account([received]);
    await stored(feedOf({ value }));
    expect(await run().last()).toEqual({ connectionId: 'live-1', readAt: AT, value });
  });

  it('is not another account’s: another key, address or practice exchange', async () => {
    await stored();
    for (const change of [{ key: 'other' }, { address: 'practice-2' }, { uid: '8' }])
      expect(await run(identity(change)).last()).toBeNull();
    expect(await run().last(null, 'live-2')).toBeNull();
  });

  it('is no longer returned once this run has read the account', async () => {
    await stored();
    expect(await run().last(open())).toBeNull();
    expect(await run().last(open(feedOf({ value: null })))).not.toBeNull();
  });

  it('is not stored from a failed read, nor from one with unreadable records', async () => {
    const failure = { kind: 'offline', message: 'No reply.', next: '' } as const;
    const unreadable = [{ record: 'position', message: 'side', symbolId: null, raw: '{}' }];
    for (const feed of [feedOf({ failure }), feedOf({ unreadable }), feedOf({ value: null })])
      await stored(feed);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is written at intervals, and on quitting', async () => {
    const { accounts, due } = run();
    accounts.take(open());
    accounts.take(open(feedOf({ receivedAt: AT + 1 })));
    expect(await readdir(folder)).toEqual([]);
    due()?.();
    await expect.poll(() => run().last()).toMatchObject({ readAt: AT + 1 });
    accounts.take(open(feedOf({ receivedAt: AT + 2 })));
    await accounts.flush();
    expect(await run().last()).toMatchObject({ readAt: AT + 2 });
  });

  it('leaves the disk with its connection, and leaves the others', async () => {
    const { accounts } = run();
    accounts.take(open());
    accounts.take(open(feedOf(), 'live-2'));
    await accounts.flush();
    accounts.take(open());
    await accounts.forget('live-1');
    await accounts.flush();
    const next = run();
    expect([await next.last(), (await next.last(null, 'live-2'))?.connectionId]).toEqual([null, 'live-2']);
    expect(await readFile(path(), 'utf8')).not.toContain('live-1');
  });

  it('is not called deleted where the file cannot be written, and is deleted once it can', async () => {
    await stored();
    const { accounts } = run();
    const obstacle = join(folder, '.accounts.json.tmp');
    await mkdir(obstacle);
    for (let attempt = 0; attempt < 2; attempt++) await expect(accounts.forget('live-1')).rejects.toThrow();
    await rm(obstacle, { recursive: true });
    await accounts.forget('live-1');
    expect(await readFile(path(), 'utf8')).not.toContain('live-1');
  });

  it('is none if the file is damaged or a field in it was changed', async () => {
    await stored();
    const text = await readFile(path(), 'utf8');
    const damaged = [
      text.slice(0, 400),
      text.replace(/"quantity": "[^"]*"/, '"quantity": "much"'),
      text.replace(/"side": "[^"]*"/, '"side": null'),
      text.replace('"assets"', '"asset"'),
    ];
    for (const one of damaged) {
      expect(one).not.toBe(text);
      await writeFile(path(), one);
      expect(await run().last()).toBeNull();
    }
  });

  it('reports a file that cannot be written, and does not fail', async () => {
    const { accounts, failures } = run();
    accounts.take(open());
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await accounts.flush();
    expect(failures).toEqual(['write failed']);
  });
});
