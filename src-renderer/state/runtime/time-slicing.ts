import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { TimeSource } from './clock.svelte.ts';

/** A slice ends with the step in which this is over: well under a frame (docs/performance.md). */
const SLICE_MS = 5;

/**
 * Runs steps until they are done, a few ms at a time, so that no frame waits for them: small work is over in the first
 * slice, at once, unless something is `shown` meanwhile: then the frame is left to the poll or the second it came with.
 * Answers the function that leaves the rest undone.
 */
export function inSlices<T>(
  steps: Steps<T>,
  time: TimeSource,
  then: (value: T) => void,
  shown = false,
): () => void {
  let leave = (): void => undefined;
  function slice(): void {
    const until = time.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) {
        then(step.value);
        return;
      }
    } while (time.now() < until);
    leave = time.after(0, slice);
  }
  if (shown) leave = time.after(0, slice);
  else slice();
  return () => leave();
}
