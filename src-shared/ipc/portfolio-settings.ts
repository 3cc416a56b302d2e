/** Defines the settings of Portfolio: the unit of its total, and the rates the user typed. */
import * as v from 'valibot';
import { isAboveZero } from '../domain/numeric/number-input.ts';
import { ms } from './call.ts';

const coin = v.pipe(v.string(), v.minLength(1), v.maxLength(40));
const typedRate = v.strictObject({
  rate: v.pipe(v.string(), v.maxLength(60), v.check(isAboveZero, 'a plain number above 0, such as 97412.5')),
  /** When it was typed, wall clock. */
  at: ms,
});

export const portfolioSettingsSchema = v.strictObject({
  /** The coin the total is in. */
  unit: coin,
  /** Price of one unit of a coin, by coin, in `unit`. */
  rates: v.record(coin, typedRate),
});
