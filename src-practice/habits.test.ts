import { describe, expect, it } from 'vitest';
import {
  changedHabits,
  DEFAULT_HABITS,
  HABIT_NAMES,
  HabitFault,
  HABITS,
  namedHabits,
  readHabits,
} from './habits.ts';
import type { Habit } from './habits.ts';

describe('the table of habits', () => {
  it('gives each habit several values with a default, the API’s line, and how Ballast handles it', () => {
    for (const name of HABIT_NAMES) {
      const { values, preset, line, meaning, handling }: Habit = HABITS[name];
      expect([name, Object.keys(values).length > 1]).toEqual([name, true]);
      expect([name, Object.keys(values)]).toEqual([name, expect.arrayContaining([preset])]);
      for (const text of [line, meaning, handling, ...Object.values(values)])
        expect(text, `${name}: ${text}`).toMatch(/^\S.*[.”]$/);
    }
  });
});

describe('habits by name', () => {
  it('default where they are not named', () => {
    expect(readHabits({ 'page-base': '0' })).toEqual({ ...DEFAULT_HABITS, 'page-base': '0' });
    expect(changedHabits(readHabits({ 'page-base': '0', decimals: 'plain' }))).toEqual({ 'page-base': '0' });
  });

  it('may be numbers, and whole numbers of a range', () => {
    expect(namedHabits({ 'page-base': 0, 'page-size': 7 })).toEqual({ 'page-base': '0', 'page-size': '7' });
    expect(() => readHabits({ 'page-size': 0 })).toThrow(HabitFault);
    expect(() => readHabits({ 'page-size': '7.5' })).toThrow('or a whole number from 1 to 1000000');
  });

  it('are rejected by name, with the valid ones listed', () => {
    expect(() => readHabits({ 'page-bass': '0' })).toThrow(/no habit page-bass; there are: page-base, /);
    expect(() => readHabits({ 'page-base': '2' })).toThrow('page-base must be one of 0, 1, not “2”');
    expect(() => readHabits({ tiers: null })).toThrow('tiers must be one of flat, marginal, not “null”');
    expect(() => readHabits([])).toThrow('a JSON object');
    expect(() => readHabits(JSON.parse('{"__proto__":"x"}'))).toThrow('no habit __proto__');
  });
});
