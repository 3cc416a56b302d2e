/** Runs StrykerJS on one module of modules.ts: its score, and every mutant that survived. */
import { Stryker } from '@stryker-mutator/core';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/tasks/process.ts';
import { EQUIVALENTS, type Equivalent } from './equivalents.ts';
import type { MutatedModule } from './modules.ts';

type Mutants = Awaited<ReturnType<Stryker['runMutationTest']>>;
type MutantResult = Mutants[number];

export interface ModuleResult {
  readonly module: string;
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  /** Of the killed, those that ended no test in time: on a busy machine this can be the machine's doing. */
  readonly timedOut: number;
  readonly survivors: readonly string[];
}

/** Lines and columns count from 1, as StrykerJS reports them. */
function originalOf({ fileName, location: { start, end } }: MutantResult): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return lines.join('\n');
}

const fits = (mutant: MutantResult, { file, original, replacement }: Equivalent): boolean =>
  relative(root, mutant.fileName) === file &&
  mutant.replacement === replacement &&
  originalOf(mutant) === original;

const isSeen = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout';
/** Mutants that do not compile or were skipped do not count. */
const counts = ({ status }: MutantResult): boolean =>
  status !== 'CompileError' && status !== 'RuntimeError' && status !== 'Ignored';

function textOf(mutant: MutantResult): string {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  const line = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${relative(root, fileName)}:${location.start.line} ${mutatorName} ${status}\n    - ${line(originalOf(mutant))}\n    + ${line(replacement)}`;
}

/** Returns the files a module mutates; with `parts`, those whose path contains one of them. */
export function filesOf({ mutate }: MutatedModule, parts: readonly string[] = []): string[] {
  const [left, taken] = [
    mutate.filter((path) => path.startsWith('!')),
    mutate.filter((path) => !path.startsWith('!')),
  ];
  return globSync(taken, { cwd: root, exclude: left.map((path) => path.slice(1)) })
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .toSorted();
}

export async function runModule(module: MutatedModule, parts: readonly string[]): Promise<ModuleResult> {
  const { name, tests, mutatesTexts = true } = module;
  // As JSON: a glob like {a,b} has commas of its own.
  process.env['MUTATION_TESTS'] = JSON.stringify(tests);
  const stryker = new Stryker({
    mutate: filesOf(module, parts),
    mutator: { excludedMutations: mutatesTexts ? [] : ['StringLiteral'] },
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    reporters: ['progress-append-only'],
    tempDirName: join('.cache', 'mutation'),
    ignorePatterns: ['.cache', '.node', 'dist', 'test-results', 'resources/pictures'],
    concurrency: 2,
    timeoutMS: 20_000,
    fileLogLevel: 'off',
    logLevel: 'warn',
  } as never);
  const results = (await stryker.runMutationTest()).filter(counts);
  const unseen = results.filter((one) => !isSeen(one));
  const survivors = unseen.filter((one) => !EQUIVALENTS.some((known) => fits(one, known)));
  return {
    module: name,
    mutants: results.length,
    killed: results.length - unseen.length,
    equivalent: unseen.length - survivors.length,
    timedOut: results.filter(({ status }) => status === 'Timeout').length,
    survivors: survivors.map(textOf),
  };
}
