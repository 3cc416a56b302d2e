// Syncs and exports without a window, for scripts and schedulers: `npm run export -- …`. Exit codes: --help.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { profileFolder } from '../../src-main/app/app-identity.ts';
import { clock, timers } from '../../src-main/app/system.ts';
import { exportCommand } from '../../src-main/export/command.ts';
import { interruption } from '../../src-main/export/interruption.ts';

/** Returns the system's folder for the data of apps, as Electron does. */
function appData(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return XDG_CONFIG_HOME !== undefined && XDG_CONFIG_HOME !== ''
    ? XDG_CONFIG_HOME
    : join(homedir(), '.config');
}

// Whoever reads the output may end first.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const folders = { appData: appData(), switched: false };
process.exitCode = await exportCommand(process.argv.slice(2), {
  ...{ program: 'npm run export --', env: process.env, clock, timers, signal: interruption() },
  profile: profileFolder(process.env['BALLAST_PROFILE'], folders) ?? '',
  print: (line) => console.log(line),
  report: (line) => console.error(line),
});
