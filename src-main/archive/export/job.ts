/** Runs exports in the worker, chunk by chunk, so that other requests are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAtomicFile, type AtomicFile, type Disk } from '../../../src-files/atomic-file.ts';
import { EXPORT_BEGINS, type ExportProgress } from '../../../src-shared/ipc/exports.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { throttle } from '../lib/throttle.ts';
import { exportFailure } from '../sqlite/errors.ts';
import { contentSource, type ArchiveExport, type RecordExport, type SourcePorts } from './source.ts';

/** Progress of an export; the caller adds its id. */
export type ExportStep = Omit<ExportProgress, 'id'>;

export interface ExportPorts extends SourcePorts {
  /** The archive's own file, for messages. */
  readonly file: string;
  readonly progress: (job: string, step: ExportStep) => void;
  /** Least time between two progress reports, ms. */
  readonly progressIntervalMs: number;
  readonly disk?: Disk;
}

export class ExportJobs {
  readonly #ports: ExportPorts;
  readonly #running = new Map<string, Promise<ExportStep>>();
  readonly #cancelled = new Set<string>();

  constructor(ports: ExportPorts) {
    this.#ports = ports;
  }

  /** Resolves with the last step (done, cancelled or failed); never rejects. */
  async run(job: string, query: ArchiveExport | RecordExport, path: string): Promise<ExportStep> {
    const ended = this.#write(job, query, path);
    this.#running.set(job, ended);
    try {
      return await ended;
    } finally {
      this.#running.delete(job);
      this.#cancelled.delete(job);
    }
  }

  /** Takes effect after the current chunk. No effect on a finished export. */
  cancel(job: string): void {
    if (this.#running.has(job)) this.#cancelled.add(job);
  }

  /** Cancels all exports; resolves when the last has ended. */
  async cancelAll(): Promise<void> {
    for (const job of this.#running.keys()) this.#cancelled.add(job);
    await Promise.all(this.#running.values());
  }

  async #write(job: string, query: ArchiveExport | RecordExport, path: string): Promise<ExportStep> {
    const { progress, progressIntervalMs, disk, file: archive } = this.#ports;
    let step: ExportStep = { ...EXPORT_BEGINS, path, readAt: 'readAt' in query ? query.readAt : null };
    let file: AtomicFile | null = null;
    let lines = 0;
    const report = throttle<ExportStep>(progressIntervalMs, (now) => progress(job, now));
    try {
      const source = contentSource(this.#ports, query);
      for (const chunk of source.chunks) {
        file ??= createAtomicFile(path, job, disk);
        lines += chunk.lines ?? chunk.rows;
        const rows = step.rows + chunk.rows;
        step = { ...step, total: source.total() ?? 0, rows, bytes: file.append(chunk.bytes) };
        report(step);
        await nextTurn();
        if (this.#cancelled.has(job)) {
          file.discard();
          return { ...step, state: 'cancelled' };
        }
      }
      await file?.commit();
      return { ...step, state: 'done', rows: lines, total: lines, controlTotals: source.controlTotals() };
    } catch (error) {
      return { ...step, state: 'failed', failure: discarded(file, exportFailure(error, path, archive)) };
    }
  }
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
