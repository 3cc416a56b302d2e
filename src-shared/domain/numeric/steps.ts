/** Long work in steps: whoever runs it may draw a frame between two of them, or leave it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** All of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
