/** What the person should know but no call answers: kept until the page listens, so that a start loses none of it. */
import type { Events } from '../../src-shared/ipc/calls.ts';

export interface Notices {
  tell(message: string, next: string, stays?: boolean): void;
  /** The page listens: from now on notices go straight to it. */
  ready(): void;
}

export function createNotices(push: (notice: Events['notice']) => void): Notices {
  let waiting: Events['notice'][] | null = [];
  return {
    tell(message, next, stays = false) {
      const notice = { message, next, stays };
      if (waiting === null) push(notice);
      else waiting.push(notice);
    },
    ready() {
      const kept = waiting ?? [];
      waiting = null;
      for (const notice of kept) push(notice);
    },
  };
}
