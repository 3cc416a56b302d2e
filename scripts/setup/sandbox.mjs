import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findElectron } from './electron.mjs';
import { SetupError } from './messages.mjs';

/** The sandbox helper of Debian's Chromium, which the stand-in uses. */
const STAND_IN_HELPER = '/usr/lib/chromium/chrome-sandbox';

/**
 * Queries of the system; tests inject their own.
 * @typedef {object} SandboxSystem
 * @property {NodeJS.Platform} platform
 * @property {number} uid
 * @property {() => boolean} namespaces whether an ordinary program may make a user namespace
 * @property {(path: string) => { uid: number, mode: number } | null} stat
 */

/** @type {SandboxSystem} */
const system = {
  platform: process.platform,
  uid: process.getuid?.() ?? -1,
  namespaces() {
    const { error, status } = spawnSync('unshare', ['-Ur', 'true'], { stdio: 'ignore' });
    // Without that program nothing is known, and Electron reports itself what it lacks.
    return error !== undefined || status === 0;
  },
  stat: (path) => statSync(path, { throwIfNoEntry: false }) ?? null,
};

/** @param {string} root */
function helperOf(root) {
  const { path, real } = findElectron(root);
  return real ? join(dirname(path), 'chrome-sandbox') : STAND_IN_HELPER;
}

/**
 * Reports whether Chromium can sandbox its pages here: by a user namespace, or by a setuid helper owned by root.
 * Ubuntu 23.10 and later give namespaces only to known programs, and npm installs no setuid helper.
 * @param {string} helper
 * @param {SandboxSystem} on
 */
function canConfine(helper, { platform, uid, namespaces, stat }) {
  if (platform !== 'linux') return true;
  if (uid === 0) return false;
  const file = stat(helper);
  return (file !== null && file.uid === 0 && (file.mode & 0o7777) === 0o4755) || namespaces();
}

/**
 * @param {string} root
 * @param {SandboxSystem} on
 * @returns {boolean} whether the app can be started with its sandbox
 */
export const sandboxWorks = (root, on = system) => canConfine(helperOf(root), on);

/**
 * Explains why the sandbox cannot work: Electron exits with a message that names neither reason nor remedy. As root
 * the app starts without a sandbox (tasks/session.ts) and prints that.
 * @param {string} root
 * @param {SandboxSystem} on
 * @returns {SetupError | null}
 */
export function sandboxFault(root, on = system) {
  const { real } = findElectron(root);
  if (!real || on.uid === 0 || sandboxWorks(root, on)) return null;
  const helper = `'${helperOf(root).replaceAll("'", "'\\''")}'`;
  return new SetupError(
    'Electron cannot make its sandbox: this system gives user namespaces only to programs it knows, and ' +
      'Electron’s own helper is not set up.',
    `Run these two lines, then the same command again (repeat both after each update of Electron):\n\n` +
      `  sudo chown root:root ${helper}\n  sudo chmod 4755 ${helper}\n\n` +
      'Or, until the next restart and for every program:\n\n' +
      '  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  );
}
