/** Defines the daily limits of each account, and what counts towards them, as the main process measures it. */
import * as v from 'valibot';
import type { DayLimits, DayUsage } from '../domain/instrument/trading-context.ts';
import { isAboveZero } from '../domain/numeric/number-input.ts';
import { byConnection, call, connectionId, textUpTo, whole } from './call.ts';

/** What has to be typed to lift or weaken a limit before midnight. */
export const DAY_WORD = 'TRADE';

export const dayLossSchema = v.pipe(v.string(), v.check(isAboveZero, 'a number above 0, such as 500'));
export const dayOrdersSchema = whole(1, 10_000, 'a whole number from 1 to 10000');
export const dayLimitsSchema = v.strictObject({
  loss: v.nullable(
    v.strictObject({ amount: dayLossSchema, coin: v.pipe(v.string(), v.minLength(1), v.maxLength(40)) }),
  ),
  orders: v.nullable(dayOrdersSchema),
});

/** An account's day. */
export interface DayState extends DayUsage {
  readonly connectionId: string;
  /** First ms of the day. */
  readonly startsAt: number;
  /** When the user lifted the limits today; null if not. */
  readonly liftedAt: number | null;
  /** The limits from the next day on, where they are weaker; null if they stay. */
  readonly next: DayLimits | null;
  /** Wall clock up to which the result is known, ms; null if it is not. */
  readonly resultAt: number | null;
  /** Results in other coins, which are not counted. */
  readonly others: readonly { readonly coin: string; readonly net: string }[];
}

const typed = textUpTo(60);
export const DAY_CALLS = {
  'day.get': call(byConnection).returns<DayState>(),
  /** Sets the limits. What is weaker than before applies from midnight, or at once with the word typed. */
  'day.set': call(
    v.strictObject({ connectionId, limits: dayLimitsSchema, typed: v.nullable(typed) }),
  ).returns<DayState>(),
  /** Lifts the limits until midnight. The word has to be typed. */
  'day.lift': call(v.strictObject({ connectionId, typed })).returns<DayState>(),
} as const;
