/** Runs tasks one at a time, in the order they are added. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Returns the task's own outcome; a failure does not stop later tasks. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    // Drops the result: a promise holds what it resolved to, which may be a secret.
    this.#last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  }

  /** Resolves when the tasks added so far have ended. */
  idle(): Promise<void> {
    return this.#last;
  }
}
