/** Stores how long each stage, file and test took in the last run and the one before. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';
import type { StageResult } from './stages.ts';

export interface Times {
  readonly seconds: number;
  /** By `file › name`. */
  readonly tests: Readonly<Record<string, number>>;
}
export interface StageTimes {
  readonly last: Times;
  readonly before: Times | null;
}

const FILE = join(root, '.cache', 'test-times.json');

export function readTimes(): Readonly<Record<string, StageTimes>> {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, StageTimes>;
  } catch {
    // The first run, or a file of another version.
    return {};
  }
}

/** Replaces the last run of the stages that ran, which becomes the one before; other stages stay. */
export function storeTimes(results: readonly StageResult[]): void {
  const known = readTimes();
  const ran = results.filter(({ skipped }) => skipped === undefined);
  const times = ran.map(({ stage, seconds, results: tests }): [string, StageTimes] => [
    stage,
    {
      last: {
        seconds,
        tests: Object.fromEntries(tests.map((one) => [`${one.file} › ${one.name}`, one.seconds])),
      },
      before: known[stage]?.last ?? null,
    },
  ]);
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...known, ...Object.fromEntries(times) }));
}

/** Seconds by file, summed over its tests. */
export function byFile({ tests }: Times): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [test, seconds] of Object.entries(tests)) {
    const [file = test] = test.split(' › ', 1);
    sums[file] = (sums[file] ?? 0) + seconds;
  }
  return sums;
}
