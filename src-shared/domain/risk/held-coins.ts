/** Values the coins an account holds beside the one of a price shock: a fall of their price is a loss, too. */
import { add, calculated, isZero, multiply, print, subtract, ZERO } from '../../amount.ts';

/** A coin's equity, or its price, before and after a move, as decimal text. */
export interface BeforeAfter {
  readonly before: string;
  readonly after: string;
}
export interface HeldCoins {
  /** Change of their value in the coin of the prices. */
  readonly change: string;
  /** Coins that are in it. */
  readonly valued: readonly string[];
  /** Coins held whose price is not known. */
  readonly unpriced: readonly string[];
  /** Coins of which it is not known how much is held. */
  readonly unread: readonly string[];
}

/** @param equity by coin, null if unknown; @param priceOf null if the coin has no known price */
export function heldCoins(
  equity: ReadonlyMap<string, BeforeAfter | null>,
  priceOf: (coin: string) => BeforeAfter | null,
): HeldCoins {
  const priced = [...equity].flatMap(([coin, own]) =>
    own === null || isZero(calculated(own.before)) ? [] : [{ coin, own, price: priceOf(coin) }],
  );
  let change = ZERO;
  for (const { own, price } of priced)
    if (price !== null)
      change = add(
        change,
        subtract(
          multiply(calculated(own.after), calculated(price.after)),
          multiply(calculated(own.before), calculated(price.before)),
        ),
      );
  return {
    change: print(change),
    valued: priced.filter(({ price }) => price !== null).map(({ coin }) => coin),
    unpriced: priced.filter(({ price }) => price === null).map(({ coin }) => coin),
    unread: [...equity].filter(([, own]) => own === null).map(([coin]) => coin),
  };
}
