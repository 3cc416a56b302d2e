/** The short form of `npm run test:stress -- habits`: twelve exchanges in which every supported value of each habit occurs. */
import { describe, expect, it } from 'vitest';
import { HABIT_NAMES, HABITS, readHabits, type Habit } from '../../src-practice/habits.ts';
import { runHabits } from './habit-run.ts';
import { NOT_YET_SUPPORTED, pairs, supportedOf, singles, twelve, written } from './habit-sets.ts';

describe('exchanges with other habits', () => {
  it.each(twelve().map((habits) => [written(habits), habits] as const))('%s', async (_, habits) => {
    expect(await runHabits(habits)).toEqual([]);
  });
});

describe('the sets of habits', () => {
  const chosen = twelve().map((habits) => readHabits(habits));

  it('contain every supported value in the twelve, and no other', () => {
    for (const name of HABIT_NAMES) {
      const found = new Set(chosen.map((habits) => habits[name]));
      expect([name, [...found].sort()]).toEqual([name, [...supportedOf(name)].sort()]);
    }
  });

  it('contain every pair of values in the covering set', () => {
    const sets = pairs('all').map((habits) => readHabits(habits));
    const valuesOf = (name: (typeof HABIT_NAMES)[number]): string[] => {
      const { values }: Habit = HABITS[name];
      return Object.keys(values);
    };
    const missing = HABIT_NAMES.flatMap((a, at) =>
      HABIT_NAMES.slice(at + 1).flatMap((b) => {
        const met = new Set(sets.map((habits) => `${habits[a]} ${habits[b]}`));
        return valuesOf(a).flatMap((x) =>
          valuesOf(b).flatMap((y) => (met.has(`${x} ${y}`) ? [] : [`${a}=${x} ${b}=${y}`])),
        );
      }),
    );
    expect(missing).toEqual([]);
    expect(sets.length).toBeLessThan(80);
  });

  it('omit existing values only, and never a default', () => {
    for (const [name, values] of Object.entries(NOT_YET_SUPPORTED))
      for (const value of values) expect(readHabits({ [name]: value })).not.toEqual(readHabits({}));
    expect(singles('all').length).toBeGreaterThan(60);
  });
});
