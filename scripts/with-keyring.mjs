// `node scripts/with-keyring.mjs -- COMMAND [ARGUMENTS]` runs a command beside a real, unlocked
// gnome-keyring on a D-Bus session of its own, with a home of its own: the person's keyring, settings and
// app data are never touched. Where these programs are missing (macOS, Windows) the command runs as it is.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasProgram } from './setup/programs.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inside = process.argv[2] === '--inside';
const [command, ...args] = process.argv.slice(process.argv.indexOf('--') + 1);
if (command === undefined || !process.argv.includes('--')) {
  process.stderr.write('Usage: node scripts/with-keyring.mjs -- COMMAND [ARGUMENTS]\n');
  process.exit(2);
}

/**
 * @param {string} program
 * @param {string[]} programArgs
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function run(program, programArgs, env) {
  const child = spawn(program, programArgs, { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

async function withPrivateSession() {
  const home = mkdtempSync(join(tmpdir(), 'ballast-keyring-'));
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    // Kept between runs: building the font cache anew costs each first window a second.
    XDG_CACHE_HOME: join(root, '.cache', 'xdg'),
  };
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']) {
    mkdirSync(String(env[name]), { recursive: true });
  }
  mkdirSync(String(env['XDG_RUNTIME_DIR']), { mode: 0o700 });
  const self = [process.execPath, fileURLToPath(import.meta.url), '--inside', '--'];
  try {
    return await run('dbus-run-session', ['--', ...self, String(command), ...args], env);
  } finally {
    // A daemon that is just ending may still write into it.
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The password is no secret: the keyring is made for this run and removed after it. */
function unlock() {
  const { status, stderr } = spawnSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    input: 'ballast\n',
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (status !== 0) throw new Error(`gnome-keyring-daemon did not unlock a keyring: ${stderr}`);
}

if (inside) {
  unlock();
  process.exitCode = await run(command, args, process.env);
} else if (hasProgram('dbus-run-session') && hasProgram('gnome-keyring-daemon')) {
  process.exitCode = await withPrivateSession();
} else {
  process.exitCode = await run(command, args, process.env);
}
