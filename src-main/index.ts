/** Composition root: creates the services in the order they need each other and starts them. `Quitting` ends them. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { homedir } from 'node:os';
import { app, clipboard, Menu, nativeTheme, Notification, shell, Tray } from 'electron';
import type { Events } from '../src-shared/ipc/calls.ts';
import type { ConnectionSummary } from '../src-shared/ipc/connections.ts';
import type { IntentRecord } from '../src-shared/ipc/orders.ts';
import type { EventName } from '../src-shared/ipc/names.ts';
import { DEFAULT_SETTINGS } from '../src-shared/ipc/default-settings.ts';
import type { AccountIdentity } from '../src-shared/domain/reconcile/account-identity.ts';
import { zoomed } from '../src-shared/domain/display/zoom.ts';
import { Alerts } from './alerts/alerts.ts';
import { openAlertFile } from './alerts/alert-file.ts';
import { aboutApp, windowIcon } from './app/app-identity.ts';
import { beforeReady } from './app/before-ready.ts';
import { readLicences, releases, updatePlace } from './app/build.ts';
import { commandOf } from './app/command-line.ts';
import { runCommand } from './app/commands.ts';
import { assertUsable, startFailed } from './app/startup-error.ts';
import { createFileDialogs } from './app/file-dialogs.ts';
import { servedFiles } from './app/files.ts';
import { dataRemoval } from './app/data-removal.ts';
import { watchDefects } from './app/defects.ts';
import { diagnosticsText } from './app/diagnostics.ts';
import { assertNoNewerFile, profileFiles } from './app/profile-files.ts';
import { spawnKeychain } from './app/keychain-child.ts';
import { createLog } from './app/log.ts';
import { LoginItem } from './app/login-item.ts';
import { clock, newId, timers } from './app/system.ts';
import { MainWindow } from './app/main-window.ts';
import { DesktopNotifications } from './app/notifications.ts';
import { openPage } from './app/page.ts';
import { PageSaves } from './app/page-saves.ts';
import { setMenu } from './app/menu.ts';
import { watchOpenedFiles } from './app/opened-files.ts';
import { isOwnAddress } from './app/content-security-policy.ts';
import { serveFiles } from './app/protocol.ts';
import { Quitting } from './app/quitting.ts';
import { TrayIcon } from './app/tray.ts';
import { confine, confineSession } from './app/window.ts';
import { NO_PLACES, windowPlacesSchema } from './app/window-place.ts';
import { openArchive } from './archive/archive.ts';
import { archiveFiles } from './archive/sqlite/database-files.ts';
import { type BackupPorts, Backups, idsToWithhold } from './backup/backups.ts';
import { startBackup } from './backup/job.ts';
import { placeRestored, type Restored, restoredText } from './backup/place.ts';
import { NO_BACKUPS, storedBackupsSchema } from './backup/stored.ts';
import { Exports } from './bridge/exports.ts';
import type { AppPorts } from './bridge/app-handlers.ts';
import { createHandlers } from './bridge/handlers.ts';
import { serveBridge } from './bridge/serve.ts';
import { assertBody, encodeOrder } from './exchange/order-body.ts';
import { rateLimits } from './exchange/rate-limit.ts';
import { previewSigning } from './exchange/signing-preview.ts';
import { createTransport, TIMEOUTS } from './exchange/transport.ts';
import { exportArchive } from './export/access.ts';
import { exportOrigin } from './export/for-session.ts';
import { NO_EXPORTS, storedExportsSchema } from './export/schedule-file.ts';
import { ScheduledExports } from './export/scheduled-exports.ts';
import { DayLimits } from './orders/day/day-limits.ts';
import { DayResults } from './orders/day/day-results.ts';
import { NO_DAY_LIMITS, storedDayLimitsSchema } from './orders/day/stored.ts';
import { OrderService } from './orders/order-service.ts';
import { LOCKED } from './orders/send/pre-trade-checks.ts';
import { InFlight } from './orders/send/in-flight.ts';
import { journalFile } from './orders/journal/file.ts';
import { damageText } from './orders/journal/damage-text.ts';
import { openJournal } from './orders/journal/journal.ts';
import { practiceLine, PracticeExchange, type PracticePorts } from './practice/exchange.ts';
import { Portfolio } from './portfolio/portfolio.ts';
import { startPracticeForApp } from './practice/practice.ts';
import { accountOf, accountText } from './session/account.ts';
import { type ClientServices, connectionClient, draftTest } from './session/connection-client.ts';
import { orderConnection } from './session/order-connection.ts';
import { LastAccounts, lastAccountsSchema, NO_ACCOUNTS } from './session/last-accounts.ts';
import { lockAtStart } from './session/lock.ts';
import { OtherAccounts } from './session/other-account.ts';
import { type ConnectionServices, LiveConnection } from './session/live-connection.ts';
import { practiceName, removeOtherPractices } from './session/practice-files.ts';
import { deleteRemoved } from './session/removed-data.ts';
import { Session } from './session/session.ts';
import { createSettings, lostText, storedSettingsSchema, timeZoneOf } from './session/settings.ts';
import { FIRST_SESSION, PRACTICE_ID, storedSessionSchema } from './session/stored.ts';
import { untilReady } from './until-ready.ts';
import { MAX_ANNOUNCEMENT_BYTES, Updates } from './updates/updates.ts';
import { Keychain } from './vault/keychain.ts';
import { EMPTY_INDEX, openSecretIndex, secretIndexSchema } from './vault/secret-index.ts';
import { Vault } from './vault/vault.ts';
import { NO_WEBHOOKS, storedWebhooksSchema } from './webhooks/stored.ts';
import { MAX_WEBHOOK_REPLY_BYTES, Webhooks } from './webhooks/webhooks.ts';
import { errorName } from '../src-files/error-code.ts';

type Push = <K extends EventName>(name: K, value: Events[K]) => void;

const profile = (...parts: string[]): string => join(app.getPath('userData'), ...parts);

const developmentUrl = app.isPackaged ? null : (process.env.ELECTRON_RENDERER_URL ?? null);
const isOwn = (url: string): boolean => isOwnAddress(url, developmentUrl);

const command = commandOf(process.argv, process.defaultApp);
// Awaited here: Electron asks for a display only once this module has ended.
if (command.run !== 'app') await runCommand(command);
else startApp();

function startApp(): void {
  const { mayStart, sandboxed } = beforeReady(developmentUrl !== null);
  if (mayStart) start(sandboxed).catch(startFailed);
}

/** Starts everything that needs no window before Electron is ready, which takes longer. */
async function start(sandboxed: boolean): Promise<void> {
  assertUsable(profile());
  await assertNoNewerFile(profile());
  const restored = placeRestored(profile());
  const frame = createFrame(restored, sandboxed);
  const stores = await openStores(frame);
  const trading = new Trading(frame, stores);
  const quitting = serve(frame, stores, trading);
  quitting.watch();

  const { session, orders } = trading;
  // Runs before the user can act: an interrupted send must hold its symbol.
  await orders.recover();
  // The window opens anyway, so another connection can be chosen.
  const opening = session.start().catch(frame.notOpened);

  await openWindow(frame, stores, trading, quitting);
  frame.windowOpened.resolve(undefined);
  await opening;
  trading.alerts.start();
  const { journal } = stores;
  const stays = journal.isEmptied || journal.allDamage().length > 0;
  for (const [message, next] of damageText(journal)) frame.notice(message, next, stays);
  const finished = await session.finishRemovals();
  if (!finished.ok) frame.notice(finished.failure.message, finished.failure.next, true);
  // Last: the keychain may prompt.
  await session.readSecretStates();
}

/** What reaches the user and the disk before anything else exists: log, window, notices. */
function createFrame(restored: Restored | null, sandboxed: boolean) {
  const log = createLog(profile('logs', 'ballast.log'), clock);
  log.write('start', { version: app.getVersion(), platform: process.platform });
  /**
   * Replaced once there is what they reach. Nobody listens before the bridge is served: earlier changes are part of the
   * page's first replies.
   */
  const later: { push: Push; quit: () => void } = { push: () => undefined, quit: () => app.quit() };
  const push: Push = (name, value) => later.push(name, value);
  /** Of the start too: they wait until the page listens. */
  const notices = untilReady<Events['notice']>((notice) => push('notice', notice));
  const notice = (message: string, next: string, stays = false): void =>
    notices.pass({ message, next, stays });
  if (restored !== null) notice(...restoredText(restored), true);
  const unwritten = (what: string) => () =>
    notice(`${what} could not be written.`, 'Free up disk space, or allow writing to the profile folder.');
  const notOpened = (error: unknown): void => {
    log.write('open-failed', { error: errorName(error) });
    notice(
      'The last connection could not be opened.',
      'Select a connection in the top bar, or restart Ballast. The log in the profile folder has details.',
    );
  };
  const defects = watchDefects({ log, notify: (message, next) => notice(message, next, true) });
  /** Whether an order may be missing here, or a limit: trading is locked at this start. */
  const startLock = { isNeeded: restored !== null };
  const limitsLost = (): void => void (startLock.isNeeded = true);
  const profileFile = profileFiles(profile, { clock, notify: notice, limitsLost });
  const window = new MainWindow(
    profileFile('window.json', windowPlacesSchema, NO_PLACES),
    timers,
    (event, fields) => log.write(event, fields),
  );
  const opened = watchOpenedFiles(
    (file) => push('file', file),
    () => window.show(),
    () => notice('Ballast is already open in this window.', 'Only one can run per profile.'),
  );
  const desktop = new DesktopNotifications(Notification, timers);
  const files = createFileDialogs(() => window.current());
  return {
    log,
    later,
    push,
    notices,
    notice,
    unwritten,
    notOpened,
    defects,
    profileFile,
    window,
    opened,
    desktop,
    files,
    startLock,
    sandboxed,
    tray: createTray(window, desktop, () => later.quit()),
    windowOpened: Promise.withResolvers<undefined>(),
  };
}
type Frame = ReturnType<typeof createFrame>;

function createTray(window: MainWindow, desktop: DesktopNotifications, quit: () => void): TrayIcon {
  return new TrayIcon(Tray, {
    platform: process.platform,
    show: () => window.show(),
    quit,
    menu: (template) => Menu.buildFromTemplate(template),
    icons: join(app.getAppPath(), 'resources', 'tray'),
    firstHidden: () =>
      void desktop.show({
        title: 'Ballast keeps running',
        body: 'Alerts continue. Open it from its tray icon, or start it again.',
        clicked: () => window.show(),
      }),
  });
}

/** Opens what the profile stores apart from archives: settings, the order journal and the secrets' index. */
async function openStores({ profileFile, startLock, window, tray, push, log, notice, unwritten }: Frame) {
  const settingsLost = (names: readonly string[]): void => {
    startLock.isNeeded = true;
    const copy = `settings.json.damaged-${clock.now()}`;
    // The next change replaces the file, and may follow at once.
    void copyFile(profile('settings.json'), profile(copy)).catch(unwritten('A copy of the settings'));
    notice(...lostText(names, copy), true);
  };
  const settings = await createSettings(
    profileFile('settings.json', storedSettingsSchema(settingsLost), DEFAULT_SETTINGS),
    (next) => {
      nativeTheme.themeSource = next.theme;
      window.zoom(next.zoom);
      tray.set(next.keepRunning);
      push('settings', next);
    },
  );
  const vault = new Vault({
    keychain: new Keychain({
      spawn: () => spawnKeychain(join(import.meta.dirname, 'keychain-process.js')),
    }),
    index: await openSecretIndex(profileFile('secrets-index.json', secretIndexSchema, EMPTY_INDEX)),
  });
  const transport = createTransport(TIMEOUTS, MAX_WEBHOOK_REPLY_BYTES);
  const webhooks = await Webhooks.open({
    clock,
    timers,
    newId,
    send: (request) => transport.send(request),
    file: profileFile('webhooks.json', storedWebhooksSchema, NO_WEBHOOKS),
    secrets: vault,
    redact: (secrets) => log.redact(secrets),
    changed: (webhooks) => push('webhooks', webhooks),
  });
  const journal = await openJournal(journalFile(profile('orders.jsonl')));
  if (journal.isEmptied) startLock.isNeeded = true;
  const dayFile = profileFile('day-limits.json', storedDayLimitsSchema, NO_DAY_LIMITS);
  return { settings, vault, webhooks, journal, dayFile, storedDay: await dayFile.read() };
}
type Stores = Awaited<ReturnType<typeof openStores>>;

/** The app's own practice exchange, started when first needed. */
function createPractice({ log, notice }: Frame): PracticeExchange {
  const start: PracticePorts['start'] = async (ended) => {
    const started = await startPracticeForApp({ dataDir: profile('practice') }, (why) => {
      log.write('practice-ended', { why: why.name });
      ended();
    });
    if (started.movedAside !== null)
      notice(
        'The practice account is damaged or of another version of Ballast. A new one was created.',
        `The old one is ${basename(started.movedAside)} in the profile’s practice folder; its trade archive, with your notes, and its alerts are deleted.`,
        true,
      );
    return started;
  };
  return new PracticeExchange(practiceLine(process.env.BALLAST_PRACTICE), { start, clock });
}

/** Connections, orders and alerts, which refer to each other. */
class Trading {
  readonly practice: PracticeExchange;
  readonly inFlight: InFlight;
  readonly session: Session<LiveConnection>;
  readonly portfolio: Portfolio;
  readonly orders: OrderService;
  readonly alerts: Alerts;
  readonly dayLimits: DayLimits;
  readonly lastAccounts: LastAccounts;
  readonly testDraft: ReturnType<typeof draftTest>;
  readonly scheduled: ScheduledExports;
  readonly #frame: Frame;
  readonly #stores: Stores;
  readonly #limitOf = rateLimits(() => clock.mono());
  readonly #connection: ConnectionServices;

  constructor(frame: Frame, stores: Stores) {
    this.#frame = frame;
    this.#stores = stores;
    this.practice = createPractice(frame);
    this.inFlight = new InFlight(stores.journal, timers);
    this.testDraft = draftTest(this.#clientServices());
    this.#connection = this.#connectionServices();
    this.session = this.#createSession(this.#connection);
    this.portfolio = new Portfolio({
      session: this.session,
      secrets: stores.vault,
      connection: this.#connection,
      ready: () => frame.window.drawn(),
      changed: (state) => frame.push('portfolio', state),
      read: () => this.alerts.evaluate(),
    });
    this.dayLimits = this.#createDayLimits();
    this.orders = this.#createOrders();
    this.alerts = this.#createAlerts();
    this.scheduled = this.#createScheduledExports();
    this.lastAccounts = new LastAccounts({
      file: frame.profileFile('accounts.json', lastAccountsSchema, NO_ACCOUNTS),
      accountOf: (summary) => this.#accountOf(summary),
      timers,
      writeFailed: () => frame.log.write('last-accounts-not-written', {}),
    });
    this.practice.onEnded((restarts) => {
      frame.notice(
        'The practice exchange stopped unexpectedly.',
        restarts
          ? 'It is started again with its stored account.'
          : 'Restart Ballast. If this happens again, save diagnostics (Help menu) and report it.',
      );
      if (restarts) void this.session.reopen(PRACTICE_ID).catch(frame.notOpened);
    });
    frame.defects.lockBy(this.session);
    stores.vault.onState(() => this.session.announce());
  }

  archiveFile(connectionId: string): string {
    return profile('archive', `${this.#fileName(connectionId)}.sqlite`);
  }
  alertFile(connectionId: string): string {
    return profile('alerts', `${this.#fileName(connectionId)}.jsonl`);
  }
  /** Returns the archive a connection's exports fill. */
  exportFile(connectionId: string): string {
    return exportArchive(profile(), this.#fileName(connectionId));
  }
  /** Returns the archives of a connection, without what was moved aside. */
  #archivesOf(id: string): readonly string[] {
    return [this.archiveFile(id), this.exportFile(id)].flatMap(archiveFiles);
  }
  /** Returns the base name of a connection's files; a practice reset changes it. */
  #fileName(id: string): string {
    return id === PRACTICE_ID ? practiceName(this.practice.known() ?? { exchangeId: 'new', own: true }) : id;
  }

  /** Each practice exchange is an account of its own, identified by its file name. */
  #accountOf({ id, kind, settings }: ConnectionSummary): AccountIdentity {
    return kind === 'practice' ? { address: this.#fileName(id), key: '', uid: null } : accountOf(settings);
  }

  #clientServices(): ClientServices {
    return { clock, limitOf: this.#limitOf, redact: (secrets) => this.#frame.log.redact(secrets) };
  }

  #connectionServices(): ConnectionServices {
    const { push, notice, unwritten, notOpened, window } = this.#frame;
    const otherAccounts = new OtherAccounts({ notice, clock });
    return {
      clock,
      timers,
      journal: this.#stores.journal,
      limitOf: this.#limitOf,
      notice,
      isWindowHidden: () => window.isHidden(),
      client: ({ settings }, secret, onDrift) =>
        connectionClient(settings, secret, { ...this.#clientServices(), onDrift }),
      openArchive: async ({ id, kind, settings }) => {
        // The first figures need no archive, and would come later beside its start.
        await window.drawn();
        const file = this.archiveFile(id);
        if (kind === 'practice') await removeOtherPractices([file, this.exportFile(id), this.alertFile(id)]);
        // A practice exchange is identified by its file's name.
        const account = kind === 'practice' ? null : accountOf(settings);
        return openArchive({ file, connectionId: id, account, clock });
      },
      accountOf: (summary) => this.#accountOf(summary),
      connectionIds: () => this.session.ids(),
      push,
      feedRead: () => {
        this.dayLimits.check();
        this.alerts.evaluate();
        this.lastAccounts.take(this.session.current());
      },
      intentChanged: (record) => this.#intentChanged(record),
      verified: (connection) =>
        void this.session.markVerified(connection).catch(unwritten('The list of connections')),
      otherAccount: (connection) =>
        otherAccounts.found(
          this.archiveFile(connection.id),
          (between) => void this.session.replace(connection, between).catch(notOpened),
        ),
    };
  }

  #createSession(services: ConnectionServices): Session<LiveConnection> {
    const { profileFile, windowOpened, push, notice, defects, startLock, sandboxed } = this.#frame;
    const { vault, settings, journal } = this.#stores;
    return new Session({
      file: profileFile('connections.json', storedSessionSchema, FIRST_SESSION),
      secrets: vault,
      // The keychain process needs Electron to be ready; files open while the page loads.
      mayOpen: () => windowOpened.promise,
      release: async (id) => {
        await this.portfolio.release(id);
        await this.scheduled.release(id);
      },
      practice: () => this.practice.access(),
      deleteData: ({ id, archive }) =>
        deleteRemoved({
          files: archive ? this.#archivesOf(id) : [],
          alerts: archive ? this.alertFile(id) : null,
          forget: async () => {
            await this.lastAccounts.forget(id);
            await this.dayLimits.forget(id);
          },
        }),
      open: (summary, secret) => new LiveConnection(summary, secret, services),
      test: this.testDraft,
      changed: (state) => {
        push('session', state);
        this.portfolio.follow();
        this.scheduled.follow();
      },
      notice,
      startLock: () => lockAtStart(settings.get(), startLock.isNeeded || defects.seen()),
      assignOrders: (connection) => void journal.follow(connection, () => true),
      unsettled: (id) => this.inFlight.unresolved(id),
      timers,
      app: aboutApp(app, sandboxed),
      clock,
      newId,
    });
  }

  #createOrders(): OrderService {
    const { session } = this;
    const { journal, settings } = this.#stores;
    return new OrderService({
      journal,
      connection: (id) =>
        orderConnection(
          session,
          id,
          () => settings.get(),
          (account) => this.dayLimits.usage(account),
          clock,
        ),
      lockFailure: () => (session.locked() ? LOCKED : null),
      encode: encodeOrder,
      assertBody,
      clock,
      newId,
      changed: (record) => {
        this.#intentChanged(record);
        const open = session.current();
        if (record.state === 'unknown' && open?.id === record.connectionId)
          open.reconciler.reconcile(record.symbolId);
      },
      batchChanged: (progress) => {
        this.#frame.push('batch', progress);
        const open = session.current();
        if (progress.state !== 'sending' && open?.id === progress.connectionId) open.refresh();
      },
    });
  }

  #createDayLimits(): DayLimits {
    const { session } = this;
    const { journal, settings, dayFile, storedDay } = this.#stores;
    const { push, log, unwritten } = this.#frame;
    return new DayLimits(
      {
        file: dayFile,
        journal,
        clock,
        unwritten: unwritten('The daily limits'),
        results: new DayResults(() => session.current()?.dayReading() ?? null),
        timeZone: () => timeZoneOf(settings.get()),
        openId: () => session.current()?.id ?? null,
        accountOf: (id) => {
          const summary = session.summary(id);
          return summary && accountText(this.#accountOf(summary));
        },
        clockOffsetMs: () => session.current()?.client.clockOffsetMs() ?? null,
        changed: (state) => push('day', state),
        overridden: (what, connection) => log.write(`day-limits-${what}`, { connection }),
      },
      storedDay,
    );
  }

  #createAlerts(): Alerts {
    const { notice, push, window, tray, desktop } = this.#frame;
    const { journal, settings, webhooks } = this.#stores;
    const startedAt = clock.now();
    return new Alerts({
      session: this.session,
      portfolio: this.portfolio,
      journal,
      notice,
      clock,
      timers,
      newId,
      settings: () => settings.get(),
      file: (summary) =>
        openAlertFile(this.alertFile(summary.id), accountText(this.#accountOf(summary)), startedAt),
      worst: (state) => tray.update(state),
      message: (...message) => webhooks.deliver(...message),
      push: (update) => push('alert', update),
      desktop: (note) =>
        desktop.show({
          ...note,
          clicked() {
            window.show();
            note.clicked();
          },
        }),
    });
  }

  #createScheduledExports(): ScheduledExports {
    const { session, practice, orders } = this;
    const { vault, settings } = this.#stores;
    const { profileFile, push, notice, files } = this.#frame;
    const reads = {
      session,
      vault,
      connection: this.#connection,
      practice: () => practice.access(),
      archiveFile: (id: string) => this.exportFile(id),
    };
    return new ScheduledExports({
      showFile: files.showFile,
      notice,
      clock,
      timers,
      folderPath: files.exportFolder,
      file: profileFile('exports.json', storedExportsSchema, NO_EXPORTS),
      origin: (id) => exportOrigin(reads, id),
      isSending: () => orders.isSending(),
      mayRead: () => !session.unloadsSecrets(),
      settings: () => ({ zone: timeZoneOf(settings.get()), tax: settings.get().tax }),
      changed: (state) => push('exportSchedule', state),
    });
  }

  #intentChanged(record: IntentRecord): void {
    this.inFlight.update();
    this.session.ordersChanged();
    this.#frame.push('intent', record);
    this.dayLimits.check();
    this.alerts.intentChanged(record);
  }
}

/** Serves the page's calls; from here on changes reach it. */
function serve(frame: Frame, stores: Stores, trading: Trading): Quitting {
  const { log, files, notices, window, opened } = frame;
  const { settings, vault, journal, webhooks } = stores;
  const { session, portfolio, orders, alerts, dayLimits, scheduled, practice, lastAccounts, testDraft } =
    trading;
  const { exports, backups, pageSaves, quitting, isBusy } = createWriters(frame, stores, trading);
  const handlers = createHandlers({
    session,
    portfolio,
    settings,
    orders,
    dayLimits,
    journal,
    exports,
    alerts,
    backups,
    scheduled,
    webhooks,
    testDraft,
    openPage,
    lastAccount: () => lastAccounts.last(session),
    records: { ...files, clock },
    data: {
      ...dataRemoval(profile(), () => window.current()),
      isBusy,
      unknownOrders: () => orders.unfinished().unknown,
      secrets: vault,
      stop: () => quitting.stop(),
    },
    savedPath: files.savedPath,
    app: {
      ...appServices(frame, stores, trading),
      saved: (unsaved, isOver) => pageSaves.report(unsaved, isOver),
    },
    practice,
    previewSigning: (input) => previewSigning(input, clock.now()),
    copy: (text) => clipboard.writeText(text),
  });
  frame.later.quit = () => quitting.request();
  frame.later.push = serveBridge(handlers, {
    page: () => window.page(),
    isOwnAddress: isOwn,
    listening() {
      notices.ready();
      opened.ready();
    },
    defect: (call, error) => log.write('defect', { call, error: errorName(error) }),
  });
  return quitting;
}

/** What writes files, and what ends everything, which either waits for them or cancels them. */
function createWriters(frame: Frame, stores: Stores, trading: Trading) {
  const { push, notice, window, files } = frame;
  const { session, portfolio, orders, inFlight, alerts, scheduled, practice, lastAccounts } = trading;
  const exports = new Exports({
    ...files,
    changed: (progress) => push('export', progress),
    imported: (progress) => push('import', progress),
    notice,
    clock,
    newId,
  });
  const pageSaves = createPageSaves(frame);
  const filesRunning = (): number => exports.running() + (backups.isWritingManual() ? 1 : 0);
  const quitting = new Quitting({
    session,
    orders,
    inFlight,
    notice,
    files: filesRunning,
    window: () => window.current(),
    unsavedNotes: () => pageSaves.wait(),
    async beforeClose() {
      alerts.stop();
      await backups.stop();
      await scheduled.stop();
      await portfolio.stop();
    },
    async saveState() {
      await window.savePlace();
      await lastAccounts.flush();
    },
    stopKeychain: () => stores.vault.drop(),
    afterClose: () => practice.stop(),
  });
  const isBusy = (): boolean => orders.isSending() || filesRunning() > 0;
  const backups = createBackups(frame, stores, trading, {
    isBusy,
    unsavedNotes: () => pageSaves.wait(),
    restart: () => quitting.restart(),
  });
  scheduled.begin();
  return { exports, backups, pageSaves, quitting, isBusy };
}

/** What the calls about the app itself need. */
function appServices(frame: Frame, stores: Stores, trading: Trading): Omit<AppPorts, 'saved'> {
  const { settings, journal } = stores;
  const { session } = trading;
  const execPath = app.getPath('exe');
  return {
    ...frame.files,
    updates: createUpdates(frame, stores, trading),
    tray: frame.tray,
    login: new LoginItem({
      app,
      execPath,
      platform: process.platform,
      env: process.env,
      home: homedir(),
    }),
    licences: readLicences,
    releases,
    showLogs,
    diagnostics: () => diagnosticsText({ session, settings: settings.get(), journal, log: frame.log, clock }),
    clock,
  };
}

function createPageSaves({ push, window }: Frame): PageSaves {
  return new PageSaves({
    announce() {
      push('quitting', null);
      return window.current() !== null;
    },
    timers,
  });
}

function createBackups(
  { profileFile, push, notice, files }: Frame,
  { vault }: Stores,
  { session, orders }: Trading,
  ports: Pick<BackupPorts, 'isBusy' | 'unsavedNotes' | 'restart'>,
): Backups {
  const backups = new Backups({
    ...ports,
    ...files.everything,
    showFile: files.showFile,
    notice,
    clock,
    timers,
    newId,
    profile: profile(),
    start: startBackup,
    file: profileFile('backups.json', storedBackupsSchema, NO_BACKUPS),
    version: app.getVersion(),
    isSending: () => orders.isSending(),
    withholdSecrets: (connections) =>
      vault.withhold(idsToWithhold(connections, (id) => session.summary(id)?.settings ?? null)),
    changed: (state) => push('backup', state),
  });
  backups.begin();
  return backups;
}

function createUpdates({ push }: Frame, { settings }: Stores, { orders }: Trading): Updates {
  const transport = createTransport(TIMEOUTS, MAX_ANNOUNCEMENT_BYTES);
  const updates = new Updates({
    place: updatePlace(),
    version: app.getVersion(),
    wanted: () => settings.get().checkForUpdates,
    unfinished: () => orders.unfinished(),
    send: (request) => transport.send(request),
    openPage,
    changed: (state) => push('updates', state),
    clock,
    timers,
  });
  updates.start();
  return updates;
}

/** Waits for Electron, then opens the window. */
async function openWindow(frame: Frame, { settings }: Stores, { session }: Trading, quitting: Quitting) {
  const { window, tray, push, unwritten } = frame;
  await app.whenReady();
  confineSession();
  app.on('web-contents-created', (_event, page) => confine(page, isOwn));
  serveFiles(await servedFiles(join(import.meta.dirname, '..', 'renderer')));
  nativeTheme.themeSource = settings.get().theme;
  setMenu({
    development: developmentUrl !== null,
    ask: (action) => push('menu', { do: action }),
    zoom: (step) =>
      void settings
        .change((now) => ({ ...now, zoom: zoomed(now.zoom, step) }))
        .catch(unwritten('The settings')),
    showLogs,
    quit: () => quitting.request(),
  });
  app.on('window-all-closed', () => app.quit());
  await window.open({
    options: {
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      title: 'Ballast',
      icon: windowIcon(app),
      developmentUrl,
    },
    quitting,
    zoom: () => settings.get().zoom,
    hide(closing) {
      const { keepRunning } = settings.get();
      if (keepRunning) tray.hide(closing);
      return keepRunning;
    },
    shownAgain: () => session.current()?.windowShown(),
  });
  tray.set(settings.get().keepRunning);
  app.on('activate', () => window.show());
}

function showLogs(): void {
  void shell.openPath(profile('logs'));
}
