/** Implements the IPC calls by delegating each to its module. */
import type { Handlers, SessionState } from '../../src-shared/ipc/calls.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import type { PracticeChange, PracticeHabit, PracticeState } from '../../src-shared/ipc/practice.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import {
  secretFault,
  type ConnectionSettings,
  type SecretInput,
  type TestStep,
} from '../../src-shared/ipc/connections.ts';
import type { LastAccount } from '../../src-shared/ipc/feeds.ts';
import type { SigningPreview } from '../../src-shared/ipc/signing.ts';
import type { Alerts } from '../alerts/alerts.ts';
import type { Backups } from '../backup/backups.ts';
import type { ScheduledExports } from '../export/scheduled-exports.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import type { DayLimits } from '../orders/day/day-limits.ts';
import type { OrderService } from '../orders/order-service.ts';
import { notOpen } from '../session/failures.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { alertHandlers } from './alert-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import { dataHandlers, type DataPorts } from './data-handlers.ts';
import { appHandlers, type AppPorts } from './app-handlers.ts';
import { archiveHandlers } from './archive-handlers.ts';
import { exportScheduleHandlers } from './export-schedule-handlers.ts';
import type { Exports } from './exports.ts';
import { withArchive } from './open-only.ts';
import { orderHandlers } from './order-handlers.ts';
import { recordHandlers, type RecordPorts } from './record-handlers.ts';
import { saveFile, type SavePorts } from './saved-files.ts';

export interface HandlerPorts {
  readonly session: Session<LiveConnection>;
  readonly settings: { get(): Settings; set(next: Settings): Promise<void> };
  readonly orders: OrderService;
  readonly dayLimits: DayLimits;
  readonly journal: Journal;
  readonly exports: Exports;
  readonly alerts: Alerts;
  readonly lastAccount: () => Promise<LastAccount | null>;
  readonly webhooks: Webhooks;
  readonly portfolio: Portfolio;
  readonly records: RecordPorts;
  readonly app: AppPorts;
  readonly data: DataPorts;
  readonly backups: Backups;
  readonly scheduled: ScheduledExports;
  readonly saving: SavePorts;
  readonly testDraft: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly previewSigning: (input: Parameters<Handlers['signing.preview']>[0]) => Result<SigningPreview>;
  readonly practice: {
    state(): Promise<Result<PracticeState>>;
    habits(): Promise<Result<readonly PracticeHabit[]>>;
    change(change: PracticeChange): Promise<Result<PracticeState>>;
  };
  /** Copies to the clipboard. Rejects if it cannot be written. */
  readonly copy: (text: string) => Promise<void>;
  readonly openPage: (url: string) => Promise<void>;
}

export function createHandlers(ports: HandlerPorts): Handlers {
  const { session, settings, orders, exports } = ports;

  const state = (): Promise<Result<SessionState>> => Promise.resolve(done(session.state()));

  return {
    'session.get': state,
    'settings.get': () => Promise.resolve(done(settings.get())),
    async 'settings.set'(next) {
      await settings.set(next);
      return done(settings.get());
    },

    ...connectionHandlers(ports),

    'trading.setLock': (input) => session.setLock(input.lock),
    ...orderHandlers(orders, ports.journal, session),
    ...dayHandlers(ports),

    'feeds.get': () => {
      const open = session.current();
      return Promise.resolve(open === null ? notOpen() : done(open.snapshot()));
    },
    'feeds.last': async () => done(await ports.lastAccount()),
    async 'feeds.refresh'(input) {
      // The keychain may have been unlocked meanwhile.
      if (session.lacksSecret()) await session.reopen();
      else session.current()?.retry(input.name);
      return done(null);
    },
    ...archiveHandlers(session, exports),
    ...recordHandlers(session, ports.records),
    ...appHandlers(session, ports.app),
    ...dataHandlers(session, ports.webhooks, ports.data),
    ...backupHandlers(ports.backups),
    ...exportScheduleHandlers(ports.scheduled),

    ...alertHandlers(ports.alerts, ports.webhooks),
    ...portfolioHandlers(ports),

    'practice.state': () => ports.practice.state(),
    'practice.habits': () => ports.practice.habits(),
    'practice.change': (input) => ports.practice.change(input),

    'files.save': (input) => saveFile(input, ports.saving),
    'files.show': (input) => Promise.resolve(exports.show(input.id)),
    'clipboard.write': (input) => copyText(input.text, ports.copy),
    'page.open': (input) => openExchangePage(input.connectionId, ports),
  };
}

const connectionHandlers = ({ session, testDraft, previewSigning }: HandlerPorts) =>
  ({
    'connections.add': (input) => session.add(input.settings, input.secret),
    'connections.update': (input) => session.update(input.connectionId, input.settings),
    'connections.select': (input) => session.select(input.connectionId),
    'connections.setSecret': (input) => session.setSecret(input.connectionId, input.secret),
    'connections.forgetSecret': (input) => session.forgetSecret(input.connectionId),
    'connections.test': (input) => session.test(input.connectionId),
    async 'connections.testDraft'(input) {
      // A secret that cannot be stored is not used for signing either.
      const fault = secretFault(input.secret);
      if (fault !== null) return blocked(fault.message, fault.next, 'secret');
      return done(await testDraft(input.settings, input.secret));
    },
    'signing.preview': (input) => Promise.resolve(previewSigning(input)),
  }) satisfies Partial<Handlers>;

const dayHandlers = ({ session, dayLimits }: HandlerPorts) =>
  ({
    'day.get': ({ connectionId }) => Promise.resolve(done(dayLimits.state(connectionId))),
    async 'day.set'({ connectionId, limits, typed }) {
      if (session.summary(connectionId) === null) return notOpen();
      return dayLimits.set(connectionId, limits, typed);
    },
    async 'day.lift'({ connectionId, typed }) {
      if (session.summary(connectionId) === null) return notOpen();
      return dayLimits.lift(connectionId, typed);
    },
  }) satisfies Partial<Handlers>;

/** Most points of one account's line: about one per pixel. */
const COMPARED_POINTS = 600;

const portfolioHandlers = ({ session, portfolio }: HandlerPorts) =>
  ({
    'portfolio.get': () => Promise.resolve(done(portfolio.state())),
    'portfolio.include': (input) => session.setPortfolio(input.connectionId, input.included),
    async 'portfolio.retry'(input) {
      await portfolio.retry(input.connectionId);
      return done(null);
    },
    async 'portfolio.equity'({ connectionId, from }) {
      const query = { from, to: null, coin: null, points: COMPARED_POINTS };
      const beside = await portfolio.samples(connectionId, query);
      return beside ?? withArchive(session, connectionId, ({ archive }) => archive.samples(query));
    },
  }) satisfies Partial<Handlers>;

async function copyText(text: string, copy: HandlerPorts['copy']): Promise<Result<null>> {
  try {
    await copy(text);
    return done(null);
  } catch {
    return blocked(
      'Copying to the clipboard failed.',
      'Another program may be using it. Copy again.',
      'text',
    );
  }
}

async function openExchangePage(
  connectionId: string,
  { session, openPage }: HandlerPorts,
): Promise<Result<null>> {
  const url = session.summary(connectionId)?.settings.pageUrl ?? null;
  if (url === null)
    return blocked(
      'This connection has no exchange website.',
      'Set it in the connection’s settings.',
      'pageUrl',
    );
  await openPage(url);
  return done(null);
}
