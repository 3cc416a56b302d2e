import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Several times what the tests and the installers they unpack use. Docker gives 64 MB. */
const ENOUGH_BYTES = 2e9;

/**
 * Queries of the system; tests inject their own.
 * @typedef {object} TemporarySystem
 * @property {NodeJS.Platform} platform
 * @property {string | undefined} chosen the user's own folder, `TMPDIR`
 * @property {() => string} mounts the lines of `/proc/mounts`
 * @property {() => number} free bytes left in memory's file system
 */

/** @type {TemporarySystem} */
const system = {
  platform: process.platform,
  chosen: process.env['TMPDIR'],
  mounts: () => readFileSync('/proc/mounts', 'utf8'),
  free: () => {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  },
};

/**
 * Returns the folder for temporary files of tests. They sync thousands of files, which takes most of some tests on a
 * disk and nothing in memory. Memory is used if programs can be run from it, which some tests write.
 * @param {TemporarySystem} on
 */
export function temporaryFolder({ platform, chosen, mounts, free } = system) {
  if (platform !== 'linux' || chosen) return tmpdir();
  const mount = mounts()
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder, type]) => folder === MEMORY && type === 'tmpfs');
  const options = mount?.[3]?.split(',') ?? ['noexec'];
  return options.includes('rw') && !options.includes('noexec') && free() >= ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** The runs of one user: those of others cannot be removed. */
const PREFIX = `ballast-run-${process.getuid?.() ?? 0}-`;

/**
 * Makes a folder in `parent` for this process, and removes those of processes that were killed.
 * @param {string} parent
 */
export function makeRunFolder(parent) {
  for (const name of readdirSync(parent)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
}
