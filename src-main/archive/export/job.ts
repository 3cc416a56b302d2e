/** Runs exports in the worker, chunk by chunk, so that other requests are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAtomicFile, type AtomicFile, type Disk } from '../../../src-files/atomic-file.ts';
import type { ExportPreview } from '../../../src-shared/ipc/exports.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { FieldTable, RecordOf } from '../../../src-shared/exchange-api/fields.ts';
import { assetFields, positionFields } from '../../../src-shared/exchange-api/account.ts';
import { headerLine, SEPARATOR_SIGNS } from '../csv/format.ts';
import { archiveCoins } from './archive-coins.ts';
import { recordLines } from './record-lines.ts';
import {
  exportSource,
  type ArchiveExport,
  type ExportSource,
  type RecordExport,
  type SourcePorts,
} from './source.ts';
import { exportFailure } from '../sqlite/errors.ts';
import type { ExportStep } from '../protocol.ts';
import { throttle } from '../lib/throttle.ts';

export interface ExportJobs {
  /** Resolves with the last step (done, cancelled or failed); never rejects. */
  run(job: string, query: ArchiveExport | RecordExport, path: string): Promise<ExportStep>;
  /** Takes effect after the current chunk. No effect on a finished export. */
  cancel(job: string): void;
  /** Cancels all exports; resolves when the last has ended. */
  cancelAll(): Promise<void>;
  /** Returns header and first rows as the file would have them. */
  preview(query: ArchiveExport | RecordExport): Promise<ExportPreview>;
}

export interface ExportPorts extends SourcePorts {
  /** The archive's own file, for messages. */
  readonly archive: string;
  readonly progress: (job: string, step: ExportStep) => void;
  /** Least time between two progress reports, ms. */
  readonly progressIntervalMs: number;
  readonly disk?: Disk;
}

const PREVIEW_ROWS = 10;

export function createExportJobs(ports: ExportPorts): ExportJobs {
  const running = new Map<string, Promise<ExportStep>>();
  const cancelled = new Set<string>();

  async function write(job: string, query: ArchiveExport | RecordExport, path: string): Promise<ExportStep> {
    let step: ExportStep = {
      state: 'running',
      rows: 0,
      total: 0,
      bytes: 0,
      path,
      failure: null,
      reconciliation: null,
      readAt: 'readAt' in query ? query.readAt : null,
    };
    let file: AtomicFile | null = null;
    let lines = 0;
    const report = throttle<ExportStep>(ports.progressIntervalMs, (now) => ports.progress(job, now));
    try {
      const source = 'records' in query ? recordSource(query) : exportSource(ports, query);
      for (const chunk of source.chunks) {
        file ??= createAtomicFile(path, job, ports.disk);
        lines += chunk.lines ?? chunk.rows;
        step = {
          ...step,
          total: source.total() ?? 0,
          rows: step.rows + chunk.rows,
          bytes: file.append(chunk.bytes),
        };
        report(step);
        await nextTurn();
        if (cancelled.has(job)) {
          file.discard();
          return { ...step, state: 'cancelled' };
        }
      }
      await file?.commit();
      return { ...step, state: 'done', rows: lines, total: lines, reconciliation: source.reconciliation() };
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
    async preview(query) {
      const source = 'records' in query ? recordSource(query) : exportSource(ports, query, PREVIEW_ROWS);
      const parts: Uint8Array[] = [];
      for (const { bytes } of source.chunks) {
        parts.push(bytes);
        await nextTurn();
      }
      const text = Buffer.concat(parts).toString('utf8');
      const named = 'preset' in query && query.preset === 'rotki';
      return { text, coins: named ? archiveCoins(ports.db, ports.strings) : [] };
    },
  };
}

function recordSource(query: RecordExport): ExportSource {
  const fields: FieldTable = query.table === 'positions' ? positionFields : assetFields;
  const line: (record: RecordOf<FieldTable>) => string = recordLines(fields, query);
  const header = headerLine(Object.keys(fields), SEPARATOR_SIGNS[query.separator]);
  const bytes = Buffer.from(header + query.records.map(line).join(''), 'utf8');
  return {
    total: () => query.records.length,
    chunks: [{ bytes, rows: query.records.length }],
    reconciliation: () => null,
  };
}

/** Removes the unfinished file and returns the failure, with a note if removing failed too. */
function discarded(file: AtomicFile | null, failure: Failure): Failure {
  try {
    file?.discard();
    return failure;
  } catch {
    return { ...failure, next: `${failure.next} An unfinished file ending in .part remains there.` };
  }
}
