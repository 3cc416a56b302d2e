/** Handles the order calls. */
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import type { ORDER_CALLS } from '../../src-shared/ipc/calls-orders.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { OrderService } from '../orders/order-service.ts';
import { withOpen, type OpenSession } from './open-only.ts';

export function orderHandlers(
  orders: OrderService,
  journal: Journal,
  session: OpenSession,
): Pick<Handlers, keyof typeof ORDER_CALLS> {
  const { batches, decisions } = orders;
  return {
    'orders.review': (input) => Promise.resolve(orders.review(input)),
    async 'orders.send'(input) {
      const sent = await orders.send(input.token, input.release);
      session.current()?.refresh();
      return sent;
    },
    'orders.discard'(input) {
      orders.discard(input.token);
      return Promise.resolve(done(null));
    },
    'orders.reviewBatch': (input) => batches.review(input),
    'orders.sendBatch': (input) => batches.send(input.token, input.release),
    'orders.stopBatch': (input) => Promise.resolve(batches.stop(input.batchId)),
    'orders.batches': (input) => Promise.resolve(done(batches.list(input.connectionId))),
    'orders.dismiss': (input) => decisions.dismiss(input.intentId, input.typed),
    'orders.match': (input) => decisions.match(input.intentId, input.orderId, input.typed),
    'orders.undoMatch': (input) => decisions.unmatch(input.intentId, input.typed),
    'orders.checkNow': (input) =>
      withOpen(session, input.connectionId, (open) => {
        open.reconciler.reconcile(input.symbolId);
        return Promise.resolve(done(null));
      }),
    'journal.damage': (input) => Promise.resolve(done(journal.damage(input.connectionId))),
    'journal.acknowledge': (input) => decisions.acknowledge(input.damageId, input.typed),
    'journal.list': (input) => Promise.resolve(done(journal.list(input.connectionId))),
  };
}
