/** Handles the order calls. */
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import type { ORDER_CALLS } from '../../src-shared/ipc/calls-orders.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { Desk } from '../orders/order-service.ts';
import { withOpen, type OpenSession } from './open-only.ts';

export function orderHandlers(desk: Desk, session: OpenSession): Pick<Handlers, keyof typeof ORDER_CALLS> {
  return {
    'orders.review': (input) => Promise.resolve(desk.review(input)),
    async 'orders.send'(input) {
      const sent = await desk.send(input.token, input.release);
      session.current()?.touched();
      return sent;
    },
    'orders.discard'(input) {
      desk.discard(input.token);
      return Promise.resolve(done(null));
    },
    'orders.reviewBatch': (input) => desk.reviewBatch(input),
    'orders.sendBatch': (input) => desk.sendBatch(input.token, input.release),
    'orders.stopBatch': (input) => Promise.resolve(desk.stopBatch(input.batchId)),
    'orders.batches': (input) => Promise.resolve(done(desk.batches(input.connectionId))),
    'orders.closeUnknown': (input) => desk.closeUnknown(input.intentId, input.typed),
    'orders.claim': (input) => desk.claim(input.intentId, input.orderId, input.typed),
    'orders.disown': (input) => desk.disown(input.intentId, input.typed),
    'orders.checkNow': (input) =>
      withOpen(session, input.connectionId, (open) => {
        open.findingOut.look(input.symbolId);
        return Promise.resolve(done(null));
      }),
    'journal.damage': (input) => Promise.resolve(done(desk.damage(input.connectionId))),
    'journal.acknowledge': (input) => desk.acknowledge(input.damageId, input.typed),
    'journal.list': (input) => Promise.resolve(done(desk.list(input.connectionId))),
  };
}
