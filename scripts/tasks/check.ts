import { availableParallelism } from 'node:os';
import { checks, type Check } from './checks.ts';
import { capture } from './process.ts';
import { record } from './tally.ts';

const wanted = process.argv.slice(2);
const queue = checks.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const failures: string[] = [];
let passed = 0;

async function runOne({ name, command }: Check): Promise<void> {
  const started = performance.now();
  const { code, output } = await capture(command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code === 0) passed += 1;
  else failures.push(`── ${name}\n${output.trimEnd()}`);
}

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(next);
}

if (queue.length === 0) failures.push(`No check is named like ${wanted.join(' or ')}.`);
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
if (failures.length > 0) console.log(`\n${failures.join('\n\n')}\n`);
record('check', { passed, failed: failures.length });
process.exitCode = failures.length === 0 ? 0 : 1;
