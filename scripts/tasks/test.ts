// Runs the tests: all stages, some of them, or what a change can affect. `npm test [-- STAGE … | changed]`
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { changedStages } from './changed.ts';
import { chooseStages, countsFile, runStages, runStage, type StageResult } from './stages.ts';
import { storeTimes } from './times.ts';

const args = process.argv.slice(2);
const changed = args[0] === 'changed' ? await changedStages(args[1]) : null;
const stages = changed?.size === 0 ? [] : chooseStages(changed === null ? args : [...changed.keys()]);
const width = Math.max(...stages.map(({ name }) => name.length));

const started = performance.now();
const results = await runStages(stages, async (stage) => {
  const asked = changed?.get(stage.name) ?? [];
  if (stages.length === 1) return runStage(stage, asked);
  const show = (line: string): void => console.log(`${stage.name.padEnd(width)} │ ${line}`);
  show('begins');
  const result = await runStage(stage, asked, show);
  show(`ended with ${result.code} after ${result.seconds.toFixed(0)} s`);
  return result;
});
storeTimes(results);

const count = ({ results: tests }: StageResult, passed: boolean): number =>
  tests.filter((one) => one.passed === passed).length;

/** The first lines of an error. They are repeated in the summary, since CI may keep only the end of a long log. */
const linesOf = (error = ''): readonly string[] =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 12);

console.log('\n═══ summary');
for (const result of results) {
  const { stage, seconds, skipped } = result;
  const what =
    skipped === undefined
      ? `${count(result, true)} passed, ${count(result, false)} failed, ${seconds.toFixed(0)} s`
      : `not run: ${skipped}`;
  console.log(`  ${stage.padEnd(width)} ${what}`);
  for (const { file, name, error } of result.results.filter(({ passed }) => !passed)) {
    console.log(`    ✗ ${file}: ${name}`);
    for (const line of linesOf(error)) console.log(`        ${line.slice(0, 240)}`);
  }
}
console.log(`  in ${((performance.now() - started) / 1000).toFixed(0)} s`);
const total = (passed: boolean): number => results.reduce((sum, one) => sum + count(one, passed), 0);
const line = `${total(true)} passed, ${total(false)} failed`;
console.log(`\n${line}`);
mkdirSync(dirname(countsFile), { recursive: true });
writeFileSync(countsFile, `${line}\n`);
process.exitCode = results.find(({ code, skipped }) => code !== 0 && skipped === undefined)?.code ?? 0;
