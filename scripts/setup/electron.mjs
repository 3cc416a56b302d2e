import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeEnvironment, nodePath } from './node.mjs';
import { say, SetupError, step } from './say.mjs';

const TIME_LIMIT_MS = 20_000;

/** @param {string} root */
const packageFolder = (root) => join(root, 'node_modules', 'electron');

/**
 * Never `require('electron')` for this: from plain Node that starts a download.
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
 * @returns {{ path: string, real: boolean }} Electron's own binary, or the stand-in where it can't be had
 */
export function findElectron(root) {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const standIn = join(root, 'electron-standin', 'electron');
  if (override) {
    const path = join(override, process.platform === 'win32' ? 'electron.exe' : 'electron');
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
 * @returns {boolean} true when the binary is missing and this version's download has not failed before
 */
export function electronIsUntried(root) {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'] || binary(root) !== null) return false;
  try {
    return JSON.parse(readFileSync(stamp(root), 'utf8')).failed !== version(root);
  } catch {
    // No note of an earlier failure.
    return true;
  }
}

/**
 * Company firewalls often forbid the download, and a silent server would hold it for minutes, so it is
 * tried once with a limit; the stand-in serves where it fails.
 * @param {string} root
 */
export async function tryElectron(root) {
  try {
    await step(
      `Electron ${version(root)} (tried once)`,
      nodePath(root),
      [join(packageFolder(root), 'install.js')],
      {
        cwd: root,
        env: nodeEnvironment(root),
        timeoutMs: TIME_LIMIT_MS,
        advice: '',
      },
    );
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    mkdirSync(dirname(stamp(root)), { recursive: true });
    writeFileSync(stamp(root), JSON.stringify({ failed: version(root) }));
    say("  Electron's own binary can't be had here, so Ballast runs on electron-standin/ (see its README).");
    say('  To try again: remove .cache/electron-tried.json.');
  }
}
