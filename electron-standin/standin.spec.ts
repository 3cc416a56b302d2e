// Drives the stand-in exactly as a test drives Electron. The fixture app is in fixture/.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, test as base } from '@playwright/test';
import type { ElectronApplication, Page } from '@playwright/test';
import type { BrowserWindow } from 'electron';
import { MENU_BAR } from './main/window-place.mjs';

const root = import.meta.dirname;
const executablePath = join(root, 'electron');
const cwd = join(root, 'fixture');

interface Driven {
  app: ElectronApplication;
  page: Page;
}

/** Only ends what hangs: Electron's own limit is 30 s. */
const ACTION_MS = 120_000;

const firstWindow = async (app: ElectronApplication): Promise<Page> => {
  const page = await app.firstWindow({ timeout: ACTION_MS });
  page.setDefaultTimeout(ACTION_MS);
  return page;
};

async function ready(app: ElectronApplication): Promise<Page> {
  const page = await firstWindow(app);
  await page.waitForURL(/page\.html/);
  await expect(page.getByText('ready')).toBeVisible();
  return page;
}

async function start(): Promise<Driven> {
  const app = await _electron.launch({ executablePath, args: ['.'], cwd });
  return { app, page: await ready(app) };
}

/** A start costs most of a test: those that leave main process and window as they were share one. */
const test = base.extend<{ driven: Driven; own: Driven }, { shared: Driven }>({
  shared: [
    // Playwright requires a destructured first argument, even when it is unused.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const driven = await start();
      await use(driven);
      await driven.app.close();
    },
    { scope: 'worker' },
  ],
  /** The shared one, its page loaded again and nothing recorded yet. */
  driven: async ({ shared }, use) => {
    const { app, page } = shared;
    await app.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: Record<string, unknown[]> };
      for (const list of Object.values(seen)) list.length = 0;
    });
    await page.reload();
    await expect(page.getByText('ready')).toBeVisible();
    await use(shared);
  },
  // oxlint-disable-next-line no-empty-pattern
  own: async ({}, use) => {
    const driven = await start();
    await use(driven);
    await driven.app.close();
  },
});

/** Runs in the page. The fixture's bridge is typed here, where it is used. */
interface FixtureWindow {
  fixture: {
    version: string;
    call(name: string, ...args: unknown[]): Promise<unknown>;
    send(name: string, ...args: unknown[]): void;
    nested: { deep: { add(a: number, b: number): number; list: [number, () => string] } };
    fails(): void;
    later(value: unknown): Promise<unknown>;
    each(values: unknown[], callback: (value: unknown) => unknown): unknown[];
  };
  pushed: unknown[][];
  keys: string[];
  stopListening(): void;
}
declare const window: Window & FixtureWindow;

/** What the fixture's main process recorded under a heading. */
const seen = (app: ElectronApplication, heading: string): Promise<unknown[]> =>
  app.evaluate((_electron, key) => {
    const { seen } = globalThis as unknown as { seen: Record<string, unknown[]> };
    return seen[key] ?? [];
  }, heading);

/**
 * Chromium of the app `pid`: the process that names its profile, and its whole group, which names nothing in a
 * headless shell.
 */
function chromiumOf(pid: number | undefined): string {
  const lines = execFileSync('ps', ['-eo', 'pgid=,pid=,args=']).toString().split('\n');
  const groupOf = (line: string): string => line.trim().split(' ', 1)[0] ?? '';
  for (const line of lines) if (line.includes(`electron-standin-${pid}-`)) groups.set(pid, groupOf(line));
  return lines.filter((line) => groupOf(line) === groups.get(pid)).join('\n');
}
/** Groups seen so far: one is known even after the process that named its profile is gone. */
const groups = new Map<number | undefined, string>();
const profilesOf = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`electron-standin-${pid}-`));

test('launches, shows its window at the requested size, and identifies itself', async ({
  own: { app, page },
}) => {
  await expect(page.getByRole('heading', { name: 'Fixture' })).toBeVisible();
  await expect(page.getByRole('heading')).toHaveCSS('color', 'rgb(10, 20, 30)');
  await expect
    .poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight]))
    .toEqual([1440, 900 - MENU_BAR]);
  const facts = await app.evaluate(({ app, BrowserWindow }) => ({
    name: app.getName(),
    version: app.getVersion(),
    packaged: app.isPackaged,
    type: Reflect.get(process, 'type'),
    electron: process.versions['electron'],
    chrome: process.versions['chrome'],
    ready: app.isReady(),
    url: BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    argv: process.argv.slice(1),
  }));
  expect(facts).toMatchObject({
    name: 'standin-fixture',
    version: '1.2.3',
    packaged: false,
    type: 'browser',
    electron: '45.5.0',
    ready: true,
    url: 'app://bundle/page.html',
  });
  expect(facts.chrome).toMatch(/^\d+\./);
  expect(facts.argv).toContain('.');
});

test('works through ELECTRON_OVERRIDE_DIST_PATH and the driver loader too', async () => {
  const before = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = root;
  try {
    const app = await _electron.launch({ args: ['.'], cwd });
    await expect((await ready(app)).getByRole('heading')).toBeVisible();
    expect(await app.evaluate(() => process.argv.slice(1))).toEqual(['.']);
    await app.close();
  } finally {
    if (before === undefined) delete process.env['ELECTRON_OVERRIDE_DIST_PATH'];
    else process.env['ELECTRON_OVERRIDE_DIST_PATH'] = before;
  }
});

test('passes every cloneable value there and back', async ({ driven: { page } }) => {
  const results = await page.evaluate(async () => {
    const cyclic: Record<string, unknown> = { name: 'ring' };
    cyclic['self'] = cyclic;
    const call = (value: unknown): Promise<unknown> => window.fixture.call('echo', value);
    const kind = (value: unknown): string => Object.prototype.toString.call(value);
    const bytes = await call(new Uint8Array([0, 128, 255]));
    const floats = await call(new Float64Array([1.5, -0]));
    const date = await call(new Date(1234567890123));
    const map = await call(new Map([['a', new Set([1, 2])]]));
    const ring = (await call(cyclic)) as Record<string, unknown>;
    const error = (await call(new RangeError('words'))) as Error;
    const empty = (await call({ a: undefined, b: null, $: 1, list: [undefined] })) as Record<string, unknown>;
    return {
      bytes: [kind(bytes), ...(bytes as Uint8Array)],
      floats: [kind(floats), Object.is((floats as Float64Array)[1], -0)],
      date: [kind(date), (date as Date).getTime()],
      map: [kind(map), kind((map as Map<string, unknown>).get('a'))],
      ring: ring['self'] === ring,
      // On its way over the bridge an error becomes a plain one.
      error: [error.name, error.message],
      empty: [
        'a' in empty,
        empty['a'] === undefined,
        empty['b'],
        empty['$'],
        (empty['list'] as unknown[]).length,
      ],
      undef: (await call(undefined)) === undefined,
      nan: Number.isNaN(await call(NaN)),
      zero: Object.is(await call(-0), -0),
      infinite: await call(-Infinity),
      big: String(await call(2n ** 70n)),
      text: await call('ß \u2028 \0 😀'),
      main: [
        await window.fixture.call('describe', new Uint8Array(1)),
        await window.fixture.call('describe', new Date()),
      ],
    };
  });
  expect(results).toEqual({
    bytes: ['[object Uint8Array]', 0, 128, 255],
    floats: ['[object Float64Array]', true],
    date: ['[object Date]', 1234567890123],
    map: ['[object Map]', '[object Set]'],
    ring: true,
    error: ['Error', 'words'],
    empty: [true, true, null, 1, 1],
    undef: true,
    nan: true,
    zero: true,
    infinite: -Infinity,
    big: '1180591620717411303424',
    text: 'ß \u2028 \0 😀',
    main: ['[object Uint8Array]', '[object Date]'],
  });
});

test('reports errors with Electron’s messages', async ({ driven: { page } }) => {
  const messageOf = (name: string, kind: 'plain' | 'function' | 'proxy'): Promise<string> =>
    page.evaluate(
      ([name, kind]) => {
        const value = kind === 'function' ? () => 1 : kind === 'proxy' ? { inner: new Proxy({}, {}) } : 1;
        return Promise.resolve()
          .then(() => window.fixture.call(String(name), value))
          .then(
            () => 'no error',
            (error: unknown) => String(error),
          );
      },
      [name, kind],
    );
  expect(await messageOf('fail', 'plain')).toBe(
    "Error: Error invoking remote method 'fail': TypeError: on purpose",
  );
  expect(await messageOf('none', 'plain')).toBe(
    "Error: Error invoking remote method 'none': Error: No handler registered for 'none'",
  );
  expect(await messageOf('echo', 'function')).toBe('Error: An object could not be cloned.');
  // Svelte's $state is a proxy: what fails on Electron must fail here.
  expect(await messageOf('echo', 'proxy')).toBe('Error: An object could not be cloned.');
});

test('bridges functions, callbacks and promises between two worlds', async ({ driven: { page } }) => {
  const results = await page.evaluate(async () => {
    const { fixture } = window;
    let thrown = '';
    try {
      fixture.fails();
    } catch (error) {
      thrown = error instanceof Error ? error.message : 'not an Error of this world';
    }
    return {
      sum: fixture.nested.deep.add(2, 3),
      listed: fixture.nested.deep.list[1](),
      thrown,
      later: await fixture.later({ at: new Date(7) }),
      each: fixture.each([1, 2], (value) => `told ${String(value)}`),
      frozen: Object.isFrozen(fixture.nested.deep),
      promise: fixture.later(1) instanceof Promise,
      own: Object.getOwnPropertyDescriptor(window, 'fixture')?.writable,
    };
  });
  expect(results).toEqual({
    sum: 5,
    listed: 'in a list',
    thrown: 'no',
    later: { at: new Date(7) },
    each: ['told 1', 'told 2'],
    frozen: true,
    promise: true,
    own: false,
  });
});

test('pushes events to the page until it stops listening', async ({ driven: { app, page } }) => {
  const push = (value: unknown): Promise<void> =>
    app.evaluate(
      ({ BrowserWindow }, sent) => BrowserWindow.getAllWindows()[0]?.webContents.send('push', sent, 'two'),
      value,
    );
  await push({ price: '1.5' });
  await expect.poll(() => page.evaluate(() => window.pushed)).toEqual([[{ price: '1.5' }, 'two']]);
  await page.evaluate(() => window.stopListening());
  await push('unheard');
  await page.evaluate(() => window.fixture.call('echo', 0));
  expect(await page.evaluate(() => window.pushed.length)).toBe(1);
  await page.evaluate(() => window.fixture.send('note', 'heard', 1));
  await expect.poll(() => seen(app, 'events')).toContainEqual(['heard', 1]);
});

test('identifies the sender', async ({ driven: { app, page } }) => {
  await page.evaluate(() => (window.location.hash = '#/risk'));
  await page.evaluate(() => window.fixture.call('echo', 0));
  expect((await seen(app, 'frames')).at(-1)).toEqual({
    url: 'app://bundle/page.html#/risk',
    origin: 'app://bundle',
    parent: null,
  });
});

test('gives the page nothing of Node, Electron or the bridge inside', async ({ driven: { page } }) => {
  const results = await page.evaluate(() => ({
    globals: ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter(
      (name) => name in window,
    ),
    odd: Object.getOwnPropertyNames(window).filter((name) => /^e[0-9a-f]{32}$/.test(name)),
    // Everything reached through a bridged function belongs to the page's own world.
    ownFunction: window.fixture.call.constructor === Function,
    ownPromise: window.fixture.later(1).constructor === Promise,
    ownArray: window.fixture.nested.deep.list.constructor === Array,
  }));
  expect(results).toEqual({ globals: [], odd: [], ownFunction: true, ownPromise: true, ownArray: true });
});

test('keeps the content security policy', async ({ driven: { page } }) => {
  const results = await page.evaluate(async () => {
    const script = document.createElement('script');
    let inline: string;
    try {
      script.textContent = 'window.inlineRan = true';
      document.body.append(script);
      inline = Reflect.has(window, 'inlineRan') ? 'ran' : 'refused';
    } catch (error) {
      inline = error instanceof TypeError ? 'refused' : 'other';
    }
    const outside = await fetch('https://example.com/').then(
      () => 'answered',
      () => 'refused',
    );
    const own = await fetch('page.js').then(
      () => 'answered',
      () => 'refused',
    );
    return { inline, outside, own, secure: window.isSecureContext };
  });
  expect(results).toEqual({ inline: 'refused', outside: 'refused', own: 'refused', secure: true });
});

test('denies navigation, of every kind', async ({ driven: { app, page } }) => {
  const start = page.url();
  await page.evaluate(() => (window.location.href = 'https://example.com/typed'));
  await expect.poll(() => seen(app, 'navigations')).toEqual(['https://example.com/typed']);
  await page.getByText('out', { exact: true }).click();
  await expect.poll(() => seen(app, 'navigations')).toContain('https://example.com/');
  await page.evaluate(() => (window.location.href = '/other.html'));
  await expect.poll(() => seen(app, 'navigations')).toContain('app://bundle/other.html');
  for (const address of [
    'about:blank',
    URL.createObjectURL(new Blob(['<p>own</p>'], { type: 'text/html' })),
  ]) {
    await page.evaluate((to) => {
      const target = to.startsWith('blob:')
        ? URL.createObjectURL(new Blob(['own'], { type: 'text/html' }))
        : to;
      window.location.href = target;
    }, address);
    // A round trip over the same pipe: had it navigated, the bridge would be gone.
    expect(await page.evaluate(() => window.fixture.call('echo', 'here'))).toBe('here');
  }
  expect(page.url()).toBe(start);
  await expect(page.getByRole('heading', { name: 'Fixture' })).toBeVisible();
});

test('lets the page and the driver reload', async ({ driven: { page } }) => {
  await page.evaluate(() => document.body.append('changed'));
  await page.reload();
  await expect(page.getByText('ready')).toBeVisible();
  await expect(page.getByText('changed')).toHaveCount(0);
  expect(await page.evaluate(() => window.fixture.call('echo', 1))).toBe(1);
});

test('denies new windows, of every kind', async ({ driven: { app, page } }) => {
  expect(await page.evaluate(() => window.open('https://example.com/opened'))).toBeNull();
  await expect.poll(() => seen(app, 'opened')).toEqual(['https://example.com/opened']);
  await page.getByText('blank').click();
  await expect.poll(() => seen(app, 'opened')).toContain('https://example.com/blank');
  await page.getByText('out', { exact: true }).click({ modifiers: ['Control'] });
  await page.getByText('out', { exact: true }).click({ button: 'middle' });
  await expect.poll(() => seen(app, 'opened')).toHaveLength(4);
  expect(app.windows()).toHaveLength(1);
});

test('enforces the permission handlers', async ({ own: { app, page } }) => {
  const states = await page.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'clipboard-read',
      'clipboard-write',
      'midi',
    ];
    const answers = names.map((name) => navigator.permissions.query({ name: name as PermissionName }));
    return (await Promise.all(answers)).map((status) => status.state);
  });
  expect(new Set(states)).toEqual(new Set(['denied']));
  const position = await page.evaluate(
    () =>
      new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('told'),
          (error) => resolve(error.code),
        ),
      ),
  );
  expect(position).toBe(1);
  expect(
    await page.evaluate(() => ['usb', 'hid', 'serial', 'bluetooth'].filter((name) => name in navigator)),
  ).toEqual([]);
  expect(await seen(app, 'permissions')).toContain('notifications');
});

test('lets a test answer the dialogs, and shows none without a display', async ({ own: { app, page } }) => {
  const unscripted = await page.evaluate(() => window.fixture.call('save').catch(String));
  test.skip(process.env['DISPLAY'] !== undefined && typeof unscripted !== 'string');
  expect(unscripted).toContain('replace it in the test');
  await app.evaluate(({ dialog }) => {
    dialog.showSaveDialog = (...args: unknown[]) =>
      Promise.resolve({ canceled: false, filePath: `/tmp/${args.length}.csv` });
  });
  expect(await page.evaluate(() => window.fixture.call('save'))).toEqual({
    canceled: false,
    filePath: '/tmp/2.csv',
  });
});

test('runs utility processes as real children, and kills one that hangs', async ({ driven: { page } }) => {
  const call = (name: string, value?: unknown): Promise<unknown> =>
    page.evaluate(([name, value]) => window.fixture.call(String(name), value), [name, value]);
  expect(await call('child', { big: 'x' })).toEqual({ echo: { big: 'x' }, type: 'utility', args: ['one'] });
  expect(await call('kill-child', 'hang')).toEqual({ killed: true, code: 0, pid: undefined });
});

test('rejects unsupported members by name', async ({ driven: { app } }) => {
  const found = await app.evaluate(({ app, BrowserWindow, Tray, dialog, net, session }) => {
    const attempt = (run: () => unknown): string => {
      try {
        return `no error: ${String(run())}`;
      } catch (error) {
        return error instanceof Error ? error.message : 'other';
      }
    };
    const [window] = BrowserWindow.getAllWindows();
    return [
      attempt(() => app.getGPUInfo('basic')),
      attempt(() => window?.setVibrancy('menu')),
      attempt(() => Reflect.get(Tray.prototype, 'displayBalloon')),
      attempt(() => Reflect.get(dialog, 'showCertificateTrustDialog')),
      attempt(() => net.fetch('https://x')),
      attempt(() => window?.webContents.on('cursor-changed', () => undefined)),
      attempt(() => session.fromPartition('x')),
      attempt(() => new BrowserWindow({ webPreferences: { sandbox: false } })),
      attempt(() => window?.webContents.session.webRequest.onCompleted(() => undefined)),
    ];
  });
  expect(found).toEqual(
    [
      'app.getGPUInfo',
      'BrowserWindow.setVibrancy',
      'Tray.displayBalloon',
      'dialog.showCertificateTrustDialog',
      'net.fetch',
      "the event 'cursor-changed' of webContents",
      'session.fromPartition',
      'webPreferences.sandbox: false',
      'WebRequest.onCompleted',
    ].map((name) => `electron-standin does not support ${name}`),
  );
});

test('honours sizes and takes screenshots of them', async ({ own: { app, page } }) => {
  const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect(sizeOf(await page.screenshot())).toEqual([1440, 900 - MENU_BAR]);
  const frame = await app.browserWindow(page);
  await frame.evaluate((it: BrowserWindow) => it.setContentSize(1024, 700));
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([1024, 700]);
  expect(sizeOf(await page.screenshot())).toEqual([1024, 700]);
  await frame.evaluate((it: BrowserWindow) => it.setSize(10, 10));
  expect(await frame.evaluate((it: BrowserWindow) => it.getSize())).toEqual([640, 480]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([1280, 720]);
  expect(sizeOf(await page.screenshot())).toEqual([1280, 720]);
});

test('follows the theme and the driver', async ({ own: { app, page } }) => {
  const dark = (): Promise<boolean> =>
    page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await app.evaluate(({ nativeTheme }) => (nativeTheme.themeSource = 'dark'));
  await expect.poll(dark).toBe(true);
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(dark).toBe(false);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect
    .poll(() => page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches))
    .toBe(true);
});

test('lets shortcuts and typing reach the page', async ({ driven: { page } }) => {
  await page.getByLabel('field').fill('typed');
  for (const keys of ['Control+k', 'Control+Enter', 'Escape', 'F6']) await page.keyboard.press(keys);
  expect(await page.evaluate(() => window.keys)).toEqual(
    expect.arrayContaining(['Ctrl+k', 'Ctrl+Enter', 'Escape', 'F6']),
  );
});

test('reports a page that crashed', async ({ own: { app, page } }) => {
  const crashed = page.waitForEvent('crash');
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await crashed;
  await expect.poll(() => seen(app, 'events')).toEqual(['crashed']);
  const isCrashed = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.isCrashed(),
  );
  expect(isCrashed).toBe(true);
});

test('closes without leaving a process or a folder behind', async () => {
  const app = await _electron.launch({ executablePath, args: ['.'], cwd });
  await ready(app);
  const { pid } = app.process();
  let out = '';
  app.process().stdout?.on('data', (chunk) => (out += String(chunk)));
  expect(chromiumOf(pid)).not.toBe('');
  await app.close();
  await expect.poll(() => chromiumOf(pid)).toBe('');
  expect(profilesOf(pid)).toEqual([]);
  expect(out.match(/event [a-z-]+/g)).toEqual(['event before-quit', 'event will-quit', 'event quit']);
});

test('ends when its last window is closed', async () => {
  const app = await _electron.launch({ executablePath, args: ['.'], cwd });
  const page = await ready(app);
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  await page.close();
  expect(await ended).toBe(0);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  test(`leaves no Chromium after ${signal}`, async () => {
    const child = spawn(executablePath, ['.', '--no-sandbox'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    await expect.poll(() => chromiumOf(child.pid)).toContain('--type=renderer');
    const ended = new Promise((resolve) => child.once('close', (code, by) => resolve(code ?? by)));
    child.kill(signal);
    // Whatever the outcome, no process of this test survives it.
    const last = setTimeout(() => child.kill('SIGKILL'), ACTION_MS);
    const how = await ended;
    clearTimeout(last);
    expect(how).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
    await expect.poll(() => chromiumOf(child.pid)).toBe('');
    if (signal !== 'SIGKILL') expect(out).toContain('event quit');
    for (const name of profilesOf(child.pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  });
}

test('says which display it cannot open, and what may be missing', async () => {
  const { XAUTHORITY: _authority, ...rest } = process.env;
  const env = { ...rest, DISPLAY: ':9999', BALLAST_STANDIN_HEADLESS: '' };
  const child = spawn(executablePath, ['.', '--no-sandbox'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
  expect(said).toContain('Chromium cannot open the display :9999');
  expect(said).toContain('set XAUTHORITY');
});

test('allows one instance and forwards the arguments of the second', async () => {
  const userData = mkdtempSync(join(tmpdir(), 'standin-data-'));
  const env = { ...process.env, FIXTURE_SINGLE: '1' } as Record<string, string>;
  const app = await _electron.launch({
    executablePath,
    args: ['.', `--user-data-dir=${userData}`],
    cwd,
    env,
  });
  await ready(app);
  expect(await app.evaluate(({ app }) => app.getPath('userData'))).toBe(userData);
  const second = spawn(executablePath, ['.', '--no-sandbox', `--user-data-dir=${userData}`, 'hello'], {
    cwd,
    env,
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
  await expect
    .poll(() => seen(app, 'second'))
    .toEqual([{ argv: expect.arrayContaining(['hello']), cwd, data: { from: second.pid } }]);
  await app.close();
  rmSync(userData, { recursive: true, force: true });
});

/** `STARTS=20` runs the long form; each other test here and in e2e/ is a start too. */
const STARTS = Number(process.env['STARTS'] ?? 4);

test('opens the window every time', async () => {
  test.setTimeout(600_000 + STARTS * 10_000);
  for (let i = 0; i < STARTS; i++) {
    const app = await _electron.launch({ executablePath, args: ['.'], cwd });
    await expect((await ready(app)).getByRole('heading')).toBeVisible();
    await app.close();
  }
});

test('restarts Chromium for switches that the app adds', async () => {
  const app = await _electron.launch({ executablePath, args: ['bare.mjs'], cwd });
  const page = await firstWindow(app);
  await page.waitForURL(/bundle/);
  expect(await page.evaluate(() => typeof Reflect.get(window, 'gc'))).toBe('function');
  await app.close();
});

test('enforces webRequest', async () => {
  const server = createServer((_request, response) => {
    response
      .setHeader('access-control-allow-origin', '*')
      .setHeader('access-control-expose-headers', '*')
      .end('body');
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const app = await _electron.launch({ executablePath, args: ['bare.mjs'], cwd });
  const page = await firstWindow(app);
  await page.waitForURL(/bundle/);
  const ask = (path: string): Promise<string> =>
    page.evaluate(
      (url) =>
        fetch(url).then(
          (answer) => answer.headers.get('x-added') ?? 'no header',
          () => 'refused',
        ),
      `http://127.0.0.1:${port}${path}`,
    );
  expect(await ask('/open')).toBe('by the app');
  expect(await ask('/blocked')).toBe('refused');
  await app.close();
  server.close();
});

test('opens and closes further windows, and lets a listener refuse to close', async () => {
  const app = await _electron.launch({ executablePath, args: ['bare.mjs'], cwd });
  await (await firstWindow(app)).waitForURL(/bundle/);
  const opened = app.waitForEvent('window', { timeout: ACTION_MS });
  await app.evaluate(
    ({ BrowserWindow }) => void new BrowserWindow({ width: 300, height: 200 }).loadURL('app://bundle/'),
  );
  const second = await opened;
  await second.waitForURL(/bundle/);
  await expect
    .poll(() => second.evaluate(() => [window.innerWidth, window.innerHeight]))
    .toEqual([300, 200 - MENU_BAR]);
  const frame = await app.browserWindow(second);
  await frame.evaluate((it: BrowserWindow) => void it.once('close', (event) => event.preventDefault()));
  await frame.evaluate((it: BrowserWindow) => it.close());
  expect(await frame.evaluate((it: BrowserWindow) => it.isDestroyed())).toBe(false);
  const closed = second.waitForEvent('close');
  await frame.evaluate((it: BrowserWindow) => it.close());
  await closed;
  expect(app.windows()).toHaveLength(1);
  await app.close();
});
