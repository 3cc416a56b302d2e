import { expect, it } from 'vitest';
import { untilReady } from './until-ready.ts';

it('holds values back until someone listens, in order, and delivers them once', () => {
  const shown: string[] = [];
  const notices = untilReady((notice: string) => shown.push(notice));
  notices.pass('first');
  notices.pass('second');
  expect(shown).toEqual([]);
  notices.ready();
  notices.pass('third');
  // A reloaded page listens again; nothing is repeated.
  notices.ready();
  expect(shown).toEqual(['first', 'second', 'third']);
});
