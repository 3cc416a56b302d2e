/** The stages of `npm test`, and the order they run in. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIsStale } from '../setup/build.mjs';
import { capture, root, run, script, tool, type Command } from './process.ts';
import {
  forgetReport,
  readPlaywright,
  readResults,
  readVitest,
  reportFile,
  type TestResult,
} from './results.ts';
import { onSomeDisplay, packageCheck, withKeyring } from './session.ts';

export interface Stage {
  readonly name: string;
  /** Stages of one queue run one after another, the two queues in parallel. */
  readonly queue: 'e2e' | 'others';
  readonly needs?: string;
  /** The only system it runs on; all when absent. */
  readonly only?: NodeJS.Platform;
  /** @param args of its runner, in place of those for everything */
  readonly command: (args: readonly string[]) => Command;
  readonly env?: NodeJS.ProcessEnv;
  /** Reads the runner's own report; without it the stage is one result. */
  readonly report?: (file: string) => readonly TestResult[];
}

const vitest = (...args: string[]): Command =>
  withKeyring(process.execPath, tool('vitest/vitest.mjs'), ...args);
const playwright = (...args: string[]): Command =>
  withKeyring(process.execPath, tool('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...args);
const playwrightEnv = (name: string): NodeJS.ProcessEnv => ({
  PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile(name),
});

/** The end-to-end tests take about as long as all others together, so these run beside them. */
export const STAGES: readonly Stage[] = [
  { name: 'build', queue: 'others', command: () => script('scripts/tasks/build.ts') },
  {
    name: 'e2e',
    queue: 'e2e',
    needs: 'build',
    command: (args) => onSomeDisplay(playwright(...args)),
    env: playwrightEnv('e2e'),
    report: readPlaywright,
  },
  {
    name: 'check',
    queue: 'others',
    command: (args) => script('scripts/tasks/check.ts', ...args),
    report: readResults,
  },
  {
    name: 'unit',
    queue: 'others',
    needs: 'build',
    command: (args) =>
      vitest(
        ...(args.length === 0 ? ['run'] : args),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${reportFile('unit')}`,
      ),
    report: readVitest,
  },
  { name: 'package', queue: 'others', needs: 'build', command: () => packageCheck },
  {
    // Each of its tests has an X display and a window manager of its own.
    name: 'display',
    queue: 'others',
    needs: 'build',
    only: 'linux',
    command: (args) => playwright('--config=playwright.display.config.ts', ...args),
    env: playwrightEnv('display'),
    report: readPlaywright,
  },
];

export interface StageResult {
  readonly stage: string;
  readonly code: number;
  readonly seconds: number;
  readonly results: readonly TestResult[];
  /** Why it did not run. */
  readonly skipped?: string;
}

/** @param onLine gets each line the stage prints; without it the stage writes to the terminal */
export async function runStage(
  { name, command, env, report }: Stage,
  args: readonly string[] = [],
  onLine?: (line: string) => void,
): Promise<StageResult> {
  forgetReport(name);
  const started = performance.now();
  const code =
    onLine === undefined ? await run(command(args), env) : (await capture(command(args), onLine, env)).code;
  const seconds = (performance.now() - started) / 1000;
  const reported = report !== undefined && existsSync(reportFile(name)) ? report(reportFile(name)) : [];
  const whole = { file: 'npm test', name, seconds, passed: code === 0 };
  // A failed exit code overrides a report without failures.
  const isComplete = reported.length > 0 && (code === 0 || reported.some(({ passed }) => !passed));
  return { stage: name, code, seconds, results: isComplete ? reported : [...reported, whole] };
}

/** Runs the stages. A stage that needs a failed one is skipped; every other one runs. */
export async function runStages(
  stages: readonly Stage[],
  start: (stage: Stage) => Promise<StageResult>,
): Promise<readonly StageResult[]> {
  const ended = new Map<string, Promise<StageResult>>();
  const queues = new Map<string, Promise<unknown>>();
  for (const stage of stages) {
    const before = queues.get(stage.queue);
    const needed = stage.needs === undefined ? undefined : ended.get(stage.needs);
    const outcome = (async (): Promise<StageResult> => {
      await before;
      if (needed !== undefined && (await needed).code !== 0)
        return { stage: stage.name, code: 1, seconds: 0, results: [], skipped: `${stage.needs} failed` };
      if (stage.only !== undefined && stage.only !== process.platform)
        return { stage: stage.name, code: 0, seconds: 0, results: [], skipped: `it needs ${stage.only}` };
      return start(stage);
    })();
    ended.set(stage.name, outcome);
    queues.set(stage.queue, outcome);
  }
  return Promise.all(ended.values());
}

/** The named stages, or all; an outdated build is prepended where needed. */
export function chooseStages(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => STAGES.every((stage) => stage.name !== name));
  if (unknown.length > 0)
    throw new Error(
      `No such stage: ${unknown.join(', ')}. There are: ${STAGES.map(({ name }) => name).join(', ')}.`,
    );
  if (names.length === 0) return STAGES;
  const chosen = STAGES.filter(({ name }) => names.includes(name));
  const needsBuild = chosen.some(({ needs }) => needs === 'build') && !names.includes('build');
  return needsBuild && buildIsStale(root)
    ? STAGES.filter((one) => one.name === 'build' || chosen.includes(one))
    : chosen;
}

/** Path of the summary line, which .ci/run repeats after npm's own output. */
export const countsFile = join(root, '.cache', 'tally', 'line.txt');
