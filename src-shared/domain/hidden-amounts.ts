/** What stands for an amount while amounts are hidden. */
export const HIDDEN = '•••••';

/** Numbers that stand alone: none within a name (`BTC-USDT-M`, `1000PEPE`), a time, a date, a share or a leverage. */
const AMOUNT =
  /(?<![\w.,-]|\d:|\w[−+])[−+-]?\d+(?:[.,\u2009]\d+)*(?![\w:×-]|[.,\u2009]\d|\s?%|\s(?:s|minutes?|hours?|h|m)\b)/g;

/**
 * A sentence that was made elsewhere, by the main process or in an older session, without its amounts. It cannot tell
 * a price from a balance, so both go; shares, times and names stay.
 */
export const withoutAmounts = (sentence: string): string => sentence.replace(AMOUNT, HIDDEN);
