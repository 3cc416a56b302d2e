/** Returns the order service's view of the open connection, or null for any other: nothing is sent to it. */
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Feeds } from '../../src-shared/ipc/feeds.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { isHeld } from '../../src-shared/exchange-api/values.ts';
import type { DayUsage } from '../../src-shared/domain/instrument/trading-context.ts';
import { opposite } from '../../src-shared/exchange-api/enums.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { OrderConnection } from '../orders/send/ports.ts';
import { orderFailure } from '../orders/send/order-failure.ts';
import { type FeedSet, intervalFactorOf } from '../sync/feeds.ts';
import type { LiveConnection } from './live-connection.ts';
import type { Session } from './session.ts';

export function orderConnection(
  session: Session<LiveConnection>,
  id: string,
  settings: () => Settings,
  day: (connectionId: string) => DayUsage | null,
  clock: Clock,
): OrderConnection | null {
  const open = session.current();
  const summary = session.summary(id);
  if (open?.id !== id || summary === null) return null;
  return {
    summary,
    send: (endpoint, body, kind) => open.client.send(endpoint, body, kind),
    account: () => open.account(),
    knownOrderIds: (symbolId) => open.knownOrderIds(symbolId),
    clockOffsetMs: () => open.client.clockOffsetMs(),
    position: (symbolId) => open.position(symbolId),
    mayHold: (positionId, request) => mayHold(open.feeds.all().account, positionId, request),
    pauseFailure: () => open.pauseFailure(),
    orderFailure: (intent, ahead) =>
      orderFailure(
        intent,
        { summary, feeds: feedsOf(open, summary), settings: settings(), day: day(id), now: clock.now() },
        ahead,
      ),
  };
}

/**
 * Returns what an order is checked against: an account may be as old as the connection's own intervals allow, not as the
 * longer ones of a hidden window, where a batch goes on.
 */
function feedsOf({ feeds }: LiveConnection, { settings }: ConnectionSummary): ReturnType<FeedSet['all']> {
  const all = feeds.all();
  return { ...all, account: { ...all.account, intervalFactor: intervalFactorOf(settings) } };
}

/** A record that could not be read may be the position, and a reversed one is another. */
function mayHold(
  { value, unreadable }: Feeds['account'],
  positionId: string,
  { symbolId, side }: OrderRequest,
): boolean {
  if (value === null || unreadable?.some((one) => one.symbolId === symbolId) === true) return true;
  return value.positions.some(
    (one) =>
      isHeld(one) &&
      one.positionId === positionId &&
      one.symbolId === symbolId &&
      one.side === opposite(side),
  );
}
