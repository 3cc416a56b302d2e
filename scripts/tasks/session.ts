/** What a window of a task needs of the desktop: a display, a session bus, a keyring and Electron. */
import { join } from 'node:path';
import { canStartBus, startBus } from '../setup/bus.mjs';
import { findElectron } from '../setup/electron.mjs';
import { hasDisplay, hasProgram } from '../setup/programs.mjs';
import { printLine } from '../setup/messages.mjs';
import { root, run, type Command } from './process.ts';

const isLinux = process.platform === 'linux';

/** Prepares a command for a machine without a display: uses a virtual one or none, and prints which. */
export function onSomeDisplay(command: Command): Command {
  if (hasDisplay()) return command;
  const noDisplay = '! There is no display (DISPLAY is not set), so the window is not visible:';
  if (!findElectron(root).real) {
    printLine(`${noDisplay} it is drawn headless.`);
    return command;
  }
  if (!hasProgram('xvfb-run')) {
    printLine(
      `${noDisplay} Electron needs one, and xvfb-run, which would provide a virtual one, is missing.`,
    );
    return command;
  }
  printLine(`${noDisplay} it is drawn on a virtual screen.`);
  return ['xvfb-run', '-a', '-s', '-screen 0 1440x900x24', ...command];
}

/**
 * Runs `work` with a session bus, over which keychain and notifications work. A bare shell lacks one and gets it
 * for as long as `work` runs.
 */
export async function withSomeBus(work: (env: NodeJS.ProcessEnv) => Promise<number>): Promise<number> {
  if (process.env['DBUS_SESSION_BUS_ADDRESS'] || !canStartBus()) return work({});
  const bus = await startBus(process.env);
  try {
    return await work({ DBUS_SESSION_BUS_ADDRESS: bus.address });
  } finally {
    bus.stop();
  }
}

export const runOnSomeBus = (command: Command, env: NodeJS.ProcessEnv = {}): Promise<number> =>
  withSomeBus((bus) => run(command, { ...env, ...bus }));

/** The Electron to run here, with the flag it requires when run by root. */
export function electronCommand(...args: string[]): Command {
  const { path } = findElectron(root);
  const rootOnLinux = isLinux && process.getuid?.() === 0;
  if (rootOnLinux)
    printLine('! Run as root, the app works only without Chromium’s sandbox. Do not trade like this.');
  return [path, ...(rootOnLinux ? ['--no-sandbox'] : []), ...args];
}

/** Runs a command beside a real, unlocked keyring where available: tests of the vault need it, screenshots show it. */
export const withKeyring = (...command: Command): Command => [
  process.execPath,
  join(root, 'scripts', 'with-keyring.mjs'),
  '--',
  ...command,
];

/** The checked app stores a secret, which must not go to the user's keyring. */
export const packageCheck = withKeyring(process.execPath, join(root, 'packaging', 'check.ts'));
