/** Names what a verified history lacks, or has twice, as the window shows it beside the history. */
import { counted } from '../../src-shared/domain/display/counted.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';

export function flawsOf({ unreadable, quarantined, orders }: SyncStatus): readonly string[] {
  const again = quarantined + orders.quarantined;
  return [
    ...(unreadable > 0 ? [`${counted(unreadable, 'trade')} without a readable identity: in no file.`] : []),
    ...(orders.gaps > 0
      ? [`${counted(orders.gaps, 'gap')} in the order history: orders of that time may be missing.`]
      : []),
    ...(again > 0
      ? [`${counted(again, 'record')} sent again with different content: the first version is kept.`]
      : []),
  ];
}
