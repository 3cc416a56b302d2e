/** Defines a bridge call: its input schema and, as a type only, its result. */
import * as v from 'valibot';

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
export const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'an order id is digits only'));
export const ms = v.pipe(v.number(), v.integer(), v.minValue(0));
