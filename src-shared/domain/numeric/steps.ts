/** Splits long work into steps, so that the caller can draw a frame between two or abandon it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
