/** Compares decimals with integers of 10⁻¹⁸ (bigint), and their grammar with an independent version. */
import {
  add,
  amount,
  AmountError,
  compare,
  plainDecimal,
  isDecimal,
  isUnsignedDecimal,
  multiply,
  print,
  printFixed,
  subtract,
  type Rounding,
} from '../../src-shared/amount.ts';
import { damaged, fuzz, must, type SeededRandom, type Fuzzed } from './seeded-random.ts';

const SCALE = 40;

/** The grammar of a plain decimal, character by character: at most 40 digits, a point, at most 40. */
function grammar(text: string): boolean {
  const digits = text.startsWith('-') ? text.slice(1) : text;
  const [whole = '', fraction, more] = digits.split('.');
  const only = (part: string): boolean =>
    part !== '' && Array.from(part).every((one) => one >= '0' && one <= '9');
  if (more !== undefined || !only(whole) || whole.length > SCALE) return false;
  if (whole.length > 1 && whole.startsWith('0')) return false;
  return fraction === undefined || (only(fraction) && fraction.length <= SCALE);
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -value : value;
}

/** The shortest plain text of an integer of 10^−scale. */
function written(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = digits.slice(0, digits.length - scale) + (fraction === '' ? '' : `.${fraction}`);
  return value < 0n ? `-${text}` : text;
}

const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'half-up', 'half-even', 'floor', 'ceil'];

/** `value` of 10⁻¹⁸ rounded to `digits` decimals, as an integer of 10^−digits. */
function rounded(value: bigint, digits: number, rounding: Rounding): bigint {
  const unit = 10n ** BigInt(SCALE - digits);
  const toZero = value / unit;
  const rest = value % unit;
  if (rest === 0n) return toZero;
  const away = toZero + (value < 0n ? -1n : 1n);
  const twice = (rest < 0n ? -rest : rest) * 2n;
  switch (rounding) {
    case 'down':
      return toZero;
    case 'up':
      return away;
    case 'floor':
      return value < 0n ? away : toZero;
    case 'ceil':
      return value < 0n ? toZero : away;
    case 'half-up':
      return twice >= unit ? away : toZero;
    case 'half-even':
      if (twice === unit) return toZero % 2n === 0n ? toZero : away;
      return twice > unit ? away : toZero;
  }
}

function decimalText(random: SeededRandom): string {
  const whole = random.often(30) ? '0' : random.one('123456789'.split('')) + random.digits(0, 39);
  const fraction = random.often(30) ? '' : `.${random.often(20) ? '0'.repeat(random.below(40)) : ''}`;
  const rest = fraction === '' ? '' : random.digits(1, SCALE - fraction.length + 1);
  return `${random.often(40) ? '-' : ''}${whole}${fraction}${rest}`;
}

/** Tests one generated text, valid or damaged; two valid ones are calculated with. */
export const fuzzDecimals = (inputs: number, from = 1): Fuzzed =>
  fuzz(inputs, from, (random) => {
    const right = decimalText(random);
    const text = random.often(50) ? right : damaged(right, random);
    const good = grammar(text);
    must(isDecimal(text) === good, 'isDecimal disagrees with the grammar:', text);
    const [before = '', after = ''] = text.split('.');
    const isShort = before.length <= 24 && after.length <= 18;
    const isUnsigned = good && !text.startsWith('-') && isShort;
    must(isUnsignedDecimal(text) === isUnsigned, 'isUnsignedDecimal disagrees with the grammar:', text);
    if (!good) {
      let refused = false;
      try {
        amount(text);
      } catch (error) {
        refused = error instanceof AmountError;
      }
      must(refused, 'accepted, though not a decimal:', text);
      exponent(random);
      return 'refused';
    }
    const a = amount(text);
    const exact = scaled(text);
    must(print(a) === written(exact, SCALE), 'printed differently:', text, print(a));
    const other = decimalText(random);
    const b = amount(other);
    const also = scaled(other);
    must(print(add(a, b)) === written(exact + also, SCALE), 'sum of', text, other);
    must(print(subtract(a, b)) === written(exact - also, SCALE), 'difference of', text, other);
    must(print(multiply(a, b)) === written(exact * also, 2 * SCALE), 'product of', text, other);
    must(compare(a, b) === (exact < also ? -1 : exact > also ? 1 : 0), 'order of', text, other);
    const digits = random.below(SCALE + 1);
    const rounding = random.one(ROUNDINGS);
    const short = printFixed(a, digits, rounding);
    must(
      scaled(short) === rounded(exact, digits, rounding) * 10n ** BigInt(SCALE - digits),
      `rounded ${rounding} to ${digits}:`,
      text,
      short,
    );
    must((short.split('.')[1] ?? '').length === digits, 'decimals written:', text, short);
    return 'accepted';
  });

/** A JSON number with an exponent: expanded exactly, or rejected when it has more digits than a decimal may. */
function exponent(random: SeededRandom): void {
  const mantissa = decimalText(random);
  const power = random.below(50) - 25;
  const literal = `${mantissa}${random.one(['e', 'E'])}${power >= 0 && random.often(50) ? '+' : ''}${power}`;
  const scale = SCALE + 25;
  const exact = scaled(mantissa) * 10n ** BigInt(25 + power);
  const text = written(exact, scale);
  const expected = grammar(text) ? (text === '-0' ? '0' : text) : null;
  must(plainDecimal(literal) === expected, 'an exponent:', literal, plainDecimal(literal), expected);
}
