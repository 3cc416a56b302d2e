/** How many decimals of an amount of money are shown: more are cut, fewer are padded with zeros. */
export interface CoinDecimals {
  readonly least: number;
  readonly most: number;
}

const QUOTE: CoinDecimals = { least: 2, most: 2 };
/** A unit of another coin has a higher price: its sixth decimal is about a cent. */
const BASE: CoinDecimals = { least: 0, most: 6 };

export const coinDecimals = (isQuote: boolean): CoinDecimals => (isQuote ? QUOTE : BASE);
