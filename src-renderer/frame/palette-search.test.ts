import { expect, it } from 'vitest';
import { search } from './palette-search.ts';

const command = (title: string, keywords?: string, note?: string) => ({
  id: title,
  title,
  ...(keywords === undefined ? {} : { keywords }),
  ...(note === undefined ? {} : { note }),
  run: () => undefined,
});
const all = [
  command('Hidden amounts', 'privacy blur', 'setting'),
  command('BTC-USDT-M long', 'risk', 'position'),
  command('BTC-USDT-M', undefined, 'contract in the ticket'),
  command('Close SOL-USDT-M short…'),
  command('Practice controls', 'faults lost reply', 'setting'),
];
const found = (query: string): string[] => search(query, all).map(({ item }) => item.title);

it('finds words of any width, and with a Turkish i', () => {
  expect([found('ｐｒａｃｔｉｃｅ'), found('prıvacy')]).toEqual([['Practice controls'], ['Hidden amounts']]);
});

it('finds by title before other search terms, and each command once', () => {
  expect(found('')).toHaveLength(5);
  expect(found('blur')).toEqual(['Hidden amounts']);
  expect(found('btc')).toEqual(['BTC-USDT-M', 'BTC-USDT-M long']);
  expect(found('position')).toEqual(['BTC-USDT-M long']);
  expect(found('btc position')).toEqual(['BTC-USDT-M long']);
  expect(found('rivacy')).toEqual([]);
  // Its letters are scattered over the title of a command that closes a position.
  expect(found('lost')).toEqual(['Practice controls', 'Close SOL-USDT-M short…']);
});

it('finds the words of a title in any order', () => {
  expect(found('short sol')).toEqual(found('sol short'));
  expect(found('short sol')).toContain('Close SOL-USDT-M short…');
});
