/** The archive's health, the account's worth over time, statistics: their part of the bridge's table. */
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

export const RECORD_CALLS = {
  'archive.coverage': call(byConnection).answers<Coverage>(),
  'archive.quarantine': call(byConnection).answers<readonly QuarantinedRecord[]>(),
  /** Reads the whole archive, beside everything else; null when it was cancelled. */
  'archive.check': call(byConnection).answers<ArchiveCheck | null>(),
  /** Asks for a path by the save dialog; null when the dialog or the backup was cancelled. */
  'archive.backup': call(byConnection).answers<ArchiveBackup | null>(),
  /**
   * Asks for a backup by the open dialog and puts it in the archive's place, which is kept beside it; null when the
   * dialog or the copying was cancelled. A backup of another connection becomes this one's.
   */
  'archive.restore': call(byConnection).answers<ArchiveRestored | null>(),
  /** The check, backup or restore under way. */
  'archive.working': call(byConnection).answers<ArchiveWork | null>(),
  /** Answered when nothing of it is running any more. */
  'archive.cancelWork': call(byConnection).answers<null>(),
  'archive.showFile': call(byConnection).answers<null>(),
  'equity.samples': call(equityQuerySchema).answers<EquitySamples>(),
  /** Positions the exchange itself closed, newest first, 1,000 at most. */
  'archive.systemCloses': call(byConnection).answers<readonly SystemClose[]>(),
  'stats.daily': call(statsQuerySchema).answers<StatsDaily>(),
  'stats.summary': call(statsQuerySchema).answers<StatsSummary>(),
} as const;
