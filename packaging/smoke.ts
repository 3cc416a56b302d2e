/**
 * Smoke test of a packed app: `node packaging/smoke.ts [PROGRAM ARGUMENTS…]`. Starts the app of dist/, or the
 * program given, with a new profile and waits for the files that only the complete app writes. The fuses rule out a
 * debugger.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasDisplay } from '../scripts/setup/programs.mjs';

const ROOT = dirname(import.meta.dirname);
const LONGEST_MS = 120_000;
const PROGRAMS: Readonly<Record<string, string>> = {
  linux: 'linux-unpacked/ballast',
  darwin: 'mac-universal/Ballast.app/Contents/MacOS/Ballast',
  win32: 'win-unpacked/Ballast.exe',
};

const given = process.argv.slice(2);
const app = given.length > 0 ? given : [join(ROOT, 'dist', PROGRAMS[process.platform] ?? 'ballast')];
const onNoScreen = !hasDisplay() && given.length === 0;
const [program = '', ...args] = onNoScreen ? ['xvfb-run', '-a', ...app] : app;

/** Lists what is missing. The page writes the version it showed, over preload and bridge. */
async function missing(profile: string): Promise<string[]> {
  const settings = await readFile(join(profile, 'settings.json'), 'utf8').catch(() => '');
  const archive: string[] = await readdir(join(profile, 'archive')).catch(() => []);
  return [
    ...(/"seenVersion": ?"\d/.test(settings) ? [] : ['the page’s first message to the main process']),
    ...(archive.some((name) => name.endsWith('.sqlite')) ? [] : ['the archive of the practice exchange']),
  ];
}

const profile = await mkdtemp(join(tmpdir(), 'ballast-smoke-'));
const child = spawn(program, args, {
  env: { ...process.env, BALLAST_PROFILE: profile },
  stdio: 'inherit',
  // A group of its own, so that its children end with it.
  detached: process.platform !== 'win32',
});
child.on('error', (error) => console.error(error.message));
const isRunning = (): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

const started = performance.now();
let lacking = await missing(profile);
while (lacking.length > 0 && isRunning() && performance.now() - started < LONGEST_MS) {
  await wait(200);
  lacking = await missing(profile);
}
if (lacking.length > 0) {
  const how = isRunning()
    ? 'took too long'
    : `ended with ${child.exitCode ?? child.signalCode ?? 'no start'}`;
  console.error(`✗ ${app.join(' ')} ${how}; missing: ${lacking.join(', ')}`);
  process.exitCode = 1;
} else console.log(`✓ the packed app starts, in ${((performance.now() - started) / 1000).toFixed(1)} s`);
if (isRunning() && child.pid !== undefined) {
  const gone = new Promise((resolve) => child.on('exit', resolve));
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGTERM');
  await gone;
}
await rm(profile, { recursive: true, force: true, maxRetries: 10 });
