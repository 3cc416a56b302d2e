/**
 * Exchanges with other habits: every value alone, a covering set of all pairs of values, and one of the habits of
 * long histories. Each with the main job, lost replies, the whole history and its CSV.
 *
 *   node tests/stress/habits.ts [combinations]       the first of each
 *   node tests/stress/habits.ts served               without the values of NOT_YET_SERVED
 *   node tests/stress/habits.ts NAME=VALUE …         these together, with failures; `crowded` first: a long history
 */
import { runCrowded, runHabits, type Fall } from '../session/habit-run.ts';
import type { HabitSet } from '../session/habit-exchange.ts';
import {
  NOT_YET_SERVED,
  pairs,
  pairsOfLongLists,
  singles,
  written,
  type Part,
} from '../session/habit-sets.ts';

const args = process.argv.slice(2);
const startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);

const count = { tried: 0, clean: 0, falls: 0, untrue: 0 };
type Count = typeof count;

/** `show`: prints the failures. */
async function tryAll(
  sets: readonly HabitSet[],
  run: (habits: HabitSet) => Promise<readonly Fall[]>,
  show: boolean,
): Promise<Count> {
  const before = { ...count };
  for (const habits of sets) {
    const falls = await run(habits);
    count.tried++;
    if (falls.length === 0) count.clean++;
    else report(habits, falls, show);
    count.falls += falls.length;
    count.untrue += falls.filter(({ isUntrue }) => isUntrue).length;
    if (count.tried % 20 === 0) console.error(`${count.tried} combinations, ${seconds()} s so far`);
  }
  return {
    ...{ tried: count.tried - before.tried, clean: count.clean - before.clean },
    ...{ falls: count.falls - before.falls, untrue: count.untrue - before.untrue },
  };
}

function report(habits: HabitSet, falls: readonly Fall[], show: boolean): void {
  const steps = falls.map(({ step, isUntrue }) => (isUntrue ? `${step} (untrue)` : step));
  console.log(`${written(habits)}: ${steps.join(', ')}`);
  if (show) for (const { step, what } of falls) console.log(`    ${step}: ${what}`);
}

const print = (label: string, text: string): void => console.log(`${label.padEnd(34)}${text}`);
const share = ({ clean, tried, falls }: Count): string =>
  `${clean} of ${tried} combinations without a fall, ${falls} falls`;

async function covering(part: Part, most: number): Promise<void> {
  const first = (sets: HabitSet[]): HabitSet[] => sets.slice(0, most);
  const alone = await tryAll(first(singles(part)), runHabits, true);
  const together = await tryAll(first(pairs(part)), runHabits, false);
  const long = await tryAll(first(pairsOfLongLists(part)), runCrowded, true);
  const missing = Object.entries(NOT_YET_SERVED).map(([name, values]) => `${name}=${values.join('|')}`);
  print('values not yet served', missing.join(' ') || 'none');
  print('values alone', share(alone));
  print('pairs of values', share(together));
  print('long histories', share(long));
  print('untrue verdicts, rows and alerts', `${count.untrue} in ${count.tried} combinations, ${seconds()} s`);
}

const [first = ''] = args;
if (args.some((one) => one.includes('='))) {
  const named = args.filter((one) => one !== 'crowded').map((one) => one.split('='));
  await tryAll([Object.fromEntries(named) as HabitSet], first === 'crowded' ? runCrowded : runHabits, true);
} else await covering(first === 'served' ? 'served' : 'all', Number.parseInt(first, 10) || Infinity);
if (count.falls > 0 || count.tried === 0) process.exitCode = 1;
