/** What each call of the contract does: a line or two that hands it to the room that knows. */
import type { Handlers, SessionState } from '../../src-shared/contract/calls.ts';
import { denied, done, failed, type Result } from '../../src-shared/contract/failures.ts';
import type { PracticeChange, PracticeState } from '../../src-shared/contract/practice.ts';
import type { Settings } from '../../src-shared/contract/settings.ts';
import { MAX_RESULTS } from '../../src-shared/interface/endpoints.ts';
import {
  secretFault,
  type ConnectionSettings,
  type SecretInput,
  type TestStep,
} from '../../src-shared/contract/connections.ts';
import type { SigningPreview } from '../../src-shared/contract/signing.ts';
import type { Desk } from '../orders/desk.ts';
import type { LiveConnection, TradeHistory } from '../session/open-connection.ts';
import type { Session } from '../session/session-types.ts';
import type { Exports } from './exports.ts';

export interface HandlerPorts {
  readonly session: Session<LiveConnection>;
  readonly settings: { get(): Settings; set(next: Settings): Promise<void> };
  readonly desk: Desk;
  readonly exports: Exports;
  readonly testDraft: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly previewSigning: (input: Parameters<Handlers['signing.preview']>[0]) => Result<SigningPreview>;
  readonly practice: {
    state(): Promise<Result<PracticeState>>;
    change(change: PracticeChange): Promise<Result<PracticeState>>;
  };
  readonly copy: (text: string) => void;
  readonly openPage: (url: string) => Promise<void>;
}

const notOpen = () =>
  failed(denied('This connection is not open.', 'Choose it in the top bar first.', 'connectionId'));

export function createHandlers(ports: HandlerPorts): Handlers {
  const { session, settings, desk, exports } = ports;

  /** Runs `use` on the connection if it is the open one; the window may still ask for the one it just left. */
  async function withOpen<T>(
    id: string,
    use: (open: LiveConnection) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const open = session.current();
    return open?.id === id ? use(open) : notOpen();
  }
  /** The same for its archive, which may have failed to open while the connection works. */
  const withArchive = <T>(
    id: string,
    use: (history: TradeHistory) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    withOpen(id, ({ history }) => (history.ok ? use(history.data) : Promise.resolve(history)));
  const state = (): Promise<Result<SessionState>> => Promise.resolve(done(session.state()));

  return {
    'session.get': state,
    'settings.get': () => Promise.resolve(done(settings.get())),
    async 'settings.set'(next) {
      await settings.set(next);
      return done(settings.get());
    },

    'connections.add': (input) => session.add(input.settings, input.secret),
    'connections.update': (input) => session.update(input.connectionId, input.settings),
    'connections.remove': (input) => session.remove(input.connectionId),
    'connections.select': (input) => session.select(input.connectionId),
    'connections.setSecret': (input) => session.setSecret(input.connectionId, input.secret),
    'connections.forgetSecret': (input) => session.forgetSecret(input.connectionId),
    'connections.test': (input) => session.test(input.connectionId),
    async 'connections.testDraft'(input) {
      // What could not be kept is not signed with either.
      const fault = secretFault(input.secret);
      if (fault !== null) return failed(denied(fault.message, fault.next, 'secret'));
      return done(await ports.testDraft(input.settings, input.secret));
    },
    'signing.preview': (input) => Promise.resolve(ports.previewSigning(input)),

    'trading.setLock': (input) => Promise.resolve(done(session.setLock(input.locked))),
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
    'orders.closeUnknown': (input) => desk.closeUnknown(input.intentId, input.typed),
    'orders.claim': (input) => desk.claim(input.intentId, input.orderId, input.typed),
    'orders.checkNow': (input) =>
      withOpen(input.connectionId, (open) => {
        open.findingOut.look(input.symbolId);
        return Promise.resolve(done(null));
      }),
    'journal.list': (input) => Promise.resolve(done(desk.list(input.connectionId))),

    'feeds.get': () => {
      const open = session.current();
      return Promise.resolve(open === null ? notOpen() : done(open.snapshot()));
    },
    'feeds.refresh'(input) {
      session.current()?.retry(input.name);
      return Promise.resolve(done(null));
    },
    'history.query': (input) =>
      withOpen(input.connectionId, async ({ client }) => {
        const rows = await client.orderHistory({
          ...(input.symbolId === null ? {} : { symbolId: input.symbolId }),
          ...(input.orderId === null ? {} : { orderId: input.orderId }),
          ...(input.startTime === null ? {} : { startTime: input.startTime }),
          ...(input.endTime === null ? {} : { endTime: input.endTime }),
        });
        return rows.ok ? done({ rows: rows.data, truncated: rows.data.length >= MAX_RESULTS }) : rows;
      }),

    'trades.page': (input) =>
      withArchive(input.connectionId, ({ archive }) => archive.page(input.filter, input.offset, input.limit)),
    'trades.totals': (input) =>
      withArchive(input.connectionId, ({ archive }) => archive.totals(input.filter)),
    'trades.symbols': (input) => withArchive(input.connectionId, ({ archive }) => archive.symbols()),
    'trades.syncStatus': (input) =>
      withArchive(input.connectionId, ({ sync }) => Promise.resolve(done(sync.status()))),
    'trades.sync': (input) =>
      withArchive(input.connectionId, ({ sync }) => {
        if (input.action === 'start') sync.start();
        else sync.pause();
        return Promise.resolve(done(sync.status()));
      }),
    'trades.export': (input) =>
      withArchive(input.connectionId, ({ archive }) => exports.start(archive, input)),
    'trades.exportPreview': (input) =>
      withArchive(input.connectionId, ({ archive }) => archive.exportPreview(input)),
    'trades.cancelExport'(input) {
      exports.cancel(input.id);
      return Promise.resolve(done(null));
    },

    'practice.state': () => ports.practice.state(),
    'practice.change': (input) => ports.practice.change(input),

    'files.show': (input) => Promise.resolve(exports.show(input.id)),
    'clipboard.write'(input) {
      ports.copy(input.text);
      return Promise.resolve(done(null));
    },
    async 'page.open'(input) {
      const url = session.summary(input.connectionId)?.settings.pageUrl ?? null;
      if (url === null)
        return failed(
          denied('This connection has no page.', 'Set the exchange’s page in its settings.', 'pageUrl'),
        );
      await ports.openPage(url);
      return done(null);
    },
  };
}
