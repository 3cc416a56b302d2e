/**
 * Imports a file of trades, all of it or nothing. It is read twice: to find every fault before anything is written,
 * then to store it in one transaction on its own connection, so that reads continue on the old state. A kill or a
 * cancel leaves the archive unchanged.
 *
 * Imported trades verify nothing: a backfill pass counts only what the exchange lists. `trade_import` records them.
 */
import { basename } from 'node:path';
import { IMPORT_BEGINS, type ImportProgress } from '../../../src-shared/ipc/exports.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { importFailure } from '../sqlite/errors.ts';
import { openDurable } from '../sqlite/open-durable.ts';
import type { Report } from '../lib/jobs.ts';
import { NoteStore } from '../notes/store.ts';
import { TradeWriter } from '../trades/writer.ts';
import { StringTable } from '../sqlite/string-table.ts';
import { readTrades } from './file.ts';

/** Progress of an import; the caller adds its id. */
export type ImportStep = Omit<ImportProgress, 'id'>;

export interface ImportPorts {
  /** The archive's own file. */
  readonly file: string;
  readonly writer: TradeWriter;
}

/** Rows per turn of the event loop. */
const ROWS_PER_TURN = 500;

/** Resolves with the last step (done, cancelled or failed); never rejects. `receivedAt`: wall clock, ms. */
export const importFile = (
  ports: ImportPorts,
  path: string,
  receivedAt: number,
  report: Report<ImportStep>,
): Promise<ImportStep> => new ImportRun(ports, path, receivedAt, report).start();

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

class ImportRun {
  readonly #ports: ImportPorts;
  readonly #path: string;
  readonly #receivedAt: number;
  readonly #progress: Report<ImportStep>;
  #step: ImportStep;

  constructor(ports: ImportPorts, path: string, receivedAt: number, report: Report<ImportStep>) {
    this.#ports = ports;
    this.#path = path;
    this.#receivedAt = receivedAt;
    this.#progress = report;
    this.#step = { ...IMPORT_BEGINS, path };
  }

  async start(): Promise<ImportStep> {
    try {
      const symbols = await this.#check();
      await this.#store(symbols);
      this.#ports.writer.reload();
      return { ...this.#step, state: 'done', percent: 100 };
    } catch (error) {
      if (error instanceof Cancelled) return { ...this.#step, state: 'cancelled', added: 0 };
      const failure = importFailure(error, this.#path, this.#ports.file);
      return { ...this.#step, state: 'failed', added: 0, failure };
    }
  }

  /**
   * Reads the whole file. Returns its symbols in an order that keeps the file's rows in order: trades of equal time and
   * id sort by the ids of their symbols.
   */
  async #check(): Promise<readonly string[]> {
    const symbolPairs: [string, string][] = [];
    let last: Trade | null = null;
    for (const { trades, percent } of readTrades(this.#path)) {
      for (const trade of trades) {
        if (last?.tradeTime === trade.tradeTime && last.tradeId === trade.tradeId)
          symbolPairs.push([last.symbol, trade.symbol]);
        last = trade;
      }
      await this.#report({ rows: this.#step.rows + trades.length, percent });
    }
    return topologicalOrder(symbolPairs);
  }

  async #store(symbols: readonly string[]): Promise<void> {
    const total = Math.max(this.#step.rows, 1);
    this.#step = { ...this.#step, state: 'storing', rows: 0, percent: 0 };
    const db = openDurable(this.#ports.file);
    try {
      db.exec('PRAGMA wal_autocheckpoint = 20000; BEGIN IMMEDIATE');
      const strings = new StringTable(db);
      for (const symbol of symbols) strings.idOf(symbol);
      const writer = new TradeWriter(db, strings);
      const notes = new NoteStore(db);
      const before = writer.stored();
      for (const { trades, notes: noted } of readTrades(this.#path)) {
        notes.saveMissing(this.#receivedAt, noted);
        for (let at = 0; at < trades.length; at += ROWS_PER_TURN)
          await this.#insert(writer, trades.slice(at, at + ROWS_PER_TURN), total);
      }
      db.prepare(
        'INSERT INTO trade_import (name, imported_at, after_seq, last_seq, known) VALUES (?, ?, ?, ?, ?)',
      ).run(basename(this.#path).toWellFormed(), this.#receivedAt, before, writer.stored(), this.#step.known);
      db.exec('COMMIT');
    } finally {
      // Rolls back if not committed.
      db.close();
    }
  }

  async #insert(writer: TradeWriter, trades: readonly Trade[], total: number): Promise<void> {
    const { added, known, quarantined } = writer.insert(trades, null, this.#receivedAt);
    const rows = this.#step.rows + trades.length;
    await this.#report({
      rows,
      percent: (100 * rows) / total,
      added: this.#step.added + added,
      known: this.#step.known + known,
      quarantined: this.#step.quarantined + quarantined,
    });
  }

  /** Reports the change and lets other requests be served. Throws Cancelled. */
  async #report(change: Partial<ImportStep>): Promise<void> {
    this.#step = { ...this.#step, ...change };
    if (!(await this.#progress(this.#step))) throw new Cancelled();
  }
}

/**
 * Returns an order that satisfies every pair; contradicting pairs, which no export has, are dropped with what comes after
 * them. Takes time in proportion to the pairs: a file can name a symbol in each of its rows.
 */
function topologicalOrder(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const later = new Map<string, Set<string>>();
  /** How many symbols come right before each that is not first. */
  const held = new Map<string, number>();
  for (const [first, second] of pairs) {
    const after = later.get(first) ?? new Set();
    if (first === second || after.has(second)) continue;
    later.set(first, after.add(second));
    held.set(second, (held.get(second) ?? 0) + 1);
  }
  const order = [...later.keys()].filter((one) => !held.has(one));
  for (const one of order)
    for (const next of later.get(one) ?? []) {
      const left = (held.get(next) ?? 0) - 1;
      held.set(next, left);
      if (left === 0) order.push(next);
    }
  return order;
}
