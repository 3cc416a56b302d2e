/** Exports to a file, chunk by chunk, so that other requests are served in between. */
import {
  createAtomicFile,
  partOf,
  removeAbandoned,
  type AtomicFile,
  type Disk,
} from '../../../src-files/atomic-file.ts';
import { EXPORT_BEGINS, type ExportProgress } from '../../../src-shared/ipc/exports.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { Report } from '../lib/jobs.ts';
import { ArchiveFault, exportFailure } from '../sqlite/errors.ts';
import { contentSource, type ArchiveExport, type RecordExport, type SourcePorts } from './source.ts';

/** Progress of an export; the caller adds its id. */
export type ExportStep = Omit<ExportProgress, 'id'>;

export interface ExportPorts extends SourcePorts {
  /** The archive's own file, for messages. */
  readonly file: string;
  readonly disk?: Disk;
}

/**
 * Writes `path` chunk by chunk; `id` makes the name of the unfinished file unique. Resolves with the last step (done,
 * cancelled or failed); never rejects.
 */
export async function exportFile(
  ports: ExportPorts,
  id: string,
  query: ArchiveExport | RecordExport,
  path: string,
  report: Report<ExportStep>,
): Promise<ExportStep> {
  let step: ExportStep = { ...EXPORT_BEGINS, path, readAt: 'readAt' in query ? query.readAt : null };
  let file: AtomicFile | null = null;
  let lines = 0;
  try {
    const source = contentSource(ports, query);
    for (const chunk of source.chunks) {
      if (file === null) {
        file = createAtomicFile(path, id, ports.disk);
        removeAbandoned(partOf(path, id));
      }
      lines += chunk.lines ?? chunk.rows;
      const rows = step.rows + chunk.rows;
      step = { ...step, total: source.total() ?? 0, rows, bytes: file.append(chunk.bytes) };
      if (await report(step)) continue;
      file.discard();
      return { ...step, state: 'cancelled' };
    }
    const controlTotals = source.controlTotals();
    if ('mustAgree' in query && query.mustAgree && controlTotals?.agrees === false)
      throw new ArchiveFault(differs(ports.file));
    await file?.commit();
    return { ...step, state: 'done', rows: lines, total: lines, controlTotals };
  } catch (error) {
    return { ...step, state: 'failed', failure: discarded(file, exportFailure(error, path, ports.file)) };
  }
}

const differs = (archive: string): Failure => ({
  kind: 'file',
  message: `No file was written: its rows differ from the totals of the archive ${archive}, which may be damaged.`,
  next: 'Move the archive elsewhere. The next export then reads the whole history again.',
});

/** Removes the unfinished file and returns the failure, with a note if removing failed too. */
function discarded(file: AtomicFile | null, failure: Failure): Failure {
  try {
    file?.discard();
    return failure;
  } catch {
    return { ...failure, next: `${failure.next} An unfinished file ending in .part remains there.` };
  }
}
