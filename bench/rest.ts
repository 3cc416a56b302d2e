import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ElectronApplication } from '@playwright/test';
import { familyOf } from '../e2e/processes.ts';
import { findElectron } from '../scripts/setup/electron.mjs';
import type { BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';
import { assertTicks, pidOf, secondsOf, whole } from './window/processor.ts';

const MEASURED_MS = 20_000;
/** Time for the work after a start, or after a change of screen, to end. */
const SETTLED_MS = 6_000;
/** An app is minimized for hours: what follows a start, such as the first sync, is over by then. */
const MINIMIZED_SETTLED_MS = 30_000;
const SHOWN_WITHIN_MS = 30_000;
const SCREENS = ['overview', 'positions', 'risk', 'trades', 'batch', 'activity'];
const SHOWN_TARGET = 3;
const HIDDEN_TARGET = 0.5;

/** Percent of one core that the app uses over the measured time. */
async function percentOf(pid: number): Promise<number> {
  await wait(SETTLED_MS);
  const before = await secondsOf(pid);
  const began = performance.now();
  await wait(MEASURED_MS);
  const after = await secondsOf(pid);
  const seconds = (performance.now() - began) / 1_000;
  let used = 0;
  for (const [pid, total] of after) used += total - (before.get(pid) ?? 0);
  return (used / seconds) * 100;
}

/** Memory by process, MB: shared memory is divided among its users (PSS). */
async function memoryOf(app: ElectronApplication): Promise<string> {
  const parts: { readonly name: string; readonly mb: number }[] = [];
  for (const pid of await familyOf(pidOf(app))) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    parts.push({ name: name.trim(), mb: whole(/^Pss: +(\d+)/m.exec(rollup)?.[1]) / 1024 });
  }
  const sum = parts.reduce((total, { mb }) => total + mb, 0);
  const each = parts.sort((a, b) => b.mb - a.mb).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`);
  return `${sum.toFixed(0)} MB: ${each.join(', ')}`;
}

/** Starts Ballast with nothing attached, since a driven page never counts as hidden, and minimizes its window. */
async function percentMinimized(env: Readonly<Record<string, string>>): Promise<number> {
  const profile = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const app = spawn(findElectron(BALLAST).path, [BALLAST], {
    env: { ...process.env, BALLAST_PROFILE: profile, ...env },
    stdio: 'ignore',
  });
  const ended = once(app, 'exit');
  try {
    const search = ['search', '--sync', '--onlyvisible', '--name', '^Ballast'];
    await promisify(execFile)('xdotool', search, { timeout: SHOWN_WITHIN_MS });
    // Showing it for the first time would undo what came before.
    await wait(SETTLED_MS);
    await promisify(execFile)('xdotool', [...search, 'windowminimize'], { timeout: SHOWN_WITHIN_MS });
    await wait(MINIMIZED_SETTLED_MS);
    return await percentOf(app.pid ?? 0);
  } finally {
    app.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Processor time and memory of the idle app, on each screen and hidden, compared with an empty window. */
const bench: BenchFile = async ({ report, note }) => {
  if (process.platform !== 'linux') {
    note('Measured on Linux only: it reads /proc.');
    return;
  }
  assertTicks();
  const hasDisplay = Boolean(process.env['DISPLAY']);
  const env = hasDisplay ? { BALLAST_STANDIN_HEADLESS: '' } : {};
  const bare = await open(EMPTY_WINDOW, 'h1', env);
  note(
    `empty window: ${(await percentOf(pidOf(bare.app))).toFixed(2)}% of a core, ${await memoryOf(bare.app)}`,
  );
  await bare.close();

  const opened = await open(BALLAST, 'main [data-field="totalEquities"]', env);
  const { app, page } = opened;
  const figure = (where: string, value: number, baselineValue: number): void =>
    report({
      figure: `processor at rest${where}`,
      value,
      unit: '% of a core',
      baseline: 'target',
      baselineValue,
    });
  for (const screen of SCREENS) {
    await page.locator(`[data-screen="${screen}"]`).click();
    figure(` on ${screen}`, await percentOf(pidOf(app)), SHOWN_TARGET);
  }
  note(`Ballast: ${await memoryOf(app)}`);
  await opened.close();
  if (hasDisplay) figure(', minimized', await percentMinimized(env), HIDDEN_TARGET);
  else
    note(
      'A window can be minimized in a desktop session only: xvfb-run -a sh -c "openbox & npm run bench -- rest"',
    );
};
export default bench;
