import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ElectronApplication } from '@playwright/test';
import type { BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';

const MEASURED_MS = 20_000;
/** Until the start's remaining work and the change of screen are done. */
const SETTLED_MS = 6_000;
const SCREENS = ['overview', 'positions', 'risk', 'trades', 'batch', 'activity'];
const SHOWN_TARGET = 3;
const HIDDEN_TARGET = 0.5;

interface Usage {
  readonly ticks: number;
  readonly name: string;
}

/** Processor ticks of a process and all its descendants, by pid. */
function usageOf(root: number): Map<number, Usage> {
  const all = new Map<number, { readonly parent: number } & Usage>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      continue; // ended meanwhile
    }
    // The name may contain spaces and brackets; the fields after its last bracket begin with the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    all.set(Number(entry), {
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
      name,
    });
  }
  const found = new Map<number, Usage>();
  const add = (pid: number): void => {
    const one = all.get(pid);
    if (one === undefined) return;
    found.set(pid, one);
    for (const [child, { parent }] of all) if (parent === pid) add(child);
  };
  add(root);
  return found;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const TICKS_A_SECOND = 100;

/** Percent of one core that a process and its descendants use over the measured time. */
async function percentOf(pid: number): Promise<number> {
  await wait(SETTLED_MS);
  const before = usageOf(pid);
  const began = performance.now();
  await wait(MEASURED_MS);
  const after = usageOf(pid);
  const seconds = (performance.now() - began) / 1_000;
  let ticks = 0;
  for (const [one, usage] of after) ticks += usage.ticks - (before.get(one)?.ticks ?? 0);
  return (ticks / TICKS_A_SECOND / seconds) * 100;
}

/** Memory by process, MB; shared memory is divided among its users. */
function memoryOf(pid: number): string {
  const parts = [...usageOf(pid)].map(([one, { name }]) => {
    const rollup = readFileSync(`/proc/${one}/smaps_rollup`, 'utf8');
    const kb = Number(/^Pss: +(\d+)/m.exec(rollup)?.[1] ?? 0);
    return { name, mb: kb / 1024 };
  });
  const sum = parts.reduce((total, { mb }) => total + mb, 0);
  const each = parts.sort((a, b) => b.mb - a.mb).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`);
  return `${sum.toFixed(0)} MB: ${each.join(', ')}`;
}

const pidOf = (app: ElectronApplication): number => app.process().pid ?? 0;

/** Measures processor time and memory of the idle app, on each screen and hidden, compared with an empty window. */
const bench: BenchFile = async ({ report, note }) => {
  if (process.platform !== 'linux') {
    note('Measured on Linux only: it reads /proc.');
    return;
  }
  if (Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) !== TICKS_A_SECOND)
    throw new Error('The kernel counts processor time in other ticks than 100 a second.');
  const hasDisplay = Boolean(process.env['DISPLAY']);
  const env = hasDisplay ? { BALLAST_STANDIN_HEADLESS: '' } : {};
  const bare = await open(EMPTY_WINDOW, 'h1', env);
  note(
    `empty window: ${(await percentOf(pidOf(bare.app))).toFixed(2)}% of a core, ${memoryOf(pidOf(bare.app))}`,
  );
  await bare.close();

  const opened = await open(BALLAST, 'main [data-field="totalEquities"]', env);
  const { app, page } = opened;
  for (const screen of SCREENS) {
    await page.locator(`[data-screen="${screen}"]`).click();
    report({
      figure: `processor at rest on ${screen}`,
      value: await percentOf(pidOf(app)),
      unit: '% of a core',
      peer: 'target',
      peerValue: SHOWN_TARGET,
    });
  }
  note(`Ballast: ${memoryOf(pidOf(app))}`);
  if (hasDisplay) {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    await page.waitForFunction('document.hidden', null, { polling: 100 });
    report({
      figure: 'processor at rest, minimized',
      value: await percentOf(pidOf(app)),
      unit: '% of a core',
      peer: 'target',
      peerValue: HIDDEN_TARGET,
    });
  } else
    note(
      'A window can be minimized in a desktop session only: xvfb-run -a sh -c "openbox & npm run bench -- rest"',
    );
  await opened.close();
};
export default bench;
