/** The progress of the sync as text and percent. */
import type { SyncStatus } from '../../../src-shared/ipc/trades.ts';
import { counted, countText } from '../../text/number-text.ts';

const STATE_TITLES: Readonly<Record<SyncStatus['state'], string>> = {
  idle: 'Not synced',
  running: 'Syncing',
  paused: 'Paused',
  complete: 'Complete',
  failed: 'Sync failed',
};

/** `Complete except 2 unreadable records`: the exchange lists them, but they cannot be read. */
export function stateText({ state, unreadable }: Pick<SyncStatus, 'state' | 'unreadable'>): string {
  if (state !== 'complete' || unreadable === 0) return STATE_TITLES[state];
  return `Complete except ${counted(unreadable, 'unreadable record')}`;
}

/** Whether every trade the exchange lists is stored. */
export const isWhole = (status: Pick<SyncStatus, 'state' | 'unreadable'> | null): boolean =>
  status?.state === 'complete' && status.unreadable === 0;

/** Returns the remaining time in words: `about 2 s left`. */
export function timeLeftText(leftMs: number): string {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`;
}

/** `1,240 a second · about 3 min left`; '' until there is a rate. */
export function throughputText({ rate, leftMs }: Pick<SyncStatus, 'rate' | 'leftMs'>): string {
  if (rate === null) return '';
  const throughput = `${countText(Math.max(1, Math.round(rate)))} per second`;
  return leftMs === null || leftMs === 0 ? throughput : `${throughput} · ${timeLeftText(leftMs)}`;
}

/** Describes the progress of the order history, shown beside the trades'. */
export function orderText({ orders }: Pick<SyncStatus, 'orders'>): string {
  const count = counted(orders.stored, 'order');
  switch (orders.state) {
    case 'running':
      return orders.percent === null
        ? `${count}, reading`
        : `${count}, ${Math.floor(orders.percent)}% of the period read`;
    case 'paused':
      return `${count}, paused`;
    case 'failed':
      return `${count}, stopped`;
    case 'complete':
      return `${count}, complete`;
    case 'idle':
      return count;
  }
}

/** Names what is incomplete and shown in Settings; null if nothing is. */
export function faultText(status: Pick<SyncStatus, 'quarantined' | 'orders'>): string | null {
  const quarantined = status.quarantined + status.orders.quarantined;
  const { gaps } = status.orders;
  const parts = [
    ...(gaps === 0 ? [] : [counted(gaps, 'gap')]),
    ...(quarantined === 0 ? [] : [`${countText(quarantined)} quarantined`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** Returns the action offered for both histories together. */
export function offeredOf({
  state,
  orders,
}: Pick<SyncStatus, 'state' | 'orders'>): 'pause' | 'resume' | 'retry' | 'start' | 'again' {
  const either = (one: SyncStatus['state']): boolean => state === one || orders.state === one;
  if (either('running')) return 'pause';
  if (either('failed')) return 'retry';
  if (either('paused')) return 'resume';
  return state === 'complete' ? 'again' : 'start';
}
