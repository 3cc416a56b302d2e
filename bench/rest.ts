import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ElectronApplication } from '@playwright/test';
import { familyOf } from '../e2e/processes.ts';
import type { BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';

const MEASURED_MS = 20_000;
/** Time for the work after a start, or after a change of screen, to end. */
const SETTLED_MS = 6_000;
const SCREENS = ['overview', 'positions', 'risk', 'trades', 'batch', 'activity'];
const SHOWN_TARGET = 3;
const HIDDEN_TARGET = 0.5;
const TICKS_A_SECOND = 100;

const pidOf = (app: ElectronApplication): number => app.process().pid ?? 0;
const whole = (text: string | undefined): number => Number.parseInt(text ?? '0', 10);

/** Processor ticks of a process and all it has started, by pid. */
async function ticksOf(root: number): Promise<Map<number, number>> {
  const ticks = new Map<number, number>();
  for (const pid of await familyOf(root)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name may hold spaces and brackets; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks.set(pid, whole(fields[11]) + whole(fields[12]));
  }
  return ticks;
}

/** Percent of one core that the app uses over the measured time. */
async function percentOf(app: ElectronApplication): Promise<number> {
  await wait(SETTLED_MS);
  const before = await ticksOf(pidOf(app));
  const began = performance.now();
  await wait(MEASURED_MS);
  const after = await ticksOf(pidOf(app));
  const seconds = (performance.now() - began) / 1_000;
  let used = 0;
  for (const [pid, ticks] of after) used += ticks - (before.get(pid) ?? 0);
  return (used / TICKS_A_SECOND / seconds) * 100;
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

/** Processor time and memory of the idle app, on each screen and hidden, compared with an empty window. */
const bench: BenchFile = async ({ report, note }) => {
  if (process.platform !== 'linux') {
    note('Measured on Linux only: it reads /proc.');
    return;
  }
  if (whole(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) !== TICKS_A_SECOND)
    throw new Error('The kernel counts processor time in other ticks than 100 a second.');
  const hasDisplay = Boolean(process.env['DISPLAY']);
  const env = hasDisplay ? { BALLAST_STANDIN_HEADLESS: '' } : {};
  const bare = await open(EMPTY_WINDOW, 'h1', env);
  note(`empty window: ${(await percentOf(bare.app)).toFixed(2)}% of a core, ${await memoryOf(bare.app)}`);
  await bare.close();

  const opened = await open(BALLAST, 'main [data-field="totalEquities"]', env);
  const { app, page } = opened;
  const measure = async (where: string, baselineValue: number): Promise<void> =>
    report({
      figure: `processor at rest${where}`,
      value: await percentOf(app),
      unit: '% of a core',
      baseline: 'target',
      baselineValue,
    });
  for (const screen of SCREENS) {
    await page.locator(`[data-screen="${screen}"]`).click();
    await measure(` on ${screen}`, SHOWN_TARGET);
  }
  note(`Ballast: ${await memoryOf(app)}`);
  if (hasDisplay) {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    await page.waitForFunction('document.hidden', null, { polling: 100 });
    await measure(', minimized', HIDDEN_TARGET);
  } else
    note(
      'A window can be minimized in a desktop session only: xvfb-run -a sh -c "openbox & npm run bench -- rest"',
    );
  await opened.close();
};
export default bench;
