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
  'archive.coverage': call(byConnection).returns<Coverage>(),
  'archive.quarantine': call(byConnection).returns<readonly QuarantinedRecord[]>(),
  /** Checks the whole archive in the background; null if cancelled. */
  'archive.check': call(byConnection).returns<ArchiveCheck | null>(),
  /** Asks where to save a backup; null if cancelled. */
  'archive.backup': call(byConnection).returns<ArchiveBackup | null>(),
  /**
   * Asks for a backup and replaces the archive with it, keeping the old one beside it; null if cancelled. A backup of
   * another connection is assigned to this one.
   */
  'archive.restore': call(byConnection).returns<ArchiveRestored | null>(),
  /** The running check, backup or restore. */
  'archive.working': call(byConnection).returns<ArchiveWork | null>(),
  /** Cancels it; resolves when nothing is running any more. */
  'archive.cancelWork': call(byConnection).returns<null>(),
  'archive.showFile': call(byConnection).returns<null>(),
  'equity.samples': call(equityQuerySchema).returns<EquitySamples>(),
  /** Positions closed by the exchange, newest first, at most 1,000. */
  'archive.systemCloses': call(byConnection).returns<readonly SystemClose[]>(),
  /** Determines whether profits are before fees; statistics, sums and tax files apply it. */
  'archive.profit': call(profitQuerySchema).returns<ProfitFinding>(),
  'stats.daily': call(statsQuerySchema).returns<StatsDaily>(),
  'stats.summary': call(statsQuerySchema).returns<StatsSummary>(),
} as const;
