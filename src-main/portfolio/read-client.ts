/** A client that can only read: neither its type nor the object has a way to send. */
import type { ExchangeClient } from '../exchange/client.ts';

export type ReadClient = Pick<
  ExchangeClient,
  'account' | 'openOrders' | 'orderHistory' | 'symbolConfig' | 'clockOffsetMs' | 'close'
>;

/** Returns the reading part of a client, as a new object. */
export const readsOf = (client: ReadClient): ReadClient => ({
  account: () => client.account(),
  openOrders: (query) => client.openOrders(query),
  orderHistory: (query) => client.orderHistory(query),
  symbolConfig: () => client.symbolConfig(),
  clockOffsetMs: () => client.clockOffsetMs(),
  close: (because) => client.close(because),
});
