/**
 * Electron's security checklist: each of its 20 items checked on what the app passes to Electron, and tried in the
 * window where possible.
 *
 *   node tests/stress/checklist.ts
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root, tool } from '../../scripts/tasks/process.ts';
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

const ITEMS = 20;
const report = join(root, '.cache', 'checklist.json');
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const { output } = await capture([
  process.execPath,
  tool('vitest/vitest.mjs'),
  'run',
  'src-main/app/checklist.test.ts',
  '--reporter=json',
  `--outputFile=${report}`,
]);
const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
rmSync(report);
const asserted = new Set(
  testResults
    .flatMap((one) => one.assertionResults)
    .filter(({ status }) => status === 'passed')
    .flatMap(({ title }) => /^(\d+)\. /.exec(title)?.[1] ?? []),
);
console.log(`checklist items asserted          ${asserted.size} of ${ITEMS}`);
if (asserted.size < ITEMS) console.log(output.slice(-4000));
await runWindowSpecs(['e2e/confinement.spec.ts']);
if (asserted.size !== ITEMS) process.exitCode = 1;
