import { expect, it } from 'vitest';
import { FrameQueue } from './frame-queue.ts';

function frames() {
  let scheduled: (() => void)[] = [];
  let hidden: (() => void)[] | null = null;
  let now = 0;
  const time = {
    mono: () => now,
    now: () => 0,
    every: () => () => {},
    after: () => () => {},
    afterFrame: (then: () => void) => void scheduled.push(then),
    whenShown: (then: () => void) => void (hidden === null ? then() : hidden.push(then)),
  };
  return {
    time,
    /** Lets time pass, as a task would. */
    pass: (ms: number) => void (now += ms),
    scheduled: () => scheduled.length,
    draw: () => {
      const due = scheduled;
      scheduled = [];
      for (const run of due) run();
    },
    hide: () => (hidden = []),
    show: () => {
      const waiting = hidden ?? [];
      hidden = null;
      for (const run of waiting) run();
    },
  };
}

it('runs tasks that were added together in one frame, in order', () => {
  const { time, scheduled, draw } = frames();
  const queue = new FrameQueue(time);
  const done: string[] = [];
  for (const name of ['account', 'orders', 'history']) queue.add(name, () => done.push(name));
  expect(done).toEqual([]);
  draw();
  expect(done).toEqual(['account', 'orders', 'history']);
  expect(scheduled()).toBe(0);
});

it('leaves tasks to the next frame when their time, effects included, is used up', () => {
  const { time, scheduled, draw, pass } = frames();
  const queue = new FrameQueue(time);
  const done: string[] = [];
  let shown = $state(0);
  const stop = $effect.root(() => {
    $effect(() => {
      if (shown > 0) pass(9);
    });
  });
  queue.add('account', () => {
    done.push('account');
    shown += 1;
  });
  for (const name of ['orders', 'history']) queue.add(name, () => done.push(name));
  draw();
  expect(done).toEqual(['account']);
  // A task added meanwhile waits behind the earlier ones.
  queue.add('contracts', () => done.push('contracts'));
  draw();
  expect(done).toEqual(['account', 'orders', 'history', 'contracts']);
  expect(scheduled()).toBe(0);
  stop();
});

it('continues after a task that throws', () => {
  const { time, draw } = frames();
  const queue = new FrameQueue(time);
  const done: string[] = [];
  queue.add('account', () => {
    throw new Error('a listener');
  });
  queue.add('orders', () => done.push('orders'));
  expect(draw).toThrow('a listener');
  draw();
  expect(done).toEqual(['orders']);
});

it('runs nothing while the window is hidden, then the newest task of each kind', () => {
  const { time, scheduled, draw, hide, show } = frames();
  const queue = new FrameQueue(time);
  const done: string[] = [];
  hide();
  for (const at of [1, 2, 3])
    for (const name of ['account', 'orders']) queue.add(name, () => done.push(`${name} ${at}`));
  expect(scheduled()).toBe(0);
  show();
  draw();
  expect(done).toEqual(['account 3', 'orders 3']);
});
