import { expect, it } from 'vitest';
import { dateUnreadable } from './unreadable-records.ts';

const window = { from: 5, to: 9 };
it.each([
  ['its own time', 7, { from: 7, to: 7 }],
  ['its own time as text', '7', { from: 7, to: 7 }],
  ['the window without a time', null, window],
  ['the window for a number beyond any date', 8_640_000_000_000_001, window],
])('dates an unreadable record by %s', (_what, tradeTime, range) => {
  const record = { record: 'trade', message: '', symbolId: null, raw: JSON.stringify({ tradeTime }) };
  expect(dateUnreadable([record], 'tradeTime', window)).toEqual([{ ...record, ...range }]);
});
