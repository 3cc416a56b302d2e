/**
 * Mutation tests: every change of the source must fail a test. StrykerJS mutates the modules behind the guarantees
 * (tests/mutation/modules.ts); lines of security and packaging, which it cannot judge, are listed in seeded-*.ts.
 *
 *   npm run test:mutation [-- module | seeded …]
 */
import { runModule, type ModuleResult } from '../mutation/run-module.ts';
import { runSeeded } from '../mutation/run-seeded.ts';
import { MODULES } from '../mutation/modules.ts';

const TARGET = 90;
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const names = [...MODULES.map(({ name }) => name), 'seeded'];
const unknown = wanted.filter((name) => !names.includes(name));

const scoreOf = ({ mutants, killed, equivalent }: ModuleResult): number =>
  mutants === 0 ? 0 : ((killed + equivalent) / mutants) * 100;

async function main(): Promise<number> {
  if (unknown.length > 0) {
    console.error(`No such module: ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
    return 2;
  }
  const results: ModuleResult[] = [];
  for (const module of MODULES.filter(({ name }) => isWanted(name))) {
    const result = await runModule(module);
    results.push(result);
    for (const survivor of result.survivors) console.log(survivor);
    console.log(`${module.name}: ${scoreOf(result).toFixed(1)} % of ${result.mutants}\n`);
  }
  const allSeeded = !isWanted('seeded') || (await runSeeded());
  if (results.length > 0) {
    console.log('module            score  mutants  killed  timed out  equivalent  survived');
    for (const one of results) {
      const { mutants, killed, timedOut, equivalent, survivors } = one;
      const columns = [mutants, killed, timedOut, equivalent, survivors.length];
      const figures = columns.map((figure, at) => String(figure).padStart([7, 6, 9, 10, 8][at] ?? 0));
      console.log(`${one.module.padEnd(16)} ${scoreOf(one).toFixed(1).padStart(5)} %  ${figures.join('  ')}`);
    }
    const reached = results.filter((one) => scoreOf(one) >= TARGET).length;
    console.log(`modules at ${TARGET} % or more           ${reached} of ${results.length}`);
  }
  return allSeeded && results.every((one) => scoreOf(one) >= TARGET) ? 0 : 1;
}

process.exitCode = await main();
