import { expect, it } from 'vitest';
import type { JournalDamage } from '../../../src-shared/ipc/orders.ts';
import { damageText } from './damage-text.ts';

const held = (...symbols: (string | null)[]): JournalDamage[] =>
  symbols.map((symbolId, index) => ({
    id: `damage-${index}`,
    line: index + 1,
    connectionId: null,
    symbolId,
    side: null,
    text: '',
  }));
const REST =
  'Other lines show each order’s outcome, or Ballast is searching for it. The lines stay in the file.';

it.each<[number, JournalDamage[], [string, string][]]>([
  [0, [], []],
  [1, [], [['One line of the order journal cannot be read.', REST]]],
  [3, [], [['3 lines of the order journal cannot be read.', REST]]],
  [
    1,
    held('BTC-USDT-M'),
    [
      [
        'One line of the order journal cannot be read: an order in it may have been sent.',
        'It is damaged, or of a newer version of Ballast. Orders for BTC-USDT-M are held until you acknowledge it under Activity.',
      ],
    ],
  ],
  [
    4,
    held('BTC-USDT-M', null, 'BTC-USDT-M'),
    [
      [
        '3 lines of the order journal cannot be read: an order in them may have been sent.',
        'They are damaged, or of a newer version of Ballast. Orders for every contract are held until you acknowledge them under Activity.',
      ],
      ['One line of the order journal cannot be read.', REST],
    ],
  ],
])('%i unreadable lines, of which orders are held by %o', (damaged, lines, text) => {
  expect(damageText({ damaged, allDamage: () => lines, isEmptied: false })).toEqual(text);
});

it('says of an emptied journal that its orders are lost, and that trading is locked', () => {
  const [[message, next] = [], ...others] = damageText({ damaged: 0, allDamage: () => [], isEmptied: true });
  expect(message).toContain('The order journal is empty');
  expect(next).toContain('Trading is locked');
  expect(others).toEqual([]);
});
