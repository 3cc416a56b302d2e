// Runs an Electron app's main process: reads the command line as Electron does, starts Chromium, loads the
// app's code beside it, and says 'ready' when both are there.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ELECTRON_VERSION, runtime, settleChromium, startChromium } from './main/runtime.mjs';

if (typeof registerHooks !== 'function') {
  process.stderr.write(`electron-standin needs Node 22.15 or newer (this is ${process.versions.node})\n`);
  process.exit(1);
}

const folder = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
if (args.includes('--version') || args.includes('-v')) {
  process.stdout.write(`v${ELECTRON_VERSION}\n`);
  process.exit(0);
}

/** Splits Electron's command line: preloaded modules (-r), switches, and the first plain word, the app. */
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
  return { required, appArgument };
}

function findApp(argument) {
  const place = resolve(argument ?? '.');
  if (!existsSync(place)) throw new Error(`Unable to find Electron app at ${place}`);
  if (statSync(place).isFile()) {
    runtime.appPath = dirname(place);
    return place;
  }
  runtime.appPath = place;
  const manifest = join(place, 'package.json');
  if (existsSync(manifest)) runtime.manifest = JSON.parse(readFileSync(manifest, 'utf8'));
  return resolve(place, runtime.manifest.main ?? 'index.js');
}

const { required, appArgument } = readCommandLine();
runtime.driven = runtime.switches.has('remote-debugging-port');
process.stderr.write(
  'electron-standin: this is Chromium and Node in place of Electron; not faithful: page origin, menu bar, tray, ' +
    'accelerators, permissions by address, parts of webRequest, veto on close by a person, subframes, partitions, fuses, asar\n',
);

let main;
try {
  main = findApp(appArgument);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

process.argv = [join(folder, 'electron'), ...args];
process.type = 'browser';
process.defaultApp = true;
Object.defineProperty(process, 'resourcesPath', { value: folder, writable: true });
const setVersions = (chrome) =>
  Object.defineProperty(process, 'versions', {
    // Asked for by name, an app can tell what it runs on, and say so to its user.
    value: Object.freeze({
      ...process.versions,
      electron: ELECTRON_VERSION,
      chrome,
      'electron-standin': '1',
    }),
    configurable: true,
    enumerable: true,
  });
setVersions('0.0.0.0');

const api = new URL('./api.mjs', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier === 'electron/main') return { url: api, shortCircuit: true };
    return next(specifier, context);
  },
});

const { app } = await import('./api.mjs');
const { endUtilityProcesses } = await import('./main/utility-process.mjs');
const { watchTargets } = await import('./main/targets.mjs');
const { defaultSession } = await import('./main/session.mjs');

// A driver wants to be attached before the first window comes: it then calls __playwright_run. Its loader, when
// it is asked to load one, does this itself; without the loader the same is done here.
let released = Promise.resolve();
if (runtime.driven && runtime.switches.has('inspect') && required.length === 0) {
  released = new Promise((resolve) => {
    globalThis.__playwright_run = resolve;
    // Someone else asked for both ports: they get their window late, but they get it.
    setTimeout(resolve, 10_000).unref();
  });
}

const require = createRequire(join(process.cwd(), 'electron-standin'));
for (const module of required) require(module);

startChromium();
// Node loads its fetch classes at first use: better now, while Chromium starts, than at the first page.
void Response;
void Request;
process.on('exit', () => {
  endUtilityProcesses();
  runtime.chromium.endNow();
});
let asked = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // The first asks politely; an app that refuses to close is ended by the second.
  process.on(signal, () => (asked++ === 0 ? app.quit() : process.exit(1)));
}

try {
  await import(pathToFileURL(main).href);
} catch (error) {
  process.stderr.write(`App threw an error during load\n${error?.stack ?? error}\n`);
  process.exit(1);
}

await settleChromium();
const { chromium } = runtime;
chromium.exited.then(() => {
  if (runtime.quitting) return;
  process.stderr.write('electron-standin: Chromium ended on its own\n');
  app.exit(1);
});
const { product, userAgent } = await chromium.connection.root.send('Browser.getVersion');
setVersions(product.split('/')[1]);
runtime.userAgent = userAgent;
await watchTargets();
defaultSession.watchDownloads();
if (runtime.driven) process.stderr.write(`${await chromium.devtools}\n`);
await released;
app.becomeReady();
