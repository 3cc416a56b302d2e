/**
 * Opens a profile of 0.1.0 with what the present version reads it by: settings, connections, journal, alerts, archive and
 * the backup of all of them, `ballast-2026-11-23.tar.gz`. That version wrote every file, with the names it had then.
 */
import { fileURLToPath } from 'node:url';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAlertFile } from '../../src-main/alerts/alert-file.ts';
import { readBackup } from '../../src-main/backup/read.ts';
import { stageBackup } from '../../src-main/backup/stage.ts';
import { journalFile } from '../../src-main/orders/journal/file.ts';
import { openJournal, type Journal } from '../../src-main/orders/journal/journal.ts';
import { jsonFile } from '../../src-main/session/json-file.ts';
import { FIRST_SESSION, storedSessionSchema } from '../../src-main/session/stored.ts';
import { readOrderCheckpoint } from '../../src-main/sync/order-checkpoint.ts';
import { readCheckpoint } from '../../src-main/sync/trade-checkpoint.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { storedSettingsSchema } from '../../src-main/session/settings.ts';
import { NO_FILTER } from '../../src-shared/ipc/trades.ts';
import { START, trades } from '../archive/trade-number.ts';
import { openHere, temporaryFolder } from '../archive/trades.ts';

const BACKUP = fileURLToPath(new URL('ballast-2026-11-23.tar.gz', import.meta.url));
const ID = 'live-1';
const clock = { now: () => START };
const damaged = (name: string): void => expect.unreachable(`moved to ${name}`);
const folder = temporaryFolder();
const profile = join(folder.path, 'profile');
const file = (...names: string[]): string => join(profile, ...names);

beforeAll(async () => {
  await readBackup(BACKUP, { into: profile });
});
afterAll(() => folder.remove());

it('reads the settings, by the names they had', async () => {
  const schema = storedSettingsSchema(([name = '']) => expect.unreachable(name));
  const stored = jsonFile(file('settings.json'), schema, DEFAULT_SETTINGS, clock, damaged);
  expect(await stored.read()).toEqual({
    ...DEFAULT_SETTINGS,
    ...{ theme: 'dark', timeZone: 'Europe/Zurich', startLocked: true, seenVersion: '0.1.0' },
    ...{ checkForUpdates: true, unloadSecretOnLock: true },
    limits: { ...DEFAULT_SETTINGS.limits, notional: '250000', equitySharePercent: '20' },
    contracts: {
      'live-1 BTC-USDT-M': {
        ...{ priceDecimals: 1, quantityDecimals: null, feeRateMaker: null, feeRateTaker: '0.0005' },
      },
    },
  });
});

it('reads the connections', async () => {
  const stored = jsonFile(file('connections.json'), storedSessionSchema, FIRST_SESSION, clock, damaged);
  expect(await stored.read()).toMatchObject({
    activeId: ID,
    connections: [
      { id: ID, proven: true, settings: { name: 'Main', refusalCodes: ['-2019'], pace: 'gentle' } },
    ],
  });
});

describe('the order journal', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal(journalFile(file('orders.jsonl')));
  });

  it('has every order in the state it was in, and no damage', () => {
    expect(journal.damaged).toBe(0);
    expect(Object.fromEntries(journal.list(ID).map(({ id, state }) => [id, state]))).toEqual({
      ...{ accepted: 'accepted', rejected: 'rejected', 'not-sent': 'not-sent', offline: 'not-sent' },
      ...{ landed: 'matched', claimed: 'matched-by-user', closed: 'dismissed' },
      ...{ taken: 'unknown', lost: 'unknown' },
    });
  });

  it('has failures, lists and verdicts by their present names', () => {
    const failureOf = (id: string) => journal.get(id)?.events.at(-1)?.failure;
    expect(failureOf('rejected')).toMatchObject({ kind: 'rejected', code: '700017' });
    expect(failureOf('offline')).toMatchObject({ kind: 'blocked' });
    expect(journal.get('landed')).toMatchObject({
      orderId: '734829105569914881',
      finding: {
        checks: [
          {
            verdict: 'matched',
            reads: [
              { outcome: 'incomplete', rows: 3, unreadable: 1 },
              { outcome: 'complete', rows: 120 },
            ],
          },
        ],
      },
    });
  });
});

it('reads the alerts', async () => {
  const { records } = await openAlertFile(file('alerts', `${ID}.jsonl`));
  expect(records).toMatchObject([
    { id: 'a1', rule: 'margin', acknowledgedAt: expect.any(Number) },
    { id: 'a2', rule: 'unknown', quiet: true, acknowledgedAt: null },
  ]);
});

it('opens the archive with its trades digit for digit, its orders, gaps and checkpoints', () => {
  const archive = openHere(file('archive', `${ID}.sqlite`), ID);
  expect(archive.movedAside).toBeNull();
  expect(archive.reader.page(NO_FILTER, 0, 20).rows.toReversed()).toEqual(trades(0, 12));
  expect(readCheckpoint(archive.writer.state().checkpoint)).toMatchObject({
    verifiedTo: START + 900_000,
    pass: { from: START, to: START + 990_000 },
  });
  const orders = archive.orders.state();
  expect(orders).toMatchObject({ stored: 4 });
  expect(readOrderCheckpoint(orders.checkpoint)).toMatchObject({
    verifiedTo: START + 800_000,
    pass: { from: START, to: START + 990_000 },
  });
  expect(archive.orders.gaps()).toMatchObject([{ from: START, to: START + 5 }]);
  archive.close();
});

it('restores the backup', async () => {
  const fresh = join(folder.path, 'fresh');
  mkdirSync(fresh);
  const { summary } = await stageBackup({ profile: fresh, path: BACKUP }, () => undefined);
  expect(summary).toMatchObject({
    ...{ version: '0.1.0', archives: 1, trades: 12, orders: 4, alertLogs: 1, settings: true },
    connections: [{ id: ID, name: 'Main' }],
  });
});
