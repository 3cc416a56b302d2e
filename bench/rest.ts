import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ElectronApplication, Page } from '@playwright/test';
import { familyOf } from '../e2e/processes.ts';
import type { BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';
import { assertTicks, pidOf, secondsOf, whole } from './window/processor.ts';

const MEASURED_MS = 20_000;
/** Time for the work after a start, or after a change of screen, to end. */
const SETTLED_MS = 6_000;
const HIDDEN_WITHIN_MS = 10_000;
const SCREENS = ['overview', 'positions', 'risk', 'trades', 'batch', 'activity'];
const SHOWN_TARGET = 3;
const HIDDEN_TARGET = 0.5;

/** Percent of one core that the app uses over the measured time. */
async function percentOf(app: ElectronApplication): Promise<number> {
  await wait(SETTLED_MS);
  const before = await secondsOf(app);
  const began = performance.now();
  await wait(MEASURED_MS);
  const after = await secondsOf(app);
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

/** Resolves once the page is hidden. Asked again and again: the page's policy refuses what `waitForFunction` evaluates. */
async function hidden(page: Page): Promise<void> {
  const until = performance.now() + HIDDEN_WITHIN_MS;
  while (!(await page.evaluate(() => document.hidden))) {
    if (performance.now() > until) throw new Error('The window is minimized, but its page is not hidden.');
    await wait(100);
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
    await hidden(page);
    await measure(', minimized', HIDDEN_TARGET);
  } else
    note(
      'A window can be minimized in a desktop session only: xvfb-run -a sh -c "openbox & npm run bench -- rest"',
    );
  await opened.close();
};
export default bench;
