/** Sends notices that belong to no call. They are buffered until the page listens, so none from the start is lost. */
import type { Events } from '../../src-shared/ipc/calls.ts';

export interface Notices {
  show(message: string, next: string, stays?: boolean): void;
  /** Sends the buffered notices, and later ones at once. */
  ready(): void;
}

export function createNotices(push: (notice: Events['notice']) => void): Notices {
  let waiting: Events['notice'][] | null = [];
  return {
    show(message, next, stays = false) {
      const notice = { message, next, stays };
      if (waiting === null) push(notice);
      else waiting.push(notice);
    },
    ready() {
      const buffered = waiting ?? [];
      waiting = null;
      for (const notice of buffered) push(notice);
    },
  };
}
