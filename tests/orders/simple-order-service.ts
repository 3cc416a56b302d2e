/** Order services for tests: unlocked, on connections on which nothing keeps an order from being sent. */
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import { assertBody, encodeOrder } from '../../src-main/exchange/order-body.ts';
import { practiceSettings } from '../../src-main/session/stored.ts';
import { OrderService } from '../../src-main/orders/order-service.ts';
import type { OrderConnection, OrderPorts } from '../../src-main/orders/send/ports.ts';
import type { OrderReview } from '../../src-shared/ipc/orders.ts';
import { dataOf } from '../shared/data-of.ts';
import type { Journal } from '../../src-main/orders/journal/journal.ts';

export const PRACTICE: ConnectionSummary = {
  id: 'practice',
  kind: 'practice',
  settings: practiceSettings('http://127.0.0.1:1', 'key'),
  secret: 'memory',
  verified: true,
  createdAt: 0,
};

/** An open connection on which nothing keeps an order from being sent. */
export const openConnection = (
  own: Pick<OrderConnection, 'send'> & Partial<OrderConnection>,
): OrderConnection => ({
  summary: PRACTICE,
  knownOrderIds: () => [],
  clockOffsetMs: () => 0,
  position: () => null,
  mayHold: () => true,
  account: () => ({ address: 'test', key: '', uid: null }),
  pauseFailure: () => null,
  orderFailure: () => null,
  ...own,
});

/** An order service that nobody watches, unless a test says otherwise. */
export const orderServiceOf = (
  given: Pick<OrderPorts, 'journal' | 'connection' | 'clock' | 'newId'> & Partial<OrderPorts>,
): OrderService =>
  new OrderService({
    lockFailure: () => null,
    encode: encodeOrder,
    assertBody,
    changed: () => undefined,
    batchChanged: () => undefined,
    ...given,
  });

/** One on a practice connection without data; the test handles the sent bytes. */
export function simpleOrderService(
  journal: Journal,
  send: OrderConnection['send'],
  newId: () => string,
): OrderService {
  const connection = openConnection({ send });
  return orderServiceOf({
    journal,
    connection: () => connection,
    clock: { now: () => 1_000, mono: () => 1_000 },
    newId,
  });
}

/** Reviews a market order, as the window does before it is sent. */
export const reviewMarket = (orders: OrderService): OrderReview =>
  dataOf(
    orders.review({
      connectionId: PRACTICE.id,
      kind: 'order',
      reference: null,
      request: { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '0.850' },
    }),
  );
