/**
 * A real gnome-keyring on its own D-Bus session and folders: the user's keychain is never touched. Missing programs
 * skip the tests with the reason, except in CI on Linux, where they fail.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = ['dbus-run-session', 'gnome-keyring-daemon', 'dbus-send'];

const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
const mustRun = process.platform === 'linux' && (process.env.CI ?? '') !== '';
/** Why these tests can't run here; '' when they can, and always in CI on Linux, so that they fail there. */
export const skipReason = missing.length === 0 || mustRun ? '' : `needs ${missing.join(', ')}`;

export interface PrivateKeyring {
  /** Environment of a process on this bus. */
  readonly env: NodeJS.ProcessEnv;
  lock(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Resolves when a process on the bus has this name. */
  named(name: string): Promise<void>;
  /** Reopens what is on disk, unlocked, by a daemon of its own. */
  reopen(): Promise<void>;
  /** Ends it and removes its folders. */
  end(): Promise<void>;
  /** The folder of everything the keyring has written, for a search. */
  readonly folder: string;
}

const START = {
  unlocked: `printf 'a password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1`,
  // Running, but without a login keyring.
  fresh: 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1',
  none: 'true',
} as const;

/** A bus without service folders: it starts nothing by itself, so that only the test's processes run. */
const BUS = `<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

export async function openKeyring(start: keyof typeof START): Promise<PrivateKeyring> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-keyring-'));
  for (const name of ['data', 'config', 'cache']) mkdirSync(join(folder, name), { mode: 0o700 });
  // The daemon binds a socket in it, whose path may have 107 bytes: TMPDIR can be longer than that.
  const runtime = mkdtempSync('/tmp/ballast-runtime-');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const config = join(folder, 'bus.conf');
  writeFileSync(config, BUS);
  const session = spawn(
    'dbus-run-session',
    [
      '--config-file',
      config,
      '--',
      'sh',
      '-c',
      `${START[start]}; echo "bus=$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null`,
    ],
    { env, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  let pid = 0;
  async function end(): Promise<void> {
    if (pid > 0) process.kill(pid, 'SIGKILL');
    const ended = new Promise((resolve) => session.once('exit', resolve));
    session.stdin.end();
    if (session.exitCode === null) await ended;
    for (const each of [folder, runtime]) rmSync(each, { recursive: true, force: true });
  }
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    session.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /^bus=(.+)$/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    session.once('error', reject);
    session.once('exit', () => reject(new Error('the private D-Bus session ended')));
  });
  env.DBUS_SESSION_BUS_ADDRESS = address;

  const send = async (...words: string[]): Promise<string> => {
    const sent = await run('dbus-send', ['--session', '--print-reply', ...words], { env });
    return sent.stdout;
  };
  /** Retried until it succeeds: the daemon takes its name on the bus after its starter has returned. */
  const owner = async (name: string, tries = 300): Promise<number> => {
    try {
      const text = await send(
        '--dest=org.freedesktop.DBus',
        '/org/freedesktop/DBus',
        'org.freedesktop.DBus.GetConnectionUnixProcessID',
        `string:${name}`,
      );
      return Number.parseInt(/uint32 (\d+)/.exec(text)?.[1] ?? '', 10);
    } catch (error) {
      if (tries === 0) throw error;
      return owner(name, tries - 1);
    }
  };
  if (start !== 'none') pid = await owner('org.freedesktop.secrets');

  return {
    env,
    folder,
    end,
    named: async (name) => void (await owner(name)),
    async reopen() {
      process.kill(pid, 'SIGKILL');
      await run('sh', ['-c', START.unlocked], { env });
      pid = await owner('org.freedesktop.secrets');
    },
    freeze: () => Promise.resolve(void process.kill(pid, 'SIGSTOP')),
    thaw: () => Promise.resolve(void process.kill(pid, 'SIGCONT')),
    async lock() {
      await send(
        '--dest=org.freedesktop.secrets',
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login',
      );
    },
  };
}
