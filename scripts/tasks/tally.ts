import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './process.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const folder = join(root, '.cache', 'tally');
const file = (stage: string): string => join(folder, `${stage}.json`);

/** Where a test runner writes its own JSON report of a stage. */
export const reportFile = (stage: string): string => join(folder, `${stage}-report.json`);

export function forget(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Stages run as processes of their own, so their counts are left in a file. */
export function record(stage: string, counts: Counts): void {
  mkdirSync(dirname(file(stage)), { recursive: true });
  writeFileSync(file(stage), JSON.stringify(counts));
}

/** A stage that left no counts has crashed: one failure. */
export function recall(stage: string): Counts {
  try {
    return JSON.parse(readFileSync(file(stage), 'utf8')) as Counts;
  } catch {
    return { passed: 0, failed: 1 };
  }
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}

const read = (stage: string): unknown => JSON.parse(readFileSync(reportFile(stage), 'utf8'));

/** A file that fails before its first test counts as one failure. */
export function vitestCounts(stage: string): Counts {
  const report = read(stage) as VitestReport;
  const failed = report.success ? 0 : Math.max(report.numFailedTests, 1);
  return { passed: report.numPassedTests, failed };
}

/** A test that passes only on a second try has failed. */
export function playwrightCounts(stage: string): Counts {
  const { stats, errors } = read(stage) as PlaywrightReport;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}
