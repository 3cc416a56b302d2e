/**
 * Asks for a walk's next page while the one before is being stored: else the exchange would idle for the length of a
 * commit. Still one request in flight, and the checkpoint moves only with the rows it speaks of.
 */
import type { Walk } from '../../src-shared/domain/history/trade-pages.ts';
import type { PageRead } from './trade-source.ts';

export interface ReadAhead {
  begin(walk: Walk): void;
  /** The page of this walk: the one on its way, if it is of it. */
  take(walk: Walk): Promise<PageRead>;
  /** A page of another walk, once nothing is on its way. */
  beside(walk: Walk): Promise<PageRead>;
  /** After a pause the page would be of another time. */
  drop(): void;
}

export function createReadAhead(read: (walk: Walk) => Promise<PageRead>): ReadAhead {
  let ahead: Walk | null = null;
  let page: Promise<PageRead> | null = null;
  return {
    begin(walk) {
      ahead = walk;
      page = read(walk);
    },
    async take(walk) {
      const begun = page;
      const fits = ahead === walk;
      [ahead, page] = [null, null];
      const found = await begun;
      return fits && found !== null ? found : read(walk);
    },
    async beside(walk) {
      await page;
      return read(walk);
    },
    drop() {
      ahead = null;
    },
  };
}
