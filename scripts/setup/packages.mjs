import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say, SetupError, step } from './say.mjs';

/** keytar is compiled on Linux, against the system's libsecret. */
const FOR_BUILDING = ['python3', 'make', 'g++', 'libsecret-1-dev'];
/** The stand-in draws in Chromium; its libraries are also those Electron's own binary needs. */
const FOR_WINDOWS = ['chromium', 'xvfb', 'xauth', 'dbus', 'dbus-x11', 'gnome-keyring'];

const installed = (/** @type {string} */ name) => {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' });
  return stdout === 'installed';
};

/**
 * @param {{ window: boolean }} what whether the task opens a window
 * @returns {string[]} Debian packages that are missing; none on other systems, which have no such list
 */
export function missingPackages({ window }) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query')) return [];
  if (process.env['BALLAST_SKIP_PACKAGES'] === '1') return [];
  const wanted = window ? [...FOR_BUILDING, ...FOR_WINDOWS] : FOR_BUILDING;
  return wanted.filter((name) => !installed(name));
}

/**
 * @param {string[]} missing
 * @param {string} root
 */
export async function installPackages(missing, root) {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new SetupError(
      `These system packages are missing: ${missing.join(', ')}`,
      `Run this, then the same command again:\n\n  sudo sh -c '${command}'\n\n` +
        'If you have them by another way, set BALLAST_SKIP_PACKAGES=1.',
    );
  }
  say(`· missing system packages: ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const advice = `Look at the lines above, then run by hand:\n\n  ${command}\n`;
  const wait = ['-o', 'DPkg::Lock::Timeout=120'];
  await step('apt-get update', 'apt-get', [...wait, 'update'], { cwd: root, env, advice });
  const install = [...wait, 'install', '-y', '--no-install-recommends', ...missing];
  await step('apt-get install', 'apt-get', install, { cwd: root, env, advice });
}
