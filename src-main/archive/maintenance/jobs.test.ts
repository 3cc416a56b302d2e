import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partOf } from '../../../src-files/atomic-file.ts';
import { openArchive, type Archive } from '../archive.ts';
import { ArchiveMaintenance } from './jobs.ts';
import { START, temporaryFolder, trades } from '../../../tests/archive/trades.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const file = at('a.sqlite');
let archive: Archive;
beforeAll(async () => {
  archive = dataOf(await openArchive({ file, connectionId: 'one', clock: { now: () => START } }));
  for (let from = 0; from < 9_000; from += 3_000)
    dataOf(await archive.insertTrades(trades(from, from + 3_000), null));
});
afterAll(async () => {
  await archive.close();
  folder.remove();
});

it('copies a consistent archive while rows are stored, and reports progress', async () => {
  writeFileSync(at('copy.sqlite'), 'what stood there');
  const abandoned = partOf(at('copy.sqlite'), 'killed');
  writeFileSync(abandoned, '');
  utimesSync(abandoned, 0, 0);
  const copying = archive.maintenance.backup(at('copy.sqlite'));
  expect(archive.maintenance.running()).toMatchObject({ work: 'backup' });
  expect(await archive.maintenance.check()).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
  dataOf(await archive.insertTrades(trades(9_000, 9_500), null));
  const { bytes } = dataOf(await copying)!;
  expect(bytes).toBe(readFileSync(at('copy.sqlite')).length);
  expect(archive.maintenance.running()).toBeNull();
  const copy = new DatabaseSync(at('copy.sqlite'));
  expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect([9_000, 9_500]).toContain(copy.prepare('SELECT count(*) AS n FROM trade').get()?.['n']);
  copy.close();
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('keeps the existing file when cancelled or rejected', async () => {
  writeFileSync(at('kept.sqlite'), 'what stood there');
  const copying = archive.maintenance.backup(at('kept.sqlite'));
  await archive.maintenance.cancel();
  expect(dataOf(await copying)).toBeNull();
  expect(readFileSync(at('kept.sqlite'), 'utf8')).toBe('what stood there');
  expect(await archive.maintenance.backup(file)).toMatchObject({
    ok: false,
    failure: { kind: 'file', field: 'path' },
  });
  const nowhere = await archive.maintenance.backup(at('none/x.sqlite'));
  expect(nowhere.ok ? '' : nowhere.failure.message).toContain('none/x.sqlite was not written: ');
  expect(nowhere.ok ? '' : nowhere.failure.message).not.toContain('cannot be opened');
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('leaves neither the unfinished copy nor its journal when cancelled', async () => {
  const maintenance = new ArchiveMaintenance(file, 'one', ({ job }) => {
    if (job.work !== 'backup') throw new TypeError('no backup');
    for (const name of [job.part, `${job.part}-journal`]) writeFileSync(name, '');
    return new Worker('setInterval(() => undefined, 1_000)', { eval: true });
  });
  const copying = maintenance.backup(at('cut.sqlite'));
  expect(readdirSync(folder.path).filter((name) => name.includes('.part'))).toHaveLength(2);
  await maintenance.cancel();
  expect(dataOf(await copying)).toBeNull();
  expect(readdirSync(folder.path).filter((name) => name.includes('.part'))).toEqual([]);
});

it('checks every row beside the running archive, finds a broken sum, and can be cancelled', async () => {
  expect(dataOf(await archive.maintenance.check())).toMatchObject({ ok: true });
  const checking = archive.maintenance.check();
  await archive.maintenance.cancel();
  expect(dataOf(await checking)).toBeNull();
  const other = new DatabaseSync(file);
  other.exec("UPDATE trade_day SET fee = '1'");
  other.close();
  const { ok, checks } = dataOf(await archive.maintenance.check())!;
  expect(ok).toBe(false);
  expect(checks.filter((one) => !one.ok).map(({ name }) => name)).toEqual(['Sums of trades by day']);
});
