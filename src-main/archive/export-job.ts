/** Runs exports in the worker: chunk by chunk, so that pages are served in between; each can be cancelled. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../src-shared/contract/failures.ts';
import { csvLines, type CsvQuery } from './csv-lines.ts';
import { createAtomicFile, type AtomicFile, type Disk } from './csv-writer.ts';
import { exportFailure } from './faults.ts';
import type { ExportStep } from './protocol.ts';
import type { TradeReader } from './trade-query.ts';
import type { TradeWriter } from './trade-writer.ts';
import type { Words } from './words.ts';

export interface ExportJobs {
  /** Resolves with the last step (done, cancelled or failed); never rejects. */
  run(job: string, query: CsvQuery, path: string): Promise<ExportStep>;
  /** Takes effect after the chunk in hand; an export already done stays done. */
  cancel(job: string): void;
  /** Resolves when no export is running any more. */
  cancelAll(): Promise<void>;
  /** Header and first rows, as they will be written. */
  preview(query: CsvQuery): string;
}

export interface ExportPorts {
  readonly db: DatabaseSync;
  readonly words: Words;
  readonly writer: TradeWriter;
  readonly reader: TradeReader;
  /** The archive's own file, for messages. */
  readonly archive: string;
  readonly progress: (job: string, step: ExportStep) => void;
  readonly disk?: Disk;
}

const PREVIEW_ROWS = 10;

export function createExportJobs(ports: ExportPorts): ExportJobs {
  const { db, words, writer, reader, progress } = ports;
  const running = new Map<string, Promise<ExportStep>>();
  const cancelled = new Set<string>();

  async function write(job: string, query: CsvQuery, path: string): Promise<ExportStep> {
    let step: ExportStep = { state: 'running', rows: 0, total: 0, bytes: 0, path, failure: null };
    let file: AtomicFile | null = null;
    try {
      step = { ...step, total: reader.count(query.filter) };
      const chunks = csvLines(db, words, query, writer.stored());
      for (const chunk of chunks) {
        file ??= createAtomicFile(path, job, ports.disk);
        step = { ...step, rows: step.rows + chunk.rows, bytes: file.append(chunk.bytes) };
        progress(job, step);
        await nextTurn();
        if (cancelled.has(job)) {
          file.discard();
          return { ...step, state: 'cancelled' };
        }
      }
      file?.commit();
      return { ...step, state: 'done' };
    } catch (error) {
      const failure = exportFailure(error, path, ports.archive);
      return { ...step, state: 'failed', failure: discarded(file, failure) };
    }
  }

  return {
    async run(job, query, path) {
      const ended = write(job, query, path);
      running.set(job, ended);
      try {
        return await ended;
      } finally {
        running.delete(job);
        cancelled.delete(job);
      }
    },
    cancel(job) {
      if (running.has(job)) cancelled.add(job);
    },
    async cancelAll() {
      for (const job of running.keys()) cancelled.add(job);
      await Promise.all(running.values());
    },
    preview(query) {
      const chunks = [...csvLines(db, words, query, writer.stored(), PREVIEW_ROWS)];
      return Buffer.concat(chunks.map((one) => one.bytes)).toString('utf8');
    },
  };
}

/** The failure, and that the unfinished file remains where even removing it was refused. */
function discarded(file: AtomicFile | null, failure: Failure): Failure {
  try {
    file?.discard();
    return failure;
  } catch {
    return { ...failure, next: `${failure.next} An unfinished file ending in .part remains there.` };
  }
}
