/**
 * Measures the trade archive: storing compared with the minimum (parsing the same pages), pages at any depth,
 * totals, statistics.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { openArchive, type Archive } from '../src-main/archive/archive.ts';
import { openDatabase } from '../src-main/archive/sqlite/database.ts';
import { putRow, rowValues, TRADE_PLACES, stringIdsOf } from '../src-main/archive/trades/codec.ts';
import { TradeWriter } from '../src-main/archive/trades/writer.ts';
import { WalCheckpoints } from '../src-main/archive/maintenance/wal-checkpoint.ts';
import { StringTable } from '../src-main/archive/sqlite/string-table.ts';
import { workerEntry } from '../src-main/worker-entry.ts';
import { NEWEST_FIRST, NO_FILTER, type TradeFilter } from '../src-shared/ipc/trades.ts';
import { median, type Bench, type BenchFile } from './harness.ts';
import { pages, ROWS, rowsOf } from './trades/made.ts';
import { statistics, storeOrders } from './trades/stats.ts';
import { dataOf } from '../tests/shared/data-of.ts';

/** The practice exchange's maximum, the size the app requests, and what the baselines store at once. */
const PAGE_SIZES = [500, 1_000, 10_000] as const;
const TIMES = 21;
const WORKER = workerEntry('archive-worker');
/** Rows per statement of the baseline. */
const TOGETHER = 50;

const seconds = (run: () => void): number => {
  const from = performance.now();
  run();
  return (performance.now() - from) / 1000;
};

/**
 * Stores everything in this thread, where parsing is measured too, so that posting between threads is not counted.
 * The two alternate page by page, so that other load affects both. The WAL is checkpointed by a worker thread, as
 * in the app (`wal-checkpoint.ts`).
 */
async function ingest(file: string, size: number, { report }: Bench): Promise<void> {
  const texts = [...pages(size)];
  const { db } = openDatabase(file, 'bench', 0);
  const writer = new TradeWriter(db, new StringTable(db));
  const checkpoints = new WalCheckpoints(() => new Worker(WORKER, { workerData: { checkpoint: file } }));
  let parsing = 0;
  let storing = seconds(() => writer.beginPass('begin'));
  for (const text of texts) {
    parsing += seconds(() => rowsOf(text));
    storing += seconds(() => checkpoints.stored(writer.insert(rowsOf(text), 'page', 0).added));
  }
  // End of the backfill: everything is on disk.
  storing += seconds(() => writer.insert([], 'end', 0));
  if (writer.stored() !== ROWS) throw new Error(`${writer.stored()} of ${ROWS} trades were stored`);
  await checkpoints.close();
  db.close();
  const ours = {
    figure: `parse and store ${ROWS} trades, ${size} a page and commit`,
    value: storing,
    unit: 's',
  };
  report({ ...ours, baseline: 'parsing those pages alone (target 3×)', baselineValue: parsing });
  report({
    ...ours,
    baseline: 'parsing, and node:sqlite alone',
    baselineValue: bareIngest(`${file}.bare`, texts),
  });
}

/**
 * Parses the pages and stores the rows in the same tables and indexes, without checks for known rows, totals or
 * ranges.
 */
function bareIngest(file: string, texts: readonly string[]): number {
  const { db } = openDatabase(file, 'bench', 0);
  const strings = new StringTable(db);
  const insert = db.prepare(
    `INSERT INTO trade VALUES ${Array.from({ length: TOGETHER }, () => rowValues()).join(', ')}`,
  );
  const values: SQLInputValue[] = [];
  const taken = seconds(() => {
    for (const text of texts) {
      const rows = rowsOf(text);
      db.exec('BEGIN');
      for (let from = 0; from < rows.length; from += TOGETHER) {
        for (let n = 0; n < TOGETHER; n++) {
          const trade = rows[from + n]!;
          putRow(values, n * TRADE_PLACES, trade, stringIdsOf(trade, strings));
        }
        insert.run(...values);
      }
      db.exec('COMMIT');
    }
  });
  db.close();
  return taken;
}

async function timed(ask: (run: number) => Promise<{ readonly ok: boolean }>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run <= TIMES; run++) {
    const from = performance.now();
    const result = await ask(run);
    if (!result.ok) throw new Error('the archive did not result');
    // The first run reads from disk.
    if (run > 0) taken.push(performance.now() - from);
  }
  return median(taken);
}

async function windows(archive: Archive, { report }: Bench): Promise<void> {
  const filtered: TradeFilter = {
    ...NO_FILTER,
    symbols: ['BTC-USDT-M'],
    sides: ['BUY'],
    from: Date.UTC(2025, 0, 2),
  };
  const bare = await timed(() => archive.count({ ...NO_FILTER, symbols: ['none'] }));
  const target = (ms: number) => ({ unit: 'ms', baseline: 'target', baselineValue: ms });
  report({ figure: 'a request and its reply across the thread', value: bare, ...target(1) });
  for (const [name, filter] of [
    ['all', NO_FILTER],
    ['symbol + side + range', filtered],
  ] as const) {
    const counted = dataOf(await archive.count(filter));
    for (const [depth, share] of [
      ['newest', 0],
      ['middle', 0.5],
      ['oldest', 1],
    ] as const) {
      const offset = Math.max(0, Math.floor(counted * share) - 100);
      report({
        figure: `page of 100, ${name}, ${depth}`,
        value: await timed((run) =>
          archive.list({ filter, sort: NEWEST_FIRST, offset: Math.max(0, offset - run), limit: 100 }),
        ),
        ...target(5),
      });
    }
    report({ figure: `totals, ${name}`, value: await timed(() => archive.totals(filter)), ...target(5) });
  }
  // A different time in each run, since a cached count would not be counted again.
  const count = await timed((run) => archive.count({ ...filtered, to: Date.UTC(2100, 0, 1) + run }));
  report({ figure: 'count, symbol + side + range', value: count, ...target(5) });
}

const bench: BenchFile = async (out) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-archive-'));
  try {
    for (const size of PAGE_SIZES) await ingest(join(folder, `${size}.db`), size, out);
    storeOrders(join(folder, `${PAGE_SIZES[0]}.db`));
    const opened = dataOf(
      await openArchive({
        file: join(folder, `${PAGE_SIZES[0]}.db`),
        connectionId: 'bench',
        clock: { now: Date.now },
      }),
    );
    await windows(opened, out);
    await statistics(opened, out);
    await opened.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
};
export default bench;
