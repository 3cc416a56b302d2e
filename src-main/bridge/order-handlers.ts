/** Handles the order calls. */
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import type { ORDER_CALLS } from '../../src-shared/ipc/calls-orders.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { OrderService } from '../orders/order-service.ts';
import { withOpen, type OpenSession } from './open-only.ts';

export function orderHandlers(
  orders: OrderService,
  session: OpenSession,
): Pick<Handlers, keyof typeof ORDER_CALLS> {
  return {
    'orders.review': (input) => Promise.resolve(orders.review(input)),
    async 'orders.send'(input) {
      const sent = await orders.send(input.token, input.release);
      session.current()?.touched();
      return sent;
    },
    'orders.discard'(input) {
      orders.discard(input.token);
      return Promise.resolve(done(null));
    },
    'orders.reviewBatch': (input) => orders.reviewBatch(input),
    'orders.sendBatch': (input) => orders.sendBatch(input.token, input.release),
    'orders.stopBatch': (input) => Promise.resolve(orders.stopBatch(input.batchId)),
    'orders.batches': (input) => Promise.resolve(done(orders.batches(input.connectionId))),
    'orders.closeUnknown': (input) => orders.dismiss(input.intentId, input.typed),
    'orders.claim': (input) => orders.match(input.intentId, input.orderId, input.typed),
    'orders.disown': (input) => orders.unmatch(input.intentId, input.typed),
    'orders.checkNow': (input) =>
      withOpen(session, input.connectionId, (open) => {
        open.reconciler.reconcile(input.symbolId);
        return Promise.resolve(done(null));
      }),
    'journal.damage': (input) => Promise.resolve(done(orders.damage(input.connectionId))),
    'journal.acknowledge': (input) => orders.acknowledge(input.damageId, input.typed),
    'journal.list': (input) => Promise.resolve(done(orders.list(input.connectionId))),
  };
}
