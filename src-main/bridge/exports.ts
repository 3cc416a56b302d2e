/** Exports under way: the path comes from the save dialog, and a finished file can be shown by its id only. */
import { denied, done, failed, type Result } from '../../src-shared/contract/failures.ts';
import type { ExportProgress, ExportQuery } from '../../src-shared/contract/trades.ts';
import type { Archive } from '../archive/archive.ts';

export interface ExportPorts {
  /** Asks where to save; null when the person cancelled. */
  readonly savePath: (suggested: string) => Promise<string | null>;
  readonly showFile: (path: string) => void;
  readonly changed: (progress: ExportProgress) => void;
  readonly clock: { now(): number };
  readonly newId: () => string;
}

export interface Exports {
  start(archive: Archive, query: ExportQuery): Promise<Result<ExportProgress | null>>;
  cancel(id: string): void;
  show(id: string): Result<null>;
}

export function createExports(ports: ExportPorts): Exports {
  const running = new Map<string, () => void>();
  const finished = new Map<string, string>();

  return {
    async start(archive, query) {
      const day = new Date(ports.clock.now()).toISOString().slice(0, 10);
      const symbol = (query.filter.symbols.length === 1 ? query.filter.symbols[0]! : 'all')
        .toLowerCase()
        .replace(/[^a-z0-9-]/g, '');
      const path = await ports.savePath(`trades-${query.connectionId}-${symbol}-${day}.csv`);
      if (path === null) return done(null);
      const id = ports.newId();
      const job = archive.exportCsv(query, path, (progress) => ports.changed({ ...progress, id, path }));
      running.set(id, () => job.cancel());
      void job.done.then((end) => {
        running.delete(id);
        if (end.state === 'done') finished.set(id, path);
        ports.changed({ ...end, id, path });
      });
      return done({ id, path, state: 'running', rows: 0, total: 0, bytes: 0, failure: null });
    },
    cancel(id) {
      running.get(id)?.();
    },
    show(id) {
      const path = finished.get(id);
      if (path === undefined)
        return failed(denied('This export is not finished.', 'Wait for it to end.', 'id'));
      ports.showFile(path);
      return done(null);
    },
  };
}
