import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findElectron } from './electron.mjs';
import { hasDisplay } from './programs.mjs';
import { printLine, SetupError, step } from './messages.mjs';

/** keytar is compiled on Linux, against the system's libsecret. */
const FOR_BUILDING = ['python3', 'make', 'g++', 'libsecret-1-dev'];
/** For the private bus and keyring of the tests. */
const FOR_TESTS = ['dbus', 'gnome-keyring'];
const SCREEN = ['xvfb', 'xauth'];
/** For the tests on a display: window manager, input, clipboard, file dialogs, screenshots and notifications. */
const FOR_DISPLAY_TESTS = [
  ...SCREEN,
  'openbox',
  'xdotool',
  'x11-utils',
  'xclip',
  'zenity',
  'imagemagick',
  'dunst',
  'libnotify-bin',
];
/**
 * Libraries of Electron's binary that a Debian without a desktop lacks: each by file and package names, the newer
 * first. They bring in the rest.
 */
const LIBRARIES = {
  'libgtk-3.so.0': 'libgtk-3-0t64|libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libgbm.so.1': 'libgbm1',
  'libasound.so.2': 'libasound2t64|libasound2',
};
/** Chromium without window drawing: tests on the stand-in start a third faster. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const CHROMIUM = ['/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/**
 * What a task needs of the system.
 * @typedef {object} Needs
 * @property {boolean} [window] opens the app
 * @property {boolean} [tests] tests it, beside a keyring
 * @property {boolean} [packed] starts the packed app, on the stand-in where there is no display
 * @property {boolean} [display] tests it on a virtual display
 */

/**
 * This machine's properties; tests inject others.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {boolean} dpkg packages are Debian's
 * @property {string} distribution ID of /etc/os-release
 * @property {boolean} electron Electron's own binary is installed
 * @property {boolean} display
 * @property {boolean} chromium
 * @property {(library: string) => boolean} library
 * @property {(name: string) => boolean} installed whether a package is
 */

/**
 * @param {string} root
 * @returns {Machine}
 */
export function thisMachine(root) {
  return {
    platform: process.platform,
    dpkg: existsSync('/usr/bin/dpkg-query'),
    distribution: distribution(),
    electron: findElectron(root).real,
    display: hasDisplay(),
    chromium: Boolean(process.env['BALLAST_STANDIN_CHROMIUM']) || CHROMIUM.some((path) => existsSync(path)),
    library: hasLibrary(),
    installed(name) {
      const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], {
        encoding: 'utf8',
      });
      return stdout === 'installed';
    },
  };
}

function distribution() {
  try {
    return /^ID="?([a-z0-9._-]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  } catch {
    // Not Linux, or the file is missing.
    return '';
  }
}

/** @returns {(library: string) => boolean} */
function hasLibrary() {
  /** @type {string | null | undefined} */
  let known;
  return (library) => {
    // By its path, which is not in the PATH of an ordinary user on Debian.
    if (known === undefined) {
      const { stdout, status } = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
      known = status === 0 ? stdout : null;
    }
    return known === null || known.includes(`${library} `);
  };
}

/** @param {Machine} machine */
const counts = ({ platform, dpkg }) =>
  platform === 'linux' && dpkg && process.env['BALLAST_SKIP_PACKAGES'] !== '1';

/**
 * @param {Machine} machine
 * @returns {string[]} Debian packages that building lacks
 */
export const missingToBuild = (machine) =>
  counts(machine) ? FOR_BUILDING.filter((name) => !machine.installed(name)) : [];

/**
 * Call it after Electron's download, since the result decides what is needed.
 * @param {Needs} needs
 * @param {Machine} machine
 * @returns {string[]} Debian packages that running lacks, alternatives separated by |; throws SetupError where what
 *   is
 *   missing is no package here
 */
export function missingToRun({ window = false, tests = false, packed = false, display = false }, machine) {
  if (!window || !counts(machine)) return [];
  const { electron } = machine;
  const drawsInChromium = !electron || (packed && !machine.display);
  const wanted = new Set([
    ...(electron && !machine.display ? SCREEN : []),
    ...(tests ? FOR_TESTS : []),
    ...(display ? FOR_DISPLAY_TESTS : []),
  ]);
  const missing = [...wanted].filter((name) => !machine.installed(name));
  if (electron)
    for (const [library, names] of Object.entries(LIBRARIES))
      if (!machine.library(library)) missing.push(names);
  if (!drawsInChromium || machine.chromium) return missing;
  if (machine.distribution === 'ubuntu') throw noChromium(electron);
  return ['chromium', ...missing];
}

/**
 * Packages that only save time: installed along with others, never alone.
 * @param {Needs} needs
 * @param {Machine} machine
 * @returns {string[]}
 */
export const usefulAlong = ({ tests = false }, machine) =>
  tests && counts(machine) && !machine.electron && !machine.installed(HEADLESS_SHELL) ? [HEADLESS_SHELL] : [];

/**
 * Ubuntu's package of this name installs a snap, whose confinement keeps the stand-in from driving it.
 * @param {boolean} electron
 */
const noChromium = (electron) =>
  new SetupError(
    electron
      ? 'Without a display the packed app is started in Chromium, which Ubuntu has as a snap only.'
      : 'Electron’s binary could not be downloaded, and Chromium, which stands in for it, is a snap only on Ubuntu.',
    [
      'One of these helps:',
      electron
        ? '  - a display (DISPLAY is not set)'
        : '  - let this computer reach github.com, and remove .cache/electron-tried.json',
      '  - install Google Chrome’s .deb package (https://google.com/chrome)',
      '  - name another Chromium: BALLAST_STANDIN_CHROMIUM=FILE',
      'Then run the same command again.',
    ].join('\n'),
  );

/** @param {string} names */
const chosen = (names) => {
  const [first = '', ...others] = names.split('|');
  if (others.length === 0) return first;
  const { stdout } = spawnSync('apt-cache', ['show', '--no-all-versions', first], { encoding: 'utf8' });
  return stdout?.includes('Package:') ? first : (others[0] ?? first);
};

let updated = false;

/** @param {string[]} names */
const inOneGo = (names) => ['install', '-y', '--no-install-recommends', ...names];

/**
 * @param {string[]} missing
 * @param {string} root
 * @param {string[]} along installed with them where the system has them
 */
export async function installPackages(missing, root, along = []) {
  const command = () =>
    `apt-get update && apt-get install -y --no-install-recommends ${missing.map(chosen).join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new SetupError(
      `These system packages are missing: ${missing.map(chosen).join(', ')}`,
      `Run this, then the same command again:\n\n  sudo sh -c '${command()}'\n\n` +
        'If you have them by another way, set BALLAST_SKIP_PACKAGES=1.',
    );
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = () => ({
    cwd: root,
    env,
    advice: `Look at the lines above, then run by hand:\n\n  ${command()}\n`,
  });
  const wait = ['-o', 'DPkg::Lock::Timeout=120'];
  printLine(`· missing system packages: ${missing.join(', ')}`);
  if (!updated) await step('apt-get update', 'apt-get', [...wait, 'update'], options());
  updated = true;
  const names = missing.map(chosen);
  const { status } = spawnSync('apt-get', ['-s', ...inOneGo([...names, ...along])], { stdio: 'ignore' });
  const install = inOneGo(status === 0 ? [...names, ...along] : names);
  await step('apt-get install', 'apt-get', [...wait, ...install], options());
}
