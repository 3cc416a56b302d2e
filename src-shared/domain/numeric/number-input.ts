/**
 * Parses typed numbers. Only a plain decimal above 0 is accepted; otherwise the message names field, value and what to
 * do, with the intended number if there is only one reading.
 */
import { amount, plainDecimal, isPositive, isUnsignedDecimal } from '../../amount.ts';
import { MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS } from '../../amount.ts';

export type TypedNumber =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** Whether the field is empty rather than invalid. */
      readonly empty: boolean;
      readonly message: string;
      /** The intended number, if only one reading is possible. */
      readonly instead: string | null;
    };

const wrong = (message: string, instead: string | null = null): TypedNumber => ({
  ok: false,
  empty: false,
  message,
  instead,
});

/**
 * Parses a price, quantity or amount; `field` starts the message (`Price`). `percentOf`: the price a percentage is
 * measured from, where the field takes one and replaces it by a price; null while that price is not known.
 */
export function readNumber(field: string, typed: string, percentOf?: string | null): TypedNumber {
  const text = typed.trim();
  if (text === '') return { ok: false, empty: true, message: `${field} is missing.`, instead: null };
  const named = `${field} ${quoted(text)}`;
  if (isUnsignedDecimal(text)) {
    return isPositive(amount(text)) ? { ok: true, text } : wrong(`${named} must be above 0.`);
  }
  // A percentage that led to a price was replaced by it.
  if (percentOf !== undefined && text.endsWith('%')) return wrong(percentFault(named, text, percentOf));
  const plain = plainText(text);
  if (/^[-−][\d.,\s]+$/.test(plain)) return wrong(`${named} must be above 0. The side sets the direction.`);
  if (plain.includes(',')) return withComma(named, plain);
  if (/^\+?[\d.]+e[+-]?\d+$/i.test(plain)) return withExponent(named, plain);
  const tidy = tidied(plain);
  if (tidy !== null) return wrong(`${named}: write it as “${tidy}”.`, tidy);
  if (/^\d+(?:\.\d+)?$/.test(plain)) {
    const digits = plain.replace('.', '').length;
    return wrong(
      `${named} has ${String(digits)} digits; at most ${String(MAX_INTEGER_DIGITS)} before and ` +
        `${String(MAX_FRACTION_DIGITS)} after the point are accepted.`,
    );
  }
  return wrong(`${named} is not a number: the digits 0 to 9 and one point, such as 1.5.`);
}

/** Matches digits in groups of three, with spaces (not tabs: those lie between two cells) or other marks between them. */
const GROUPED = /^\+?[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f'’_]\d{3})+(?:[.,]\d*)?$/;

/** Writes full-width characters as ASCII, and leaves out invisible ones and what keeps groups of digits apart. */
function plainText(text: string): string {
  const visible = text
    .replace(/\p{Cf}/gu, '')
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  return GROUPED.test(visible) ? visible.replace(/[^\d.,+]/g, '') : visible;
}

/** Matches a typed percentage: its sign and its digits. */
export const PERCENT = /^([+\-−]?)(\d{1,4}(?:\.\d{1,4})?) ?%$/;

function percentFault(named: string, text: string, percentOf: string | null): string {
  if (!PERCENT.test(text))
    return `${named} is not a percentage: at most 4 digits before and after one point, such as 2.5%.`;
  return percentOf === null
    ? `${named} cannot become a price: no price is known to measure it from. Enter a price.`
    : `${named} gives no price above 0. Enter a price or a smaller percentage.`;
}

/** Handles commas, which are decimal marks to some and separators to others: offers one reading or none. */
function withComma(named: string, text: string): TypedNumber {
  const commas = text.split(',').length - 1;
  const grouped = text.replaceAll(',', '');
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text)) {
    if (commas > 1 || text.includes('.')) return offered(`${named}: leave out the commas`, grouped);
    return wrong(
      `${named} can be read two ways. Use a point for decimals, “${text.replace(',', '.')}”, ` +
        `and nothing between thousands, “${grouped}”.`,
    );
  }
  const german = text.replaceAll('.', '').replace(',', '.');
  if (commas === 1 && /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) {
    return offered(`${named}: use a point for decimals only`, german);
  }
  if (commas === 1 && /^\d*,\d+$/.test(text)) {
    return offered(`${named} has a comma. Use a point`, text.startsWith(',') ? `0${german}` : german);
  }
  return wrong(`${named} has a comma. Use a point for decimals and nothing between thousands.`);
}

function withExponent(named: string, text: string): TypedNumber {
  const plain = plainDecimal(text.replace(/^\+/, ''));
  if (plain === null) return wrong(`${named} has an exponent. Write all its digits.`);
  return offered(`${named} has an exponent. Write it in digits`, plain);
}

/** Normalises `+`, and missing or superfluous leading zeros. */
function tidied(plain: string): string | null {
  const bare = plain.replace(/^\+/, '');
  const filled = bare.startsWith('.') ? `0${bare}` : bare.replace(/^0+(?=\d)/, '');
  const tidy = filled.replace(/\.$/, '');
  return isAboveZero(tidy) ? tidy : null;
}

function offered(message: string, instead: string): TypedNumber {
  const usable = isAboveZero(instead);
  return wrong(usable ? `${message}: “${instead}”.` : `${message}.`, usable ? instead : null);
}

/** Reports whether a text is a plain decimal above 0. */
export const isAboveZero = (text: string): boolean => isUnsignedDecimal(text) && isPositive(amount(text));

/** Returns what was typed in quotes, as it was typed; its end is cut. */
export const quoted = (text: string): string => `“${text.length > 24 ? `${text.slice(0, 23)}…` : text}”`;

/** Reads a whole number; any other text is NaN, which no schema accepts. */
export const wholeNumber = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
