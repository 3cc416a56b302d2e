// Runs benchmarks: `npm run bench -- NAME…`. Figures go to stdout as JSON lines, progress to stderr. Each has its
// own process, so that heap and compiled code are not shared.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { line, type BenchFile } from './harness.ts';

const HELPERS = ['run', 'harness'];
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !HELPERS.includes(name));

async function runHere(name: string): Promise<void> {
  const { default: bench } = (await import(`./${name}.ts`)) as { default: BenchFile };
  await bench({
    report: (figure) => {
      console.log(line(name, figure));
    },
    note: (text) => {
      console.error(`  ${text}`);
    },
  });
}

function runEach(wanted: readonly string[]): number {
  const failed = wanted.filter((name) => {
    console.error(`· ${name}`);
    const child = [import.meta.filename, '--here', name];
    return spawnSync(process.execPath, ['--expose-gc', ...child], { stdio: 'inherit' }).status !== 0;
  });
  for (const name of failed) console.error(`✗ ${name} failed`);
  return failed.length === 0 ? 0 : 1;
}

const args = process.argv.slice(2);
const unknown = args.filter((name) => name !== '--here' && !names.includes(name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  process.exitCode = 2;
} else if (args[0] === '--here' && args[1] !== undefined) {
  await runHere(args[1]);
} else {
  process.exitCode = runEach(args.length > 0 ? args : names);
}
