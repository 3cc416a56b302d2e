/** Limits each resource to one read in flight (docs/safety.md, "Reading and storing"). Orders never wait. */
import type {
  OpenOrdersQuery,
  OrderHistoryQuery,
  TradesQuery,
} from '../../src-shared/exchange-api/endpoints.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { ExchangeClient } from './client.ts';

/** Returns the same client with the reads of each resource in sequence, in call order. */
export function serializeReads(client: ExchangeClient): ExchangeClient {
  const serialized = <I extends readonly unknown[], A>(read: (...input: I) => Promise<A>) => {
    const queue = new SerialQueue();
    return (...input: I): Promise<A> => queue.run(() => read(...input));
  };
  return {
    ...client,
    account: serialized(() => client.account()),
    openOrders: serialized((query?: OpenOrdersQuery) => client.openOrders(query)),
    orderHistory: serialized((query?: OrderHistoryQuery) => client.orderHistory(query)),
    symbolConfig: serialized(() => client.symbolConfig()),
    trades: serialized((query?: TradesQuery) => client.trades(query)),
  };
}
