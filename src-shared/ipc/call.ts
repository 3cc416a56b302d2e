/** Defines a bridge call: its input schema and, as a type only, its result. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

export interface Call<I extends v.GenericSchema, R> {
  readonly input: I;
  /** Never present at run time; carries the result type. */
  readonly result?: R;
}
export const call = <I extends v.GenericSchema>(input: I) => ({ returns: <R>(): Call<I, R> => ({ input }) });

/** Input schemas shared by several modules. */
export const nothing = v.undefined();
export const connectionId = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/));
export const byConnection = v.strictObject({ connectionId });
export const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'an order ID is digits only'));
export const textUpTo = (most: number) => v.pipe(v.string(), v.maxLength(most));
export const whole = (low: number, high = Number.MAX_SAFE_INTEGER, expected?: string) =>
  v.pipe(v.number(expected), v.integer(expected), v.minValue(low, expected), v.maxValue(high, expected));
export const ms = whole(0);
/** A number of at least 0, as text; null for none. */
export const limit = v.nullable(
  v.pipe(v.string(), v.check(isUnsignedDecimal, 'a plain number, such as 2.5')),
);
export const webPage = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(/^https:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,5})?(?:\/[^\s]*)?$/i, 'it must start with https://'),
);
