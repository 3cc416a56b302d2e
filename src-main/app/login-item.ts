/**
 * Registers Ballast to start at login: through Electron on macOS and Windows, by an XDG autostart entry on Linux, where
 * Electron has no support. The system stores the state; the settings do not.
 */
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { App } from 'electron';
import { replaceFile } from '../../src-files/atomic-file.ts';
import { remove } from '../../src-files/remove.ts';
import { readTextIfPresent } from '../../src-files/text-file.ts';
import type { LoginState } from '../../src-shared/ipc/away.ts';
import { type AppImageEnvironment, ownAppImage } from './app-identity.ts';

export interface LoginPorts {
  readonly app: Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly env: AppImageEnvironment & { readonly XDG_CONFIG_HOME?: string };
  readonly home: string;
}

export class LoginItem {
  readonly #ports: LoginPorts;

  constructor(ports: LoginPorts) {
    this.#ports = ports;
  }

  async state(): Promise<LoginState> {
    const program = this.#program();
    if (program === null)
      return { state: 'unavailable', note: 'Only an installed Ballast can start at login.' };
    if (this.#ports.platform === 'linux') return this.#entryState(program);
    const { openAtLogin, status, executableWillLaunchAtLogin } = this.#ports.app.getLoginItemSettings({
      // In quotes: Electron takes a path on Windows as a command line, and cuts it at a space (electron/electron#53911).
      path: `"${program}"`,
    });
    if (this.#ports.platform === 'darwin' && status === 'requires-approval')
      return {
        state: 'on',
        note: 'macOS needs your approval: allow it under System Settings › General › Login Items.',
      };
    if (this.#ports.platform === 'win32' && openAtLogin && !executableWillLaunchAtLogin)
      return { state: 'on', note: 'Windows has disabled it: enable it in Settings › Apps › Startup.' };
    return { state: openAtLogin ? 'on' : 'off', note: '' };
  }

  async set(openAtLogin: boolean): Promise<void> {
    const program = this.#program();
    if (program === null) return;
    if (this.#ports.platform !== 'linux') {
      this.#ports.app.setLoginItemSettings({ openAtLogin });
      return;
    }
    if (!openAtLogin) {
      await remove(this.#entryPath());
      return;
    }
    await mkdir(this.#folder(), { recursive: true });
    await replaceFile(this.#entryPath(), entryOf(program));
  }

  /** Returns the file to start. */
  #program(): string | null {
    const { app, execPath, env } = this.#ports;
    return ownAppImage(env, execPath) ?? (app.isPackaged ? execPath : null);
  }

  async #entryState(program: string): Promise<LoginState> {
    const text = await readTextIfPresent(this.#entryPath());
    if (text === null || /^Hidden=true$/m.test(text)) return { state: 'off', note: '' };
    const exec = /^Exec=(.*)$/m.exec(text)?.[1] ?? '';
    return exec === quoted(program)
      ? { state: 'on', note: '' }
      : {
          state: 'on',
          note: `It starts another program (${exec.slice(0, 200)}). Switch it off and on again.`,
        };
  }
  #folder(): string {
    const { env, home } = this.#ports;
    const config = env.XDG_CONFIG_HOME;
    return join(config !== undefined && config !== '' ? config : join(home, '.config'), 'autostart');
  }
  #entryPath(): string {
    return join(this.#folder(), 'ballast.desktop');
  }
}

const entryOf = (program: string): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Ballast',
    'Comment=Started at login, as set in Ballast’s settings',
    `Exec=${quoted(program)}`,
    'Terminal=false',
    '',
  ].join('\n');

/**
 * Quotes a path for `Exec` by the Desktop Entry Specification: `"`, `` ` ``, `$` and `\` behind a backslash, which the
 * string escape of every value doubles; `%` is doubled, since it begins a field code.
 */
const quoted = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
