import { expect, it } from 'vitest';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { PageSaves } from './page-saves.ts';

function setUp(hasWindow = true) {
  const time = new ManualTime();
  let announced = 0;
  const saves = new PageSaves({ announce: () => hasWindow && ++announced > 0, timers: time });
  let unsaved: number | null = null;
  const wait = (): void => {
    unsaved = null;
    void saves.wait().then((count) => (unsaved = count));
  };
  wait();
  return { saves, time, wait, announced: () => announced, unsaved: () => unsaved };
}

it('waits for the window to save, each time', async () => {
  const { saves, time, wait, announced, unsaved } = setUp();
  for (const round of [1, 2]) {
    await time.pass(1_999);
    expect([announced(), unsaved()]).toEqual([round, null]);
    saves.report(0, true);
    await time.pass(0);
    expect(unsaved()).toBe(0);
    wait();
  }
});

it('waits longer for notes that are being saved, and says how many were not', async () => {
  const { saves, time, wait, unsaved } = setUp();
  saves.report(2, false);
  await time.pass(14_999);
  expect(unsaved()).toBeNull();
  await time.pass(1);
  expect(unsaved()).toBe(2);
  // The archive refused one.
  wait();
  saves.report(2, false);
  saves.report(1, true);
  await time.pass(0);
  expect(unsaved()).toBe(1);
});

it('announces once to all that wait at the same time', async () => {
  const { saves, time, announced } = setUp();
  const second = saves.wait();
  saves.report(1, true);
  await time.pass(0);
  expect([await second, announced()]).toEqual([1, 1]);
});

it('waits for no window, and not for long for one that hangs', async () => {
  const none = setUp(false);
  await none.time.pass(0);
  expect(none.unsaved()).toBe(0);
  const hanging = setUp();
  await hanging.time.pass(2_000);
  expect(hanging.unsaved()).toBe(0);
});
