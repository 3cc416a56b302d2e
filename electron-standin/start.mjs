// Runs an Electron app's main process: parses the command line as Electron does, starts Chromium, loads the app's
// code meanwhile, and emits 'ready' when both are done.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GONE } from './chromium/cdp.mjs';
import { NODE_LINE } from './main/node-of-electron.mjs';
import {
  ELECTRON_VERSION,
  leave,
  reportFault,
  runtime,
  settleChromium,
  startChromium,
} from './main/runtime.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);

/** Exits when there is no app to run. */
function giveUp(text) {
  process.stderr.write(`${text}\n`);
  leave(1);
}

/** Splits Electron's command line: preloaded modules (-r), switches, and the first plain argument, the app. */
function readCommandLine() {
  const required = [];
  let appArgument;
  for (let i = 0; i < args.length; i++) {
    const switched = /^--([^=]+)(?:=(.*))?$/s.exec(args[i]);
    if (args[i] === '-r' || args[i] === '--require') required.push(args[++i]);
    else if (args[i] === '--') break;
    else if (switched) runtime.switches.set(switched[1].toLowerCase(), switched[2] ?? '');
    else appArgument ??= args[i];
  }
  runtime.driven = runtime.switches.has('remote-debugging-port');
  runtime.unsandboxed = runtime.switches.has('no-sandbox');
  return { required, main: findApp(appArgument) };
}

function findApp(argument) {
  const place = resolve(argument ?? '.');
  if (!existsSync(place)) giveUp(`Unable to find Electron app at ${place}`);
  if (statSync(place).isFile()) {
    runtime.appPath = dirname(place);
    return place;
  }
  runtime.appPath = place;
  const manifest = join(place, 'package.json');
  if (existsSync(manifest)) runtime.manifest = JSON.parse(readFileSync(manifest, 'utf8'));
  return resolve(place, runtime.manifest.main ?? 'index.js');
}

const setVersions = (chrome) =>
  Object.defineProperty(process, 'versions', {
    // Reading this by name, an app can detect the stand-in and show it to its user.
    value: Object.freeze({
      ...process.versions,
      electron: ELECTRON_VERSION,
      chrome,
      'electron-standin': '1',
    }),
    configurable: true,
    enumerable: true,
  });

/** Sets up the globals of a main process. */
function setUpProcess() {
  process.argv = [join(folder, 'electron'), ...args];
  process.type = 'browser';
  process.defaultApp = true;
  Object.defineProperty(process, 'resourcesPath', { value: folder, writable: true });
  setVersions('0.0.0.0');
  const api = new URL('./api.mjs', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'electron' || specifier === 'electron/main') return { url: api, shortCircuit: true };
      return next(specifier, context);
    },
  });
}

/**
 * Waits until a driver is attached, before the first window: it then calls __playwright_run. Playwright's loader
 * does this itself when it is requested; without it this does the same.
 */
function whenReleased(required) {
  if (!runtime.driven || !runtime.switches.has('inspect') || required.length > 0) return Promise.resolve();
  return new Promise((resolve) => {
    globalThis.__playwright_run = resolve;
    // A program other than Playwright requested both ports: its window opens after a delay.
    setTimeout(resolve, 10_000).unref();
  });
}

async function watchEnds({ app, dialog }) {
  const { endUtilityProcesses } = await import('./main/utility-process.mjs');
  const { endNotifications } = await import('./main/notification.mjs');
  const { endZenity } = await import('./main/zenity.mjs');
  process.on('exit', () => {
    endUtilityProcesses();
    endNotifications();
    endZenity();
    runtime.chromium?.endNow();
  });
  let asked = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // The first signal quits; an app that refuses to close is ended by the second.
    process.on(signal, () => (asked++ === 0 ? app.quit() : leave(1)));
  }
  // An uncaught error is printed and does not end Electron. (A rejection is a warning: see `electron`.)
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    const stack = error?.stack ?? `${error?.name}: ${error?.message}`;
    dialog.showErrorBox('A JavaScript error occurred in the main process', `Uncaught Exception:\n${stack}`);
  });
}

async function settle(app) {
  const { watchTargets } = await import('./main/targets.mjs');
  const { defaultSession } = await import('./main/session.mjs');
  const { readDisplays } = await import('./main/screen.mjs');
  await settleChromium();
  const { chromium } = runtime;
  chromium.reason
    .then((why) => {
      if (runtime.quitting) return;
      process.stderr.write(`electron-standin: ${why}\n`);
      app.exit(1);
    })
    .catch(reportFault);
  const { product, userAgent } = await chromium.connection.root.send('Browser.getVersion');
  setVersions(product.split('/')[1]);
  runtime.userAgent = userAgent;
  await watchTargets();
  defaultSession.watchDownloads();
  await readDisplays();
  if (runtime.driven) process.stderr.write(`${await chromium.devtools}\n`);
}

async function start() {
  const { required, main } = readCommandLine();
  process.stderr.write(
    'electron-standin: this is Chromium and Node in place of Electron; not faithful: page origin, menu bar, tray, ' +
      'permissions by address, parts of webRequest, subframes, partitions, fuses, asar (electron-standin/FIDELITY.md)\n',
  );
  setUpProcess();
  const { app, dialog } = await import('./api.mjs');
  const { setDefaultMenu } = await import('./main/menu.mjs');
  const released = whenReleased(required);
  const require = createRequire(join(process.cwd(), 'electron-standin'));
  for (const module of required) require(module);
  startChromium();
  // Node loads its fetch classes at first use: better now, while Chromium starts, than at the first page.
  void Response;
  void Request;
  await watchEnds({ app, dialog });
  try {
    await import(pathToFileURL(main).href);
  } catch (error) {
    giveUp(`App threw an error during load\n${error?.stack ?? error}`);
  }
  await settle(app);
  await released;
  app.once('will-finish-launching', setDefaultMenu);
  app.becomeReady();
}

if (args.includes('--version') || args.includes('-v')) {
  process.stdout.write(`v${ELECTRON_VERSION}\n`);
} else if (!process.versions.node.startsWith(`${NODE_LINE}.`)) {
  giveUp(
    `electron-standin needs Node ${NODE_LINE}, the one Electron ${ELECTRON_VERSION} embeds (this is ${process.versions.node})`,
  );
} else {
  start().catch(async (error) => {
    const isGone = String(error?.message).endsWith(GONE);
    giveUp(
      `electron-standin could not start: ${isGone ? await runtime.chromium.reason : (error?.stack ?? error)}`,
    );
  });
}
