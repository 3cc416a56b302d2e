import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import { countText, plainNumber } from '../text/number-text.ts';

/** Returns the archive's state in two words; “complete” only if the sync is. */
export function syncText(status: SyncStatus | null): string {
  if (status === null) return '—';
  const { state, stored, total, unreadable } = status;
  const count = countText(stored);
  if (state === 'complete' && unreadable > 0) return `${count} · ${countText(unreadable)} unreadable`;
  if (state === 'complete') return `${count} · complete`;
  if (state === 'failed') return `${count} · sync failed`;
  if (state === 'paused') return `${count} · paused`;
  if (state === 'idle') return `${count} · not synced`;
  if (total === null || total === 0) return `${count} · syncing`;
  return `${plainNumber((Math.floor((stored / total) * 1000) / 10).toFixed(1))}% synced`;
}
