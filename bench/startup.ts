import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';
import { assertTicks, pidOf, secondsOf } from './window/processor.ts';

const RUNS = 5;
/** A figure of the account: the exchange was started and read, and the screen drawn. */
const OVERVIEW = 'main [data-field="totalEquities"]';
const isLinux = process.platform === 'linux';

interface Start {
  readonly ms: number;
  /** Processor time of all processes until then. */
  readonly processorMs: number;
}

async function start(folder: string, ready: string, profile?: string): Promise<Start> {
  const opened = await open(folder, ready, {}, profile);
  const seconds = isLinux ? [...(await secondsOf(pidOf(opened.app))).values()] : [];
  await opened.close();
  return { ms: opened.visibleMs, processorMs: seconds.reduce((sum, one) => sum + one, 0) * 1_000 };
}

/**
 * Measures spawn → Overview with practice data, on a new profile and on one that was used, compared with an empty
 * window on the same runtime, alternating. Processor time is steadier than wall time on a shared machine.
 */
const bench: BenchFile = async ({ report, note }) => {
  if (isLinux) assertTicks();
  const starts: Record<'empty' | 'first' | 'again', Start[]> = { empty: [], first: [], again: [] };
  for (let run = 0; run <= RUNS; run++) {
    const profile = mkdtempSync(join(tmpdir(), 'bench-startup-'));
    const empty = await start(EMPTY_WINDOW, 'h1');
    const first = await start(BALLAST, OVERVIEW, profile);
    const again = await start(BALLAST, OVERVIEW, profile);
    rmSync(profile, { recursive: true, force: true });
    // The first round warms the disk's cache.
    if (run === 0) continue;
    const round = { empty, first, again };
    for (const name of ['empty', 'first', 'again'] as const) starts[name].push(round[name]);
    const text = Object.entries(round).map(
      ([name, { ms, processorMs }]) => `${name} ${ms.toFixed(0)} ms (${processorMs.toFixed(0)} of a core)`,
    );
    note(`run ${run}: ${text.join(', ')}`);
  }
  const figures = [
    ['spawn to Overview with practice data', 'first'],
    ['spawn to Overview on a profile in use', 'again'],
  ] as const;
  for (const [figure, name] of figures) {
    const baseline = 'empty window on the same runtime (target 1.5×)';
    const of = (list: readonly Start[], what: keyof Start): number => median(list.map((one) => one[what]));
    report({
      figure,
      value: of(starts[name], 'ms'),
      unit: 'ms',
      baseline,
      baselineValue: of(starts.empty, 'ms'),
    });
    if (isLinux)
      report({
        figure: `${figure}, processor time`,
        value: of(starts[name], 'processorMs'),
        unit: 'ms',
        baseline,
        baselineValue: of(starts.empty, 'processorMs'),
      });
  }
};
export default bench;
