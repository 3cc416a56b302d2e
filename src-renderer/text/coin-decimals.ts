/** What is shown of an amount of money: more decimals are cut, fewer are filled with zeros. */
export interface CoinDecimals {
  readonly least: number;
  readonly most: number;
}

const QUOTE: CoinDecimals = { least: 2, most: 2 };
/** Worth more a unit: the sixth decimal of a coin is about a cent. */
const BASE: CoinDecimals = { least: 0, most: 6 };

export const coinDecimals = (isQuote: boolean): CoinDecimals => (isQuote ? QUOTE : BASE);
