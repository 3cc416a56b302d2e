/** Defines the alert settings, log and updates that cross IPC. */
import * as v from 'valibot';
import { amount, isUnsignedDecimal, less, lessOrEqual } from '../amount.ts';
import { isTimeOfDay } from '../domain/alerts/quiet-hours.ts';
import type { Alert } from '../domain/alerts/rules.ts';
import type { UnmonitoredRule } from '../domain/alerts/evaluate.ts';
import { byConnection, call, connectionId, nothing, textUpTo, whole } from './call.ts';
import type { MessageOutcome } from './webhooks.ts';

const repeatMinutes = v.nullable(whole(1, 1_440, 'whole minutes from 1 to 1440, or empty for once'));
/** A percentage from `low` to `high`, inclusive. */
const percent = (low: string, high: string) => {
  const expected = `a percentage from ${low} to ${high}, such as 7.5`;
  return v.pipe(
    v.string(),
    v.check((text) => isUnsignedDecimal(text), expected),
    v.check(
      (text) =>
        !isUnsignedDecimal(text) ||
        (lessOrEqual(amount(low), amount(text)) && lessOrEqual(amount(text), amount(high))),
      expected,
    ),
  );
};

const event = { on: v.boolean(), desktop: v.boolean() };
const repeating = { ...event, repeatMinutes };
const always = { on: v.literal(true, 'this rule cannot be switched off') };
const critical = { ...repeating, ...always };
const clock = v.pipe(v.string(), v.check(isTimeOfDay, 'a time of day, such as 22:00'));

/** True also for texts that are not decimals, which get a message of their own. */
const inOrder = (low: string, high: string): boolean =>
  !isUnsignedDecimal(low) || !isUnsignedDecimal(high) || !less(amount(high), amount(low));
/** Reports whether a value that rose over the threshold can fall below the band again. */
const isBandValid = ({ threshold, band }: { readonly threshold: string; readonly band: string }): boolean =>
  !isUnsignedDecimal(threshold) || !isUnsignedDecimal(band) || less(amount(band), amount(threshold));
const TOO_WIDE = 'smaller than the threshold, or the alert could never clear';

const rulesSchema = v.pipe(
  v.strictObject({
    liquidated: v.strictObject({ ...event, ...always }),
    'liquidation-danger': v.strictObject({
      ...critical,
      threshold: percent('1', '50'),
      band: percent('0', '50'),
    }),
    liquidation: v.strictObject({ ...repeating, threshold: percent('1', '100'), band: percent('0', '50') }),
    // At most 80 %: above it there is little left before the exchange liquidates.
    'margin-danger': v.pipe(
      v.strictObject({ ...critical, threshold: percent('10', '80'), band: percent('0', '50') }),
      v.forward(
        v.check((rule) => isBandValid(rule), TOO_WIDE),
        ['band'],
      ),
    ),
    margin: v.pipe(
      v.strictObject({ ...repeating, threshold: percent('1', '80'), band: percent('0', '50') }),
      v.forward(
        v.check((rule) => isBandValid(rule), TOO_WIDE),
        ['band'],
      ),
    ),
    unknown: v.strictObject(critical),
    stale: v.strictObject({ ...repeating, afterSeconds: whole(10, 3_600, 'whole seconds from 10 to 3600') }),
    equity: v.pipe(
      v.strictObject({
        ...repeating,
        threshold: percent('0.1', '1000'),
        band: percent('0', '100'),
        windowMinutes: whole(1, 1_440, 'whole minutes from 1 to 1440'),
      }),
      v.forward(
        v.check((rule) => isBandValid(rule), TOO_WIDE),
        ['band'],
      ),
    ),
    delivered: v.strictObject(event),
    fills: v.strictObject(repeating),
  }),
  v.forward(
    v.check(
      (rules) => inOrder(rules['liquidation-danger'].threshold, rules.liquidation.threshold),
      'at least the danger threshold',
    ),
    ['liquidation', 'threshold'],
  ),
  v.forward(
    v.check(
      (rules) => inOrder(rules.margin.threshold, rules['margin-danger'].threshold),
      'at most the danger threshold',
    ),
    ['margin', 'threshold'],
  ),
);

export const alertSettingsSchema = v.strictObject({
  rules: rulesSchema,
  quietHours: v.strictObject({ on: v.boolean(), from: clock, to: clock }),
  desktop: v.boolean(),
  sound: v.boolean(),
});
export type AlertSettings = v.InferOutput<typeof alertSettingsSchema>;

/** An alert as stored in the log. */
export interface AlertRecord extends Alert {
  readonly id: string;
  readonly connectionId: string;
  /** Wall clock, ms. */
  readonly at: number;
  /** Raised in quiet hours: logged, but shown only if its rule is critical. */
  readonly quiet: boolean;
  readonly acknowledgedAt: number | null;
  /** Messages to webhooks about it, one per webhook. Missing if there were none. */
  readonly messages?: readonly MessageOutcome[];
}

/** Current state of the rules. */
export interface AlertStatus {
  /** Keys of subjects over their threshold. */
  readonly raised: readonly string[];
  /** Rules that cannot be evaluated now, with the reason. */
  readonly unmonitored: readonly UnmonitoredRule[];
}

export interface AlertList extends AlertStatus {
  readonly connectionId: string;
  /** Newest first. */
  readonly records: readonly AlertRecord[];
}

/** What the window is notified of. */
export type AlertUpdate =
  | {
      readonly do: 'raised';
      readonly record: AlertRecord;
      /** Whether to show a notice now; critical ones are shown anyway. */
      readonly notice: boolean;
      readonly sound: boolean;
    }
  /** The outcome of one of its messages changed. */
  | { readonly do: 'changed'; readonly record: AlertRecord }
  | { readonly do: 'status'; readonly connectionId: string; readonly status: AlertStatus }
  /** Its desktop notification was clicked. */
  | { readonly do: 'open'; readonly record: AlertRecord };

/**
 * Result of a desktop notification. `rejected`: not allowed by the user, or an unsigned app on macOS. `unanswered`: no
 * result in time, since the system may be asking the user.
 */
export type DesktopOutcome = 'shown' | 'unsupported' | 'rejected' | 'unanswered';

/** Result of a test notification. */
export interface AlertTest {
  readonly desktop: DesktopOutcome;
}

export const ALERT_CALLS = {
  'alerts.list': call(byConnection).returns<AlertList>(),
  /** Acknowledges one alert or all open ones and returns the changed records. */
  'alerts.acknowledge': call(v.strictObject({ connectionId, id: v.nullable(textUpTo(60)) })).returns<
    readonly AlertRecord[]
  >(),
  'alerts.test': call(nothing).returns<AlertTest>(),
} as const;
