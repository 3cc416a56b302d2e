/** Defines the calls about archive integrity, equity and statistics. */
import {
  equityQuerySchema,
  statsQuerySchema,
  type ArchiveBackup,
  type ArchiveCheck,
  type ArchiveRestored,
  type ArchiveWork,
  type Coverage,
  type EquitySamples,
  type QuarantinedRecord,
  type StatsDaily,
  type StatsSummary,
} from './archive.ts';
import type { SystemClose } from '../domain/history/system-close.ts';
import { byConnection, call } from './call.ts';
import { profitQuerySchema, type ProfitFinding } from './profit.ts';

export const RECORD_CALLS = {
  'archive.coverage': call(byConnection).answers<Coverage>(),
  'archive.quarantine': call(byConnection).answers<readonly QuarantinedRecord[]>(),
  /** Checks the whole archive in the background; null if cancelled. */
  'archive.check': call(byConnection).answers<ArchiveCheck | null>(),
  /** Asks where to save a backup; null if cancelled. */
  'archive.backup': call(byConnection).answers<ArchiveBackup | null>(),
  /**
   * Asks for a backup and replaces the archive with it, keeping the old one beside it; null if cancelled. A backup of
   * another connection is assigned to this one.
   */
  'archive.restore': call(byConnection).answers<ArchiveRestored | null>(),
  /** The running check, backup or restore. */
  'archive.working': call(byConnection).answers<ArchiveWork | null>(),
  /** Cancels it; resolves when nothing is running any more. */
  'archive.cancelWork': call(byConnection).answers<null>(),
  'archive.showFile': call(byConnection).answers<null>(),
  'equity.samples': call(equityQuerySchema).answers<EquitySamples>(),
  /** Positions closed by the exchange, newest first, at most 1,000. */
  'archive.systemCloses': call(byConnection).answers<readonly SystemClose[]>(),
  /** Finds out whether profits are before fees; statistics, sums and tax files follow. */
  'archive.profit': call(profitQuerySchema).answers<ProfitFinding>(),
  'stats.daily': call(statsQuerySchema).answers<StatsDaily>(),
  'stats.summary': call(statsQuerySchema).answers<StatsSummary>(),
} as const;
