/**
 * Writes a decimal for display: grouped, padded, signed. Digits are never rounded; cut ones are returned separately.
 */
import {
  absolute,
  amount,
  calculated,
  compare,
  decimalsOf,
  greater,
  multiply,
  printFixed,
  type Rounding,
  signOf,
} from '../../src-shared/amount.ts';
import { HIDDEN, mapNumbers, withoutAmounts } from '../../src-shared/domain/display/privacy-mask.ts';
import { DISTANCE_ROUNDING } from '../../src-shared/domain/margin/severity.ts';
import { type CoinDecimals, shownAs, type Format } from './shown-as.svelte.ts';
import { counted as plainCounted } from '../../src-shared/domain/display/counted.ts';

export const MINUS = '\u2212';
const THIN_SPACE = '\u2009';
type Marks = Pick<Format, 'grouping' | 'decimalMark'>;
/** The groups in use: where the comma is the decimal mark, they are never kept apart by one. */
export const groupingOf = ({ grouping, decimalMark }: Marks): Marks['grouping'] =>
  grouping === 'comma' && decimalMark === 'comma' ? 'space' : grouping;

/**
 * The mark between groups of three digits. Never a point: a field reads that as the decimal mark, so who typed 6.000 as it is
 * shown would order six instead of six thousand.
 */
export function groupMark(): string {
  return { none: '', space: THIN_SPACE, comma: ',' }[groupingOf(shownAs.value)];
}

export interface NumberText {
  readonly sign: '' | '+' | '\u2212';
  /** Digits before the decimal mark, in groups of three from the right. */
  readonly groups: readonly string[];
  /** The decimals with their mark: `.50` or `,50`; '' when there are none. */
  readonly fraction: string;
  /** The decimals that were cut; '' if they were all zeros. */
  readonly rest: string;
}

interface NumberOptions {
  /** Pads with zeros to this many decimals; more are kept, unless `cut` is set. */
  readonly decimals?: number | undefined;
  readonly cut?: CoinDecimals | null | undefined;
  /** Puts a plus before positive numbers. */
  readonly signed?: boolean | undefined;
}

export function numberText(text: string, options: NumberOptions = {}): NumberText {
  const sign = signOf(text);
  const digits = text.startsWith('-') ? text.slice(1) : text;
  const point = digits.indexOf('.');
  const whole = point < 0 ? digits : digits.slice(0, point);
  const received = point < 0 ? '' : digits.slice(point + 1);
  const { decimals: scale = 0, cut } = options;
  const decimals = cut
    ? received.slice(0, cut.most).padEnd(Math.max(cut.least, Math.min(scale, cut.most)), '0')
    : received.padEnd(scale, '0');
  const rest = cut ? received.slice(cut.most).replace(/0+$/, '') : '';
  const mark = shownAs.value.decimalMark === 'comma' ? ',' : '.';
  const first = whole.length % 3;
  const groups = first === 0 ? [] : [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return {
    sign: sign < 0 ? MINUS : sign > 0 && options.signed === true ? '+' : '',
    groups,
    fraction: decimals === '' ? '' : `${mark}${decimals}`,
    rest: decimals === '' && rest !== '' ? `${mark}${rest}` : rest,
  };
}

/** Returns the number as one text, for titles, canvases and messages. */
export function plainNumber(text: string, options: NumberOptions = {}): string {
  const { sign, groups, fraction } = numberText(text, options);
  return `${sign}${groups.join(groupMark())}${fraction}`;
}

/** Returns an amount of the account as one text, masked while amounts are hidden. */
export const plainMoney = (text: string, options: NumberOptions = {}): string =>
  shownAs.value.privacy ? HIDDEN : plainNumber(text, options);

const HUNDRED = amount('100');

/** Returns a share (`0.1011`) in percent, with 2 decimals, or 1 from 100 % on. For display only. */
export function percentOf(share: string, rounding?: Rounding): string {
  const percent = multiply(calculated(share), HUNDRED);
  const wide = compare(percent, HUNDRED) >= 0 || compare(percent, amount('-100')) <= 0;
  return printFixed(percent, wide ? 1 : 2, rounding);
}

/** Returns a share in percent with its sign and marks: `5.00%`, `104.2%`. */
export const plainPercent = (share: string): string => `${plainNumber(percentOf(share))}%`;

/** Beyond this share (1,000 %) a distance is only said to be larger: no digit matters. */
const FAR = amount('10');

/**
 * Returns a distance, a share of a price, in percent, and `>1,000%` beyond. By default cut, so that a distance to
 * liquidation is never shown larger than it is.
 */
export function plainDistance(share: string, signed = true, rounding: Rounding = DISTANCE_ROUNDING): string {
  if (greater(absolute(calculated(share)), FAR)) return `>${plainNumber('1000')}%`;
  return `${plainNumber(percentOf(share, rounding), { signed })}%`;
}

/** Returns a leverage or another multiple with its mark: `20×`. */
export const timesText = (multiple: string | number): string => `${plainNumber(String(multiple))}×`;

export const countText = (count: number): string => plainNumber(String(count));

/** Returns a count with its word: `1 order`, `1,204 orders`. */
export const counted = (count: number, one: string, many?: string): string =>
  plainCounted(count, one, many, countText(count));

/** Returns what is done in percent, to one decimal and rounded down so that 100 means all; null while `total` is unknown. */
export const donePercent = (done: number, total: number | null): number | null =>
  total === null || total === 0 ? null : Math.floor(Math.min(1, done / total) * 1000) / 10;

/** A column's scale: the most decimals seen in it. */
export function columnScale(texts: Iterable<string | null | undefined>): number {
  let most = 0;
  for (const text of texts)
    if (text !== null && text !== undefined && text !== '') most = Math.max(most, decimalsOf(text));
  return most;
}

/** Masks the numbers in a sentence from main while amounts are hidden. */
export const maskedText = (sentence: string): string =>
  shownAs.value.privacy ? withoutAmounts(sentence) : sentence;

/** Returns a received amount for a tooltip; none while amounts are hidden. */
export const amountTitle = (text: string | undefined): string | undefined =>
  shownAs.value.privacy ? undefined : text;

/** Writes the numbers of a finished sentence as all others. For messages, never for what was sent or is exported. */
export const groupedText = (sentence: string): string =>
  mapNumbers(sentence, (number) => {
    const sign = /^[−+-]/.exec(number)?.[0] ?? '';
    return `${sign}${plainNumber(number.slice(sign.length))}`;
  });

/**
 * Matches what is quoted, or money with its coin: `467.2 USDT`, `+5 USDT`. A whole number without a sign may be a quantity,
 * which an inverse contract counts in its quote.
 */
const QUOTED_OR_MONEY = /“[^”]*”|(?<![\w.,-])(?:(\d+)\.(\d+)|((?<=[−+])\d+))(?= ([A-Z]+)(?![\w-]))/g;
/** Pads the amounts of quote coins in a sentence with zeros, as those beside it are. */
const paddedText = (sentence: string): string =>
  sentence.replace(
    QUOTED_OR_MONEY,
    (whole: string, units?: string, fraction: string = '', signed: string = '', coin: string = '') => {
      const least = shownAs.decimalsOf(coin)?.least;
      return least ? `${units ?? signed}.${fraction.padEnd(least, '0')}` : whole;
    },
  );

/** Like `groupedText`, for a sentence about the account: masked while amounts are hidden. */
export const messageText = (sentence: string): string =>
  shownAs.value.privacy ? withoutAmounts(sentence) : groupedText(paddedText(sentence));
