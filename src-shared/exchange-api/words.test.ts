import { expect, it } from 'vitest';
import { HISTORY_STATUS, marginModeWord, wordOf } from './enums.ts';

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
  'server text “%s” is text, whatever every object has by that name',
  (value) => {
    expect(wordOf(HISTORY_STATUS, value)).toBe(value);
    expect(marginModeWord(value)).toBe(value);
  },
);
