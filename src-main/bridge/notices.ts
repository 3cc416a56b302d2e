/** Sends notices that belong to no call. They are buffered until the page listens, so none from the start is lost. */
import type { Events } from '../../src-shared/ipc/calls.ts';
import { untilReady } from '../until-ready.ts';

export interface Notices {
  show(message: string, next: string, stays?: boolean): void;
  /** Sends the buffered notices, and later ones at once. */
  ready(): void;
}

export function createNotices(push: (notice: Events['notice']) => void): Notices {
  const waiting = untilReady(push);
  return {
    show: (message, next, stays = false) => waiting.pass({ message, next, stays }),
    ready: () => waiting.ready(),
  };
}
