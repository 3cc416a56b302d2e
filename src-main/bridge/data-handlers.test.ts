import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { done, failed } from '../../src-shared/ipc/failures.ts';
import { isOwnFile } from '../session/own-files.ts';
import { dataHandlers } from './data-handlers.ts';

function setUp({ busy = false, unknown = 0, forget = done<null>(null) } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'remove-all-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'archive'));
  writeFileSync(join(folder, 'archive', 'a.sqlite'), 'rows');
  writeFileSync(join(folder, 'orders.jsonl'), 'lines');
  const happened: string[] = [];
  const handlers = dataHandlers(
    {
      ids: () => ['practice', 'live-1', 'live-2'],
      summary: (id) => ({ kind: id === 'practice' ? 'practice' : 'live' }) as never,
      remove(id, leaveSecret) {
        happened.push(`${id}${leaveSecret ? ', its secret left' : ''}`);
        return Promise.resolve(leaveSecret ? done(null) : forget);
      },
    },
    {
      ids: () => ['webhook-1'],
      remove(id, leaveSecret) {
        happened.push(`${id}${leaveSecret ? ', its secret left' : ''}`);
        return Promise.resolve(done([]));
      },
    },
    {
      showFolder: () => undefined,
      isBusy: () => busy,
      unknownOrders: () => unknown,
      ownFiles: () => Promise.resolve([join(folder, 'archive'), join(folder, 'orders.jsonl')]),
      secrets: {
        listed: () => ['live-1', 'live-cut-off', 'webhook-1'],
        forget(id) {
          happened.push(id);
          return Promise.resolve(forget);
        },
      },
      stop: () => Promise.resolve(void happened.push('stopped')),
      end: (left) => Promise.resolve(void happened.push(`ended, left: ${left.join()}`)),
    },
  );
  return {
    folder,
    happened,
    removeAll: handlers['data.removeAll'],
    unknownOrders: handlers['data.unknownOrders'],
  };
}

it('forgets each secret, stops writers, then removes every file and informs the user', async () => {
  const { folder, happened, removeAll } = setUp();
  expect(await removeAll({ leaveSecrets: false, shownUnknown: 0 })).toEqual(done(null));
  expect(happened).toEqual([
    ...['live-1', 'live-2', 'webhook-1', 'live-cut-off'],
    ...['stopped', 'ended, left: '],
  ]);
  expect(existsSync(join(folder, 'archive'))).toBe(false);
  expect(existsSync(join(folder, 'orders.jsonl'))).toBe(false);
});

it('removes nothing while an order is on its way', async () => {
  const { folder, happened, removeAll } = setUp({ busy: true });
  expect(await removeAll({ leaveSecrets: false, shownUnknown: 0 })).toMatchObject({
    ok: false,
    failure: { kind: 'blocked' },
  });
  expect(happened).toEqual([]);
  expect(existsSync(join(folder, 'orders.jsonl'))).toBe(true);
});

it('returns the number of unknown outcomes, and removes nothing when the user confirmed fewer', async () => {
  const { happened, removeAll, unknownOrders } = setUp({ unknown: 2 });
  expect(await unknownOrders(undefined)).toEqual(done(2));
  expect(await removeAll({ leaveSecrets: false, shownUnknown: 1 })).toMatchObject({
    ok: false,
    failure: { kind: 'blocked' },
  });
  expect(happened).toEqual([]);
  expect(await removeAll({ leaveSecrets: false, shownUnknown: 2 })).toEqual(done(null));
});

it('stops at a keychain that does not forget, until the user leaves the secrets there', async () => {
  const locked = failed({
    kind: 'keychain',
    message: 'Locked.',
    next: 'Unlock it.',
    field: 'secret',
  } as const);
  const { folder, happened, removeAll } = setUp({ forget: locked });
  expect(await removeAll({ leaveSecrets: false, shownUnknown: 0 })).toEqual(locked);
  expect(happened).toEqual(['live-1']);
  expect(existsSync(join(folder, 'orders.jsonl'))).toBe(true);
  expect(await removeAll({ leaveSecrets: true, shownUnknown: 0 })).toEqual(done(null));
  expect(existsSync(join(folder, 'orders.jsonl'))).toBe(false);
});

it('distinguishes its own files from Chromium’s and the user’s', () => {
  for (const name of [
    'settings.json',
    '.settings.json.tmp',
    'connections.json.damaged-17',
    'secrets-index.json',
    'webhooks.json',
    'day-limits.json',
    'window.json',
    'orders.jsonl',
    'archive',
    'exports',
    'alerts',
    'practice',
    'logs',
  ])
    expect(isOwnFile(name), name).toBe(true);
  for (const name of ['Cookies', 'Local Storage', 'archives', 'my orders.jsonl', 'settings', 'photo.json'])
    expect(isOwnFile(name), name).toBe(false);
});
