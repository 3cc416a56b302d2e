/**
 * Runs a command instead of the app: before Electron is ready, so without a window, a display or the lock that allows
 * one app per profile. The app may be open meanwhile.
 */
import { app } from 'electron';
import { profileFolder } from './app-identity.ts';
import type { Command } from './command-line.ts';
import { clock, timers } from './system.ts';
import { interruption } from '../export/interruption.ts';

const HELP = `Ballast: hold and trade futures on one exchange.

  ballast [FILE.csv]       opens the app, with a batch of orders
  ballast export …         reads an account's history and writes it as CSV, without a window
  ballast export --help    its options and exit codes
  ballast --version        the version
  ballast --help           this text
`;

/** Runs it and ends the process with its exit code. */
export async function runCommand(command: Exclude<Command, { readonly run: 'app' }>): Promise<void> {
  // Whoever reads the output may end first.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const code = await exitCode(command);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  app.exit(code);
}

async function exitCode(command: Exclude<Command, { readonly run: 'app' }>): Promise<number> {
  switch (command.run) {
    case 'help':
      print(HELP);
      return 0;
    case 'version':
      print(app.getVersion());
      return 0;
    case 'unknown':
      report(`✗ Ballast has no command “${command.word}”.\n  ballast --help lists what it has.`);
      return 1;
    case 'export': {
      const { exportCommand } = await import('../export/command.ts');
      const ports = {
        env: process.env,
        profile: profile(),
        clock,
        timers,
        print,
        report,
        signal: interruption(),
      };
      return exportCommand(command.args, { program: 'ballast export', ...ports });
    }
  }
}

function profile(): string {
  const switched = app.commandLine.hasSwitch('user-data-dir');
  const folder = profileFolder(process.env.BALLAST_PROFILE, { appData: app.getPath('appData'), switched });
  return folder ?? app.getPath('userData');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const report = (line: string): void => void process.stderr.write(`${line}\n`);

/** Resolves when the stream has passed on what was written, which the end of the process would cut off. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));
