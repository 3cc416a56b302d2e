// Runs the stress tests of tests/stress, or one of them, each in its own process: `npm run test:stress [-- NAME
// [ARGUMENTS]]`. A stress test prints its figures and fails when one misses its target. The table of guarantees
// follows.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './process.ts';
import { reportGuarantees } from './guarantees.ts';

const FOLDER = join(root, 'tests/stress');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

interface Ended {
  readonly name: string;
  readonly met: boolean;
  readonly seconds: string;
  readonly output: string;
}

async function runTest(name: string, args: readonly string[]): Promise<Ended> {
  console.log(`\n· ${[name, ...args].join(' ')}`);
  const from = performance.now();
  const { code, output } = await capture([process.execPath, join(FOLDER, `${name}.ts`), ...args], (line) =>
    console.log(line),
  );
  return { name, met: code === 0, seconds: ((performance.now() - from) / 1000).toFixed(1), output };
}

const [wanted, ...args] = process.argv.slice(2);
if (wanted !== undefined && !names.includes(wanted)) {
  console.error(`No such stress test: ${wanted}. There are: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  const ended: Ended[] = [];
  for (const name of wanted === undefined ? names : [wanted]) ended.push(await runTest(name, args));
  console.log('');
  for (const { name, met, seconds } of ended)
    console.log(`${met ? '✓' : '✗'} ${name}: ${met ? 'figures met' : 'FIGURES NOT MET'}, ${seconds} s`);
  const guarantees = reportGuarantees(new Map(ended.map(({ name, output }) => [name, output])));
  console.log(`\n${guarantees.lines.join('\n')}`);
  if (ended.some((one) => !one.met) || guarantees.missing > 0) process.exitCode = 1;
}
