/** Everything that may refuse an order here; asked at review and again at every send. */
import { denied, type Failure } from '../../../src-shared/ipc/failures.ts';
import { mayConcern, type OrderIntent } from '../../../src-shared/ipc/orders.ts';
import { isOpenQuestion } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import type { DeskConnection, DeskPorts } from './ports.ts';
import { requestFault } from './request-validation.ts';

export const NOT_OPEN = denied(
  'This connection is not open.',
  'Open it under Settings › Connections, then review the order again.',
  'connection',
);
export const SPENT = denied(
  'This confirmation was already used or has expired.',
  'Review the order again.',
  'order',
);

/** Whatever the order: the lock, read-only, a connection never proven, a pause the exchange asked for. */
export function tradingRefusal(connection: DeskConnection, locked: boolean): Failure | null {
  const { summary } = connection;
  if (locked) return denied('Trading is locked.', 'Unlock trading in the top bar to send orders.', 'account');
  if (summary.settings.readOnly)
    return denied(
      `${summary.settings.name} is read-only.`,
      'Turn read-only off in the connection’s settings.',
      'account',
    );
  if (!summary.proven)
    return denied(
      'No signed read has succeeded on this connection yet.',
      'Run the connection test under Settings › Connections.',
      'account',
    );
  const pause = connection.paused();
  // Nothing of this order was asked of the exchange: it is Ballast that refuses.
  return pause === null ? null : { ...pause, kind: 'denied', field: 'account' };
}

/** This order: its shape, and the person's own limits. */
export const orderRefusal = (intent: OrderIntent, connection: DeskConnection): Failure | null =>
  requestFault(intent, connection.summary, connection.contractIds()) ?? connection.stop(intent);

/** What holds an order on `symbolId` and `side`: intents whose outcome is not known, and damage of the journal. */
export function holding(
  journal: DeskPorts['journal'],
  connectionId: string,
  symbolId: string,
  side: string,
): string[] {
  const intents = journal
    .list(connectionId)
    .filter((one) => one.symbolId === symbolId && one.side === side && isOpenQuestion(one.state));
  const damage = journal.damage(connectionId).filter((one) => mayConcern(one, symbolId, side));
  return [...intents, ...damage].map((one) => one.id);
}

/** Why an order is not sent while these hold it. */
export function heldFailure(
  journal: DeskPorts['journal'],
  ids: readonly string[],
  symbolId: string,
): Failure {
  return ids.some((id) => journal.get(id) !== null)
    ? denied(
        `The outcome of an earlier ${symbolId} order on this side is unknown.`,
        `Type ${symbolId} to send another one, or settle the earlier one under Activity.`,
        'order',
      )
    : denied(
        `A line of the order journal is damaged: an order for ${symbolId} may have been sent.`,
        `Type ${symbolId} to send another one, or acknowledge the damage under Activity.`,
        'order',
      );
}

/** One POST in flight per symbol of a connection; a batch has all its symbols until it has ended. */
export interface Lanes {
  /** Takes all of them, or none and names one that is taken. */
  take(connectionId: string, symbolIds: Iterable<string>): string | null;
  free(connectionId: string, symbolIds: Iterable<string>): void;
}

export function createLanes(): Lanes {
  const taken = new Set<string>();
  const lane = (connectionId: string, symbolId: string): string => `${connectionId} ${symbolId}`;
  return {
    take(connectionId, symbolIds) {
      const wanted = [...symbolIds];
      const busy = wanted.find((one) => taken.has(lane(connectionId, one)));
      if (busy !== undefined) return busy;
      for (const one of wanted) taken.add(lane(connectionId, one));
      return null;
    },
    free(connectionId, symbolIds) {
      for (const one of symbolIds) taken.delete(lane(connectionId, one));
    },
  };
}
