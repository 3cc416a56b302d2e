import { expect, it } from 'vitest';
import { createNotices } from './notices.ts';

it('buffers notices until the page listens, in order, and sends them once', () => {
  const shown: string[] = [];
  const notices = createNotices(({ message, stays }) => shown.push(message + (stays ? ' stays' : '')));
  notices.show('first', '');
  notices.show('second', '', true);
  expect(shown).toEqual([]);
  notices.ready();
  notices.show('third', '');
  // A reloaded page listens again; nothing is repeated.
  notices.ready();
  expect(shown).toEqual(['first', 'second stays', 'third']);
});
