import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { NEWEST_FIRST, NO_FILTER } from '../../src-shared/ipc/trades.ts';
import { openArchive, type Archive } from './archive.ts';
import { FULL_EXPORT, START, temporaryFolder, tradeNumber, trades } from '../../tests/archive/trades.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const clock = { now: () => START };
const QUERY = FULL_EXPORT;
const NEWEST = { filter: NO_FILTER, sort: NEWEST_FIRST, offset: 0, limit: 1 };

const open = async (name: string): Promise<Archive> =>
  dataOf(
    await openArchive({ file: join(folder.path, name), connectionId: 'one', clock, progressIntervalMs: 0 }),
  );

describe('the archive behind its worker', () => {
  it('stores, pages, counts and totals, also after a restart', async () => {
    const first = await open('a.sqlite');
    await first.beginPass('begun');
    expect(dataOf(await first.insertTrades(trades(0, 50), 'page 1'))).toMatchObject({ added: 50, seen: 50 });
    await first.close();

    const archive = await open('a.sqlite');
    expect(archive.movedAside).toBeNull();
    expect(dataOf(await archive.state())).toMatchObject({ stored: 50, checkpoint: 'page 1' });
    expect(dataOf(await archive.insertTrades([], 'page 2'))).toMatchObject({ seen: 50 });
    expect(dataOf(await archive.list({ ...NEWEST, offset: 1, limit: 2 }))).toEqual({
      rows: [tradeNumber(48), tradeNumber(47)],
      noted: [],
      count: 50,
      stored: 50,
    });
    expect(dataOf(await archive.count({ ...NO_FILTER, sides: ['BUY'] }))).toBe(25);
    expect(dataOf(await archive.totals(NO_FILTER)).count).toBe(50);
    expect(dataOf(await archive.symbols())).toEqual(['BTC-USD-M', 'BTC-USDT-M', 'ETH-USDT-M']);
    await archive.close();
  });

  it('serves pages and inserts during an export, which has the rows of its start', async () => {
    const archive = await open('b.sqlite');
    dataOf(await archive.insertTrades(trades(0, 20_000), null));
    const path = join(folder.path, 'b.csv');
    const order: string[] = [];
    const job = archive.exportCsv(QUERY, path, (step) => order.push(`${step.state} ${step.rows}`));
    const page = archive.list(NEWEST).then(() => order.push('page'));
    dataOf(await archive.insertTrades([tradeNumber(30_000)], null));
    await page;
    const end = await job.done;
    expect(end).toMatchObject({ state: 'done', rows: 20_000, failure: null });
    expect(order.indexOf('page')).toBeLessThan(order.indexOf('running 20000'));
    expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(20_002);
    await archive.close();
  });

  it('cancels an export, also by closing', async () => {
    const archive = await open('c.sqlite');
    dataOf(await archive.insertTrades(trades(0, 20_000), null));
    const path = join(folder.path, 'c.csv');
    writeFileSync(path, 'old');
    const job = archive.exportCsv(QUERY, path, () => undefined);
    // At once: the worker may be done before a step is seen here.
    job.cancel();
    expect((await job.done).state).toBe('cancelled');
    const second = archive.exportCsv(QUERY, path, () => undefined);
    await archive.close();
    expect((await second.done).state).toBe('cancelled');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('returns a failure once closed, and can be closed twice', async () => {
    const archive = await open('d.sqlite');
    await archive.close();
    await archive.close();
    expect(await archive.list(NEWEST)).toMatchObject({ ok: false, failure: { kind: 'file' } });
    const late = await archive.exportCsv(QUERY, join(folder.path, 'd.csv'), () => undefined).done;
    expect(late).toMatchObject({ state: 'failed', failure: { kind: 'file' } });
  });

  it('reports a file moved aside, and rejects files of others', async () => {
    const file = join(folder.path, 'e.sqlite');
    writeFileSync(file, 'not a database, '.repeat(1_000));
    const archive = await open('e.sqlite');
    const [path = ''] = /\S+e\.sqlite\.damaged-\w+/.exec(archive.movedAside ?? '') ?? [];
    expect(existsSync(path)).toBe(true);
    await archive.close();
    const refused = await openArchive({ file, connectionId: 'two', clock });
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'file' } });
    const nowhere = await openArchive({ file: join(file, 'x.sqlite'), connectionId: 'one', clock });
    expect(nowhere).toMatchObject({ ok: false });
  });

  it('fails pending requests with the reason when the worker dies', async () => {
    const workers: Worker[] = [];
    const opened = await openArchive({
      file: join(folder.path, 'f.sqlite'),
      connectionId: 'one',
      clock,
      spawn: (entry, options) => {
        const worker = new Worker(entry, options);
        workers.push(worker);
        return worker;
      },
    });
    const archive = dataOf(opened);
    // The request gets no reply; one that came before the end would be correct.
    workers[0]!.postMessage = () => undefined;
    const asked = archive.list(NEWEST);
    await workers[0]!.terminate();
    expect(await asked).toMatchObject({ ok: false });
    expect(await archive.symbols()).toMatchObject({ ok: false });
    await archive.close();
  });
});
