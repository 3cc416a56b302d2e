import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root, run, tool, type Command } from './process.ts';
import { onSomeDisplay, packageCheck, withKeyring } from './session.ts';
import { forget, playwrightCounts, recall, record, reportFile, vitestCounts, type Counts } from './tally.ts';

const script = (path: string): Command => [process.execPath, join(root, path)];

interface Stage {
  readonly name: string;
  readonly run: () => Promise<number>;
  /** Counts of a runner's own report; without it the stage records its counts, or counts as one. */
  readonly counts?: (stage: string) => Counts;
}

const stages: readonly Stage[] = [
  { name: 'check', run: () => run(script('scripts/tasks/check.ts')) },
  {
    name: 'unit',
    run: () =>
      runDespiteV8(
        withKeyring(
          process.execPath,
          tool('vitest/vitest.mjs'),
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${reportFile('unit')}`,
        ),
      ),
    counts: vitestCounts,
  },
  { name: 'build', run: () => run(script('scripts/tasks/build.ts')) },
  { name: 'package', run: () => run(packageCheck) },
  {
    name: 'e2e',
    run: () => {
      const playwright = withKeyring(
        process.execPath,
        tool('@playwright/test/cli.js'),
        'test',
        '--reporter=list,json',
      );
      return run(onSomeDisplay(playwright), {
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile('e2e'),
      });
    },
    counts: playwrightCounts,
  },
];

/**
 * Worker threads of the tests are TypeScript, which Node reads by WebAssembly, and V8 now and then loses count of its
 * code there and ends the process (nodejs/node#64500). Only then everything runs once more. The built app's threads
 * are plain JavaScript.
 */
async function runDespiteV8(command: Command): Promise<number> {
  const { code, output } = await capture(command, (piece) => process.stdout.write(piece));
  if (code === 0 || !output.includes('Check failed: jit_page')) return code;
  console.log('\n! V8 ended a test process by itself (Check failed: jit_page): once more.');
  return run(command);
}

const COUNTS_AS_ONE: ReadonlySet<string> = new Set(['build', 'package']);

async function runStage({ name, run: go, counts }: Stage): Promise<boolean> {
  console.log(`\n═══ ${name}`);
  const code = await go();
  if (counts !== undefined && existsSync(reportFile(name))) record(name, counts(name));
  else if (code === 0 && COUNTS_AS_ONE.has(name)) record(name, { passed: 1, failed: 0 });
  // A runner that says it failed is believed over its counts.
  const { passed, failed } = recall(name);
  if (code !== 0 && failed === 0) record(name, { passed, failed: 1 });
  return code === 0 && failed === 0;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => stages.every((stage) => stage.name !== name));
const chosen = stages.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (unknown.length > 0) throw new Error(`No such stage: ${unknown.join(', ')}`);

forget();
const started = performance.now();
const ran: Stage[] = [];
for (const stage of chosen) {
  ran.push(stage);
  if (!(await runStage(stage))) break;
}

console.log('\n═══ summary');
let passed = 0;
let failed = 0;
for (const { name } of chosen) {
  if (!ran.some((stage) => stage.name === name)) {
    console.log(`  ${name.padEnd(6)} not run, because an earlier stage failed`);
    continue;
  }
  const counts = recall(name);
  passed += counts.passed;
  failed += counts.failed;
  console.log(`  ${name.padEnd(6)} ${counts.passed} passed, ${counts.failed} failed`);
}
console.log(`  in ${((performance.now() - started) / 1000).toFixed(0)} s`);
const line = `${passed} passed, ${failed} failed`;
console.log(`\n${line}`);
// .ci/run repeats it after npm has had its own last words.
writeFileSync(join(root, '.cache', 'tally', 'line.txt'), `${line}\n`);
process.exitCode = failed === 0 ? 0 : 1;
