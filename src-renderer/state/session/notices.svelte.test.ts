import { expect, it } from 'vitest';
import { blockedFailure } from '../../../src-shared/ipc/failures.ts';
import { FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { Notices } from './notices.svelte.ts';

it('shows a failure that repeats once, on top, and each event that leaves by time', () => {
  const notices = new Notices(new FakeTime());
  const full = blockedFailure('The disk is full.', 'Free up space.');
  notices.fail(full);
  notices.push('info', 'Bought 1 SOL');
  notices.push('info', 'Bought 1 SOL');
  notices.fail(full);
  expect(notices.list.map(({ title, times }) => [title, times])).toEqual([
    ['The disk is full.', 2],
    ['Bought 1 SOL', 1],
    ['Bought 1 SOL', 1],
  ]);
  notices.dismiss(notices.list[0]?.id ?? 0);
  notices.fail(full);
  expect(notices.list[0]?.times).toBe(1);
});

it('leaves by time, but not from under the pointer', () => {
  const time = new FakeTime();
  const notices = new Notices(time);
  notices.push('warn', 'Equity fell');
  notices.keep(notices.list[0]!.id);
  time.pass(60_000);
  expect(notices.list).toHaveLength(1);
  notices.keep(null);
  time.pass(6_000);
  expect(notices.list).toEqual([]);
});
