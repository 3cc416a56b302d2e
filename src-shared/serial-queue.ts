/** Runs works one at a time, in the order they are added. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /** Returns the work's own outcome; a failure does not stop the works after it. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    // Without the result: a promise holds what it resolved to, which may be a secret.
    this.#last = next.then(
      () => undefined,
      () => undefined,
    );
    return next;
  }

  /** Resolves when the works added so far have ended. */
  idle(): Promise<void> {
    return this.#last;
  }
}
