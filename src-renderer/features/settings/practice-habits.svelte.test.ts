import { expect, it } from 'vitest';
import type { PracticeHabit } from '../../../src-shared/ipc/practice.ts';
import { FakeBridge } from '../../../tests/renderer/fake-bridge.ts';
import { PracticeHabits } from './practice-habits.svelte.ts';

const habit = (name: string, group: string, preset: string, value: string): PracticeHabit => ({
  ...{ name, group, preset, value, meaning: `${name}.`, line: '' },
  values: [preset, 'other'].map((one) => ({ value: one, meaning: `${one}.` })),
});

async function loaded(): Promise<PracticeHabits> {
  const bridge = new FakeBridge();
  bridge.replies['practice.habits'] = () => [
    habit('page-base', 'Pages', '1', '1'),
    habit('decimals', 'Figures', 'plain', 'other'),
    habit('page-size', 'Pages', '500', '37'),
  ];
  const habits = new PracticeHabits(bridge);
  await habits.load();
  return habits;
}

it('starts with the exchange’s values, and counts those that differ from the defaults', async () => {
  const habits = await loaded();
  expect(habits.groups.map(([title, all]) => [title, all.length])).toEqual([
    ['Pages', 2],
    ['Figures', 1],
  ]);
  expect([habits.changed, habits.pending]).toEqual([2, []]);
  expect(habits.wanted()).toEqual({ decimals: 'other', 'page-size': '37' });
});

it('a choice is pending until the exchange has it', async () => {
  const habits = await loaded();
  habits.chosen['page-base'] = 'other';
  expect(habits.pending.map(({ name }) => name)).toEqual(['page-base']);
  expect(habits.wanted()).toEqual({ 'page-base': 'other', decimals: 'other', 'page-size': '37' });
  habits.chosen['page-base'] = '1';
  expect(habits.pending).toEqual([]);
  habits.chooseDefaults();
  expect(habits.pending.map(({ name }) => name)).toEqual(['decimals', 'page-size']);
  expect(habits.wanted()).toEqual({});
});
