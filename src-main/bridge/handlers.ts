/** Implements the IPC calls by delegating each to its module. */
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Settings, SettingsPart } from '../../src-shared/ipc/settings.ts';
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
import type { PracticeExchange } from '../practice/exchange.ts';
import { notOpen } from '../session/failures.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { dataHandlers, type DataPorts } from './data-handlers.ts';
import { appHandlers, type AppPorts } from './app-handlers.ts';
import { archiveHandlers } from './archive-handlers.ts';
import type { Exports } from './exports.ts';
import { recordHandlers, type RecordPorts } from './record-handlers.ts';
import { ended, returned, withArchive, withOpen } from './results.ts';
import { saveFile, type SavedPath } from './saved-files.ts';

export interface HandlerPorts {
  readonly session: Session<LiveConnection>;
  readonly settings: { get(): Settings; set(part: SettingsPart): Promise<void> };
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
  readonly savedPath: SavedPath;
  readonly testDraft: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly previewSigning: (input: Parameters<Handlers['signing.preview']>[0]) => Result<SigningPreview>;
  readonly practice: PracticeExchange;
  /** Copies to the clipboard. Rejects if it cannot be written. */
  readonly copy: (text: string) => Promise<void>;
  readonly openPage: (url: string) => Promise<void>;
}

export function createHandlers(ports: HandlerPorts): Handlers {
  const { session, settings, exports, practice } = ports;
  return {
    'session.get': () => returned(session.state()),
    'settings.get': () => returned(settings.get()),
    async 'settings.set'(part) {
      await settings.set(part);
      return done(settings.get());
    },
    ...connectionHandlers(ports),
    'trading.setLock': (input) => session.setLock(input.lock),
    'trading.stayLocked': () => session.stayLocked(),
    ...orderHandlers(ports),
    ...dayHandlers(ports),

    'feeds.get': () => {
      const open = session.current();
      return Promise.resolve(open === null ? notOpen() : done(open.snapshot()));
    },
    'feeds.last': () => returned(ports.lastAccount()),
    // The keychain may have been unlocked meanwhile.
    'feeds.refresh': ({ name }) => {
      const open = session.current();
      return ended(open !== null && session.lacksSecret() ? session.reopen(open.id) : open?.retry(name));
    },
    ...archiveHandlers(session, exports),
    ...recordHandlers(session, ports.records),

    ...appHandlers(session, ports.app),
    ...dataHandlers(session, ports.webhooks, ports.data),
    ...backupHandlers(ports),
    ...alertHandlers(ports),
    ...portfolioHandlers(ports),
    'practice.state': () => practice.state(session),
    'practice.habits': () => practice.habits(),
    'practice.change': (input) => practice.change(session, input),

    'files.save': (input) => saveFile(input, ports.savedPath),
    'files.show': (input) => Promise.resolve(exports.show(input.id)),
    'clipboard.write': (input) => copyText(input.text, ports.copy),
    'page.open': (input) => openExchangePage(input.connectionId, ports),
  };
}

const connectionHandlers = ({ session, testDraft, previewSigning }: HandlerPorts) =>
  ({
    'connections.add': (input) => session.add(input.settings, input.secret),
    'connections.update': (input) => session.update(input.connectionId, input.settings, input.secret),
    'connections.select': (input) => session.select(input.connectionId),
    'connections.test': (input) => session.test(input.connectionId),
    async 'connections.testDraft'(input) {
      // A secret that cannot be stored is not used for signing either.
      const fault = secretFault(input.secret);
      if (fault !== null) return blocked(fault.message, fault.next, 'secret');
      return done(await testDraft(input.settings, input.secret));
    },
    'signing.preview': (input) => Promise.resolve(previewSigning(input)),
  }) satisfies Partial<Handlers>;

const orderHandlers = ({ orders, journal, session }: HandlerPorts) =>
  ({
    'orders.review': (input) => Promise.resolve(orders.review(input)),
    async 'orders.send'(input) {
      const sent = await orders.send(input.token, input.release);
      session.current()?.refresh();
      return sent;
    },
    'orders.discard': (input) => ended(orders.discard(input.token)),
    'orders.reviewBatch': (input) => orders.batches.review(input),
    'orders.sendBatch': (input) => orders.batches.send(input.token, input.release),
    'orders.stopBatch': (input) => Promise.resolve(orders.batches.stop(input.batchId)),
    'orders.batches': (input) => returned(orders.batches.list(input.connectionId)),
    'orders.dismiss': (input) => orders.decisions.dismiss(input.intentId, input.typed),
    'orders.match': (input) => orders.decisions.match(input.intentId, input.orderId, input.typed),
    'orders.undoMatch': (input) => orders.decisions.unmatch(input.intentId, input.typed),
    'orders.checkNow': (input) =>
      withOpen(session, input.connectionId, ({ reconciler }) => ended(reconciler.reconcile(input.symbolId))),
    'journal.damage': (input) => returned(journal.damage(input.connectionId)),
    'journal.acknowledge': (input) => orders.decisions.acknowledge(input.damageId, input.typed),
    'journal.list': (input) => returned(journal.list(input.connectionId)),
  }) satisfies Partial<Handlers>;

const dayHandlers = ({ session, dayLimits }: HandlerPorts) =>
  ({
    'day.get': ({ connectionId }) => returned(dayLimits.state(connectionId)),
    async 'day.set'({ connectionId, limits, typed }) {
      if (session.summary(connectionId) === null) return notOpen();
      return dayLimits.set(connectionId, limits, typed);
    },
    async 'day.lift'({ connectionId, typed }) {
      if (session.summary(connectionId) === null) return notOpen();
      return dayLimits.lift(connectionId, typed);
    },
  }) satisfies Partial<Handlers>;

const alertHandlers = ({ alerts, webhooks }: HandlerPorts) =>
  ({
    'alerts.list': (input) => alerts.list(input.connectionId),
    'alerts.acknowledge': (input) => alerts.acknowledge(input.connectionId, input.id),
    'alerts.test': () => returned(alerts.test()),
    'webhooks.list': () => webhooks.list(),
    'webhooks.add': (input) => webhooks.add(input.settings, input.secret),
    'webhooks.change': (input) => webhooks.change(input.id, input.settings, input.secret),
    'webhooks.remove': (input) => webhooks.remove(input.id, input.leaveSecret),
    'webhooks.test': (input) => webhooks.test(input.id),
  }) satisfies Partial<Handlers>;

/** Handles the calls about backups of everything and about exports on a schedule. */
const backupHandlers = ({ backups, scheduled }: HandlerPorts) =>
  ({
    'backup.get': () => backups.get(),
    'backup.chooseFolder': () => backups.chooseFolder(),
    'backup.setSchedule': (input) => backups.setSchedule(input),
    'backup.write': () => backups.write(),
    'backup.writeScheduled': () => backups.writeScheduled(),
    'backup.cancel': () => ended(backups.cancel()),
    'backup.show': () => ended(backups.show()),
    'backup.examine': () => backups.examine(),
    'backup.discard': () => ended(backups.discard()),
    'backup.restore': () => backups.restore(),
    'exportSchedule.get': () => scheduled.get(),
    'exportSchedule.chooseFolder': () => scheduled.chooseFolder(),
    'exportSchedule.set': (input) => scheduled.set(input),
    'exportSchedule.run': () => scheduled.run(),
    'exportSchedule.cancel': () => ended(scheduled.cancel()),
    'exportSchedule.show': () => ended(scheduled.show()),
  }) satisfies Partial<Handlers>;

/** Most points of one account's line: about one per pixel. */
const COMPARED_POINTS = 600;

const portfolioHandlers = ({ session, portfolio }: HandlerPorts) =>
  ({
    'portfolio.get': () => returned(portfolio.state()),
    'portfolio.include': (input) => session.setPortfolio(input.connectionId, input.included),
    'portfolio.retry': (input) => ended(portfolio.retry(input.connectionId)),
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
