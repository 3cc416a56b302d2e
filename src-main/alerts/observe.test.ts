import { expect, it } from 'vitest';
import type { Feed } from '../../src-shared/ipc/feeds.ts';
import { observe } from './observe.ts';

const feed = (age: number | null): Feed<never> => ({
  ...{ value: null, serial: 0, receivedAt: null, latencyMs: null, failingSince: null },
  age,
  failure: { kind: 'offline', message: '', next: '' },
});

it.each([
  [28_537_900, 'the account was last read 7 h 55 min ago'],
  [75_000, 'the account was last read 75 s ago'],
  [null, 'the account has not been read yet'],
])('states how old an account is that was read %s ms ago', (age, text) => {
  const feeds = { account: feed(age), openOrders: feed(null), history: feed(null) };
  expect(observe(feeds, [], 0, 0).accountOld).toBe(text);
});

it('has the records of the account that cannot be read', () => {
  const unreadable = [{ record: 'position', message: 'no id', symbolId: null, raw: '{}' }];
  const feeds = { account: { ...feed(0), unreadable }, openOrders: feed(null), history: feed(null) };
  expect(observe(feeds, [], 0, 0).unreadable).toEqual(unreadable);
});
