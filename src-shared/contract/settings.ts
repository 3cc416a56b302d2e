/** What a person sets about the app itself. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

const limit = v.nullable(v.pipe(v.string(), v.check(isUnsignedDecimal, 'a plain number, such as 2.5')));

export const settingsSchema = v.strictObject({
  theme: v.picklist(['system', 'dark', 'light']),
  pnlColours: v.picklist(['green-up', 'red-up', 'blue-orange']),
  density: v.picklist(['compact', 'comfortable']),
  /** IANA name, `UTC`, or `system`. */
  timeZone: v.pipe(v.string(), v.maxLength(60)),
  grouping: v.picklist(['comma', 'space', 'none']),
  startLocked: v.boolean(),
  /** Fat-finger limits: hard stops set by the person. null = off. */
  limits: v.strictObject({
    /** Largest distance of a limit price from the reference price, percent. */
    priceDeviationPercent: limit,
    /** Largest notional of one order, in the contract's margin coin. */
    notional: limit,
    /** Largest share of equity one order's initial margin may take, percent. */
    equitySharePercent: limit,
    /** Oldest reference price a check may rest on, seconds. */
    referenceAgeSeconds: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(3600)),
  }),
  ticketOpen: v.boolean(),
});
export type Settings = v.InferOutput<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  pnlColours: 'green-up',
  density: 'compact',
  timeZone: 'UTC',
  grouping: 'comma',
  startLocked: false,
  limits: {
    priceDeviationPercent: '10',
    notional: null,
    equitySharePercent: null,
    referenceAgeSeconds: 60,
  },
  ticketOpen: true,
};
