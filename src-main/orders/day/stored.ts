/** Defines the daily limits as they are stored, and which are in force. */
import * as v from 'valibot';
import { amount, greater } from '../../../src-shared/amount.ts';
import { integer } from '../../../src-shared/checked-json.ts';
import { textUpTo } from '../../../src-shared/ipc/call.ts';
import { dayLimitsSchema } from '../../../src-shared/ipc/day-limits.ts';
import type { DayLimits } from '../../../src-shared/domain/instrument/trading-context.ts';

const storedAccountSchema = v.strictObject({
  limits: dayLimitsSchema,
  /** Weaker limits, in force from `from` on. */
  next: v.nullable(v.strictObject({ limits: dayLimitsSchema, from: integer })),
  lifted: v.nullable(
    v.strictObject({
      at: integer,
      until: integer,
      /** For whose orders; older versions did not store it. */
      account: v.exactOptional(v.string()),
    }),
  ),
});
export type StoredDayAccount = v.InferOutput<typeof storedAccountSchema>;

export const storedDayLimitsSchema = v.strictObject({
  version: v.literal(1),
  /** The day that is counted. It keeps its zone to its end: another zone's midnight must not end it early. */
  day: v.nullable(v.strictObject({ zone: v.string(), startsAt: integer, endsAt: integer })),
  /** By connection. */
  accounts: v.record(textUpTo(60), storedAccountSchema),
});
export type StoredDayLimits = v.InferOutput<typeof storedDayLimitsSchema>;
export type Day = NonNullable<StoredDayLimits['day']>;
export const NO_DAY_LIMITS: StoredDayLimits = { version: 1, day: null, accounts: {} };

const NONE: DayLimits = { loss: null, orders: null };

/** Returns the limits in force at `now`, ms. */
export function limitsAt(one: StoredDayAccount | undefined, now: number): DayLimits {
  if (one === undefined) return NONE;
  return one.next !== null && now >= one.next.from ? one.next.limits : one.limits;
}

/** Returns the weaker limits that are not in force yet. */
export const pendingAt = (one: StoredDayAccount | undefined, now: number): StoredDayAccount['next'] =>
  one !== undefined && one.next !== null && now < one.next.from ? one.next : null;

export const isLimited = ({ loss, orders }: DayLimits): boolean => loss !== null || orders !== null;

/** Returns the stricter of each limit. A loss in another coin cannot be compared, so the old one stays. */
export function strictest(old: DayLimits, wanted: DayLimits): DayLimits {
  const { loss } = old;
  const loosens =
    loss !== null &&
    (wanted.loss?.coin !== loss.coin || greater(amount(wanted.loss.amount), amount(loss.amount)));
  return {
    loss: loosens ? loss : wanted.loss,
    orders: old.orders === null ? wanted.orders : Math.min(old.orders, wanted.orders ?? old.orders),
  };
}

export const sameLimits = (a: DayLimits, b: DayLimits): boolean =>
  a.orders === b.orders && a.loss?.amount === b.loss?.amount && a.loss?.coin === b.loss?.coin;
