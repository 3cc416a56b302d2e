/** Masks amounts while they are hidden. */
export const HIDDEN = '•••••';

/** Matches numbers that are not part of a name (`BTC-USDT-M`, `1000PEPE`), time, date, percentage, leverage or unit (`×10 SOL`). */
const AMOUNT =
  /(?<![\w.,×-]|\d:|\w[−+])[−+-]?\d+(?:[.,\u2009]\d+)*(?![\w:×-]|[.,\u2009]\d|\s?%|\s(?:m?s|min(?:utes?)?|hours?|[dhm])\b)/g;

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

/** Matches what precedes a number that is no amount, or is to be typed so: `line 12`, `code 700004`, `such as 0.5`. */
const NAME_FOLLOWS = /\b(?:code|port|line|row|page|status|order|id|such as)\s$/i;
const YEAR = /^(?:19|20)\d\d$/;
/**
 * A decimal with digits to group or a fraction. Server text and typed text also have numbers with leading zeros, or too
 * long ones.
 */
const PLAIN = /^[−+-]?(?:[1-9]\d{3,29}|(?:0|[1-9]\d{0,2})(?=\.))(?:\.\d{1,30})?$/;
/**
 * What is quoted, or a number that is not part of a name, time, date, path or address: an amount, a percentage, a multiple,
 * a duration.
 */
const QUOTED_OR_NUMBER =
  /“[^”]*”|(?<![\w.,:/\\-]|\w[−+])[−+-]?\d+(?:[.,\u2009]\d+)*(?![\w/\\-]|:\S|[.,\u2009]\d)/g;

/**
 * Applies `written` to each number in a finished sentence that has a fraction, or four or more whole digits. Names, ids,
 * codes, dates, years and paths stay, as does what is quoted, which was typed or is to be typed so.
 */
export const mapNumbers = (sentence: string, written: (number: string) => string): string =>
  sentence.replace(QUOTED_OR_NUMBER, (number, at: number) =>
    ID.test(number) || YEAR.test(number) || !PLAIN.test(number) || NAME_FOLLOWS.test(sentence.slice(0, at))
      ? number
      : written(number),
  );
