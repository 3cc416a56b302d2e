/** What a person sets about the app itself. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';
import { alertSettingsSchema, DEFAULT_ALERTS } from './alerts.ts';
import { DEFAULT_RISK, riskSettingsSchema } from './risk-settings.ts';
import { DEFAULT_TRADE_LOG, tradeLogSettingsSchema } from './trade-log-settings.ts';

const limit = v.nullable(v.pipe(v.string(), v.check(isUnsignedDecimal, 'a plain number, such as 2.5')));

const decimals = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(18)));
/** Share of the value, such as 0.0005; a rate of 1 or more is a percentage typed by mistake. */
const feeRate = v.nullable(
  v.pipe(v.string(), v.regex(/^0(?:\.\d{1,12})?$/, 'a share of the value below 1, such as 0.0005')),
);
/** What a person says of a contract instead of what the records tell; null where those stand. */
export const contractOverrideSchema = v.strictObject({
  priceDecimals: decimals,
  quantityDecimals: decimals,
  feeRateMaker: feeRate,
  feeRateTaker: feeRate,
});
/** Key of `contracts`: one connection's contract. */
export const contractKey = (connectionId: string, symbolId: string): string => `${connectionId} ${symbolId}`;

export const settingsSchema = v.strictObject({
  theme: v.picklist(['system', 'dark', 'light']),
  pnlColours: v.picklist(['green-up', 'red-up', 'blue-orange']),
  density: v.picklist(['compact', 'comfortable']),
  /** IANA name, `UTC`, or `system`. */
  timeZone: v.pipe(v.string(), v.maxLength(60)),
  grouping: v.picklist(['comma', 'space', 'none']),
  /** With the comma, groups made by commas are made by points. */
  decimalMark: v.picklist(['point', 'comma']),
  dateFormat: v.picklist(['iso', 'day-first', 'month-first']),
  /** Sizes of positions and orders: in the contract's own unit, or as their value in its quote coin. */
  sizeUnit: v.picklist(['coin', 'quote']),
  /** Amounts of money: cut to the decimals their coin is read in, or every digit. */
  precision: v.picklist(['cut', 'received']),
  /** Amounts of the account are hidden; prices and shares are not. */
  privacy: v.boolean(),
  /** Of the window, percent. */
  zoom: v.pipe(v.number(), v.integer(), v.minValue(50), v.maxValue(300)),
  /** The version whose changes were shown last; null before the first. */
  seenVersion: v.nullable(v.pipe(v.string(), v.maxLength(40))),
  /** Looks for a later version once a day; off until a person wants it. */
  lookForUpdates: v.boolean(),
  startLocked: v.boolean(),
  /** Locking, the start included, lets the key go as well: nothing is read until it is unlocked. */
  lockLetsKeyGo: v.boolean(),
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
  /** Two columns with the preview as a table, where the window has room. */
  ticketWide: v.boolean(),
  /** By `contractKey`. */
  contracts: v.record(v.pipe(v.string(), v.maxLength(200)), contractOverrideSchema),
  alerts: alertSettingsSchema,
  risk: riskSettingsSchema,
  tradeLog: tradeLogSettingsSchema,
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
  lookForUpdates: false,
  startLocked: false,
  lockLetsKeyGo: false,
  limits: {
    priceDeviationPercent: '10',
    notional: null,
    equitySharePercent: null,
    referenceAgeSeconds: 60,
  },
  ticketOpen: true,
  ticketWide: false,
  contracts: {},
  alerts: DEFAULT_ALERTS,
  risk: DEFAULT_RISK,
  tradeLog: DEFAULT_TRADE_LOG,
};

/** What an older version wrote lacks the parts that came since: they take their defaults, part by part. */
function filled(value: unknown, defaults: unknown): unknown {
  if (value === undefined) return defaults;
  if (!isPart(value) || !isPart(defaults)) return value;
  const parts = Object.entries(defaults).map(([key, part]) => [key, filled(value[key], part)] as const);
  return { ...value, ...Object.fromEntries(parts) };
}
const isPart = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings as a file keeps them, of this version or an older one. */
export const keptSettingsSchema = v.pipe(
  v.unknown(),
  v.transform((value) => (isPart(value) ? filled(value, DEFAULT_SETTINGS) : value)),
  settingsSchema,
);
