/**
 * Mutation tests: every change of the source must fail a test. StrykerJS mutates the modules behind the guarantees
 * (tests/mutation/modules.ts); lines of security and packaging, which it cannot judge, are listed in seeded-*.ts.
 * A part of a file's path mutates only the files of the module that contain it.
 *
 *   npm run test:mutation [-- module | seeded | part of a path …]
 */
import { filesOf, runModule, type ModuleResult } from '../mutation/run-module.ts';
import { runSeeded } from '../mutation/run-seeded.ts';
import { MODULES } from '../mutation/modules.ts';

const TARGET = 90;
const names = [...MODULES.map(({ name }) => name), 'seeded'];
const wanted = process.argv.slice(2).filter((name) => names.includes(name));
const parts = process.argv.slice(2).filter((name) => !names.includes(name));
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const modules = MODULES.filter((module) => isWanted(module.name) && filesOf(module, parts).length > 0);
const unknown = parts.filter((part) => !modules.some((module) => filesOf(module, [part]).length > 0));

const scoreOf = ({ mutants, killed, equivalent }: ModuleResult): number =>
  mutants === 0 ? 0 : ((killed + equivalent) / mutants) * 100;

async function main(): Promise<number> {
  if (unknown.length > 0) {
    console.error(`No such module or file: ${unknown.join(', ')}. Modules: ${names.join(', ')}.`);
    return 2;
  }
  const results: ModuleResult[] = [];
  for (const module of modules) {
    const result = await runModule(module, parts);
    results.push(result);
    for (const survivor of result.survivors) console.log(survivor);
    console.log(`${module.name}: ${scoreOf(result).toFixed(1)} % of ${result.mutants}\n`);
  }
  const allSeeded = parts.length > 0 || !isWanted('seeded') || (await runSeeded());
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
