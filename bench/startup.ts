import { median, type BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';

const RUNS = 5;
/** A figure of the account: the exchange was started and read, and the screen drawn. */
const OVERVIEW = 'main [data-field="totalEquities"]';

/** Measures spawn → Overview with practice data, compared with an empty window on the same runtime, alternating. */
const bench: BenchFile = async ({ report, note }) => {
  const ours: number[] = [];
  const empty: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const bare = await open(EMPTY_WINDOW, 'h1');
    await bare.close();
    const app = await open(BALLAST, OVERVIEW);
    await app.close();
    // The first pair warms the disk's cache.
    if (run === 0) continue;
    empty.push(bare.visibleMs);
    ours.push(app.visibleMs);
    note(`run ${run}: ${app.visibleMs.toFixed(0)} ms, empty window ${bare.visibleMs.toFixed(0)} ms`);
  }
  report({
    figure: 'spawn to Overview with practice data',
    value: median(ours),
    unit: 'ms',
    baseline: 'empty window on the same runtime (target 1.5×)',
    baselineValue: median(empty),
  });
};
export default bench;
