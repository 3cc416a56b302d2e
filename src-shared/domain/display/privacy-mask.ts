/** Masks amounts while they are hidden. */
export const HIDDEN = '•••••';

/** Matches numbers that are not part of a name (`BTC-USDT-M`, `1000PEPE`), time, date, percentage or leverage. */
const AMOUNT =
  /(?<![\w.,-]|\d:|\w[−+])[−+-]?\d+(?:[.,\u2009]\d+)*(?![\w:×-]|[.,\u2009]\d|\s?%|\s(?:s|minutes?|hours?|h|m)\b)/g;

/** Matches what precedes a price: its name, an order's symbol, or its field in the sent bytes. */
const PRICE_FOLLOWS = /(?:(?:\bprice|\bmark|\bliquidation at|-M at)\s(?:≈\s?)?|price"\s?:\s?"?)$/i;
/** Order and trade ids, longer than any amount. */
const ID = /^\d{16,}$/;

/**
 * Masks the amounts in a finished text of the main process or an older session. Labelled prices, ids, percentages,
 * times and names stay; unrecognised numbers are masked.
 */
export const withoutAmounts = (sentence: string): string =>
  sentence.replace(AMOUNT, (number, at: number) =>
    ID.test(number) || PRICE_FOLLOWS.test(sentence.slice(0, at)) ? number : HIDDEN,
  );
