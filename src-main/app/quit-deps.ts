/** Implements quitting: what would be left open, and the shutdown order. */
import type { BrowserWindow } from 'electron';
import type { Exports } from '../bridge/exports.ts';
import type { Notices } from '../bridge/notices.ts';
import { TIMEOUTS } from '../exchange/transport.ts';
import type { OrderService } from '../orders/order-service.ts';
import type { InFlight } from '../orders/send/in-flight.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { LiveConnection } from '../session/open-connection.ts';
import type { Session } from '../session/session.ts';
import { askUser } from './message-box.ts';
import type { QuitPorts } from './quitting.ts';

interface Deps {
  readonly session: Session<LiveConnection>;
  readonly orders: OrderService;
  readonly journal: Journal;
  readonly inFlight: InFlight;
  readonly exports: Exports;
  readonly notices: Notices;
  readonly window: () => BrowserWindow | null;
  /** Stops what uses the connection before it is closed. */
  readonly before: () => Promise<void>;
  /** Stops waiting for the keychain, whose password prompt can last two minutes. */
  readonly stopKeychain: () => void;
  readonly after: () => Promise<void>;
}

const QUESTION = {
  type: 'warning',
  message: 'Quit Ballast now?',
  buttons: ['Keep it open', 'Quit'],
  safeButton: 0,
} as const;
/** The order request's own timeout, plus time to record the outcome. */
const ANSWER_WITHIN_MS = TIMEOUTS.order + 5_000;

export function quitDeps(app: Deps): QuitPorts {
  const { session, orders, journal } = app;
  const unknown = (): number => journal.unresolved().filter((one) => one.state === 'unknown').length;
  const running = () =>
    session
      .ids()
      .flatMap((id) => orders.batches.list(id))
      .map((one) => one.progress)
      .filter((one) => one.state === 'sending');

  return {
    leftOpen: () => ({
      unknown: unknown(),
      sending: journal.interrupted().length,
      batches: running().length,
      closing: running().some((one) => one.closing === true),
      exports: app.exports.running(),
    }),
    ask: async (detail) => (await askUser(app.window(), { ...QUESTION, detail })) === 1,
    async drain() {
      await app.before();
      for (const batch of running()) orders.batches.stop(batch.id);
      if (journal.interrupted().length > 0)
        app.notices.show('Waiting for an order to complete, then Ballast quits.', 'This takes at most 15 s.');
      await app.inFlight.whenSettled(ANSWER_WITHIN_MS);
      app.stopKeychain();
      await session.stop();
      await app.after();
    },
  };
}
