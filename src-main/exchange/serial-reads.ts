/** At most one read of a resource in flight, whoever asks (docs/safety.md, "Reading and storing"). Orders never wait. */
import type {
  OpenOrdersQuery,
  OrderHistoryQuery,
  TradesQuery,
} from '../../src-shared/exchange-api/endpoints.ts';
import type { ExchangeClient } from './client.ts';

/** The same client; a read waits for the one of its resource that is on its way, in the order asked. */
export function oneAtATime(client: ExchangeClient): ExchangeClient {
  const lane = <I extends readonly unknown[], A>(read: (...input: I) => Promise<A>) => {
    let last: Promise<unknown> = Promise.resolve();
    return (...input: I): Promise<A> => {
      const next = last.then(() => read(...input));
      last = next.catch(() => undefined); // the caller has the failure
      return next;
    };
  };
  return {
    ...client,
    account: lane(() => client.account()),
    openOrders: lane((query?: OpenOrdersQuery) => client.openOrders(query)),
    orderHistory: lane((query?: OrderHistoryQuery) => client.orderHistory(query)),
    symbolConfig: lane(() => client.symbolConfig()),
    trades: lane((query?: TradesQuery) => client.trades(query)),
  };
}
