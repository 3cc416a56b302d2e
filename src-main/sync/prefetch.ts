/**
 * Requests a pass's next page while the current one is being stored, so that no request waits for a commit. Still one
 * request in flight, and the checkpoint moves only with its rows.
 */
import type { BackfillPass } from '../../src-shared/domain/history/trade-pages.ts';
import type { PageRead } from './trade-source.ts';

export class Prefetch {
  readonly #read: (pass: BackfillPass) => Promise<PageRead>;
  /** The pass whose page is prefetched; null if the page is out of date. */
  #pass: BackfillPass | null = null;
  #page: Promise<PageRead> | null = null;

  constructor(read: (pass: BackfillPass) => Promise<PageRead>) {
    this.#read = read;
  }

  start(pass: BackfillPass): void {
    this.#pass = pass;
    this.#page = this.#read(pass);
  }

  /** Returns the pass's next page: the prefetched one if it was started for this pass, else a new read. */
  async take(pass: BackfillPass): Promise<PageRead> {
    const pending = this.#page;
    const isOfPass = this.#pass === pass;
    this.#pass = null;
    this.#page = null;
    const found = await pending;
    return isOfPass && found !== null ? found : this.#read(pass);
  }

  /** Reads a page of another pass once the prefetch has ended. */
  async readOther(pass: BackfillPass): Promise<PageRead> {
    await this.#page;
    return this.#read(pass);
  }

  /** Makes the next `take` read again: after a pause the prefetched page is out of date. */
  discard(): void {
    this.#pass = null;
  }
}
