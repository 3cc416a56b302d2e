import { describe, expect, it } from 'vitest';
import { rank } from './fuzzy.ts';

const titles = ['BTC-USDT-M', 'BTC1225-USDT-M', 'ETH-USDT-M', 'Lock trading', 'Close the ticket'];
const found = (query: string): string[] => rank(query, titles, (one) => one);

describe('the palette’s search', () => {
  it('keeps everything in order without a query', () => {
    expect(found(' ')).toEqual(titles);
  });
  it('takes letters in sequence, best at the start of words', () => {
    expect(found('lt')[0]).toBe('Lock trading');
    expect(found('btcusdt')).toEqual(['BTC-USDT-M', 'BTC1225-USDT-M']);
    expect(found('close')).toEqual(['Close the ticket']);
  });
  it('finds nothing where a letter is missing', () => {
    expect(found('xyz')).toEqual([]);
  });
});
