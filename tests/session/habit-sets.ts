/** Sets of habits to test together: each value alone, all pairs of values, and the twelve of `npm test`. */
import { createRequire } from 'node:module';
import type * as Covertable from 'covertable';
import {
  DEFAULT_HABITS,
  HABIT_NAMES,
  HABITS,
  type Habit,
  type HabitName,
} from '../../src-practice/habits.ts';
import type { HabitSet } from './habit-exchange.ts';

/** A CommonJS file whose exports Node cannot detect. */
const { make } = createRequire(import.meta.url)('covertable') as typeof Covertable;

/**
 * Values Ballast does not support yet. They are excluded from `npm test` and marked in docs/exchange-habits.md;
 * remove a value here once supported. `npm run test:stress -- habits` tries all and prints the failures.
 */
export const NOT_YET_SUPPORTED: { readonly [K in HabitName]?: readonly string[] } = {};

const valuesOf = (name: HabitName): readonly string[] => {
  const { values }: Habit = HABITS[name];
  return Object.keys(values);
};

export const supportedOf = (name: HabitName): readonly string[] =>
  valuesOf(name).filter((value) => !(NOT_YET_SUPPORTED[name] ?? []).includes(value));

/** Only what differs from the default, as a user would write it. */
const setOf = (all: Readonly<Partial<Record<HabitName, string>>>): HabitSet =>
  Object.fromEntries(
    HABIT_NAMES.flatMap((name) => {
      const value = all[name];
      return value === undefined || value === DEFAULT_HABITS[name] ? [] : [[name, value] as const];
    }),
  );

/** Every value but the default, each alone. */
export const singles = (part: Part): HabitSet[] =>
  HABIT_NAMES.flatMap((name) =>
    (part === 'all' ? valuesOf(name) : supportedOf(name))
      .filter((value) => value !== DEFAULT_HABITS[name])
      .map((value) => setOf({ [name]: value })),
  );

/** Habits that a backfill of a history longer than a list can meet. */
const OF_LONG_LISTS = ['order-order', 'time-bounds', 'filters', 'limit-default'] as const;

/** `supported`: without the values of NOT_YET_SUPPORTED. */
export type Part = 'all' | 'supported';

/** A covering set: any two values of two of these habits occur together in one of them. The same at every call. */
function covering(names: readonly HabitName[], part: Part): HabitSet[] {
  const factors = names.map((name) => [...(part === 'all' ? valuesOf(name) : supportedOf(name))]);
  return make(factors, { seed: 'ballast' }).map((row) =>
    setOf(Object.fromEntries(names.map((name, at) => [name, row[at]]))),
  );
}

export const pairs = (part: Part): HabitSet[] => covering(HABIT_NAMES, part);
export const pairsOfLongLists = (part: Part): HabitSet[] => covering(OF_LONG_LISTS, part);

const TWELVE = 12;

/** Every supported value occurs: each habit cycles through its values, each from another start. */
export const twelve = (): HabitSet[] =>
  Array.from({ length: TWELVE }, (_, row) =>
    setOf(
      Object.fromEntries(
        HABIT_NAMES.map((name, column) => {
          const supported = supportedOf(name);
          const round = Math.floor(row / supported.length);
          return [name, supported[(row + round * column + column) % supported.length]];
        }),
      ),
    ),
  );

export const written = (habits: HabitSet): string =>
  Object.entries(habits)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || 'the default habits';
