import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { TimeSource } from './clock.svelte.ts';

/** Longest slice, ms: well under a frame (docs/performance.md). The step that exceeds it is still completed. */
const SLICE_MS = 5;

/**
 * Runs steps in slices of a few ms, so that no frame waits for them; short work finishes at once. With `shown` (an
 * older result is on screen) the first slice also waits for the current task. Returns the function that cancels the
 * rest.
 */
export function inSlices<T>(
  steps: Steps<T>,
  time: TimeSource,
  then: (value: T) => void,
  shown = false,
): () => void {
  let cancel = (): void => undefined;
  function slice(): void {
    const until = time.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) {
        then(step.value);
        return;
      }
    } while (time.now() < until);
    cancel = time.after(0, slice);
  }
  if (shown) cancel = time.after(0, slice);
  else slice();
  return () => cancel();
}
