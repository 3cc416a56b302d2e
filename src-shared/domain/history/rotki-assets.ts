/**
 * Names coins as rotki does: a coin of its own chain by its symbol, a token by chain and address. A symbol that
 * several tokens share is refused by its import, so `USDT` alone is none.
 */

/** From rotki's own list of assets (2026-08). Ethereum's token where there are several. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['ADA', 'ATOM', 'AVAX', 'BCH', 'BNB', 'BSV', 'BTC', 'DOGE', 'DOT', 'ETC', 'ETH', 'HYPE', 'LTC'],
      ...['SOL', 'XMR', 'XRP', 'EUR', 'USD'],
    ].map((coin) => [coin, coin] as const),
  ),
  DAI: 'eip155:1/erc20:0x6B175474E89094C44Da98b954EedeAC495271d0F',
  USDC: 'eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  USDT: 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
};

/** Returns rotki's identifier of a coin, the user's own first; null if there is none. */
export function rotkiAsset(coin: string, own: Readonly<Record<string, string>> = {}): string | null {
  const typed = Object.hasOwn(own, coin) ? own[coin] : undefined;
  const known = Object.hasOwn(BUILT_IN, coin) ? BUILT_IN[coin] : undefined;
  return typed ?? known ?? null;
}

/** Returns the coins that have none. */
export const unnamedCoins = (
  coins: readonly string[],
  own: Readonly<Record<string, string>>,
): readonly string[] => coins.filter((coin) => rotkiAsset(coin, own) === null);

/** Returns what rotki does with the rows of coins that have none; `where` names the file, if it is not the one at hand. */
export const unnamedText = (coins: readonly string[], where = ''): string =>
  `No identifier for ${coins.join(', ')}${where}: rotki skips ${coins.length === 1 ? 'its' : 'their'} rows where several assets have that symbol.`;
