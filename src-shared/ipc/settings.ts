/** Defines the user's settings of the app. */
import * as v from 'valibot';
import { textUpTo, whole } from './call.ts';
import { isRecord } from '../exchange-api/fields.ts';
import { isUnsignedDecimal } from '../amount.ts';
import { alertSettingsSchema, DEFAULT_ALERTS } from './alerts.ts';
import { DEFAULT_PORTFOLIO, portfolioSettingsSchema } from './portfolio-settings.ts';
import { DEFAULT_RISK, riskSettingsSchema } from './risk-settings.ts';
import { DEFAULT_TAX, taxOptionsSchema } from './tax-settings.ts';
import { DEFAULT_TRADE_LOG, tradeLogSettingsSchema } from './trade-log-settings.ts';

const limit = v.nullable(v.pipe(v.string(), v.check(isUnsignedDecimal, 'a plain number, such as 2.5')));

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
/** Key of `contracts`: a symbol on one connection. */
export const contractKey = (connectionId: string, symbolId: string): string => `${connectionId} ${symbolId}`;

export const settingsSchema = v.strictObject({
  theme: v.picklist(['system', 'dark', 'light']),
  pnlColours: v.picklist(['green-up', 'red-up', 'blue-orange']),
  density: v.picklist(['compact', 'comfortable']),
  /** IANA name, `UTC`, or `system`. */
  timeZone: textUpTo(60),
  grouping: v.picklist(['comma', 'space', 'none']),
  /** With `comma`, digit groups use points instead of commas. */
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
  /** Fat-finger limits set by the user; null means off. */
  limits: v.strictObject({
    /** Largest deviation of a limit price from the reference price, in percent. */
    priceDeviationPercent: limit,
    /** Largest notional of one order, in the symbol's margin coin. */
    notional: limit,
    /** Largest share of equity one order's initial margin may use, in percent. */
    equitySharePercent: limit,
    /** Oldest reference price the checks accept, in seconds. */
    referenceAgeSeconds: whole(5, 3600),
  }),
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

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  pnlColours: 'green-up',
  density: 'compact',
  timeZone: 'UTC',
  grouping: 'comma',
  decimalMark: 'point',
  dateFormat: 'iso',
  sizeUnit: 'coin',
  precision: 'cut',
  privacy: false,
  zoom: 100,
  seenVersion: null,
  checkForUpdates: false,
  keepRunning: false,
  startLocked: false,
  unloadSecretOnLock: false,
  limits: {
    priceDeviationPercent: '10',
    notional: null,
    equitySharePercent: null,
    referenceAgeSeconds: 60,
  },
  ticketOpen: true,
  ticketWide: false,
  ticketNarrow: false,
  contracts: {},
  alerts: DEFAULT_ALERTS,
  risk: DEFAULT_RISK,
  tradeLog: DEFAULT_TRADE_LOG,
  tax: DEFAULT_TAX,
  portfolio: DEFAULT_PORTFOLIO,
};

/** Adds defaults for parts an older version did not write. */
function filled(value: unknown, defaults: unknown): unknown {
  if (value === undefined) return defaults;
  if (!isRecord(value) || !isRecord(defaults)) return value;
  const parts = Object.entries(defaults).map(([key, part]) => [key, filled(value[key], part)] as const);
  return { ...value, ...Object.fromEntries(parts) };
}

/** Keys of earlier versions. */
const FORMER_KEYS: Readonly<Record<string, keyof Settings>> = {
  lookForUpdates: 'checkForUpdates',
  lockLetsKeyGo: 'unloadSecretOnLock',
};
const withPresentKeys = (stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(stored).map(([key, value]) => [FORMER_KEYS[key] ?? key, value]));

/** Parses a settings file of this or an older version. */
export const storedSettingsSchema = v.pipe(
  v.unknown(),
  v.transform((value) => (isRecord(value) ? filled(withPresentKeys(value), DEFAULT_SETTINGS) : value)),
  settingsSchema,
);
