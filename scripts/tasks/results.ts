/** The reports of all test runners in one form: one result per test or check. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './process.ts';

export interface TestResult {
  /** Relative to the project; for a check, the command behind it. */
  readonly file: string;
  readonly name: string;
  readonly seconds: number;
  readonly passed: boolean;
  /** The runner's message about the failure. */
  readonly error?: string | undefined;
}

const folder = join(root, '.cache', 'tally');

/** The report file of a stage. */
export const reportFile = (stage: string): string => join(folder, `${stage}.json`);

export function forgetReport(stage: string): void {
  mkdirSync(folder, { recursive: true });
  rmSync(reportFile(stage), { force: true });
}

/** Writes results that no runner reports: those of `npm run check`. */
export function writeResults(stage: string, results: readonly TestResult[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(reportFile(stage), JSON.stringify(results));
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const relativePath = (path: string): string => relative(root, path).replaceAll('\\', '/');

export const readResults = (file: string): readonly TestResult[] => read<TestResult[]>(file);

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Reads Vitest's JSON report. A file that failed outside its tests, for example while loading, is a failed result. */
export function readVitest(file: string): readonly TestResult[] {
  return read<VitestReport>(file).testResults.flatMap(
    ({ name, status, startTime, endTime, assertionResults }) => {
      const results = assertionResults
        .filter((one) => one.status === 'passed' || one.status === 'failed')
        .map((one) => ({
          file: relativePath(name),
          name: one.fullName,
          seconds: (one.duration ?? 0) / 1000,
          passed: one.status === 'passed',
          error: one.failureMessages?.[0],
        }));
      if (status === 'passed' || results.some(({ passed }) => !passed)) return results;
      const whole = { file: relativePath(name), name: '(the file)', seconds: (endTime - startTime) / 1000 };
      return [...results, { ...whole, passed: false }];
    },
  );
}

interface PlaywrightError {
  readonly message?: string;
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly {
        readonly duration: number;
        readonly errors?: readonly PlaywrightError[];
      }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly config: { readonly rootDir: string };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly PlaywrightError[];
}

/** Reads Playwright's JSON report. A test that passes only on a retry has failed. */
export function readPlaywright(file: string): readonly TestResult[] {
  const { config, suites, errors } = read<PlaywrightReport>(file);
  const base = relativePath(config.rootDir);
  const resultsOf = (suite: PlaywrightSuite): TestResult[] => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status !== 'skipped')
        .map(({ status, results }) => ({
          file: join(base, spec.file).replaceAll('\\', '/'),
          name: spec.title,
          seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
          passed: status === 'expected',
          error: results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)).join('\n\n'),
        })),
    ),
    ...(suite.suites ?? []).flatMap(resultsOf),
  ];
  return [
    ...suites.flatMap(resultsOf),
    ...errors.map(({ message }) => ({
      file: dirname(file),
      name: message ?? 'error',
      seconds: 0,
      passed: false,
    })),
  ];
}
