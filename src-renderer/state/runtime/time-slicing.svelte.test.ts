import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import { FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { SlicedCalculation } from './time-slicing.svelte.ts';

/** Six steps of 2 ms; the third slice ends them. */
function begun() {
  const time = new FakeTime();
  const done: string[] = [];
  const begunOnes: string[] = [];
  function* slow(name: string): Steps<string> {
    begunOnes.push(name);
    for (let n = 1; n <= 6; n++) {
      if (name === 'wrong' && n === 5) throw new Error(name);
      time.pass(2);
      yield;
    }
    return name;
  }
  let made: SlicedCalculation | undefined;
  const stop = $effect.root(() => {
    made = new SlicedCalculation(time);
  });
  flushSync();
  const run = (of: string, name: string): void => made?.run(of, slow(name), (value) => done.push(value));
  return { time, done, begun: begunOnes, run, stop };
}

it('pauses when its few ms are over and continues later', () => {
  const { time, done, run } = begun();
  run('a', 'first');
  expect(done).toEqual([]);
  time.pass(20);
  expect(done).toEqual(['first']);
});

it('is finished before newer data of the same, of which only the newest counts', () => {
  const { time, done, run, begun: all } = begun();
  run('a', 'first');
  run('a', 'second');
  run('a', 'third');
  time.pass(20);
  expect(done).toEqual(['first', 'third']);
  expect(all).toEqual(['first', 'third']);
});

it('is stopped by one of something else, and with its component', () => {
  const { time, done, run, stop } = begun();
  run('a', 'first');
  run('b', 'second');
  time.pass(20);
  expect(done).toEqual(['second']);
  run('b', 'third');
  stop();
  time.pass(20);
  expect(done).toEqual(['second']);
});

it('goes on with newer data after one that threw', () => {
  const { time, done, run } = begun();
  run('a', 'wrong');
  run('a', 'next');
  expect(() => time.pass(20)).toThrow('wrong');
  time.pass(20);
  expect(done).toEqual(['next']);
});
