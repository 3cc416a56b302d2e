// Runs the static checks, some side by side: `npm run check [-- PART OF A NAME … | --files FILE …]`.
import { availableParallelism } from 'node:os';
import { checks, checksOf, type Check } from './checks.ts';
import { capture } from './process.ts';
import { writeResults, type TestResult } from './results.ts';

const wanted = process.argv.slice(2);
const queue =
  wanted[0] === '--files'
    ? [...checksOf(wanted.slice(1))]
    : checks.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const results: TestResult[] = [];
const failures: string[] = [];

async function runOne({ name, command }: Check): Promise<void> {
  const started = performance.now();
  const { code, output } = await capture(command);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`);
  results.push({ file: 'npm run check', name, seconds, passed: code === 0 });
  if (code !== 0) failures.push(`── ${name}\n${output.trimEnd()}`);
}

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runOne(next);
}

if (queue.length === 0) failures.push(`No check is named like ${wanted.join(' or ')}.`);
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
if (failures.length > 0) console.log(`\n${failures.join('\n\n')}\n`);
writeResults('check', results);
process.exitCode = failures.length === 0 ? 0 : 1;
