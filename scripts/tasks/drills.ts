// `npm run test:drills [-- NAME [ARGUMENTS]]`: every drill of scripts/drills one after another, or one of them, each
// in a process of its own. A drill prints its figures and fails when one is not met.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.ts';

const FOLDER = join(root, 'scripts/drills');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

interface Ended {
  readonly name: string;
  readonly met: boolean;
  readonly seconds: string;
}

async function drill(name: string, args: readonly string[]): Promise<Ended> {
  console.log(`\n· ${[name, ...args].join(' ')}`);
  const from = performance.now();
  const code = await run([process.execPath, join(FOLDER, `${name}.ts`), ...args]);
  return { name, met: code === 0, seconds: ((performance.now() - from) / 1000).toFixed(1) };
}

const [wanted, ...args] = process.argv.slice(2);
if (wanted !== undefined && !names.includes(wanted)) {
  console.error(`No such drill: ${wanted}. There are: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  const ended: Ended[] = [];
  for (const name of wanted === undefined ? names : [wanted]) ended.push(await drill(name, args));
  console.log('');
  for (const { name, met, seconds } of ended)
    console.log(`${met ? '✓' : '✗'} ${name}: ${met ? 'figures met' : 'FIGURES NOT MET'}, ${seconds} s`);
  if (ended.some((one) => !one.met)) process.exitCode = 1;
}
