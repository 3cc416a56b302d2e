/** Defines the user's settings of the app. */
import * as v from 'valibot';
import { limit, textUpTo, whole } from './call.ts';
import { alertSettingsSchema } from './alerts.ts';
import { portfolioSettingsSchema } from './portfolio-settings.ts';
import { riskSettingsSchema } from './risk-settings.ts';
import { taxOptionsSchema } from './tax-settings.ts';
import { tradeLogSettingsSchema } from './trade-log-settings.ts';

const decimals = v.nullable(whole(0, 18));
/** Fraction of the value, such as 0.0005. 1 or more would be a percentage typed by mistake. */
const feeRate = v.nullable(
  v.pipe(v.string(), v.regex(/^0(?:\.\d{1,12})?$/, 'a fraction below 1, such as 0.0005')),
);
const multiplier = v.nullable(
  v.pipe(
    v.string(),
    v.regex(/^(?:0\.\d{1,12}|[1-9]\d{0,11}(?:\.\d{1,12})?)$/, 'a plain number, such as 0.001'),
    v.regex(/[1-9]/, 'above 0'),
  ),
);
/** The user's overrides of inferred contract specs; null keeps the inferred value. */
export const contractOverrideSchema = v.strictObject({
  priceDecimals: decimals,
  quantityDecimals: decimals,
  feeRateMaker: feeRate,
  feeRateTaker: feeRate,
  /** Missing in older files. */
  multiplier: v.optional(multiplier),
});
/** Fat-finger limits set by the user; null means off. */
export const limitsSchema = v.strictObject({
  /** Largest deviation of a limit price from the reference price, in percent. */
  priceDeviationPercent: limit,
  /** Largest notional of one order, in the symbol's margin coin. */
  notional: limit,
  /** Largest share of equity one order's initial margin may use, in percent. */
  equitySharePercent: limit,
  /** Oldest reference price the checks accept, in seconds. */
  referenceAgeSeconds: whole(5, 3600),
});
export const settingsSchema = v.strictObject({
  theme: v.picklist(['system', 'dark', 'light']),
  pnlColours: v.picklist(['green-up', 'red-up', 'blue-orange']),
  density: v.picklist(['compact', 'comfortable']),
  /** IANA name, `UTC`, or `system`. */
  timeZone: textUpTo(60),
  grouping: v.picklist(['comma', 'space', 'none']),
  /** With `comma`, digit groups are never kept apart by commas. */
  decimalMark: v.picklist(['point', 'comma']),
  dateFormat: v.picklist(['iso', 'day-first', 'month-first']),
  /** Sizes of positions and orders: in base units, or as value in the quote coin. */
  sizeUnit: v.picklist(['coin', 'quote']),
  /** Amounts of money: cut to the decimals of their coin, or every received digit. */
  precision: v.picklist(['cut', 'received']),
  /** Hides account amounts; prices and percentages stay visible. */
  privacy: v.boolean(),
  /** Window zoom in percent. */
  zoom: whole(50, 300),
  /** The version whose changes were shown last; null before the first. */
  seenVersion: v.nullable(textUpTo(40)),
  /** Checks for a later version once a day; off by default. */
  checkForUpdates: v.boolean(),
  /** Closing the window leaves Ballast running in the tray; off by default. */
  keepRunning: v.boolean(),
  startLocked: v.boolean(),
  /** Locking, also at start, unloads the secret: nothing is read until it is unlocked. */
  unloadSecretOnLock: v.boolean(),
  limits: limitsSchema,
  ticketOpen: v.boolean(),
  /** Two columns with the preview as a table, if the window is wide enough. */
  ticketWide: v.boolean(),
  /** One column also where the window is so wide that two are the default. */
  ticketNarrow: v.boolean(),
  /** By `contractKey`. */
  contracts: v.record(textUpTo(200), contractOverrideSchema),
  alerts: alertSettingsSchema,
  risk: riskSettingsSchema,
  tradeLog: tradeLogSettingsSchema,
  tax: taxOptionsSchema,
  portfolio: portfolioSettingsSchema,
});
export type Settings = v.InferOutput<typeof settingsSchema>;

/** The settings a change gives: the others may have been changed elsewhere meanwhile, and stay as they are. */
export const settingsPartSchema = v.partial(settingsSchema);
export type SettingsPart = v.InferOutput<typeof settingsPartSchema>;
