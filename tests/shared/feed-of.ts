import { EMPTY_FEED, type Feed } from '../../src-shared/ipc/feeds.ts';

/** A feed that was read once; null: without success. */
export const feedOf = <T>(value: T | null, more: Partial<Feed<T>> = {}): Feed<T> => ({
  ...EMPTY_FEED,
  value,
  latencyMs: 1,
  serial: 1,
  ...more,
});
