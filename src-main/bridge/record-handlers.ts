/** Handles the calls about the archive: coverage, integrity, equity and statistics. */
import { basename } from 'node:path';
import type { ArchiveRestored, StatsBasis, StatsQuery } from '../../src-shared/ipc/archive.ts';
import type { RECORD_CALLS } from '../../src-shared/ipc/calls-records.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { blocked, blockedFailure, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { type Clock, exchangeTime, utcDay } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import { putInPlace } from '../archive/maintenance/restore.ts';
import { removeDatabase } from '../archive/sqlite/database-files.ts';
import { isVerified, readCoverage } from '../sync/coverage.ts';
import type { LiveConnection, TradeHistory } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { archiveHandler, ended, returned, withArchive, type OpenSession } from './results.ts';

export interface RecordPorts {
  /** Asks where to save a backup; null if the user cancelled. */
  readonly backupPath: (suggested: string) => Promise<string | null>;
  /** Asks for a backup; null if the user cancelled. */
  readonly openBackupPath: () => Promise<string | null>;
  /** Shows a file in its folder. */
  readonly showFile: (path: string) => void;
  readonly clock: Clock;
}

type RecordSession = OpenSession & Pick<Session<LiveConnection>, 'summary' | 'replace'>;

const NOT_TO_PRACTICE = blockedFailure(
  'Backups cannot be restored to the practice connection: every practice exchange is a new account.',
  'Select a live connection.',
);

export function recordHandlers(
  session: RecordSession,
  ports: RecordPorts,
): Pick<Handlers, keyof typeof RECORD_CALLS> {
  const { backupPath, showFile, clock } = ports;
  const byArchive = archiveHandler(session);
  return {
    'archive.coverage': byArchive(({ archive }) => readCoverage(archive)),
    'archive.quarantine': byArchive(({ archive }) => archive.quarantine()),
    'archive.check': byArchive(({ archive }) => archive.maintenance.check()),
    async 'archive.backup'({ connectionId }) {
      const usable = await withArchive(session, connectionId, () => returned(null));
      if (!usable.ok) return usable;
      const path = await backupPath(`ballast-${connectionId}-${utcDay(clock.now())}.sqlite`);
      if (path === null) return done(null);
      // The connection may have been opened anew meanwhile, or another one.
      return withArchive(session, connectionId, ({ archive }) => archive.maintenance.backup(path));
    },
    'archive.restore': ({ connectionId }) =>
      session.summary(connectionId)?.kind === 'practice'
        ? Promise.resolve(failed(NOT_TO_PRACTICE))
        : withArchive(session, connectionId, (history, open) => restore(session, ports, history, open)),
    'archive.working': byArchive(({ archive }) => returned(archive.maintenance.running())),
    'archive.cancelWork': byArchive(({ archive }) => ended(archive.maintenance.cancel())),
    'archive.showFile': byArchive(async ({ archive }) => {
      const figures = await archive.figures();
      return figures.ok ? ended(showFile(figures.data.path)) : figures;
    }),
    'equity.samples': byArchive(({ archive }, query) => archive.samples(query)),
    'archive.systemCloses': byArchive(({ archive }) => archive.systemCloses()),
    'archive.profit': byArchive(({ archive }, { connectionId, contracts }) =>
      archive.profit({ contracts, setting: session.summary(connectionId)?.settings.profit ?? null }),
    ),
    'stats.daily': byArchive(({ archive }, { connectionId: _, ...range }, { client }) =>
      withBasis(archive, range, archive.statsDaily(range), exchangeTime(clock, client)),
    ),
    'stats.summary': byArchive(({ archive }, { connectionId: _, ...range }, { client }) =>
      withBasis(archive, range, archive.statsSummary(range), exchangeTime(clock, client)),
    ),
  };
}

/** Adds whether orders and trades of the requested time are verified. `now`: by the exchange's clock, ms. */
async function withBasis<K extends Omit<StatsBasis, 'ordersComplete' | 'tradesComplete'>, T>(
  archive: Archive,
  { from, to }: Omit<StatsQuery, 'connectionId'>,
  query: Promise<Result<T & { readonly basis: K }>>,
  now: number,
): Promise<Result<T & { readonly basis: StatsBasis }>> {
  const [found, coverage] = await Promise.all([query, readCoverage(archive)]);
  if (!found.ok) return found;
  if (!coverage.ok) return coverage;
  const { orders, trades } = coverage.data;
  const basis = {
    ...found.data.basis,
    ordersComplete: isVerified(orders, from, to, now),
    tradesComplete: isVerified(trades, from, to, now),
  };
  return done({ ...found.data, basis });
}

const notPlaced = (): Result<string> =>
  blocked(
    'The backup was not restored: its connection was closed or changed meanwhile. The archive is as it was.',
    'Open this connection, then restore the backup again.',
  );

async function restore(
  session: RecordSession,
  { openBackupPath, clock }: RecordPorts,
  { archive }: TradeHistory,
  open: LiveConnection,
): Promise<Result<ArchiveRestored | null>> {
  const figures = await archive.figures();
  if (!figures.ok) return figures;
  const backup = await openBackupPath();
  if (backup === null) return done(null);
  const ready = await archive.maintenance.readyBackup(backup, open.account());
  if (!ready.ok) return ready;
  if (ready.data === null) return done(null);
  const { part, trades, orders, verificationKept } = ready.data;
  // Portfolio may have the archive open meanwhile, or it may be of another account by now.
  let placed = notPlaced();
  await session.replace(open, () => {
    placed = putInPlace(part, figures.data.path, clock.now());
  });
  if (!placed.ok) await removeDatabase(part);
  return placed.ok
    ? done({ backup: basename(backup), trades, orders, verificationKept, replaced: placed.data })
    : placed;
}
