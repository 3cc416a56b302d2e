/**
 * Asks for a walk's next page while the one before is being stored: else the exchange would idle for the length of a
 * commit. Still one request in flight, and the checkpoint moves only with the rows it speaks of.
 */
import type { BackfillPass } from '../../src-shared/domain/history/trade-pages.ts';
import type { PageRead } from './trade-source.ts';

export interface Prefetch {
  start(pass: BackfillPass): void;
  /** The page of this walk: the one on its way, if it is of it. */
  take(pass: BackfillPass): Promise<PageRead>;
  /** A page of another walk, once nothing is on its way. */
  readOther(pass: BackfillPass): Promise<PageRead>;
  /** After a pause the page would be of another time. */
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
