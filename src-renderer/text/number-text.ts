/** How a decimal text is shown: grouped, padded, signed. Digits are never rounded; what is cut is kept beside. */
import {
  amount,
  calculated,
  compare,
  decimalsOf,
  multiply,
  printFixed,
  signOf,
} from '../../src-shared/amount.ts';
import { HIDDEN, mapAmounts, withoutAmounts } from '../../src-shared/domain/display/privacy-mask.ts';
import type { CoinDecimals } from './coin-decimals.ts';
import { shownAs, type Format } from './shown-as.svelte.ts';

export const MINUS = '\u2212';
const THIN_SPACE = '\u2009';
type Marks = Pick<Format, 'grouping' | 'decimalMark'>;
/** Between groups of three: a comma, or a point where the decimal mark is the comma. */
export function groupMark({ grouping, decimalMark }: Marks = shownAs.value): string {
  if (grouping === 'none') return '';
  return grouping === 'space' ? THIN_SPACE : decimalMark === 'comma' ? '.' : ',';
}
const pointOf = ({ decimalMark }: Marks): string => (decimalMark === 'comma' ? ',' : '.');

export interface NumberText {
  readonly sign: '' | '+' | '\u2212';
  /** Digits before the point, in groups of three from the right. */
  readonly groups: readonly string[];
  /** With its mark: `.50` or `,50`; '' when there is none. */
  readonly fraction: string;
  /** The decimals that were cut; '' where nothing but zeros was. */
  readonly rest: string;
}

interface NumberOptions {
  /** Padded with zeros up to that many; more digits than that are kept, unless cut. */
  readonly decimals?: number | undefined;
  readonly cut?: CoinDecimals | null | undefined;
  /** A plus before what is above zero. */
  readonly signed?: boolean | undefined;
}

export function numberText(
  text: string,
  options: NumberOptions = {},
  format: Marks = shownAs.value,
): NumberText {
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
  const first = whole.length % 3;
  const groups = first === 0 ? [] : [whole.slice(0, first)];
  for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
  return {
    sign: sign < 0 ? MINUS : sign > 0 && options.signed === true ? '+' : '',
    groups,
    fraction: decimals === '' ? '' : `${pointOf(format)}${decimals}`,
    rest: decimals === '' && rest !== '' ? `${pointOf(format)}${rest}` : rest,
  };
}

/** The same as one text: for titles, canvases and messages. */
export function plainNumber(
  text: string,
  options: NumberOptions = {},
  format: Marks = shownAs.value,
): string {
  const { sign, groups, fraction } = numberText(text, options, format);
  return `${sign}${groups.join(groupMark(format))}${fraction}`;
}

/** The same for amounts of the account: hidden when amounts are hidden. */
export const plainMoney = (text: string, options: NumberOptions = {}): string =>
  shownAs.value.privacy ? HIDDEN : plainNumber(text, options);

const HUNDRED = amount('100');

/** A share (`0.1011`) in percent, to 2 decimals, 1 from 100 % on. For display only. */
export function percentOf(share: string): string {
  const percent = multiply(calculated(share), HUNDRED);
  const wide = compare(percent, HUNDRED) >= 0 || compare(percent, amount('-100')) <= 0;
  return printFixed(percent, wide ? 1 : 2);
}

/** The same with its sign and marks: `5.00%`, `104.2%`. */
export const plainPercent = (share: string): string => `${plainNumber(percentOf(share))}%`;

/** How many of something there are. */
export const countText = (count: number): string => plainNumber(String(count));

/** A column's scale: the most decimals seen in it. */
export function columnScale(texts: Iterable<string | null | undefined>): number {
  let most = 0;
  for (const text of texts)
    if (text !== null && text !== undefined && text !== '') most = Math.max(most, decimalsOf(text));
  return most;
}

/** A sentence from main, with its numbers masked when amounts are hidden. */
export const maskedText = (sentence: string): string =>
  shownAs.value.privacy ? withoutAmounts(sentence) : sentence;

/** A received amount for a title; none while amounts are hidden. */
export const amountTitle = (text: string | undefined): string | undefined =>
  shownAs.value.privacy ? undefined : text;

/** A sentence made elsewhere, with its numbers in groups: for messages, never for what was sent or is exported. */
export const groupedText = (sentence: string): string =>
  mapAmounts(sentence, (number) => {
    const sign = /^[−+-]/.exec(number)?.[0] ?? '';
    return `${sign}${plainNumber(number.slice(sign.length))}`;
  });

/** The same about the account: hidden when amounts are. */
export const messageText = (sentence: string): string =>
  shownAs.value.privacy ? withoutAmounts(sentence) : groupedText(sentence);
