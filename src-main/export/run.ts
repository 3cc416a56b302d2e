/** Reads an account's history into an archive of its own and writes it as CSV. Cannot send: it is given reads only. */
import { tradedContract } from '../../src-shared/domain/instrument/currencies.ts';
import type { ProfitConvention } from '../../src-shared/domain/history/profit-fit.ts';
import type { ControlTotals } from '../../src-shared/ipc/exports.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import { openArchive, type Archive, type ArchiveOptions } from '../archive/archive.ts';
import type { ArchiveExport } from '../archive/export/source.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import { listedTo } from '../sync/passes.ts';
import { fill, type SyncPorts } from './sync.ts';

export interface ExportTask {
  readonly archive: Pick<ArchiveOptions, 'file' | 'connectionId' | 'account'>;
  readonly query: ArchiveExport;
  /** Absolute path of the CSV; replaced only when the new one is complete. */
  readonly out: string;
  /** What an order's profit is, while closed positions do not show it. */
  readonly profit: ProfitConvention | null;
  /** Whether to write a file whose history could not be verified as complete. */
  readonly allowIncomplete: boolean;
}

export type ExportPorts = Omit<SyncPorts, 'archive' | 'contracts'> & {
  readonly client: Pick<ExchangeClient, 'close'>;
};

/** What was written. */
export interface WrittenExport {
  readonly rows: number;
  readonly bytes: number;
  readonly profit: ProfitFinding;
  /** Trades only. */
  readonly controlTotals: ControlTotals | null;
  /** Later records may be missing: they were not listed yet. By the exchange's clock, ms. */
  readonly listedTo: number;
}

export interface ExportEnd {
  /** What happened to a damaged archive, or another account's. */
  readonly movedAside: string | null;
  /** Contracts it was limited to that the exchange does not list: delisted or misspelled. */
  readonly unlisted: readonly string[];
  /** How far the reading came; null if it did not begin. */
  readonly status: SyncStatus | null;
  /** Why the history is not verified as complete: a failure, or none if it was ended from outside. Null if it is. */
  readonly incomplete: { readonly failure: Failure | null } | null;
  /** What failed beside the reading of the history. */
  readonly failure: Failure | null;
  /** Null if no file was written. */
  readonly written: WrittenExport | null;
}

const NOTHING: ExportEnd = {
  movedAside: null,
  unlisted: [],
  status: null,
  incomplete: null,
  failure: null,
  written: null,
};

/** Closes the client at its end, and at once when it is interrupted: that ends what is being read. */
export async function runExport(task: ExportTask, ports: ExportPorts): Promise<ExportEnd> {
  const { client, signal } = ports;
  signal.addEventListener('abort', () => void client.close());
  try {
    return await readAndWrite(task, ports);
  } finally {
    await client.close();
  }
}

async function readAndWrite(task: ExportTask, ports: ExportPorts): Promise<ExportEnd> {
  const { client, clock, signal } = ports;
  // Requested first: it verifies address, key and signing, and lists the contracts.
  const [contracts, orders] = [await client.symbolConfig(), await client.orderHistory({})];
  if (signal.aborted) return { ...NOTHING, incomplete: { failure: null } };
  if (!contracts.ok) return { ...NOTHING, failure: contracts.failure };
  if (!orders.ok) return { ...NOTHING, failure: orders.failure };
  const opened = await openArchive({ ...task.archive, isLocked: true, clock });
  if (!opened.ok) return { ...NOTHING, failure: opened.failure };
  const archive = opened.data;
  try {
    const listed = contracts.data.map(tradedContract);
    const unlisted = task.query.filter.symbols.filter(
      (name) => !listed.some(({ symbol }) => symbol === name),
    );
    const end = await fillAndWrite(task, ports, archive, listed);
    return { ...NOTHING, movedAside: archive.movedAside, unlisted, ...end };
  } finally {
    await archive.close();
  }
}

async function fillAndWrite(
  { query, out, profit, allowIncomplete }: ExportTask,
  ports: ExportPorts,
  archive: Archive,
  contracts: readonly ReturnType<typeof tradedContract>[],
): Promise<Partial<ExportEnd>> {
  const { signal, clock, client } = ports;
  const reachesTo = listedTo(clock, client);
  const read = await fill({ ...ports, archive, contracts: contracts.map(({ symbol }) => symbol) });
  const { status } = read;
  const incomplete = read.complete ? null : { failure: read.failure };
  if (incomplete !== null && (signal.aborted || !allowIncomplete)) return { status, incomplete };
  const finding = await archive.profit({ contracts, setting: profit });
  if (!finding.ok) return { status, incomplete, failure: finding.failure };
  const job = archive.exportCsv({ ...query, mustAgree: true }, out, () => undefined);
  signal.addEventListener('abort', () => job.cancel());
  const { state, failure, rows, bytes, controlTotals } = await job.done;
  if (failure !== null || state === 'cancelled') return { status, incomplete, failure };
  const written = { rows, bytes, profit: finding.data, controlTotals, listedTo: reachesTo };
  return { status, incomplete, written };
}
