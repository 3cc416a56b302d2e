import { expect, it } from 'vitest';
import { PageSaves } from './page-saves.ts';

function setUp(hasWindow = true) {
  const timers = new Set<() => void>();
  const announced: number[] = [];
  const saves = new PageSaves({
    announce: () => hasWindow && announced.push(1) > 0,
    timers: {
      after(_ms, run) {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
  });
  let isOver = false;
  void saves.wait().then(() => (isOver = true));
  return { saves, timers, announced, isOver: () => isOver };
}
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

it('waits for the window to save, and leaves no timer', async () => {
  const { saves, timers, announced, isOver } = setUp();
  await settled();
  expect([announced.length, isOver(), timers.size]).toEqual([1, false, 1]);
  saves.saved();
  await settled();
  expect([isOver(), timers.size]).toEqual([true, 0]);
});

it('waits for no window, and not for long for one that hangs', async () => {
  const none = setUp(false);
  await settled();
  expect([none.isOver(), none.timers.size]).toEqual([true, 0]);
  const hanging = setUp();
  for (const run of hanging.timers) run();
  await settled();
  expect(hanging.isOver()).toBe(true);
});
