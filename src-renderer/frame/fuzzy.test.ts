import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, marked, rank } from './fuzzy.ts';

const titles = ['BTC-USDT-M', 'BTC1225-USDT-M', 'ETH-USDT-M', 'Lock trading', 'Hide the ticket'];
const found = (query: string): string[] =>
  rank(
    query,
    titles.map((title) => ({ title })),
  ).map((one) => one.item.title);
const shown = (query: string, text: string): string =>
  marked(text, fit(query, text)?.at ?? [])
    .map((one) => (one.hit ? `[${one.text}]` : one.text))
    .join('');

describe('the palette’s search', () => {
  it('keeps all items in order for an empty query', () => {
    expect(found(' ')).toEqual(titles);
  });
  it('matches letters in order, preferring word starts', () => {
    expect(found('lt')[0]).toBe('Lock trading');
    expect(found('btcusdt')).toEqual(['BTC-USDT-M', 'BTC1225-USDT-M']);
    expect(found('hide')).toEqual(['Hide the ticket']);
  });
  it('finds an emoji in a name', () => {
    expect(shown('🐻', 'Short 🐻 account')).toBe('Short [🐻] account');
  });
  it('finds letters of any width and a Turkish i, and marks none where they fold to two', () => {
    for (const query of ['ＢＴＣ１２２５', 'btc1225']) expect(found(query)).toEqual(['BTC1225-USDT-M']);
    expect([found('hıde'), found('HİDE')]).toEqual([['Hide the ticket'], ['Hide the ticket']]);
    expect(shown('ss', 'Weiß')).toBe('Weiß');
  });
  it('finds nothing where a letter is missing', () => {
    expect(found('xyz')).toEqual([]);
  });
  it('marks the best match, not the first one', () => {
    expect(shown('set', 'Used on Settings')).toBe('Used on [Set]tings');
    expect(shown('lt', 'Lock trading')).toBe('[L]ock [t]rading');
    expect(shown('btcm', 'BTC-USDT-M')).toBe('[BTC]-USDT-[M]');
  });
  it('marks exactly the letters of any query, in order', () => {
    const text = fc.string({ maxLength: 30, unit: fc.constantFrom('a', 'b', 'c', '-', ' ', 'A') });
    fc.assert(
      fc.property(text, text, (query, given) => {
        const one = fit(query, given);
        const wanted = query.toLowerCase().replaceAll(' ', '');
        const isThere = new RegExp(Array.from(wanted).join('.*')).test(given.toLowerCase());
        expect(one !== null).toBe(isThere);
        if (one === null) return;
        expect(one.at.map((at) => given[at]?.toLowerCase()).join('')).toBe(wanted);
        expect([...one.at].sort((a, b) => a - b)).toEqual(one.at);
        expect(
          marked(given, one.at)
            .map((part) => part.text)
            .join(''),
        ).toBe(given);
      }),
    );
  });
});
