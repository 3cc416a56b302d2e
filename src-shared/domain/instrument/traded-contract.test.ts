import { expect, it } from 'vitest';
import { contractFinder, spellingsOf } from './traded-contract.ts';

function contracts(...ids: string[]) {
  const contractOf = contractFinder(ids.map((symbol) => ({ symbol })));
  return (symbol: string) => contractOf(symbol)?.symbol;
}

it('finds a contract by its id, and by another spelling that only one has', () => {
  const find = contracts('BTC-USDT-M', 'BTC-USD-M', 'BTC1225-USDT-M', 'eth-usdt-M', 'SOL币-USDT-M');
  expect(find('BTC-USDT-M')).toBe('BTC-USDT-M');
  for (const symbol of ['BTCUSDT', 'BTC-USDT', 'BTC_USDT', 'BTC/USDT', 'btcusdt'])
    expect(find(symbol)).toBe('BTC-USDT-M');
  expect(find('BTCUSD')).toBe('BTC-USD-M');
  expect(find('BTC1225USDT')).toBe('BTC1225-USDT-M');
  expect(find('ETHUSDT')).toBe('eth-usdt-M');
  expect(find('SOL币USDT')).toBe('SOL币-USDT-M');
});

it('finds none where none or several fit', () => {
  const find = contracts('AB-C-M', 'A-BC-M', 'BTC-USDT-M');
  expect(find('ABC')).toBeUndefined();
  expect(find('AB-C-M')).toBe('AB-C-M');
  for (const symbol of ['', 'BTC', 'BTCUSDTM', 'XBTUSDT', 'constructor'])
    expect(find(symbol)).toBeUndefined();
});

it('returns the spellings of a symbol where its name is that of one contract', () => {
  expect(spellingsOf('BTC-USDT-M', ['BTC_USDT', 'BTC-USDT-M'])).toEqual(['BTC-USDT-M', 'BTC_USDT']);
  expect(spellingsOf('BTC_USDT', ['BTC_USDT', 'BTC-USDT-M'])).toEqual(['BTC_USDT', 'BTC-USDT-M']);
  expect(spellingsOf('AB-C-M', ['A-BC-M', 'ABC'])).toEqual(['AB-C-M']);
  expect(spellingsOf('ABC', ['AB-C-M', 'A-BC-M'])).toEqual(['ABC']);
  expect(spellingsOf('a b', ['ab'])).toEqual(['a b']);
});

it('takes a contract that is listed twice for one', () => {
  expect(contracts('BTC-USDT-M', 'BTC-USDT-M')('BTCUSDT')).toBe('BTC-USDT-M');
});
