/** Splits long work into steps, so that the caller can draw a frame between two or abandon it. */
import { type Attempt, DomainError } from './decimal-input.ts';
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs steps, turning DomainError into a reason, as `attempt`. */
export function* attemptSteps<T>(steps: Steps<T>): Steps<Attempt<T>> {
  try {
    return { ok: true, value: yield* steps };
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, reason: error.message };
    throw error;
  }
}
