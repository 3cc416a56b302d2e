import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workerEntry } from '../../worker-entry.ts';
import { openDatabase } from '../sqlite/database.ts';
import { trades } from '../../../tests/archive/trade-number.ts';
import { TradeWriter } from '../trades/writer.ts';
import { WalCheckpoints } from './wal-checkpoint.ts';
import { StringTable } from '../sqlite/string-table.ts';

const ENTRY = workerEntry('archive-worker');
const ENOUGH = 50_000;
let folder: string;
let file: string;
let spawned: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-archive-'));
  file = join(folder, 'trades.db');
  spawned = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function thread(checkpoint = file): Worker {
  spawned += 1;
  return new Worker(ENTRY, { workerData: { checkpoint } });
}

test('checkpoints the WAL while the archive is open, without losing rows', async () => {
  const { db } = openDatabase(file, 'c', 0);
  const writer = new TradeWriter(db, new StringTable(db));
  writer.insert(trades(0, 2_000), null, 0);
  const before = statSync(file).size;
  const checkpoints = new WalCheckpoints(() => thread());
  checkpoints.stored(ENOUGH);
  // The writer is not blocked meanwhile.
  writer.insert(trades(2_000, 2_500), null, 0);
  await checkpoints.close();
  expect(statSync(file).size).toBeGreaterThan(before + 100_000);
  writer.insert(trades(2_500, 3_000), null, 0);
  expect(db.prepare('SELECT count(*) AS n FROM trade').get()).toEqual({ n: 3_000 });
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
});

test('starts one thread, only after many rows, and none after the end', async () => {
  openDatabase(file, 'c', 0).db.close();
  const checkpoints = new WalCheckpoints(() => thread());
  checkpoints.stored(ENOUGH - 1);
  expect(spawned).toBe(0);
  checkpoints.stored(1);
  checkpoints.stored(ENOUGH);
  expect(spawned).toBe(1);
  await checkpoints.close();
  checkpoints.stored(ENOUGH);
  expect(spawned).toBe(1);
});

test('replaces a failed thread without reporting it', async () => {
  const failing: Promise<unknown>[] = [];
  const checkpoints = new WalCheckpoints(() => {
    const worker = thread(join(folder, 'nowhere', 'trades.db'));
    failing.push(new Promise((resolve) => worker.once('exit', resolve)));
    return worker;
  });
  checkpoints.stored(ENOUGH);
  await failing[0];
  checkpoints.stored(ENOUGH);
  expect(spawned).toBe(2);
  await checkpoints.close();
});
