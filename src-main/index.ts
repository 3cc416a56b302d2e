/** Composition root: creates the modules and connects them. */
import { basename, join } from 'node:path';
import { app, clipboard, nativeTheme, Notification } from 'electron';
import type { IntentRecord } from '../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS, storedSettingsSchema } from '../src-shared/ipc/settings.ts';
import { zoomed } from '../src-shared/domain/display/zoom.ts';
import { alertsForSession } from './alerts/for-session.ts';
import { aboutApp, windowIcon } from './app/app-identity.ts';
import { appPorts } from './app/app-ports.ts';
import { beforeReady } from './app/before-ready.ts';
import { assertUsable, startFailed } from './app/startup-error.ts';
import { fileQuestions } from './app/file-questions.ts';
import { servedFiles } from './app/files.ts';
import { dataDeps } from './app/data-deps.ts';
import { watchDefects } from './app/defects.ts';
import { profileFiles } from './app/profile-files.ts';
import { spawnKeychain } from './app/keychain-child.ts';
import { createLog } from './app/log.ts';
import { clock, newId, timers } from './app/system.ts';
import { openMainWindow, type MainWindow } from './app/main-window.ts';
import { DesktopNotifications } from './app/notifications.ts';
import { openPage } from './app/page.ts';
import { setMenu } from './app/menu.ts';
import { watchOpenedFiles } from './app/opened-files.ts';
import { isOwnAddress } from './app/content-security-policy.ts';
import { serveFiles } from './app/protocol.ts';
import { quitDeps } from './app/quit-deps.ts';
import { createQuitting } from './app/quitting.ts';
import { confine, confineSession } from './app/window.ts';
import { NO_PLACES, windowPlacesSchema } from './app/window-place.ts';
import { createExports } from './bridge/exports.ts';
import { createHandlers } from './bridge/handlers.ts';
import { createNotices } from './bridge/notices.ts';
import { serveBridge } from './bridge/serve.ts';
import { assertBody, encodeOrder } from './exchange/order-body.ts';
import { rateLimits } from './exchange/rate-limit.ts';
import { previewSigning } from './exchange/signing-preview.ts';
import { OrderService } from './orders/order-service.ts';
import { InFlight } from './orders/send/in-flight.ts';
import { journalFile } from './orders/journal/file.ts';
import { damageText } from './orders/journal/damage-text.ts';
import { openJournal } from './orders/journal/journal.ts';
import { changePractice, practiceHabits, practiceState } from './practice/controls.ts';
import { portfolioForSession } from './portfolio/for-session.ts';
import { startPracticeForApp } from './practice/practice.ts';
import { accountOf } from './session/account.ts';
import { connectionDeps } from './session/connection-deps.ts';
import { orderConnection } from './session/order-connection.ts';
import { lockAtStart } from './session/lock.ts';
import { moveAsideAsOther } from './session/other-account.ts';
import { openConnection, type LiveConnection } from './session/open-connection.ts';
import { practiceName } from './session/practice-files.ts';
import { changed, followed, withControls } from './session/practice-access.ts';
import { practiceLine, practiceSource } from './session/practice-source.ts';
import { Session } from './session/session.ts';
import { createSettings } from './session/settings.ts';
import { FIRST_SESSION, PRACTICE_ID, storedSessionSchema } from './session/stored.ts';
import { draftTest } from './session/test-draft.ts';
import { Keychain } from './vault/keychain.ts';
import { EMPTY_INDEX, openSecretIndex, secretIndexSchema } from './vault/secret-index.ts';
import { Vault } from './vault/vault.ts';

const { mayStart, sandboxed } = beforeReady();
if (mayStart) start().catch(startFailed);
else app.quit();

/** Starts everything that needs no window before Electron is ready, which takes longer. */
async function start(): Promise<void> {
  const profile = (...parts: string[]): string => join(app.getPath('userData'), ...parts);
  const developmentUrl = app.isPackaged ? null : (process.env.ELECTRON_RENDERER_URL ?? null);
  const isOwn = (url: string): boolean => isOwnAddress(url, developmentUrl);
  assertUsable(app.getPath('userData'));
  const log = createLog(profile('logs', 'ballast.log'), clock);
  log.write('start', { version: app.getVersion(), platform: process.platform });

  let main: MainWindow | null = null;
  const windowAsked = Promise.withResolvers<undefined>();
  const window = () => main?.window ?? null;
  const files = fileQuestions(window);
  const notices = createNotices((notice) => push('notice', notice));
  const notice = (message: string, next: string): void => notices.show(message, next);
  const unwritten = (what: string) => () =>
    notice(`${what} could not be written.`, 'Free up disk space, or allow writing to the profile folder.');
  const defects = watchDefects({ log, notify: (message, next) => notices.show(message, next, true) });
  const profileFile = profileFiles(profile, { clock, notify: notice });
  const opened = watchOpenedFiles(
    (file) => push('file', file),
    showWindow,
    () => notices.show('Ballast is already open in this window.', 'Only one can run per profile.'),
  );

  const settings = await createSettings(
    profileFile('settings.json', storedSettingsSchema, DEFAULT_SETTINGS),
    (next) => {
      nativeTheme.themeSource = next.theme;
      main?.applyZoom();
      push('settings', next);
    },
  );

  const vault = new Vault({
    keychain: new Keychain({
      spawn: () => spawnKeychain(join(import.meta.dirname, 'keychain-process.js')),
    }),
    index: await openSecretIndex(profileFile('secrets-index.json', secretIndexSchema, EMPTY_INDEX)),
  });
  const journal = await openJournal(journalFile(profile('orders.jsonl')));
  const inFlight = new InFlight(journal, timers);

  const practice = practiceSource(practiceLine(process.env.BALLAST_PRACTICE), async () => {
    const started = await startPracticeForApp({
      dataDir: profile('practice'),
      onFailure: (why) => log.write('practice-ended', { why: why.name }),
    });
    if (started.movedAside !== null)
      notices.show(
        'The stored practice account could not be used, so a new one was created.',
        `The old data is in ${basename(started.movedAside)} in the profile’s practice folder.`,
      );
    return started;
  });

  /** Returns the base name of a connection's files; a practice reset changes it. */
  const fileNameOf = (id: string): string =>
    id === PRACTICE_ID ? practiceName(practice.known() ?? { exchangeId: 'new', own: true }) : id;

  const limitOf = rateLimits(() => clock.mono());
  const testDraft = draftTest({ clock, limitOf, redact: (secrets) => log.redact(secrets) });
  const connectionPorts = connectionDeps({
    ...{ clock, timers, journal, limitOf, intentChanged, notice },
    push(name, value) {
      push(name, value);
      if (name === 'feed') alerts.evaluate();
    },
    redact: (secrets) => log.redact(secrets),
    archiveFile: ({ id }) => profile('archive', `${fileNameOf(id)}.sqlite`),
    proven: (id) => void session.markVerified(id).catch(unwritten('The list of connections')),
    // Each practice exchange is an account of its own, identified by its file name.
    accountOf: ({ id, kind, settings: its }) =>
      kind === 'practice' ? { address: fileNameOf(id), key: '', uid: null } : accountOf(its),
    connectionIds: () => session.ids(),
    otherAccount: (file) => void session.reopen(() => notice(...moveAsideAsOther(file, clock.now()))),
  });

  const session = new Session<LiveConnection>({
    file: profileFile('connections.json', storedSessionSchema, FIRST_SESSION),
    secrets: vault,
    // The keychain process needs Electron to be ready; files open while the page loads.
    mayOpen: () => windowAsked.promise,
    release: (id) => portfolio.release(id),
    practice: () => practice.access(),
    open: (summary, secret) => openConnection(summary, secret, connectionPorts),
    test: testDraft,
    changed(state) {
      push('session', state);
      portfolio.follow();
    },
    startLock: () => (defects.seen() ? 'orders' : lockAtStart(settings.get())),
    unsettled: (id) => inFlight.unresolved(id),
    timers,
    app: aboutApp(app, sandboxed),
    clock,
    newId,
  });
  const portfolio = portfolioForSession({
    ...{ session, secrets: vault, connection: connectionPorts },
    ready: () => windowAsked.promise,
    changed: (state) => push('portfolio', state),
    read: () => alerts.evaluate(),
  });
  defects.lockBy(session);
  vault.onState(() => session.announce());

  const orders = new OrderService({
    journal,
    connection: (id) => orderConnection(session, id, () => settings.get(), clock),
    locked: () => session.locked(),
    encode: encodeOrder,
    assertBody,
    clock,
    newId,
    changed(record) {
      intentChanged(record);
      const open = session.current();
      if (record.state === 'unknown' && open?.id === record.connectionId)
        open.reconciler.reconcile(record.symbolId);
    },
    batchChanged(progress) {
      push('batch', progress);
      const open = session.current();
      if (progress.state !== 'sending' && open?.id === progress.connectionId) open.touched();
    },
  });

  const desktop = new DesktopNotifications(Notification, timers);
  const alerts = alertsForSession({
    ...{ session, portfolio, journal, notice, clock, timers, newId },
    settings: () => settings.get(),
    path: (id) => profile('alerts', `${fileNameOf(id)}.jsonl`),
    push: (update) => push('alert', update),
    desktop: (note) =>
      desktop.show({
        ...note,
        clicked() {
          showWindow();
          note.clicked();
        },
      }),
  });

  function intentChanged(record: IntentRecord): void {
    inFlight.update();
    session.ordersChanged();
    push('intent', record);
    alerts.intentChanged(record);
  }
  function showWindow(): void {
    if (window()?.isMinimized() === true) window()?.restore();
    window()?.show();
    window()?.focus();
  }

  const exports = createExports({
    ...files,
    changed: (progress) => push('export', progress),
    imported: (progress) => push('import', progress),
    clock,
    newId,
  });

  const ownPorts = appPorts({
    ...{ session, journal, log, clock, timers, window, profile, fileNameOf, openPage },
    leaving: () => leaving,
    settings: () => settings.get(),
    updated: (state) => push('updates', state),
  });
  const push = serveBridge(
    createHandlers({
      ...{ session, portfolio, settings, orders, journal, exports, alerts, testDraft, openPage },
      records: { ...files, clock },
      data: dataDeps({ profile, window, leaving: () => leaving }),
      saving: { savePath: files.savedPath, newId },
      app: ownPorts,
      practice: {
        state: () => followed(practice, session, practiceState),
        habits: () => withControls(practice, practiceHabits),
        change: (change) => changed(practice, session, change, (access) => changePractice(access, change)),
      },
      previewSigning: (input) => previewSigning(input, clock.now()),
      copy: (text) => clipboard.writeText(text),
    }),
    {
      page: () => window()?.webContents ?? null,
      isOwnAddress: isOwn,
      listening() {
        notices.ready();
        opened.ready();
      },
      defect: (call, error) =>
        log.write('defect', { call, error: error instanceof Error ? error.name : 'unknown' }),
    },
  );

  app.on('window-all-closed', () => app.quit());
  const leaving = quitDeps({
    ...{ session, orders, journal, inFlight, exports, notices, window },
    async before() {
      alerts.stop();
      await main?.keepPlace();
      await portfolio.stop();
    },
    stopKeychain: () => vault.drop(),
    after: () => practice.stop(),
  });
  const quitting = createQuitting(leaving);

  // Runs before the user can act: an interrupted send must hold its symbol.
  await orders.recover();
  const opening = session.start().catch((error: unknown) => {
    // The window opens anyway, so another connection can be chosen.
    log.write('open-failed', { error: error instanceof Error ? error.name : 'unknown' });
    notices.show(
      'The last connection could not be opened.',
      'Select a connection in the top bar, or restart Ballast. The log in the profile folder has details.',
    );
  });

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
        .set({ ...settings.get(), zoom: zoomed(settings.get().zoom, step) })
        .catch(unwritten('The settings')),
    showLogs: ownPorts.showLogs,
  });
  const preload = join(import.meta.dirname, '..', 'preload', 'index.cjs');
  main = await openMainWindow({
    options: { preload, title: 'Ballast', icon: windowIcon(app), developmentUrl },
    places: profileFile('window.json', windowPlacesSchema, NO_PLACES),
    zoom: () => settings.get().zoom,
    timers,
    mayClose: () => quitting.isDone(),
    closed: () => (main = null),
    note: (event, fields) => log.write(event, fields),
  });
  windowAsked.resolve(undefined);
  await opening;
  alerts.start();
  await session.readSecretStates();
  for (const [message, next] of damageText(journal)) notices.show(message, next);
}
