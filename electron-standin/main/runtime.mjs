// State shared by the stand-in's modules: the command line and Chromium.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { launchChromium } from '../chromium/launch.mjs';

/** The Electron version in the project's lock file; reading it from `electron` would cost a file read. */
export const ELECTRON_VERSION = '45.5.0';

const root = process.getuid?.() === 0;

/** Node's own exit. The app's `process.exit` is Electron's, which goes through `app.exit` (app.mjs). */
export const leave = process.exit.bind(process);

export const runtime = {
  /** Electron's own arguments and Chromium's, without the app's path (filled by start.mjs). */
  switches: new Map(),
  /** Folder of the app's package.json, and that file's content. */
  appPath: process.cwd(),
  manifest: {},
  headless:
    process.env.BALLAST_STANDIN_HEADLESS === '1' || !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY),
  /** Playwright requests a DevTools port; otherwise none is ever opened. */
  driven: false,
  /** Started with --no-sandbox: pages can then never have one, whatever the app does to the command line. */
  unsandboxed: false,
  /** @type {ReturnType<typeof launchChromium> | undefined} */
  chromium: undefined,
  ready: false,
  quitting: false,
};

/** Throws what Electron throws before its 'ready'. */
export function assertReady(error) {
  if (!runtime.ready) throw error;
}

/**
 * Reports a failed internal step without ending the app. A page that was replaced or closed meanwhile is no
 * failure.
 */
export function reportFault(error) {
  if (error?.name !== 'ProtocolError') process.stderr.write(`electron-standin: ${error?.stack ?? error}\n`);
}

/** WM_CLASS as Electron sets it: the desktop entry's name, by default a slug of the app's name. */
export function windowClass() {
  const { desktopName, productName, name = '' } = runtime.manifest;
  if (desktopName !== undefined) return desktopName.replace(/\.desktop$/, '');
  const slug = (productName ?? name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? basename(process.execPath) : slug;
}

// Meant for the stand-in or for Node, not for Chromium.
const OURS = new Set([
  'inspect',
  'user-data-dir',
  'enable-sandbox',
  'headless',
  'remote-debugging-port',
  'no-sandbox',
]);
const ofChromium = () => new Map([...runtime.switches].filter(([name]) => !OURS.has(name)).toSorted());

const launch = (switches) =>
  launchChromium({
    headless: runtime.headless,
    debugPort: runtime.driven,
    noSandbox: root || runtime.unsandboxed || runtime.switches.has('no-sandbox'),
    windowClass: windowClass(),
    switches,
  });

/** The switches of the last start of this app with this command line. */
const lastSwitches = () => {
  const start = createHash('sha256')
    .update(JSON.stringify([runtime.appPath, ...ofChromium()]))
    .digest('hex');
  return join(import.meta.dirname, '..', '..', '.cache', 'standin-switches', `${start}.json`);
};
let lastFile = '';
let inUse = new Map();

/**
 * Starts Chromium before the app's code is loaded, since starting it takes longer than loading, with the switches the
 * app added the last time.
 */
export function startChromium() {
  inUse = ofChromium();
  lastFile = lastSwitches();
  try {
    inUse = new Map(JSON.parse(readFileSync(lastFile, 'utf8')));
  } catch {
    // The first start: the app may add none.
  }
  runtime.chromium = launch(inUse);
}

/** Called after the app's code ran: if it added other switches, Chromium is replaced. */
export async function settleChromium() {
  const switches = ofChromium();
  if (JSON.stringify([...switches]) === JSON.stringify([...inUse])) return;
  await runtime.chromium.end();
  runtime.chromium = launch(switches);
  mkdirSync(dirname(lastFile), { recursive: true });
  writeFileSync(lastFile, JSON.stringify([...switches]));
}
