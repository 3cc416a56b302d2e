import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rename } from '../../src-files/rename.ts';
import type { AlertRecord } from '../../src-shared/ipc/alerts.ts';
import { deleteAlertLog, openAlertFile } from './alert-file.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alerts-'));
  path = join(folder, 'alerts', 'live-1.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const alert = (id: string): AlertRecord => ({
  id,
  connectionId: 'live-1',
  rule: 'liquidation-danger',
  key: 'liquidation-danger:7',
  at: 1_763_000_000_000,
  title: 'BTC-USDT-M long: liquidation ≈ 4.90% away',
  text: 'Mark 100, liquidation at 95.10. Threshold 5%.',
  link: { symbolId: 'BTC-USDT-M' },
  quiet: false,
  acknowledgedAt: null,
});
const idsOf = (records: readonly AlertRecord[]): string[] => records.map((one) => one.id);

describe('the log of alerts', () => {
  it('gives back what was written, oldest first, and what was acknowledged', async () => {
    const file = await openAlertFile(path);
    await file.append(alert('a'));
    await file.append(alert('b'));
    expect(await file.acknowledge(new Set(['b', 'nothing']), 5)).toEqual([
      { ...alert('b'), acknowledgedAt: 5 },
    ]);
    expect((await openAlertFile(path)).records).toEqual([alert('a'), { ...alert('b'), acknowledgedAt: 5 }]);
  });

  it('has the alerts of its account only: the connection may get the key of another', async () => {
    await (await openAlertFile(path, 'one')).append(alert('a'));
    const other = await openAlertFile(path, 'other');
    expect(other.records).toEqual([]);
    await other.append(alert('b'));
    expect(await other.acknowledge(new Set(['a', 'b']), 5)).toHaveLength(1);
    expect((await openAlertFile(path, 'one')).records).toEqual([alert('a')]);
    // Of an earlier version, which stored no account.
    await writeFile(path, `${JSON.stringify(alert('c'))}\n`);
    expect((await openAlertFile(path, 'one')).records).toEqual([alert('c')]);
  });

  it('gives back what was still being written when it was opened again', async () => {
    const file = await openAlertFile(path);
    const writes = Array.from({ length: 50 }, (_, number) => file.append(alert(String(number))));
    expect((await openAlertFile(path)).records).toEqual(file.records);
    await Promise.all(writes);
  });

  it('is not written again once it is deleted, also by what was still to be written', async () => {
    const file = await openAlertFile(path, '', 0, 2);
    await file.append(alert('a'));
    await writeFile(join(folder, 'alerts', '.live-1.jsonl.tmp'), 'left by a kill');
    const message = { webhookId: 'w', name: 'Phone', state: 'retrying', why: '', at: 6 } as const;
    const writes = [file.message('a', message), deleteAlertLog(path), file.append(alert('b'))];
    await Promise.all(writes);
    // More than a log may have, so that one is written anew.
    for (let at = 0; at < 6; at++) await file.message('b', { ...message, at });
    expect(await readdir(join(folder, 'alerts'))).toEqual([]);
    expect((await openAlertFile(path)).records).toEqual([]);
  });

  it('is still written where it could not be deleted', async () => {
    const file = await openAlertFile(path);
    await mkdir(path);
    await expect(deleteAlertLog(path)).rejects.toThrow();
    await rm(path, { recursive: true });
    await file.append(alert('a'));
    expect((await openAlertFile(path)).records).toEqual([alert('a')]);
  });

  it('acknowledges once: a later time changes nothing and writes nothing', async () => {
    const file = await openAlertFile(path);
    await file.append(alert('a'));
    await file.acknowledge(new Set(['a']), 5);
    const before = await readFile(path, 'utf8');
    expect(await file.acknowledge(new Set(['a']), 9)).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('keeps the newest, in memory and in a file that does not grow for ever', async () => {
    const file = await openAlertFile(path, '', 0, 5);
    for (let number = 0; number < 23; number++) await file.append(alert(String(number)));
    await file.acknowledge(new Set(['22']), 5);
    expect(idsOf(file.records)).toEqual(['18', '19', '20', '21', '22']);
    const again = await openAlertFile(path, '', 0, 5);
    expect(again.records).toEqual(file.records);
    expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThanOrEqual(11);
    expect(await readdir(join(folder, 'alerts'))).toEqual(['live-1.jsonl']);
  });

  it('stores the latest outcome of each message, and reads files without any', async () => {
    const file = await openAlertFile(path);
    await file.append(alert('a'));
    expect((await openAlertFile(path)).records).toEqual([alert('a')]);
    const one = { webhookId: 'w1', name: 'Phone', at: 5, why: '' } as const;
    await file.message('a', { ...one, state: 'sending' });
    await file.message('a', { ...one, state: 'delivered' });
    await file.message('a', { ...one, webhookId: 'w2', state: 'failed', why: 'Status 404.' });
    await file.message('not there', { ...one, state: 'delivered' });
    const messages = [
      { ...one, state: 'delivered' },
      { ...one, webhookId: 'w2', state: 'failed', why: 'Status 404.' },
    ];
    expect(file.records).toEqual([{ ...alert('a'), messages }]);
    expect((await openAlertFile(path)).records).toEqual(file.records);
  });

  it('calls a message failed that was under way before this run, and no other', async () => {
    const file = await openAlertFile(path);
    await file.append(alert('a'));
    const one = { name: 'Phone', state: 'retrying', why: 'Status 500.' } as const;
    await file.message('a', { ...one, webhookId: 'before', at: 5 });
    await file.message('a', { ...one, webhookId: 'now', at: 10 });
    const [record] = (await openAlertFile(path, '', 10)).records;
    expect(record?.messages?.map(({ webhookId, state }) => [webhookId, state])).toEqual([
      ['now', 'retrying'],
      ['before', 'failed'],
    ]);
  });

  it('skips what cannot be read, and goes on after a torn line', async () => {
    await (await openAlertFile(path)).append(alert('a'));
    await appendFile(path, '{"id":"torn');
    const file = await openAlertFile(path);
    await file.append(alert('b'));
    expect(idsOf((await openAlertFile(path)).records)).toEqual(['a', 'b']);
  });

  it('says when the disk does not take a line, and writes the next one whole', async () => {
    const file = await openAlertFile(path);
    await rm(join(folder, 'alerts'), { recursive: true });
    await writeFile(join(folder, 'alerts'), 'a file where the folder should be');
    await expect(file.append(alert('a'))).rejects.toThrow();
    expect(idsOf(file.records)).toEqual(['a']);
  });

  it('keeps an alert open whose acknowledgement the disk does not take, so that it can be acknowledged again', async () => {
    const file = await openAlertFile(path);
    await file.append(alert('a'));
    await rename(join(folder, 'alerts'), join(folder, 'elsewhere'));
    await expect(file.acknowledge(new Set(['a']), 5)).rejects.toThrow();
    expect(file.records).toEqual([alert('a')]);
    await rename(join(folder, 'elsewhere'), join(folder, 'alerts'));
    const acknowledged = [{ ...alert('a'), acknowledgedAt: 9 }];
    expect(await file.acknowledge(new Set(['a']), 9)).toEqual(acknowledged);
    expect((await openAlertFile(path)).records).toEqual(acknowledged);
  });
});
