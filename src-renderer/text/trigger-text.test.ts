import { expect, it } from 'vitest';
import { triggerText } from './trigger-text.ts';

it.each([
  ['MARK_PRICE', 'Mark price'],
  ['LAST_PRICE', 'Last price'],
  ['NONE', 'None'],
  ['lastPrice', 'lastPrice'],
  ['1', '1'],
  ['', ''],
])('shows trigger type %j as %j', (type, shown) => {
  expect(triggerText(type)).toBe(shown);
});
