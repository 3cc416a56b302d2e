/** Defines the settings of Portfolio: the unit of its total, and the rates the user typed. */
import * as v from 'valibot';
import { amount, isPositive, isUnsignedDecimal } from '../amount.ts';
import { ms } from './call.ts';

const coin = v.pipe(v.string(), v.minLength(1), v.maxLength(40));
/** Reports whether a text may be a rate: a plain decimal above 0. */
export const isRate = (text: string): boolean => isUnsignedDecimal(text) && isPositive(amount(text));

const typedRate = v.strictObject({
  rate: v.pipe(v.string(), v.maxLength(60), v.check(isRate, 'a plain number above 0, such as 97412.5')),
  /** When it was typed, wall clock. */
  at: ms,
});

export const portfolioSettingsSchema = v.strictObject({
  /** The coin the total is in. */
  unit: coin,
  /** Price of one unit of a coin, by coin, in `unit`. */
  rates: v.record(coin, typedRate),
});
