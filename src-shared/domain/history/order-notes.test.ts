import { describe, expect, it } from 'vitest';
import {
  cleanTag,
  cleanText,
  matchesNoted,
  isSameTag,
  MAX_NOTE,
  MAX_TAG,
  notedFilter,
  noteFault,
  tagFault,
  UNTAGGED,
  uniqueTags,
} from './order-notes.ts';

describe('a tag', () => {
  it('is kept trimmed, with single spaces, and is the same whatever its case or form', () => {
    expect(cleanTag('  false   break ')).toBe('false break');
    expect(isSameTag('Größe', 'GRÖSSE')).toBe(false);
    expect(isSameTag('News', 'nEWS')).toBe(true);
    expect(isSameTag('Caf\u00e9', 'CAFE\u0301')).toBe(true);
    expect(uniqueTags(['News', 'plan', 'NEWS', 'plan '])).toEqual(['News', 'plan', 'plan ']);
  });
  it.each([
    ['', /letter/],
    ['a,b', /comma/],
    ['a\nb', /one line/],
    ['a\u0000b', /one line/],
    ['\ud800', /one line/],
    ['x'.repeat(MAX_TAG + 1), /At most 40 characters: this tag has 41/],
  ])('%j is refused with its reason', (tag, reason) => {
    expect(tagFault(tag)).toMatch(reason);
  });
  it.each(['a', 'Böse überraschung', '失敗', '😀', '=1+1', 'x'.repeat(MAX_TAG)])('%s is taken', (tag) => {
    expect(tagFault(tag)).toBeNull();
  });
});

describe('a note', () => {
  it('is kept as plain lines', () => {
    expect(cleanText('why\r\n\tbecause\rof\u0000 it \n\n')).toBe('why\n\tbecause\nof it');
    expect(cleanText('a\ud800b')).toBe('a\ufffdb');
  });
  it('has a limit that says how much is too much', () => {
    expect(noteFault('x'.repeat(MAX_NOTE))).toBeNull();
    expect(noteFault('x'.repeat(MAX_NOTE + 3))).toContain('remove 3');
  });
});

describe('a filter of notes', () => {
  it('is none without a condition, and any note without a text', () => {
    const typed = { tags: [], note: '  ', isNoted: false };
    expect(notedFilter(typed)).toBeNull();
    expect(notedFilter({ ...typed, isNoted: true })).toEqual({ tags: [], text: null });
    expect(notedFilter({ ...typed, note: ' late ' })).toEqual({ tags: [], text: 'late' });
    expect(notedFilter({ ...typed, tags: ['Plan'] })).toEqual({ tags: ['Plan'], text: null });
  });

  const some = [
    { text: 'Moved the stop too late', tags: ['Mistake'] },
    { text: '', tags: ['breakout', 'plan'] },
  ];
  it.each([
    ['any note or tag', { tags: [], text: null }, some, true],
    ['no note', { tags: [], text: null }, [], false],
    ['a deleted one', { tags: [], text: null }, [{ text: '', tags: [] }], false],
    ['one of its tags in another case', { tags: ['other', 'MISTAKE'], text: null }, some, true],
    ['none of its tags', { tags: ['mist'], text: null }, some, false],
    ['text of a note', { tags: [], text: 'STOP too' }, some, true],
    ['text of a tag', { tags: [], text: 'break' }, some, true],
    ['another text', { tags: [], text: 'stop late' }, some, false],
    ['a tag and a text of two of its notes', { tags: ['plan'], text: 'late' }, some, true],
    ['a tag without the text', { tags: ['plan'], text: 'news' }, some, false],
    ['no tag', { tags: [UNTAGGED], text: null }, [], true],
    ['no tag, but a note', { tags: [UNTAGGED], text: null }, [{ text: 'why', tags: [] }], true],
    ['no tag, where there is one', { tags: [UNTAGGED], text: null }, some, false],
  ])('asks for %s', (_what, wanted, notes, fits) => {
    expect(matchesNoted(notes, wanted)).toBe(fits);
  });
});
