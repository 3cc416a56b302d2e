/**
 * Measures the CSV of all trades, as the app writes it (worker thread, in chunks, synced, renamed), compared with
 * the command line of SQLite on the same file and with lines joined from `node:sqlite`'s rows.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as nextFrame } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { stringify } from 'csv-stringify';
import { openArchive, type Archive } from '../src-main/archive/archive.ts';
import type { ArchiveExport } from '../src-main/archive/export/source.ts';
import { DEFAULT_TAX } from '../src-shared/ipc/default-settings.ts';
import { NO_FILTER, TRADE_COLUMNS } from '../src-shared/ipc/trades.ts';
import { median, type BenchFile } from './harness.ts';
import { pages, ROWS, rowsOf } from './trades/made.ts';
import { dataOf } from '../tests/shared/data-of.ts';

const RUNS = 3;
const MB = 1024 * 1024;
const FRAME_MS = 16;

/** The columns and the order of the export; ids as text, so that every reader gets all digits. */
const SELECT = `SELECT t.trade_time AS tradeTime, s.value AS symbol, d.value AS side, t.price, t.executed_qty AS executedQty,
  t.executed_quote_qty AS executedQuoteQty, t.fee, f.value AS feeAsset, l.value AS liquidity, t."offset",
  CAST(t.order_id AS TEXT) AS orderId, CAST(t.trade_id AS TEXT) AS tradeId
  FROM trade t INDEXED BY trade_by_time CROSS JOIN word s ON s.id = t.symbol CROSS JOIN word d ON d.id = t.side
  CROSS JOIN word f ON f.id = t.fee_asset CROSS JOIN word l ON l.id = t.liquidity ORDER BY t.trade_time, t.trade_id`;

const lines = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trimEnd());

const EXPORT: ArchiveExport = {
  table: 'trades',
  preset: 'full',
  account: 'Bench',
  filter: NO_FILTER,
  columns: [...TRADE_COLUMNS],
  timeFormat: 'epoch-ms',
  timeZone: 'UTC',
  decimalMark: 'point',
  separator: 'comma',
  spreadsheetSafe: false,
  notes: false,
  tax: DEFAULT_TAX,
};

async function exported(archive: Archive, path: string): Promise<number> {
  const from = performance.now();
  const step = await archive.exportCsv(EXPORT, path, () => undefined).done;
  if (step.state !== 'done') throw new Error(step.failure?.message ?? step.state);
  return (performance.now() - from) / 1000;
}

/** This thread's event loop, sampled each ms. */
interface Loop {
  /** Longest delay of the loop, ms: own work, or the system running other processes. */
  readonly late: number;
  /** Most processor time in one such gap, ms: the loop's own work. */
  readonly worked: number;
}

function watchLoop(): { end: () => Loop } {
  let [late, worked] = [0, 0];
  let before = performance.now();
  let used = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(used);
    late = Math.max(late, now - before);
    worked = Math.max(worked, (user + system) / 1_000);
    before = now;
    used = process.threadCpuUsage();
  }, 1);
  return {
    end() {
      clearInterval(timer);
      return { late, worked };
    },
  };
}

interface Side {
  /** Longest wait for a reply of the worker, with a request in each frame, ms. */
  readonly longestWait: number;
  readonly loop: Loop;
  /** MB. */
  readonly growth: number;
}

/** Measures the effect of an export on everything beside it. */
async function beside(archive: Archive, path: string): Promise<Side> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const loop = watchLoop();
  const state = { over: false };
  const running = exported(archive, path);
  const done = running.finally(() => (state.over = true));
  let longestWait = 0;
  while (!state.over) {
    const requestedAt = performance.now();
    await archive.count(NO_FILTER);
    longestWait = Math.max(longestWait, performance.now() - requestedAt);
    most = Math.max(most, process.memoryUsage.rss());
    await nextFrame(FRAME_MS);
  }
  await done;
  return { longestWait, loop: loop.end(), growth: (most - before) / MB };
}

/** A worker that makes and writes text as an export does, and posts no messages. */
const BUSY_THREAD = `
  const { openSync, writeSync } = require('node:fs');
  const out = openSync(require('node:worker_threads').workerData, 'w');
  for (;;) {
    let text = '';
    for (let row = 0; row < 2_000; row++) text += [row, String(row * 7), 'BTC-USDT-M', 'BUY'].join(',') + '\\r\\n';
    writeSync(out, text, 0);
  }`;

/** Longest delay of an idle thread, ms, while another thread of the process is as busy as an export. */
async function idleBeside(path: string, ms: number): Promise<number> {
  const busy = new Worker(BUSY_THREAD, { eval: true, workerData: path });
  const loop = watchLoop();
  const until = performance.now() + ms;
  while (performance.now() < until) await nextFrame(FRAME_MS);
  const { late } = loop.end();
  await busy.terminate();
  return late;
}

/** null when the command is not installed. */
function commandLine(file: string, path: string): number | null {
  const out = openSync(path, 'w');
  const from = performance.now();
  const { error, status } = spawnSync('sqlite3', ['-readonly', '-csv', '-header', file, SELECT], {
    stdio: ['ignore', out, 'inherit'],
  });
  const seconds = (performance.now() - from) / 1000;
  closeSync(out);
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(`sqlite3 ended with ${String(status)}`);
  return seconds;
}

function byJoining(file: string, path: string): number {
  const from = performance.now();
  const db = new DatabaseSync(file, { readOnly: true });
  const out = openSync(path, 'w');
  let text = `${TRADE_COLUMNS.join(',')}\r\n`;
  for (const row of db.prepare(SELECT).iterate()) {
    text += `${TRADE_COLUMNS.map((name) => String(row[name])).join(',')}\r\n`;
    if (text.length < 65_536) continue;
    writeSync(out, text);
    text = '';
  }
  writeSync(out, text);
  closeSync(out);
  db.close();
  return (performance.now() - from) / 1000;
}

/** The usual library for rows of objects. */
async function byCsvStringify(file: string, path: string): Promise<number> {
  const from = performance.now();
  const db = new DatabaseSync(file, { readOnly: true });
  await pipeline(
    Readable.from(db.prepare(SELECT).iterate()),
    stringify({ header: true, columns: [...TRADE_COLUMNS], record_delimiter: '\r\n' }),
    createWriteStream(path),
  );
  db.close();
  return (performance.now() - from) / 1000;
}

const bench: BenchFile = async ({ report, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-csv-'));
  const at = (name: string): string => join(folder, name);
  try {
    const opened = dataOf(
      await openArchive({
        file: at('archive.db'),
        connectionId: 'bench',
        clock: { now: Date.now },
      }),
    );
    const archive = opened;
    for (const page of pages(10_000)) await archive.insertTrades(rowsOf(page), null);

    const ours: number[] = [];
    const theirs: number[] = [];
    const joined: number[] = [];
    const stringified: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      // Ours is on disk when it is done; without this it would also wait for the baselines' writes of the previous
      // round.
      spawnSync('sync');
      ours.push(await exported(archive, at('ours.csv')));
      const taken = commandLine(at('archive.db'), at('sqlite.csv'));
      if (taken !== null) theirs.push(taken);
      joined.push(byJoining(at('archive.db'), at('joined.csv')));
      stringified.push(await byCsvStringify(at('archive.db'), at('stringify.csv')));
    }
    const { longestWait, loop, growth } = await beside(archive, at('ours.csv'));
    const idle = await idleBeside(at('busy.csv'), median(ours) * 1_000);
    await archive.close();
    if (theirs.length === 0) note('sqlite3 (Debian package sqlite3) is not installed: not compared with it');
    for (const name of theirs.length > 0
      ? ['sqlite.csv', 'joined.csv', 'stringify.csv']
      : ['joined.csv', 'stringify.csv'])
      if (lines(at(name)).join('\n') !== lines(at('ours.csv')).join('\n'))
        throw new Error(`${name} has other lines than ours`);

    const seconds = median(ours);
    const own = { figure: `CSV of ${ROWS} trades`, value: seconds, unit: 's' };
    if (theirs.length > 0)
      report({ ...own, baseline: 'sqlite3 -csv (target 0.9×)', baselineValue: median(theirs) });
    report({ ...own, baseline: 'rows of node:sqlite joined', baselineValue: median(joined) });
    report({ ...own, baseline: 'csv-stringify (target 0.2×)', baselineValue: median(stringified) });
    const limits = [
      ['longest wait for a reply of the worker meanwhile', longestWait, 'ms', 50],
      ['longest block of the main thread meanwhile, by its own work', loop.worked, 'ms', 5],
      ['growth of the process’s memory', growth, 'MB', 100],
    ] as const;
    for (const [figure, value, unit, baselineValue] of limits)
      report({ figure, value, unit, baseline: 'target', baselineValue });
    report({
      figure: 'longest delay of the main thread meanwhile',
      value: loop.late,
      unit: 'ms',
      baseline: 'an idle main thread, beside a worker that makes and writes text',
      baselineValue: idle,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};
export default bench;
