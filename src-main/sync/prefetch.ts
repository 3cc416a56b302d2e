/**
 * Requests a pass's next page while the current one is being stored, so that no request waits for a commit. Still one
 * request in flight, and the checkpoint moves only with its rows.
 */
import type { BackfillPass } from '../../src-shared/domain/history/trade-pages.ts';
import type { PageRead } from './trade-source.ts';

export interface Prefetch {
  start(pass: BackfillPass): void;
  /** Returns the pass's next page: the prefetched one if it was started for this pass, else a new read. */
  take(pass: BackfillPass): Promise<PageRead>;
  /** Reads a page of another pass once the prefetch has ended. */
  readOther(pass: BackfillPass): Promise<PageRead>;
  /** Makes the next `take` read again: after a pause the prefetched page is out of date. */
  discard(): void;
}

export function createPrefetch(read: (pass: BackfillPass) => Promise<PageRead>): Prefetch {
  let prefetched: BackfillPass | null = null;
  let page: Promise<PageRead> | null = null;
  return {
    start(pass) {
      prefetched = pass;
      page = read(pass);
    },
    async take(pass) {
      const pending = page;
      const fits = prefetched === pass;
      [prefetched, page] = [null, null];
      const found = await pending;
      return fits && found !== null ? found : read(pass);
    },
    async readOther(pass) {
      await page;
      return read(pass);
    },
    discard() {
      prefetched = null;
    },
  };
}
