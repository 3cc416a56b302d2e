/** Composition root: builds the rooms and hands them to each other; nothing else. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { app, clipboard, dialog, nativeTheme, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import { DEFAULT_SETTINGS, settingsSchema } from '../src-shared/contract/settings.ts';
import { servedFiles } from './app/files.ts';
import { spawnKeychain } from './app/keychain-child.ts';
import { createLog } from './app/log.ts';
import { openPage } from './app/page.ts';
import { setMenu } from './app/menu.ts';
import { isOwnAddress } from './app/policy.ts';
import { registerScheme, serveFiles } from './app/protocol.ts';
import { confine, denyPermissions, openWindow } from './app/window.ts';
import { openArchive } from './archive/archive.ts';
import { createExports } from './bridge/exports.ts';
import { createHandlers } from './bridge/handlers.ts';
import { serveBridge } from './bridge/serve.ts';
import { createClient } from './exchange/client.ts';
import { assertBody, encodeOrder } from './exchange/order-body.ts';
import { previewSigning } from './exchange/signing-preview.ts';
import { testConnection } from './exchange/test-connection.ts';
import { TIMEOUTS } from './exchange/transport.ts';
import { createDesk } from './orders/desk.ts';
import { createFindingOut } from './orders/finding-out.ts';
import { journalFile } from './orders/journal-file.ts';
import { openJournal } from './orders/journal.ts';
import { localRefusal } from './orders/local-checks.ts';
import { startPracticeForApp } from './practice/practice.ts';
import { jsonFile } from './session/json-file.ts';
import { openConnection, type ConnectionPorts, type LiveConnection } from './session/open-connection.ts';
import { practiceLine, practiceSource } from './session/practice-source.ts';
import { createSession } from './session/session.ts';
import { createSettings } from './session/settings.ts';
import { FIRST_SESSION, PRACTICE_ID, storedSessionSchema } from './session/stored.ts';
import { createTradeSync } from './sync/trade-sync.ts';
import { createKeychain } from './vault/keychain.ts';
import { EMPTY_INDEX, openSecretIndex, secretIndexSchema } from './vault/secret-index.ts';
import { createVault } from './vault/vault.ts';

/** Rate limits are not shown by the interface: a walk through the history rests between pages. */
const LIVE_PAGE_REST_MS = 100;

// A profile of its own: for tests, and for whoever keeps several.
if (process.env.BALLAST_PROFILE) app.setPath('userData', process.env.BALLAST_PROFILE);
app.enableSandbox();
registerScheme();

if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

async function start(): Promise<void> {
  const clock = { now: () => Date.now(), mono: () => performance.now() };
  const newId = (): string => randomUUID();
  const timers = {
    after(ms: number, run: () => void) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  const profile = (...parts: string[]): string => join(app.getPath('userData'), ...parts);
  const developmentUrl = app.isPackaged ? null : (process.env.ELECTRON_RENDERER_URL ?? null);
  const isOwn = (url: string): boolean => isOwnAddress(url, developmentUrl);
  const log = createLog(profile('logs', 'ballast.log'), clock);
  log.write('start', { version: app.getVersion(), platform: process.platform });

  let window: BrowserWindow | null = null;
  denyPermissions();
  app.on('web-contents-created', (_event, page) => confine(page, isOwn));
  serveFiles(await servedFiles(join(import.meta.dirname, '..', 'renderer')));
  setMenu(developmentUrl !== null);

  const settings = await createSettings(
    jsonFile(profile('settings.json'), settingsSchema, DEFAULT_SETTINGS, clock),
    (next) => {
      nativeTheme.themeSource = next.theme;
      push('settings', next);
    },
  );
  nativeTheme.themeSource = settings.get().theme;

  const vault = createVault({
    keychain: createKeychain({
      spawn: () => spawnKeychain(join(import.meta.dirname, 'keychain-process.js')),
    }),
    index: await openSecretIndex(
      jsonFile(profile('secrets-index.json'), secretIndexSchema, EMPTY_INDEX, clock),
    ),
  });
  const journal = await openJournal(journalFile(profile('orders.jsonl')));

  const practice = practiceSource(practiceLine(process.env.BALLAST_PRACTICE), () =>
    startPracticeForApp({
      dataDir: profile('practice'),
      onFailure: (why) => log.write('practice-ended', { why: why.name }),
    }),
  );

  const connectionPorts: ConnectionPorts = {
    client: ({ settings: { baseUrl, apiKey, signing, refusalCodes } }, secret, onDrift) => {
      for (const text of [secret?.secret ?? '', ...Object.values(secret?.headers ?? {})]) log.redact(text);
      return createClient({
        baseUrl,
        credentials: { key: apiKey, secret: secret?.secret ?? '', headers: secret?.headers ?? {} },
        signing,
        refusalCodes,
        clock,
        onDrift,
      });
    },
    archive: ({ id }) => {
      const file = profile('archive', `${id}.sqlite`);
      // The practice exchange starts afresh with the app, so its archive does too.
      if (id === PRACTICE_ID) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      return openArchive({ file, connectionId: id, clock });
    },
    tradeSync: (parts, { id, kind }) =>
      createTradeSync({
        ...parts,
        connectionId: id,
        clock,
        timers,
        onStatus: (status) => push('sync', status),
        restMs: kind === 'practice' ? 0 : LIVE_PAGE_REST_MS,
      }),
    findingOut: (parts, { id }) =>
      createFindingOut({
        ...parts,
        connectionId: id,
        journal,
        clock,
        timers,
        answerWithinMs: TIMEOUTS.order,
        changed: (record) => push('intent', record),
        unwritten: () =>
          push('notice', {
            message: 'A check for an unknown order could not be written to the journal.',
            next: 'Free some disk space; Ballast checks again by itself.',
          }),
      }),
    clock,
    timers,
    feedChanged: (connectionId, name, feeds) => push('feed', { connectionId, name, feed: feeds.get(name) }),
    clockChanged: (connectionId, offsetMs) => push('clock', { connectionId, offsetMs }),
    driftChanged: (drift) => push('drift', drift),
    proven: (id) => void session.markProven(id),
    notice: (message, next) => push('notice', { message, next }),
  };

  const session = createSession<LiveConnection>({
    file: jsonFile(profile('connections.json'), storedSessionSchema, FIRST_SESSION, clock),
    secrets: vault,
    practice: () => practice.access(),
    open: (summary, secret) => openConnection(summary, secret, connectionPorts),
    test: testDraft,
    changed: (state) => push('session', state),
    startLocked: () => settings.get().startLocked,
    app: {
      version: app.getVersion(),
      runtime: 'electron-standin' in process.versions ? 'stand-in' : 'electron',
      platform: process.platform,
    },
    clock,
    newId,
  });
  vault.onState(() => session.announce());

  async function testDraft(...[one, secret]: Parameters<Parameters<typeof createHandlers>[0]['testDraft']>) {
    const { baseUrl, apiKey, signing, refusalCodes } = one;
    const client = createClient({
      baseUrl,
      credentials: { key: apiKey, secret: secret.secret, headers: secret.headers },
      signing,
      refusalCodes,
      clock,
    });
    try {
      return await testConnection(client);
    } finally {
      await client.close();
    }
  }

  const desk = createDesk({
    journal,
    connection(id) {
      const open = session.current();
      const summary = session.summary(id);
      if (open?.id !== id || summary === null) return null;
      return {
        summary,
        send: (endpoint, body, kind) => open.client.send(endpoint, body, kind),
        knownOrderIds: (symbolId) => open.knownOrderIds(symbolId),
        clockOffsetMs: () => open.client.clockOffsetMs(),
        position: (symbolId) => open.position(symbolId),
        contractIds: () => open.contractIds(),
        stop: (intent) =>
          localRefusal(intent, {
            summary,
            feeds: open.feeds.all(),
            limits: settings.get().limits,
            now: clock.now(),
          }),
      };
    },
    locked: () => session.locked(),
    encode: encodeOrder,
    assertBody,
    clock,
    newId,
    changed(record) {
      push('intent', record);
      const open = session.current();
      if (record.state === 'unknown' && open?.id === record.connectionId)
        open.findingOut.look(record.symbolId);
    },
  });

  const exports = createExports({
    async savePath(suggested) {
      const options = {
        title: 'Export trades',
        defaultPath: join(app.getPath('downloads'), suggested),
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      };
      const answer =
        window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    showFile: (path) => shell.showItemInFolder(path),
    changed: (progress) => push('export', progress),
    clock,
    newId,
  });

  const push = serveBridge(
    createHandlers({
      session,
      settings,
      desk,
      exports,
      testDraft,
      previewSigning: (input) => previewSigning(input, clock.now()),
      copy: (text) => {
        void clipboard.writeText(text);
      },
      openPage,
    }),
    {
      page: () => window?.webContents ?? null,
      isOwnAddress: isOwn,
      defect: (call, error) =>
        log.write('defect', { call, error: error instanceof Error ? error.name : 'unknown' }),
    },
  );

  app.on('second-instance', () => {
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());
  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    stopped = true;
    void session
      .stop()
      .then(() => practice.stop())
      .finally(() => {
        vault.drop();
        app.quit();
      });
  });

  // Before a person can act: what a kill left half done holds its symbol.
  await desk.recover();
  // The window before the connection: it shows its skeleton meanwhile.
  window = openWindow({
    preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
    title: 'Ballast',
    developmentUrl,
  });
  window.on('closed', () => (window = null));
  await session.start();
  await session.learnSecretStates();
  if (journal.damaged > 0)
    push('notice', {
      message: `${journal.damaged} damaged line(s) in the order journal were skipped.`,
      next: 'They are kept in the file. An order of a damaged line was never sent.',
    });
}
