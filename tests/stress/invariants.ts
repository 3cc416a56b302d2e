/**
 * The practice engine's invariants and oracle over more sessions and accounts than the seeds of `npm test`:
 * conservation, identities, book, positions, restarts, liquidation. Prints a failure shrunk, with its seed and
 * path.
 *
 *   node tests/stress/invariants.ts [times the sessions of npm test]
 */
import { root, run, tool } from '../../scripts/tasks/process.ts';

const [times = '25'] = process.argv.slice(2);
process.chdir(root);
const startedAt = performance.now();
const code = await run(
  [
    process.execPath,
    tool('vitest/vitest.mjs'),
    'run',
    ...['invariants', 'invariants-restart', 'oracle'].map((name) => `tests/practice/${name}.test.ts`),
  ],
  { FC_SEED: 'random', PRACTICE_SESSIONS: times },
);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(`random sessions and accounts      ${times} × those of npm test, in ${seconds} s`);
console.log(`invariants broken                 ${code === 0 ? 0 : 'see above'}`);
process.exitCode = code;
