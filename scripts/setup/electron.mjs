import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeEnvironment, nodePath } from './node.mjs';
import { printLine, SetupError, step } from './messages.mjs';

/** How long a failed download is not retried. The network may have changed after that. */
const TRIED_FOR_MS = 24 * 60 * 60 * 1000;
/** Path of the executable in Electron's distribution. */
const IN_DIST = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** @param {string} root */
const packageFolder = (root) => join(root, 'node_modules', 'electron');

/**
 * Never calls `require('electron')`: from plain Node that starts a download.
 * @param {string} root
 * @returns {string | null}
 */
function binary(root) {
  try {
    const name = readFileSync(join(packageFolder(root), 'path.txt'), 'utf8');
    const path = join(packageFolder(root), 'dist', name);
    return existsSync(path) ? path : null;
  } catch {
    // The installer writes path.txt last: without it there is no binary.
    return null;
  }
}

/**
 * @param {string} root
 * @param {NodeJS.Platform} platform
 * @returns {{ path: string, real: boolean }} Electron's own binary, or the stand-in where it is not available
 */
export function findElectron(root, platform = process.platform) {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const standIn = join(root, 'electron-standin', 'electron');
  if (override) {
    const path = join(
      override,
      platform === 'darwin' || platform === 'win32' ? IN_DIST[platform] : 'electron',
    );
    return { path, real: path !== standIn };
  }
  const real = binary(root);
  return real === null ? { path: standIn, real: false } : { path: real, real: true };
}

/** @param {string} root */
const stamp = (root) => join(root, '.cache', 'electron-tried.json');

/** @param {string} root */
const version = (root) => JSON.parse(readFileSync(join(packageFolder(root), 'package.json'), 'utf8')).version;

/**
 * @param {string} root
 * @param {number} now ms
 * @returns {boolean} true when the binary is missing and no download of this version failed within a day
 */
export function electronIsUntried(root, now = Date.now()) {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'] || binary(root) !== null) return false;
  try {
    const { failed, at } = JSON.parse(readFileSync(stamp(root), 'utf8'));
    return !(failed === version(root) && Math.abs(now - at) < TRIED_FOR_MS);
  } catch {
    // No record of an earlier failure.
    return true;
  }
}

/**
 * Downloads over 100 MB, with progress. On Linux the stand-in is used when it fails.
 * @param {string} root
 * @param {{ platform?: NodeJS.Platform, now?: () => number }} system
 */
export async function tryElectron(root, { platform = process.platform, now = Date.now } = {}) {
  const title = `Electron ${version(root)}`;
  const script = join(root, 'scripts', 'setup', 'install-electron.mjs');
  const args = [script, join(packageFolder(root), 'install.js')];
  // npm and git read a proxy from these variables, Node only with a flag.
  const proxied = ['HTTPS_PROXY', 'https_proxy'].some((name) => process.env[name]);
  const env = { ...nodeEnvironment(root), ...(proxied ? { NODE_USE_ENV_PROXY: '1' } : {}) };
  try {
    await step(title, nodePath(root), args, { cwd: root, env, advice: '', progress: shownProgress() });
    rmSync(stamp(root), { force: true });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const why = error.output.split('\n').find((line) => /Error\b/.test(line)) ?? error.message;
    if (platform !== 'linux')
      throw new SetupError(`${title} could not be downloaded: ${why}`, manualInstall(root));
    mkdirSync(dirname(stamp(root)), { recursive: true });
    writeFileSync(stamp(root), JSON.stringify({ failed: version(root), at: now() }));
    printLine(`  ${why}`);
    printLine(
      "  Electron's own binary could not be downloaded, so Ballast runs on electron-standin/ (see its README).",
    );
    printLine('  The download is retried after a day, or at once if you remove .cache/electron-tried.json.');
  }
}

/** @param {string} root */
const manualInstall = (root) =>
  [
    'Ballast runs on Electron, which npm fetches from github.com. One of these helps:',
    '  - let this computer reach github.com, or name your proxy: HTTPS_PROXY=http://host:port',
    '  - name a mirror: ELECTRON_MIRROR=https://host/folder/',
    `  - unpack electron-v${version(root)}-${process.platform}-${process.arch}.zip of Electron's releases into a folder,`,
    '    and name it: ELECTRON_OVERRIDE_DIST_PATH=FOLDER',
    'Then run the same command again.',
  ].join('\n');

/** @returns {(line: string) => string | null} the installer's progress lines; in steps of ten without a terminal */
function shownProgress() {
  const coarse = process.stderr.isTTY ? 1 : 10;
  let shown = 0;
  return (line) => {
    const [, received, total] = /^progress (\d+) (\d+)$/.exec(line) ?? [];
    if (received === undefined || total === undefined) return null;
    const percent = Math.floor((100 * Number.parseInt(received, 10)) / Number.parseInt(total, 10));
    if (percent < shown + coarse) return '';
    shown = percent;
    return `${percent} % of ${Math.round(Number.parseInt(total, 10) / 1e6)} MB`;
  };
}
