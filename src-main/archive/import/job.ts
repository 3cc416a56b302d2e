/**
 * Imports a file of trades, all of it or nothing. It is read twice: to find every fault before anything is written,
 * then to store it in one transaction on its own connection, so that reads continue on the old state. A kill or a
 * cancel leaves the archive unchanged.
 *
 * Imported trades verify nothing: a backfill pass counts only what the exchange lists. `trade_import` records them.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { createCsvReader, CsvFault, type CsvRow } from '../csv/reader.ts';
import { importFailure } from '../sqlite/errors.ts';
import { importFault, rowReader, separatorOf } from './rows.ts';
import type { ImportStep } from '../protocol.ts';
import { throttle } from '../lib/throttle.ts';
import { createTradeWriter, type TradeWriter } from '../trades/writer.ts';
import { createStringTable } from '../sqlite/string-table.ts';

export interface ImportJobs {
  /** Resolves with the last step (done, cancelled or failed); never rejects. One at a time. */
  run(job: string, path: string, receivedAt: number): Promise<ImportStep>;
  cancel(job: string): void;
  /** Cancels the import; resolves when it has ended. */
  cancelAll(): Promise<void>;
  /** Resolves when no import is running: until then nothing else may be written. */
  whenIdle(): Promise<unknown>;
}

export interface ImportPorts {
  /** The archive's own file. */
  readonly archive: string;
  readonly writer: TradeWriter;
  readonly progress: (job: string, step: ImportStep) => void;
  /** Least time between two progress reports, ms. */
  readonly progressIntervalMs: number;
}

const PIECE_BYTES = 128 * 1024;
/** Rows per turn of the event loop. */
const ROWS_PER_TURN = 500;

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export function createImportJobs(ports: ImportPorts): ImportJobs {
  let running: { readonly job: string; readonly ended: Promise<ImportStep> } | null = null;
  const cancelled = new Set<string>();

  async function importFile(job: string, path: string, receivedAt: number): Promise<ImportStep> {
    let step: ImportStep = {
      state: 'checking',
      rows: 0,
      share: 0,
      path,
      added: 0,
      known: 0,
      quarantined: 0,
      failure: null,
    };
    const reportThrottled = throttle<ImportStep>(ports.progressIntervalMs, (now) => ports.progress(job, now));
    const report = async (change: Partial<ImportStep>): Promise<void> => {
      step = { ...step, ...change };
      reportThrottled(step);
      await nextTurn();
      if (cancelled.has(job)) throw new Cancelled();
    };
    try {
      const symbolPairs: [string, string][] = [];
      let last: Trade | null = null;
      for (const { trades, share } of readPieces(path)) {
        for (const trade of trades) {
          if (last?.tradeTime === trade.tradeTime && last.tradeId === trade.tradeId)
            symbolPairs.push([last.symbol, trade.symbol]);
          last = trade;
        }
        await report({ rows: step.rows + trades.length, share });
      }
      const total = step.rows;
      step = { ...step, state: 'storing', rows: 0, share: 0 };
      const db = new DatabaseSync(ports.archive, { timeout: 5_000 });
      try {
        db.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 20000; BEGIN IMMEDIATE');
        const strings = createStringTable(db);
        // Trades of equal time and id sort by their symbols' ids, so add the symbols in the file's order.
        for (const symbol of topologicalOrder(symbolPairs)) strings.idOf(symbol);
        const writer = createTradeWriter(db, strings);
        const before = writer.stored();
        for (const { trades } of readPieces(path))
          for (let at = 0; at < trades.length; at += ROWS_PER_TURN) {
            const part = trades.slice(at, at + ROWS_PER_TURN);
            const { added, known, quarantined } = writer.insert(part, null, receivedAt);
            const rows = step.rows + part.length;
            await report({
              rows,
              share: (100 * rows) / Math.max(total, 1),
              added: step.added + added,
              known: step.known + known,
              quarantined: step.quarantined + quarantined,
            });
          }
        db.prepare(
          'INSERT INTO trade_import (name, imported_at, after_seq, last_seq, known) VALUES (?, ?, ?, ?, ?)',
        ).run(basename(path).toWellFormed(), receivedAt, before, writer.stored(), step.known);
        db.exec('COMMIT');
      } finally {
        // Rolls back if not committed.
        db.close();
      }
      ports.writer.reload();
      return { ...step, state: 'done', share: 100 };
    } catch (error) {
      if (error instanceof Cancelled) return { ...step, state: 'cancelled', added: 0 };
      return { ...step, state: 'failed', added: 0, failure: importFailure(error, path, ports.archive) };
    }
  }

  return {
    async run(job, path, receivedAt) {
      while (running !== null) await running.ended;
      const ended = importFile(job, path, receivedAt);
      running = { job, ended };
      try {
        return await ended;
      } finally {
        running = null;
        cancelled.delete(job);
      }
    },
    cancel(job) {
      if (running?.job === job) cancelled.add(job);
    },
    async cancelAll() {
      if (running !== null) cancelled.add(running.job);
      await running?.ended;
    },
    whenIdle: () => running?.ended ?? Promise.resolve(),
  };
}

interface Piece {
  readonly trades: readonly Trade[];
  /** Percent of the file read so far. */
  readonly share: number;
}

/** Yields the file's trades in chunks. Throws ArchiveFault for invalid content, else the system's error. */
function* readPieces(path: string): Generator<Piece, void> {
  const file = openSync(path, 'r');
  try {
    const size = Math.max(fstatSync(file).size, 1);
    // Fatal: another encoding would change names. A byte order mark is skipped.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const bytes = Buffer.alloc(PIECE_BYTES);
    let done = 0;
    let reader: ReturnType<typeof createCsvReader> | null = null;
    let tradeOf: ((row: CsvRow) => Trade) | null = null;
    let head = '';

    const trades = (
      rows: readonly CsvRow[],
      separator: NonNullable<ReturnType<typeof separatorOf>>,
    ): Trade[] => {
      const [first, ...others] = rows;
      if (tradeOf !== null) return rows.map(tradeOf);
      if (first === undefined) return [];
      tradeOf = rowReader(first, separator);
      return others.map(tradeOf);
    };
    for (;;) {
      const read = readSync(file, bytes, 0, PIECE_BYTES, null);
      done += read;
      let text: string;
      try {
        text = decoder.decode(bytes.subarray(0, read), { stream: read > 0 });
      } catch {
        throw importFault(`The file is not UTF-8 text (near byte ${done}).`);
      }
      head += reader === null ? text : '';
      const end = head.search(/[\r\n]/);
      if (reader === null && end < 0 && read > 0 && head.length < PIECE_BYTES) continue;
      const separator = separatorOf(end < 0 ? head : head.slice(0, end));
      if (separator === null) throw importFault('Line 1 is not the header of a file with the layout Full.');
      try {
        const begun = reader === null;
        reader ??= createCsvReader(separator);
        const rows = reader.push(begun ? head : text);
        yield {
          trades: trades(read === 0 ? [...rows, ...reader.end()] : rows, separator),
          share: Math.min(100, (100 * done) / size),
        };
      } catch (error) {
        if (error instanceof CsvFault) throw importFault(`Line ${error.line}: ${error.message}.`);
        throw error;
      }
      if (read === 0) return;
    }
  } finally {
    closeSync(file);
  }
}

/** Returns an order that satisfies every pair; contradicting pairs, which no export has, are dropped. */
function topologicalOrder(pairs: readonly (readonly [string, string])[]): string[] {
  const later = new Map<string, Set<string>>();
  for (const [first, second] of pairs) {
    if (first === second) continue;
    later.set(first, (later.get(first) ?? new Set()).add(second));
    later.set(second, later.get(second) ?? new Set());
  }
  const order: string[] = [];
  for (;;) {
    const held = new Set([...later.values()].flatMap((set) => [...set]));
    const free = [...later.keys()].find((one) => !held.has(one));
    if (free === undefined) return order;
    order.push(free);
    later.delete(free);
  }
}
