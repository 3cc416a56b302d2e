import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Clock, windowTime } from './clock.svelte.ts';

let frames: (() => void)[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => (frames[id - 1] = () => {}));
});
afterEach(() => {
  vi.useRealTimers();
});

it('continues after the frame, not in it', () => {
  const done = vi.fn();
  windowTime.afterFrame(done);
  frames[0]!();
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledTimes(1);
});

it('continues without a frame if none comes, and only once', () => {
  const done = vi.fn();
  windowTime.afterFrame(done);
  vi.advanceTimersByTime(100);
  expect(done).toHaveBeenCalledTimes(1);
  frames[0]!();
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledTimes(1);
});

it('does not wait in a hidden window', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const done = vi.fn();
  windowTime.afterFrame(done);
  expect(done).toHaveBeenCalledTimes(1);
  expect(frames).toHaveLength(0);
});

it('stands still while the window is hidden, and is right as soon as it is shown', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  let now = 0;
  const clock = new Clock({ ...windowTime, now: () => now, mono: () => now });
  const stop = clock.start();
  now = 60_000;
  vi.advanceTimersByTime(60_000);
  expect([clock.now, clock.steady]).toEqual([0, 0]);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect([clock.now, clock.steady]).toEqual([60_000, 60_000]);
  now = 61_000;
  vi.advanceTimersByTime(1_000);
  expect(clock.now).toBe(61_000);
  stop();
});
