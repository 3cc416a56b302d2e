/** The worker's handlers of `protocol.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import { bindUser } from '../sqlite/account.ts';
import type { DailyTotalsCache } from '../trades/daily-totals-cache.ts';
import { createEquityStore } from './equity.ts';
import { createArchiveInfo } from './info.ts';
import { createOrderWriter } from '../orders/writer.ts';
import type { RecordRequests } from './protocol.ts';
import { createStatsReader } from './stats.ts';
import type { StringTable } from '../sqlite/string-table.ts';

type RecordMethods = {
  readonly [M in keyof RecordRequests]: (input: RecordRequests[M]['input']) => RecordRequests[M]['answer'];
};

/** `days`: the worker's daily totals; without them the statistics read their own. */
export function recordMethods(
  db: DatabaseSync,
  strings: StringTable,
  file: string,
  days?: DailyTotalsCache,
): RecordMethods {
  const orders = createOrderWriter(db, strings);
  const equity = createEquityStore(db, strings);
  const stats = createStatsReader(db, strings, days);
  const info = createArchiveInfo(db, strings, file);
  return {
    insertOrders: ({ rows, checkpoint, gaps, receivedAt }) =>
      orders.insert(rows, checkpoint, gaps, receivedAt),
    bindUser: ({ uid }) => bindUser(db, uid),
    orderState: () => orders.state(),
    nonFinalOrders: ({ after, limit }) => orders.nonFinal(after, limit),
    orderGaps: () => orders.gaps(),
    quarantine: () => info.quarantine(),
    figures: () => ({ path: file, bytes: info.bytes(), samples: equity.count() }),
    lastSample: () => equity.lastState(),
    addSample: ({ sample, changes, state }) => equity.add(sample, changes, state),
    classifyMoves: ({ verifiedTo }) => equity.classifyMoves(verifiedTo),
    samples: (query) => equity.samples(query),
    systemCloses: () => orders.systemCloses(),
    statsDaily: (range) => stats.daily(range),
    statsSummary: (range) => stats.summary(range),
  };
}
