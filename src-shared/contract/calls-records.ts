/** The archive's health, the account's worth over time, statistics: their part of the bridge's table. */
import {
  equityQuerySchema,
  statsQuerySchema,
  type ArchiveBackup,
  type ArchiveCheck,
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
  /** Reads the whole archive; nothing else of it is answered meanwhile. */
  'archive.check': call(byConnection).answers<ArchiveCheck>(),
  /** Asks for a path by the save dialog; null when the dialog was cancelled. */
  'archive.backup': call(byConnection).answers<ArchiveBackup | null>(),
  'archive.showFile': call(byConnection).answers<null>(),
  'equity.samples': call(equityQuerySchema).answers<EquitySamples>(),
  'stats.daily': call(statsQuerySchema).answers<StatsDaily>(),
  'stats.summary': call(statsQuerySchema).answers<StatsSummary>(),
} as const;
