import type { TimeSource } from './clock.svelte.ts';

/**
 * Runs what is handed in right behind a frame, in order, one a frame: what a poll changes then has a frame of its
 * own to be drawn in, whenever it came and whatever came with it.
 */
export function onePerFrame(time: TimeSource): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  function next(): void {
    try {
      waiting[0]?.();
    } finally {
      waiting.shift();
      if (waiting.length > 0) time.afterFrame(next);
    }
  }
  return (run) => {
    waiting.push(run);
    if (waiting.length === 1) time.afterFrame(next);
  };
}
