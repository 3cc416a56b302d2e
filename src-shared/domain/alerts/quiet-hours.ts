/** Decides quiet hours and where an alert is delivered. */
import { readingAt } from '../display/zoned-time.ts';
import { DAY_MS, MINUTE_MS } from '../../time.ts';
import { type AlertRule, type AlertRules, CRITICAL_RULES } from './rules.ts';

export interface QuietHours {
  readonly on: boolean;
  /** Like `22:00`. A range whose start is after its end spans midnight. */
  readonly from: string;
  readonly to: string;
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Reports whether a text is a time of day. */
export const isTimeOfDay = (text: string): boolean => CLOCK.test(text);

function minutesOf(text: string): number {
  const [, hours = '0', minutes = '0'] = CLOCK.exec(text) ?? [];
  return parseInt(hours, 10) * 60 + parseInt(minutes, 10);
}

const minuteOfDay = (ms: number, zone: string): number =>
  Math.floor((readingAt(ms, zone) % DAY_MS) / MINUTE_MS);

/** Reports whether `now` is in [from, to) by the clock of `zone`, an IANA name. */
export function isQuiet(hours: QuietHours, now: number, zone: string): boolean {
  if (!hours.on) return false;
  const from = minutesOf(hours.from);
  const to = minutesOf(hours.to);
  const minute = minuteOfDay(now, zone);
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to;
}

export interface Delivery {
  readonly notice: boolean;
  readonly desktop: boolean;
  readonly sound: boolean;
}

/** Returns the delivery of an alert; all are logged. Quiet hours leave only critical notices. */
export function deliveryOf(
  rule: AlertRule,
  rules: AlertRules,
  settings: { readonly desktop: boolean; readonly sound: boolean },
  quiet: boolean,
): Delivery {
  return {
    notice: !quiet || CRITICAL_RULES.has(rule),
    desktop: !quiet && settings.desktop && rules[rule].desktop,
    sound: !quiet && settings.sound,
  };
}
