import { expect, it } from 'vitest';
import { onePerFrame } from './frame-queue.ts';

function frames() {
  const asked: (() => void)[] = [];
  const time = {
    mono: () => 0,
    now: () => 0,
    every: () => () => {},
    after: () => () => {},
    afterFrame: (then: () => void) => void asked.push(then),
  };
  return { time, asked, draw: () => asked.splice(0).forEach((run) => run()) };
}

it('runs what came together one a frame, in order', () => {
  const { time, asked, draw } = frames();
  const run = onePerFrame(time);
  const done: string[] = [];
  for (const name of ['account', 'orders', 'history']) run(() => done.push(name));
  expect(done).toEqual([]);
  draw();
  expect(done).toEqual(['account']);
  // What comes in between waits behind what was there.
  run(() => done.push('contracts'));
  draw();
  draw();
  draw();
  expect(done).toEqual(['account', 'orders', 'history', 'contracts']);
  expect(asked).toHaveLength(0);
});

it('goes on after one that throws', () => {
  const { time, draw } = frames();
  const run = onePerFrame(time);
  const done: string[] = [];
  run(() => {
    throw new Error('a listener');
  });
  run(() => done.push('orders'));
  expect(draw).toThrow('a listener');
  draw();
  expect(done).toEqual(['orders']);
});
