/** How far the sync is, in words and percent. */
import type { SyncStatus } from '../../../src-shared/contract/trades.ts';

export const STATE_TITLES: Readonly<Record<SyncStatus['state'], string>> = {
  idle: 'Not synced',
  running: 'Syncing',
  paused: 'Paused',
  complete: 'Complete',
  failed: 'Sync failed',
};

/** Stored ÷ counted in percent, cut (never rounded up to a 100 that is not there); null before the exchange counted. */
export function syncShare(status: Pick<SyncStatus, 'stored' | 'total'>): number | null {
  if (status.total === null || status.total === 0) return null;
  return Math.floor(Math.min(1, status.stored / status.total) * 1000) / 10;
}
