/** Starts the app as a desktop does, and ends it as a crash does: a driver can do neither. */
import { spawn } from 'node:child_process';
import type { ElectronApplication } from '@playwright/test';
import { findElectron } from '../scripts/setup/electron.mjs';
import { ROOT } from './fixture.ts';

/** Runs it to its end on `profile`, with a file or switches as `args`. */
export function started(
  profile: string,
  ...args: string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  // Run as root, Electron starts only without its sandbox.
  const bare = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(findElectron(ROOT).path, [...bare, ROOT, ...args], {
    cwd: ROOT,
    env: { ...process.env, BALLAST_PROFILE: profile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Kills the app before it can write anything. Kills its own process, since on Windows the driver has a shell around
 * it.
 */
export async function crash(app: ElectronApplication): Promise<void> {
  process.kill(await app.evaluate(() => process.pid), 'SIGKILL');
}
