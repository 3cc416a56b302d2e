import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConnectionSummary } from '../../src-shared/contract/connections.ts';
import { startPractice, type Practice } from '../../src-practice/start.ts';
import { clock, timers } from '../app/machine.ts';
import { openJournal } from '../orders/journal.ts';
import { journalFile } from '../orders/journal-file.ts';
import { connectionParts } from './connection-parts.ts';
import { openConnection, type ConnectionPorts, type LiveConnection } from './open-connection.ts';
import { rateLimits } from '../exchange/rate-limit.ts';
import { PRACTICE_ID, practiceSettings } from './stored.ts';

const HISTORY = 40;
let practice: Practice;
let folder: string;
let ports: ConnectionPorts;

beforeEach(async () => {
  practice = await startPractice({ seed: 7, history: HISTORY });
  folder = mkdtempSync(join(tmpdir(), 'ballast-open-'));
  ports = connectionParts({
    clock,
    timers,
    journal: await openJournal(journalFile(join(folder, 'orders.jsonl'))),
    push: () => undefined,
    intentChanged: () => undefined,
    redact: () => () => undefined,
    limitOf: rateLimits(clock.mono),
    archiveFile: () => join(folder, 'archive', 'practice.sqlite'),
    proven: () => undefined,
    notice: () => undefined,
  });
});
afterEach(async () => {
  await practice.stop();
  rmSync(folder, { recursive: true });
});

function open(archive: ConnectionPorts['archive']): LiveConnection {
  const { url, credentials } = practice;
  const summary: ConnectionSummary = {
    id: PRACTICE_ID,
    kind: 'practice',
    settings: practiceSettings(url, credentials.key),
    secret: 'memory',
    proven: true,
    createdAt: 0,
  };
  return openConnection(summary, { secret: credentials.secret, headers: {} }, { ...ports, archive });
}

it('shows the account while the archive still opens, and keeps what was read meanwhile', async () => {
  const door = Promise.withResolvers<null>();
  const live = open(async (summary) => {
    await door.promise;
    return ports.archive(summary);
  });
  await expect.poll(() => live.snapshot().account.value?.positions.length).toBeGreaterThan(0);
  await expect.poll(() => live.snapshot().history.value?.length).toBeGreaterThan(0);
  door.resolve(null);
  const history = await live.history;
  if (!history.ok) throw new Error(history.failure.message);
  const { archive, sync } = history.data;
  await expect.poll(() => sync.status().stored).toBeGreaterThanOrEqual(HISTORY);
  // The account read before there was an archive is its first sample.
  await expect.poll(() => archive.lastSample()).toMatchObject({ ok: true, data: expect.any(String) });
  await live.close();
});

it('reads the order history once at the start: what is read first is no change', async () => {
  const { client } = ports;
  let asked = 0;
  ports = {
    ...ports,
    client: (...of) => {
      const own = client(...of);
      return { ...own, orderHistory: (query) => (asked++, own.orderHistory(query)) };
    },
    // It walks through the orders by itself.
    archive: () => Promise.reject(new Error('none here')),
  };
  const live = open(ports.archive);
  await expect.poll(() => live.snapshot().openOrders.value?.length).toBeGreaterThan(0);
  await expect.poll(() => live.snapshot().account.serial, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(asked).toBe(1);
  await live.close();
});

it('closed while its archive opens, closes that too and writes nothing more', async () => {
  const door = Promise.withResolvers<null>();
  const live = open(async (summary) => {
    await door.promise;
    return ports.archive(summary);
  });
  const closing = live.close();
  door.resolve(null);
  await closing;
  const history = await live.history;
  if (!history.ok) throw new Error(history.failure.message);
  expect(await history.data.archive.state()).toMatchObject({ ok: false });
});

it('trades without an archive whose folder is not there, and says so', async () => {
  const live = open(() => {
    throw new Error('EACCES: /home/somebody/archive');
  });
  expect(await live.history).toMatchObject({ ok: false, failure: { kind: 'file' } });
  await expect.poll(() => live.snapshot().account.value).not.toBeNull();
  await live.close();
});
