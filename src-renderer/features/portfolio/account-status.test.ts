import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { statusOf } from './account-status.ts';

const read = {
  isOpen: false,
  included: true,
  locked: false,
  secret: 'stored',
  failure: null,
  isRead: true,
  freshness: 'fresh',
} as const;
const failure = (kind: Failure['kind']): Failure => ({ kind, message: '', next: '' });

describe('what an account counts as', () => {
  it('is read while it is fresh or slow, and stale after that, as long as it was ever read', () => {
    expect(statusOf(read)).toBe('polling');
    expect(statusOf({ ...read, freshness: 'slow' })).toBe('polling');
    expect(statusOf({ ...read, freshness: 'stale' })).toBe('stale');
    expect(statusOf({ ...read, freshness: 'offline', failure: failure('offline') })).toBe('stale');
    expect(statusOf({ ...read, freshness: 'offline', isRead: false })).toBe('offline');
    expect(statusOf({ ...read, freshness: 'loading', isRead: false })).toBe('loading');
  });

  it('is rejected at once, however fresh the last figures are', () => {
    expect(statusOf({ ...read, failure: failure('rejected') })).toBe('rejected');
    expect(statusOf({ ...read, failure: failure('offline') })).toBe('polling');
  });

  it('is not read while left out, locked or without its secret', () => {
    expect(statusOf({ ...read, included: false })).toBe('not-included');
    expect(statusOf({ ...read, locked: true })).toBe('locked');
    expect(statusOf({ ...read, secret: 'missing' })).toBe('no-secret');
    expect(statusOf({ ...read, secret: 'waiting' })).toBe('waiting');
  });

  it('goes by the open connection’s own feed, included or not', () => {
    const open = { ...read, isOpen: true, included: false, secret: 'waiting' } as const;
    expect(statusOf(open)).toBe('polling');
    expect(statusOf({ ...open, failure: failure('locked'), freshness: 'offline' })).toBe('locked');
  });
});
