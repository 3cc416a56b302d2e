import { expect, it } from 'vitest';
import { HISTORY_STATUS, marginModeLabel, labelOf } from './enums.ts';

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
  'server text “%s” is text, whatever every object has by that name',
  (value) => {
    expect(labelOf(HISTORY_STATUS, value)).toBe(value);
    expect(marginModeLabel(value)).toBe(value);
  },
);
