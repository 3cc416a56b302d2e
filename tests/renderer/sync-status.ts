import type { SyncStatus } from '../../src-shared/ipc/trades.ts';

/** A sync of trades under way. */
export const SYNC_STATUS: SyncStatus = {
  ...{ connectionId: 'live-1', state: 'running', stored: 4, total: 48, oldest: null, newest: null },
  ...{ completedAt: null, quarantined: 0, unreadable: 0, pageSize: 500, rate: null, leftMs: null },
  failure: null,
  orders: {
    ...{ state: 'complete', stored: 0, unsettled: 0, quarantined: 0, gaps: 0, percent: null },
    ...{ completedAt: null, failure: null },
  },
};
