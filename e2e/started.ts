/** Starts the app as a desktop does, and ends it as a crash does: a driver can do neither. */
import { spawn } from 'node:child_process';
import type { ElectronApplication } from '@playwright/test';
import { findElectron } from '../scripts/setup/electron.mjs';
import { ending, ROOT } from './fixture.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end on `profile`, with a command, a file or switches as `args`. */
export function started(
  profile: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  // Run as root, Electron starts only without its sandbox.
  const bare = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return ended(findElectron(ROOT).path, [...bare, ROOT, ...args], { ...env, BALLAST_PROFILE: profile });
}

/** Runs a program to its end in the project's folder. The line the stand-in begins with is left out. */
export function ended(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ ...output, code, stderr: output.stderr.replace(/^electron-standin: this is .*\n/m, '') }),
    );
  });
}

/**
 * Kills the app before it can write anything, and waits for its end. Kills its own process, since on Windows the driver
 * has a shell around it.
 */
export async function crash(app: ElectronApplication): Promise<void> {
  const ended = ending(app);
  process.kill(await app.evaluate(() => process.pid), 'SIGKILL');
  await ended;
}
