/** Measures rows stored per second over the last 10 s, so that a pause or a slow page soon stops counting. */
const WINDOW_MS = 10_000;
const MIN_SPAN_MS = 500;

export class Throughput {
  #samples: readonly { readonly stored: number; readonly at: number }[] = [];

  record(stored: number, at: number): void {
    const last = this.#samples.at(-1);
    // Restart if the clock was set back or the archive was replaced.
    if (last !== undefined && (at < last.at || stored < last.stored)) this.#samples = [];
    this.#samples = [...this.#samples.filter((one) => at - one.at <= WINDOW_MS), { stored, at }];
  }

  /** Returns rows per second; null if nothing was added lately or the samples span less than 500 ms. */
  rate(): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < MIN_SPAN_MS) return null;
    return last.stored === first.stored ? null : ((last.stored - first.stored) * 1000) / (last.at - first.at);
  }
}
