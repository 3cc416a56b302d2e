/** The archive's health, the account's worth over time, statistics: their part of the bridge's table. */
import {
  equityQuerySchema,
  statsQuerySchema,
  type ArchiveBackup,
  type ArchiveCheck,
  type ArchiveWork,
  type Coverage,
  type EquitySamples,
  type QuarantinedRecord,
  type StatsDaily,
  type StatsSummary,
} from './archive.ts';
import { byConnection, call } from './call.ts';

export const RECORD_CALLS = {
  'archive.coverage': call(byConnection).answers<Coverage>(),
  'archive.quarantine': call(byConnection).answers<readonly QuarantinedRecord[]>(),
  /** Reads the whole archive, beside everything else; null when it was cancelled. */
  'archive.check': call(byConnection).answers<ArchiveCheck | null>(),
  /** Asks for a path by the save dialog; null when the dialog or the backup was cancelled. */
  'archive.backup': call(byConnection).answers<ArchiveBackup | null>(),
  /** The check or backup under way. */
  'archive.working': call(byConnection).answers<ArchiveWork | null>(),
  /** Answered when nothing of it is running any more. */
  'archive.cancelWork': call(byConnection).answers<null>(),
  'archive.showFile': call(byConnection).answers<null>(),
  'equity.samples': call(equityQuerySchema).answers<EquitySamples>(),
  'stats.daily': call(statsQuerySchema).answers<StatsDaily>(),
  'stats.summary': call(statsQuerySchema).answers<StatsSummary>(),
} as const;
