import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import { countText, donePercent, plainNumber } from '../text/number-text.ts';

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
  const percent = donePercent(stored, total);
  return percent === null ? `${count} · syncing` : `${plainNumber(percent.toFixed(1))}% synced`;
}
