// Runs a command beside a real, unlocked gnome-keyring on its own D-Bus session, home and temporary folder: `node
// scripts/with-keyring.mjs -- COMMAND [ARGUMENTS]`. The user's keyring, settings and app data are never touched.
// Where these programs are missing (macOS, Windows) the command runs without.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canStartBus, startBus } from './setup/bus.mjs';
import { hasProgram } from './setup/programs.mjs';
import { forwardSignals } from './setup/signals.mjs';
import { makeRunFolder, temporaryFolder } from './setup/temporary.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function run(program, args, env) {
  const child = spawn(program, args, { stdio: 'inherit', env });
  forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} folder of the run
 * @param {string} runtime folder of its sockets
 * @returns {NodeJS.ProcessEnv}
 */
function privateEnvironment(folder, runtime) {
  const home = join(folder, 'home');
  const folders = {
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    // Shared between runs: rebuilding the font cache costs each first window a second.
    XDG_CACHE_HOME: join(root, '.cache', 'xdg'),
  };
  for (const each of Object.values(folders)) mkdirSync(each, { recursive: true });
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return {
    ...process.env,
    ...folders,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    TMPDIR: temporary,
    // Shared between runs, too: in the temporary folder each run would compile tests and programs again.
    PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, '.cache', 'playwright'),
    NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
  };
}

/**
 * The password is no secret: the keyring is made for this run and removed after it.
 * @param {NodeJS.ProcessEnv} env
 */
function unlock(env) {
  const { status, stderr } = spawnSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    input: 'ballast\n',
    encoding: 'utf8',
    timeout: 20_000,
    env,
  });
  if (status !== 0) throw new Error(`gnome-keyring-daemon did not unlock a keyring: ${stderr}`);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function besideKeyring(program, args) {
  const folder = makeRunFolder(temporaryFolder());
  // The keyring binds a socket in it, whose path may have 107 bytes: TMPDIR can be longer than that.
  const runtime = makeRunFolder('/tmp');
  const env = privateEnvironment(folder, runtime);
  const bus = await startBus(env);
  try {
    env['DBUS_SESSION_BUS_ADDRESS'] = bus.address;
    unlock(env);
    return await run(program, args, env);
  } finally {
    // The keyring's daemon ends with its bus; it may still be writing while the folder is removed.
    bus.stop();
    for (const each of [folder, runtime])
      rmSync(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const [dashes, command, ...args] = process.argv.slice(2);
if (dashes !== '--' || command === undefined) {
  process.stderr.write('Usage: node scripts/with-keyring.mjs -- COMMAND [ARGUMENTS]\n');
  process.exitCode = 2;
} else if (canStartBus() && hasProgram('gnome-keyring-daemon')) {
  process.exitCode = await besideKeyring(command, args);
} else {
  if (process.platform === 'linux')
    process.stderr.write(
      'No keychain for this run: dbus-daemon or gnome-keyring-daemon is missing. `npm test -- build` installs them.\n',
    );
  process.exitCode = await run(command, args, process.env);
}
