// Finds flaky tests: `npm run test:flaky -- N [unit|e2e|display] [PART OF A FILE'S NAME …]`. Runs a stage N times
// in random order with new seeds, beside two busy loops; messages between a window and its app come late. Prints each
// test that failed with its error, its rate, and how to repeat it.
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './process.ts';
import { chooseStages, runStage, STAGES, type Stage, type StageResult } from './stages.ts';

/** Ends with this process, however it ends. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e7; n++);';
const USAGE = 'Usage: npm run test:flaky -- N [unit|e2e|display] [part of a file name …]';

/** Vitest shuffles files and their tests by the seed, which also drives the generated inputs. */
function unitRound(stage: Stage, parts: readonly string[], seed: number): Promise<StageResult> {
  const args = [
    'run',
    '--sequence.shuffle.files',
    '--sequence.shuffle.tests',
    `--sequence.seed=${seed}`,
    ...parts,
  ];
  return runStage({ ...stage, env: { ...stage.env, FC_SEED: String(seed) } }, args, () => undefined);
}

/** Messages between page and app are at most so late (electron-standin/README.md). */
const LATE = { BALLAST_STANDIN_LATE: '300' };

/** Folders of specs, by stage. */
const SPECS: Readonly<Record<string, readonly string[]>> = {
  e2e: ['e2e', 'electron-standin'],
  display: ['e2e/display'],
};

/**
 * Playwright has no random order, so each file runs separately, in an order drawn here. Tests of a file keep their
 * order: some share one start of the app.
 */
async function windowRound(on: Stage, parts: readonly string[], seed: number): Promise<StageResult> {
  const stage = { ...on, env: { ...on.env, ...LATE } };
  const files = (SPECS[stage.name] ?? [])
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter(
      (file) =>
        file.endsWith('.spec.ts') && (parts.length === 0 || parts.some((part) => file.includes(part))),
    );
  const results: StageResult[] = [];
  for (const file of shuffled(files, seed)) results.push(await runStage(stage, [file], () => undefined));
  return {
    stage: stage.name,
    code: results.some(({ code }) => code !== 0) ? 1 : 0,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    results: results.flatMap(({ results: tests }) => tests),
  };
}

/** Fisher–Yates with a linear congruential generator: the same seed gives the same order. */
function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const out = [...list];
  let state = seed;
  for (let at = out.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (at + 1);
    [out[at], out[other]] = [out[other]!, out[at]!];
  }
  return out;
}

const repeatOf = (stage: string, file: string, seed: number): string =>
  stage === 'unit'
    ? `FC_SEED=${seed} npx vitest run --sequence.shuffle.files --sequence.shuffle.tests --sequence.seed=${seed}`
    : `BALLAST_STANDIN_LATE=${LATE.BALLAST_STANDIN_LATE} npx playwright test ${stage === 'display' ? '-c playwright.display.config.ts ' : ''}${file} --repeat-each 10`;

async function main([times, name = 'unit', ...parts]: readonly string[]): Promise<number> {
  const rounds = Number.parseInt(times ?? '', 10);
  if (!(rounds > 0) || (name !== 'unit' && !(name in SPECS))) {
    console.error(USAGE);
    return 2;
  }
  for (const stage of chooseStages([name]).filter((one) => one.name === 'build')) await runStage(stage);
  const stage = STAGES.find((one) => one.name === name)!;
  const busy = [0, 1].map(() => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
  const seen = new Map<string, number>();
  /** How to repeat each failure. */
  const failed = new Map<string, string[]>();
  try {
    for (let round = 1; round <= rounds; round++) {
      const seed = randomInt(1, 2 ** 31);
      const { results, seconds } = await (name === 'unit' ? unitRound : windowRound)(stage, parts, seed);
      for (const { file, name: test, passed, error } of results) {
        const key = `${file} › ${test}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        if (passed) continue;
        failed.set(key, [...(failed.get(key) ?? []), repeatOf(name, file, seed)]);
        console.log(`✗ ${key}${error === undefined ? '' : `\n${error}`}`);
      }
      const red = results.filter(({ passed }) => !passed).length;
      console.log(
        `round ${round} of ${rounds}, seed ${seed}: ${results.length - red} passed, ${red} failed, ${seconds.toFixed(0)} s`,
      );
    }
  } finally {
    for (const child of busy) child.kill();
  }
  for (const [test, failures] of failed) {
    console.log(`\n✗ ${test}\n  failed ${failures.length} of ${seen.get(test)}`);
    for (const repeat of failures.slice(0, 3)) console.log(`  ${repeat}`);
  }
  console.log(`\n${seen.size} tests, ${rounds} rounds, ${failed.size} failed at least once`);
  return failed.size === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
