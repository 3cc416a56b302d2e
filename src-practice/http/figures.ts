/** Prints decimals as the habits require. Zeros are added and the point is moved; no digit is ever changed. */
import type { Habits } from '../habits.ts';

const PLACES: Readonly<Partial<Record<Habits['decimals'], number>>> = { padded: 20, long: 40, longest: 60 };
/** The digits appended to a quotient that is printed with more places. */
const TAIL = '142857';

const isZero = (text: string): boolean => !/[1-9]/.test(text);
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** Prints as Java prints a BigDecimal of 8 places: an exponent for zero and below a millionth. */
function withExponent(text: string): string {
  if (isZero(text)) return '0E-8';
  const [, sign = '', zeros = '', digits = ''] = /^(-?)0\.(0{6,})([1-9]\d*)$/.exec(text) ?? [];
  if (digits === '') return text;
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.slice(0, 1)}${rest}E-${zeros.length + 1}`;
}

function padded(text: string, places: number, quotient: boolean): string {
  const [whole = '', fraction = ''] = text.split('.');
  const more = places - fraction.length;
  const filler = quotient && !isZero(text) ? TAIL.repeat(10) : '0'.repeat(places);
  return more <= 0 ? text : `${whole}.${fraction}${filler.slice(0, more)}`;
}

/** A `quotient` has more digits than the engine stores, so digits may be appended. */
export function figure({ decimals }: Habits, text: string, quotient: boolean): string {
  if (decimals === 'plain') return text;
  if (decimals === 'short') return trimmed(text);
  if (decimals === 'exponent') return withExponent(text);
  return padded(text, PLACES[decimals] ?? 0, quotient && decimals !== 'padded');
}

/** A JSON number of the risk tiers. */
export function numberFigure({ decimals }: Habits, literal: string): string {
  if (decimals === 'plain' || decimals === 'short') return literal;
  if (decimals !== 'exponent') return padded(literal, PLACES[decimals] ?? 0, false);
  // As Java prints a double from ten million on.
  return /^[1-9]\d{7,}$/.test(literal)
    ? `${literal.slice(0, 1)}.${literal.slice(1).replace(/0+$/, '') || '0'}E${literal.length - 1}`
    : literal;
}

/** The figure times 100. */
export function timesHundred(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2);
  return `${sign}${digits}${rest === '' ? '' : `.${rest}`}`;
}

/** A figure with `digits` digits before and after the point. */
export const longFigure = (digits: number): string =>
  `${'1234567890'.repeat(6).slice(0, digits)}.${'9876543210'.repeat(6).slice(0, digits - 1)}1`;
