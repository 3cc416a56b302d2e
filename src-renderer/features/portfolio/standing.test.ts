import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { standingOf } from './standing.ts';

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
    expect(standingOf(read)).toBe('reading');
    expect(standingOf({ ...read, freshness: 'slow' })).toBe('reading');
    expect(standingOf({ ...read, freshness: 'stale' })).toBe('stale');
    expect(standingOf({ ...read, freshness: 'offline', failure: failure('offline') })).toBe('stale');
    expect(standingOf({ ...read, freshness: 'offline', isRead: false })).toBe('offline');
    expect(standingOf({ ...read, freshness: 'loading', isRead: false })).toBe('loading');
  });

  it('is rejected at once, however fresh the last figures are', () => {
    expect(standingOf({ ...read, failure: failure('rejected') })).toBe('rejected');
    expect(standingOf({ ...read, failure: failure('offline') })).toBe('reading');
  });

  it('is not read while left out, locked or without its secret', () => {
    expect(standingOf({ ...read, included: false })).toBe('left-out');
    expect(standingOf({ ...read, locked: true })).toBe('locked');
    expect(standingOf({ ...read, secret: 'missing' })).toBe('no-secret');
    expect(standingOf({ ...read, secret: 'waiting' })).toBe('waiting');
  });

  it('goes by the open connection’s own feed, included or not', () => {
    const open = { ...read, isOpen: true, included: false, secret: 'waiting' } as const;
    expect(standingOf(open)).toBe('reading');
    expect(standingOf({ ...open, failure: failure('locked'), freshness: 'offline' })).toBe('locked');
  });
});
