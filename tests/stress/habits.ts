/**
 * Exchanges with other habits: every value alone, a covering set of all pairs of values, and one of the habits of
 * long histories. Each with the main job, lost replies, the whole history and its CSV.
 *
 *   node tests/stress/habits.ts [combinations]       the first of each
 *   node tests/stress/habits.ts supported            without the values of NOT_YET_SUPPORTED
 *   node tests/stress/habits.ts NAME=VALUE …         these together, with failures; `crowded` first: a long history
 */
import { runCrowded, runHabits, type HabitFailure } from '../session/habit-run.ts';
import type { HabitSet } from '../session/habit-exchange.ts';
import {
  NOT_YET_SUPPORTED,
  pairs,
  pairsOfLongLists,
  singles,
  written,
  type Part,
} from '../session/habit-sets.ts';

const args = process.argv.slice(2);
const startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);

const count = { tried: 0, clean: 0, failures: 0, wrong: 0 };
type Count = typeof count;

/** `show`: prints the failures. */
async function tryAll(
  sets: readonly HabitSet[],
  run: (habits: HabitSet) => Promise<readonly HabitFailure[]>,
  show: boolean,
): Promise<Count> {
  const before = { ...count };
  for (const habits of sets) {
    const failures = await run(habits);
    count.tried++;
    if (failures.length === 0) count.clean++;
    else report(habits, failures, show);
    count.failures += failures.length;
    count.wrong += failures.filter(({ isWrong }) => isWrong).length;
    if (count.tried % 20 === 0) console.error(`${count.tried} combinations, ${seconds()} s so far`);
  }
  return {
    ...{ tried: count.tried - before.tried, clean: count.clean - before.clean },
    ...{ failures: count.failures - before.failures, wrong: count.wrong - before.wrong },
  };
}

function report(habits: HabitSet, failures: readonly HabitFailure[], show: boolean): void {
  const steps = failures.map(({ step, isWrong }) => (isWrong ? `${step} (wrong)` : step));
  console.log(`${written(habits)}: ${steps.join(', ')}`);
  if (show) for (const { step, what } of failures) console.log(`    ${step}: ${what}`);
}

const print = (label: string, text: string): void => console.log(`${label.padEnd(34)}${text}`);
const share = ({ clean, tried, failures }: Count): string =>
  `${clean} of ${tried} combinations without a failure, ${failures} failures`;

async function covering(part: Part, most: number): Promise<void> {
  const first = (sets: HabitSet[]): HabitSet[] => sets.slice(0, most);
  const alone = await tryAll(first(singles(part)), runHabits, true);
  const together = await tryAll(first(pairs(part)), runHabits, false);
  const long = await tryAll(first(pairsOfLongLists(part)), runCrowded, true);
  const missing = Object.entries(NOT_YET_SUPPORTED).map(([name, values]) => `${name}=${values.join('|')}`);
  print('values not supported yet', missing.join(' ') || 'none');
  print('values alone', share(alone));
  print('pairs of values', share(together));
  print('long histories', share(long));
  print('wrong verdicts, rows and alerts', `${count.wrong} in ${count.tried} combinations, ${seconds()} s`);
}

const [first = ''] = args;
if (args.some((one) => one.includes('='))) {
  const named = args.filter((one) => one !== 'crowded').map((one) => one.split('='));
  await tryAll([Object.fromEntries(named) as HabitSet], first === 'crowded' ? runCrowded : runHabits, true);
} else await covering(first === 'supported' ? 'supported' : 'all', Number.parseInt(first, 10) || Infinity);
if (count.failures > 0 || count.tried === 0) process.exitCode = 1;
