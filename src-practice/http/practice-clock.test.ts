import { expect, it } from 'vitest';
import { PracticeClock } from './practice-clock.ts';

function startedAt(wall: number) {
  const system = { wall, mono: 500 };
  const clock = new PracticeClock({ now: () => system.wall, mono: () => system.mono }, 1_000, 1);
  return { system, clock };
}

it('goes on where the computer’s clock is set back', () => {
  const { system, clock } = startedAt(10_000_000);
  Object.assign(system, { wall: 10_000_000 + 2_000 - 3_600_000, mono: 2_500 });
  expect(clock.now()).toBe(3_000);
  clock.setSpeed(60);
  Object.assign(system, { wall: 10_000_000 + 3_000 - 3_600_000, mono: 3_500 });
  expect(clock.now()).toBe(63_000);
});

it('counts the time the computer slept, in which its monotonic clock may stand still', () => {
  const { system, clock } = startedAt(10_000_000);
  system.wall += 28_800_000;
  expect(clock.now()).toBe(28_801_000);
});
