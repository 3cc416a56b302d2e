// Checks what Electron rejects, delays or does unexpectedly: the stand-in must do the same, or a test could pass
// here and fail there. Each is taken from Electron's documentation or source: FIDELITY.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, test } from '@playwright/test';
import type { ElectronApplication, Page } from '@playwright/test';
import { MENU_BAR } from './main/window-place.mjs';

const root = import.meta.dirname;
const executablePath = join(root, 'electron');
const cwd = join(root, 'fixture');

interface Notes {
  readonly beforeReady: Record<string, string>;
  readonly order: string[];
  readonly pressed: string[];
  readonly ready: string[];
}

const open: ElectronApplication[] = [];
test.afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function launch(
  main: 'strict.mjs' | '.',
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<ElectronApplication> {
  const app = await _electron.launch({
    executablePath,
    args: [main, ...args],
    cwd,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  open.push(app);
  return app;
}
/** Only ends what hangs: Electron's own limit is 30 s. */
const ACTION_MS = 120_000;
const firstWindow = async (app: ElectronApplication): Promise<Page> => {
  const page = await app.firstWindow({ timeout: ACTION_MS });
  page.setDefaultTimeout(ACTION_MS);
  return page;
};
async function shown(app: ElectronApplication): Promise<Page> {
  const page = await firstWindow(app);
  await page.waitForURL(/bundle/);
  await expect(page.getByRole('heading')).toBeVisible();
  return page;
}
const notes = (app: ElectronApplication): Promise<Notes> =>
  app.evaluate(() => (globalThis as unknown as { notes: Notes }).notes);

test('rejects before ready what Electron rejects, with its errors', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  expect((await notes(app)).beforeReady).toEqual({
    fork: 'TypeError: utilityProcess cannot be created before app is ready.',
    session: 'TypeError: Session can only be received when app is ready',
    handle: 'TypeError: Session can only be received when app is ready',
    isHandled: 'TypeError: Session can only be received when app is ready',
    screen: "Error: The 'screen' module can't be used before the app 'ready' event",
    'screen.on': "Error: The 'screen' module can't be used before the app 'ready' event",
    notification: 'Error: Cannot create Notification before app is ready',
    window: 'Error: Cannot create BrowserWindow before app is ready',
    dialog: 'dialog module can only be used after app is ready',
  });
});

test('gives a key to the menu unless the page prevented it, and repeats a held one', async () => {
  const app = await launch('strict.mjs');
  const page = await shown(app);
  const pressed = async (): Promise<string[]> => (await notes(app)).pressed;
  await page.keyboard.press('Control+k');
  await expect.poll(pressed).toEqual(['CmdOrCtrl+K']);
  await page.evaluate(() => (document.body.dataset['takes'] = 'k'));
  await page.keyboard.press('Control+k');
  await page.keyboard.press('F2');
  await expect.poll(pressed).toEqual(['CmdOrCtrl+K', 'F2']);
  // Stopping propagation does not prevent a key.
  await page.evaluate(() => (document.body.dataset['stops'] = 'all'));
  await page.keyboard.down('Control');
  await page.keyboard.down('Shift');
  for (let times = 0; times < 3; times++) await page.keyboard.down('H');
  await expect.poll(pressed).toEqual(['CmdOrCtrl+K', 'F2', ...Array<string>(3).fill('CmdOrCtrl+Shift+H')]);
  await page.keyboard.up('H');
  await page.keyboard.up('Shift');
  // Plus is a shifted key: without Shift it is another one. A disabled entry has its key and does nothing.
  await page.keyboard.press('=');
  await page.keyboard.press('F3');
  await page.keyboard.down('Shift');
  await page.keyboard.press('+');
  await expect.poll(pressed).toHaveLength(6);
  expect((await pressed()).at(-1)).toBe('CmdOrCtrl+Plus');
});

test('runs the roles of the menu', async () => {
  const app = await launch('strict.mjs');
  const page = await shown(app);
  const frame = await app.browserWindow(page);
  await page.keyboard.press('Control+m');
  await expect.poll(() => frame.evaluate((it: Electron.BrowserWindow) => it.isMinimized())).toBe(true);
  await frame.evaluate((it: Electron.BrowserWindow) => it.restore());
  const closed = page.waitForEvent('close');
  // The page may be gone before the key is up.
  await Promise.allSettled([page.keyboard.press('Control+w')]);
  await closed;
  await expect.poll(async () => (await notes(app)).order).toEqual(['window-all-closed']);
});

test('emits ready-to-show once the page has drawn content', async () => {
  const app = await launch('strict.mjs', { STRICT_LATE_CONTENT: '1' });
  await firstWindow(app);
  await expect
    .poll(async () => (await notes(app)).ready.filter((note) => note.startsWith('shown')))
    .toEqual(['shown with content']);
});

test('removes --no-sandbox by enableSandbox, after which no page can start', async () => {
  const app = await launch('strict.mjs', { STRICT_SANDBOX: '1' }, ['--no-sandbox']);
  await expect
    .poll(async () => (await notes(app)).order)
    .toEqual(['gone launch-failed', 'not loaded: ERR_FAILED (-2) loading a page']);
  expect(await app.evaluate(({ app }) => app.commandLine.hasSwitch('no-sandbox'))).toBe(false);
});

test('returns promises for what is read from and written to the clipboard', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  // Playwright may see the page before the app does, which writes through it.
  await expect.poll(async () => (await notes(app)).ready).toContain('did-finish-load');
  const kinds = await app.evaluate(async ({ clipboard }) => {
    const written: unknown = clipboard.writeText('copied');
    const read: unknown = clipboard.readText();
    await written;
    return [written instanceof Promise, read instanceof Promise, await read];
  });
  expect(kinds).toEqual([true, true, 'copied']);
});

test('kills no utility process before it has started, and reports 0 for one it killed', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  const ends = await app.evaluate(
    async ({ utilityProcess }, path) => {
      const child = utilityProcess.fork(path);
      const early = { killed: child.kill(), pid: child.pid };
      await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
      const running = typeof child.pid;
      const code = new Promise((resolve) => child.once('exit', resolve));
      const killed = child.kill();
      return { early, running, killed, code: await code, late: child.kill(), pid: child.pid };
    },
    join(cwd, 'child.mjs'),
  );
  expect(ends).toEqual({
    early: { killed: false, pid: undefined },
    running: 'number',
    killed: true,
    code: 0,
    late: false,
    pid: undefined,
  });
});

test('closes and quits later: running code finishes', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  const ended = once(app.process(), 'close');
  let out = '';
  app.process().stdout?.on('data', (chunk) => (out += String(chunk)));
  const steps = await app.evaluate(async ({ app, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const steps: string[] = [];
    if (window === undefined) return steps;
    window.on('close', () => steps.push('close'));
    window.on('closed', () => steps.push('closed'));
    window.close();
    steps.push(`after close(): ${window.isDestroyed() ? 'destroyed' : 'there'}`);
    await new Promise((resolve) => window.once('closed', () => resolve(null)));
    steps.push(window.isDestroyed() ? 'destroyed' : 'there');
    app.on('will-quit', () => console.log('will-quit'));
    app.on('quit', (_event, code) => console.log(`quit ${code}`));
    setImmediate(() => {
      app.quit();
      console.log('after quit()');
    });
    return steps;
  });
  expect(steps).toEqual(['close', 'after close(): there', 'closed', 'destroyed']);
  expect((await ended)[0]).toBe(0);
  expect(out.trim().split('\n')).toEqual(['will-quit', 'quit 0', 'after quit()']);
});

test('ends by exit and process.exit without asking, also later', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  const ended = once(app.process(), 'close');
  let out = '';
  app.process().stdout?.on('data', (chunk) => (out += String(chunk)));
  await app.evaluate(({ app, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.on('close', (event) => event.preventDefault());
    window?.on('closed', () => console.log('closed'));
    app.on('before-quit', () => console.log('before-quit'));
    app.on('will-quit', () => console.log('will-quit'));
    app.on('quit', (_event, code) => console.log(`quit ${code}`));
    setImmediate(() => {
      process.exit(3);
      // Electron's process.exit returns, though its type says that it never does.
      console.log('after exit');
    });
  });
  expect((await ended)[0]).toBe(3);
  expect(out.trim().split('\n')).toEqual(['closed', 'quit 3', 'after exit']);
});

test('passes only the message of an error over the bridge, no Proxy and nothing deeper than 1000', async () => {
  const app = await launch('.');
  const page = await firstWindow(app);
  await page.waitForURL(/page\.html/);
  const results = await page.evaluate(async () => {
    interface Bridge {
      make(what: string): unknown;
      throws(value: unknown): void;
      rejects(value: unknown): Promise<void>;
      later(value: unknown): Promise<unknown>;
      call(name: string, ...args: unknown[]): Promise<unknown>;
    }
    const { fixture } = window as unknown as { fixture: Bridge };
    const messageOf = (run: () => unknown): string => {
      try {
        run();
        return 'no error';
      } catch (error) {
        return String(error);
      }
    };
    const error = fixture.make('error') as Error & { extra?: string };
    return {
      error: [error.name, error.message, error.extra, error.cause, error instanceof Error],
      thrown: messageOf(() => fixture.throws(new RangeError('of the page'))),
      text: messageOf(() => fixture.throws('text')),
      rejected: await fixture.rejects(new RangeError('of the page')).catch(String),
      proxy: messageOf(() => fixture.make('proxy')),
      list: messageOf(() => fixture.make('proxied list')),
      given: messageOf(() => void fixture.later({ run: () => 1, list: new Proxy([], {}) })),
      deep: messageOf(() => fixture.make('deep')),
      lessDeep: messageOf(() => fixture.make('less deep')),
    };
  });
  const tooDeep =
    'TypeError: Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.';
  expect(results).toEqual({
    error: ['Error', 'of the preload', undefined, undefined, true],
    thrown: 'Error: of the page',
    text: 'Error: An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.',
    rejected: 'Error: of the page',
    proxy: 'Error: Uncaught Error: An object could not be cloned.',
    list: 'Error: Uncaught Error: An object could not be cloned.',
    given: 'Error: An object could not be cloned.',
    deep: `Error: Uncaught ${tooDeep}`,
    lessDeep: 'no error',
  });
});

test('keeps running after an uncaught error and a rejection in the main process, and prints both', async () => {
  const app = await launch('strict.mjs');
  const page = await shown(app);
  let words = '';
  app.process().stderr?.on('data', (chunk) => (words += String(chunk)));
  await app.evaluate(() => {
    setImmediate(() => {
      throw new Error('nobody caught this');
    });
    void Promise.reject(new Error('nobody handled that'));
  });
  await expect.poll(() => words).toContain('A JavaScript error occurred in the main process');
  expect(words).toContain('Uncaught Exception:\nError: nobody caught this');
  await expect.poll(() => words).toContain('UnhandledPromiseRejectionWarning: Error: nobody handled that');
  await expect(page.getByRole('heading')).toBeVisible();
  // A listener of the app's own replaces the box.
  await app.evaluate(() => {
    const { notes } = globalThis as unknown as { notes: Notes };
    process.on('uncaughtException', (error) => notes.order.push(error.message));
    setImmediate(() => {
      throw new Error('caught at last');
    });
  });
  await expect.poll(async () => (await notes(app)).order).toEqual(['caught at last']);
  expect(words).not.toContain('caught at last');
});

for (const [menu, useContentSize, page, outer] of [
  ['own', '0', 500 - MENU_BAR, 500],
  ['own', '1', 500, 500 + MENU_BAR],
  // Electron gives an app that sets no menu one of its own.
  ['default', '0', 500 - MENU_BAR, 500],
  ['none', '0', 500, 500],
] as const) {
  test(`takes a size as the window’s (menu: ${menu}, useContentSize: ${useContentSize})`, async () => {
    const app = await launch('strict.mjs', { STRICT_MENU: menu, STRICT_CONTENT_SIZE: useContentSize });
    const frame = await app.browserWindow(await shown(app));
    const sizes = await frame.evaluate((it: Electron.BrowserWindow) => [it.getSize(), it.getContentSize()]);
    expect(sizes).toEqual([
      [700, outer],
      [700, page],
    ]);
    const first = await firstWindow(app);
    await expect
      .poll(() => first.evaluate(() => [window.innerWidth, window.innerHeight]))
      .toEqual([700, page]);
  });
}

test('starts again what it is asked to once it has ended, and not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'standin-'));
  const app = await launch('.');
  await shown(app);
  const written = join(folder, 'again');
  await app.evaluate(
    ({ app }, [written, pid]) =>
      app.relaunch({
        execPath: '/bin/sh',
        // One that is ending has no file open; its number stays until its parent has read the result.
        args: [
          '-c',
          '[ -n "$(ls /proc/$0/fd 2>/dev/null)" ] && echo alive > "$1" || echo ended > "$1"',
          pid,
          written,
        ],
      }),
    [written, String(app.process().pid)] as const,
  );
  await shown(app);
  expect(existsSync(written)).toBe(false);
  const ended = once(app.process(), 'exit');
  await app.evaluate(({ app }) => app.quit());
  await ended;
  await expect.poll(() => existsSync(written) && readFileSync(written, 'utf8')).toBe('ended\n');
  open.splice(0);
  rmSync(folder, { recursive: true });
});

test('passes a second start’s arguments in Chromium’s order, with switches added, after ready', async () => {
  const userData = mkdtempSync(join(tmpdir(), 'standin-data-'));
  const args = [`--user-data-dir=${userData}`];
  const app = await launch('.', { FIXTURE_SINGLE: '1' }, args);
  await firstWindow(app);
  const second = spawn(executablePath, ['.', 'first.csv', '--one', '--two=2', 'last.csv', ...args], {
    cwd,
    env: { ...process.env, FIXTURE_SINGLE: '1' },
    stdio: 'ignore',
  });
  expect((await once(second, 'exit'))[0]).toBe(0);
  const seen = (): Promise<string[][]> =>
    app.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { second: { argv: string[] }[] } };
      return seen.second.map(({ argv }) => argv.slice(1));
    });
  await expect
    .poll(seen)
    .toEqual([
      [
        '--one',
        '--two=2',
        `--user-data-dir=${userData}`,
        '--allow-file-access-from-files',
        expect.stringMatching(/^--original-process-start-time=\d+$/),
        '.',
        'first.csv',
        'last.csv',
      ],
    ]);
  rmSync(userData, { recursive: true, force: true });
});

test('can make notifications fail, which they report by an event', async () => {
  const app = await launch('strict.mjs', { BALLAST_STANDIN_NOTIFICATIONS: 'fail' });
  await shown(app);
  const outcome = await app.evaluate(({ Notification }) => {
    const one = new Notification({ title: 'x', body: 'y' });
    return new Promise<string>((resolve) => {
      one.once('show', () => resolve('shown'));
      one.once('failed', (_event, why) => resolve(`${Notification.isSupported()} failed ${why}`));
      one.show();
    });
  });
  expect(outcome).toBe('true failed Notifications are not allowed for this app');
});

test('gives a page of a custom scheme no fetch and no cookies by default', async () => {
  const app = await launch('strict.mjs');
  const page = await shown(app);
  const results = await page.evaluate(async () => {
    document.cookie = 'c=d';
    return {
      fetch: await fetch('/again').then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
      cookie: document.cookie,
      store: await Reflect.get(window, 'cookieStore')
        .get('a')
        .catch((error: unknown) => (error instanceof DOMException ? error.name : 'other')),
    };
  });
  expect(results).toEqual({ fetch: 'TypeError: Failed to fetch', cookie: '', store: 'SecurityError' });
});

test('has the Node of Electron, without what BoringSSL lacks, in workers too', async () => {
  const app = await launch('strict.mjs');
  await shown(app);
  const results = await app.evaluate(async () => {
    const { strict } = globalThis as unknown as {
      strict: {
        createHash(name: string): unknown;
        getCurves(): string[];
        hashInWorker(name: string): Promise<string>;
      };
    };
    const digest = (name: string): string => {
      try {
        strict.createHash(name);
        return 'made';
      } catch (error) {
        return error instanceof Error ? error.message : 'other';
      }
    };
    return {
      node: process.versions.node,
      sha256: digest('sha256'),
      sha3: digest('sha3-256'),
      blake: digest('blake2b512'),
      curves: strict.getCurves(),
      worker: [await strict.hashInWorker('sha256'), await strict.hashInWorker('sha3-256')],
    };
  });
  expect(results).toEqual({
    node: expect.stringMatching(/^24\.21\./),
    sha256: 'made',
    sha3: 'Digest method not supported',
    blake: 'Digest method not supported',
    curves: ['prime256v1', 'secp224r1', 'secp384r1', 'secp521r1'],
    worker: ['made', 'Digest method not supported'],
  });
});

test('keeps a tray icon without drawing it, and rejects what Electron rejects', async () => {
  const app = await launch('.');
  await shown(app);
  const icon = join(root, '..', 'resources', 'tray', 'ok.png');
  const said = await app.evaluate(({ Menu, Tray }, path) => {
    const attempt = (run: () => unknown): string => {
      try {
        return String(run());
      } catch (error) {
        return error instanceof Error ? error.message : 'other';
      }
    };
    const tray = new Tray(path);
    const menu = Menu.buildFromTemplate([{ id: 'one', label: 'One', enabled: false }]);
    return [
      attempt(() => tray.setContextMenu(menu)),
      attempt(() => tray.setToolTip('text')),
      attempt(() => tray.setImage('/not/there.png')),
      attempt(() => new Tray('/not/there.png')),
      attempt(() => tray.destroy()),
      attempt(() => tray.isDestroyed()),
      attempt(() => tray.setImage(path)),
    ];
  }, icon);
  const missing = "Failed to load image from path '/not/there.png'";
  const nothing = 'undefined';
  expect(said).toEqual([nothing, nothing, missing, missing, nothing, 'true', 'Tray is destroyed']);
});

test('keeps no login item, as on Linux', async () => {
  const app = await launch('.');
  await shown(app);
  expect(
    await app.evaluate(({ app }) => {
      app.setLoginItemSettings({ openAtLogin: true });
      return app.getLoginItemSettings().openAtLogin;
    }),
  ).toBe(false);
});

test('hides a window and shows it again', async () => {
  const app = await launch('.');
  await shown(app);
  // The app shows its window once it is ready, which a test can see in the page before.
  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);
  const happened = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const happened: unknown[] = [];
    window?.on('hide', () => happened.push('hide'));
    window?.on('show', () => happened.push('show'));
    window?.hide();
    happened.push(window?.isVisible());
    window?.show();
    happened.push(window?.isVisible());
    return happened;
  });
  expect(happened).toEqual(['hide', false, 'show', true]);
});
