/** What stands for an amount while amounts are hidden. */
export const HIDDEN = '•••••';

/** Numbers that stand alone: none within a name (`BTC-USDT-M`, `1000PEPE`), a time, a date, a share or a leverage. */
const AMOUNT =
  /(?<![\w.,-]|\d:|\w[−+])[−+-]?\d+(?:[.,\u2009]\d+)*(?![\w:×-]|[.,\u2009]\d|\s?%|\s(?:s|minutes?|hours?|h|m)\b)/g;

/** What stands before a price: its name, the contract of an order, or its field in the bytes that were sent. */
const PRICE_FOLLOWS = /(?:(?:\bprice|\bmark|\bliquidation at|-M at)\s(?:≈\s?)?|price"\s?:\s?"?)$/i;
/** Ids of orders and trades are numbers too, longer than any amount is written. */
const ID = /^\d{16,}$/;

/**
 * A sentence that was made elsewhere, by the main process or in an older session, without its amounts. Prices that are
 * named as such, ids, shares, times and names stay; a number of which nothing is known goes.
 */
export const withoutAmounts = (sentence: string): string =>
  sentence.replace(AMOUNT, (number, at: number) =>
    ID.test(number) || PRICE_FOLLOWS.test(sentence.slice(0, at)) ? number : HIDDEN,
  );
