/** A client that can read an account and has no way to send, by its type and at run time. */
import type { ExchangeClient } from '../exchange/client.ts';

export type ReadClient = Pick<
  ExchangeClient,
  'account' | 'openOrders' | 'orderHistory' | 'clockOffsetMs' | 'close'
>;

/** Returns the reads of a client. */
export const readsOf = (client: ExchangeClient): ReadClient => ({
  account: () => client.account(),
  openOrders: (query) => client.openOrders(query),
  orderHistory: (query) => client.orderHistory(query),
  clockOffsetMs: () => client.clockOffsetMs(),
  close: (because) => client.close(because),
});
