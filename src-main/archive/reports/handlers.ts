/** The worker's side of `record-protocol.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import { recogniseUser } from '../sqlite/account.ts';
import type { DaySums } from '../trades/daily-totals-cache.ts';
import { createEquityBook } from './equity.ts';
import { createHealth } from './info.ts';
import { createOrderWriter } from '../orders/writer.ts';
import type { RecordRequests } from './protocol.ts';
import { createStatsReader } from './stats.ts';
import type { StringTable } from '../sqlite/string-table.ts';

type RecordMethods = {
  readonly [M in keyof RecordRequests]: (input: RecordRequests[M]['input']) => RecordRequests[M]['answer'];
};

/** `days`: the sums of trades that the worker keeps; else they are read for the statistics alone. */
export function recordMethods(
  db: DatabaseSync,
  strings: StringTable,
  file: string,
  days?: DaySums,
): RecordMethods {
  const orders = createOrderWriter(db, strings);
  const equity = createEquityBook(db, strings);
  const stats = createStatsReader(db, strings, days);
  const health = createHealth(db, strings, file);
  return {
    insertOrders: ({ rows, checkpoint, gaps, receivedAt }) =>
      orders.insert(rows, checkpoint, gaps, receivedAt),
    recogniseUser: ({ uid }) => recogniseUser(db, uid),
    orderState: () => orders.state(),
    nonFinalOrders: ({ after, limit }) => orders.unsettled(after, limit),
    orderGaps: () => orders.gaps(),
    quarantine: () => health.quarantine(),
    figures: () => ({ path: file, bytes: health.bytes(), samples: equity.count() }),
    lastSample: () => equity.last(),
    addSample: ({ sample, changes, state }) => equity.add(sample, changes, state),
    judgeMoves: ({ provenTo }) => equity.judge(provenTo),
    samples: (query) => equity.samples(query),
    systemCloses: () => orders.systemCloses(),
    statsDaily: (range) => stats.daily(range),
    statsSummary: (range) => stats.summary(range),
  };
}
