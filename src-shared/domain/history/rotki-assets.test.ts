import { expect, it } from 'vitest';
import { rotkiAsset, unnamedCoins, unnamedText } from './rotki-assets.ts';

it('names coins of their own chain by their symbol, tokens by chain and address', () => {
  const coins = [
    ...['ADA', 'ATOM', 'AVAX', 'BCH', 'BNB', 'BSV', 'BTC', 'DOGE', 'DOT', 'ETC', 'ETH', 'HYPE', 'LTC'],
    ...['SOL', 'XMR', 'XRP', 'EUR', 'USD'],
  ];
  expect(coins.map((coin) => rotkiAsset(coin))).toEqual(coins);
  expect(['DAI', 'USDC', 'USDT'].map((coin) => rotkiAsset(coin))).toEqual([
    'eip155:1/erc20:0x6B175474E89094C44Da98b954EedeAC495271d0F',
    'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  ]);
});

it('prefers the user’s own, and knows no coin that nobody named', () => {
  expect(rotkiAsset('USDT', { USDT: 'eip155:10/erc20:0x94b0' })).toBe('eip155:10/erc20:0x94b0');
  expect(rotkiAsset('BTC', { USDT: 'eip155:10/erc20:0x94b0' })).toBe('BTC');
  for (const coin of ['ZZZ', 'constructor', '__proto__']) expect(rotkiAsset(coin)).toBeNull();
});

it('says which coins have none, and what rotki does with their rows', () => {
  const coins = unnamedCoins(['USDT', 'ZZZ', 'YYY', 'XXX'], { YYY: 'eip155:1/erc20:0x0f5D' });
  expect(coins).toEqual(['ZZZ', 'XXX']);
  expect(unnamedText(coins, ' in trades.csv')).toBe(
    'No identifier for ZZZ, XXX in trades.csv: rotki skips their rows where several assets have that symbol.',
  );
  expect(unnamedText(['ZZZ'])).toBe(
    'No identifier for ZZZ: rotki skips its rows where several assets have that symbol.',
  );
});
