/** Reduces the alerts of a connection to the worst state, for the tray. It names rules and no amounts. */
import type { UnmonitoredRule } from './evaluate.ts';
import { ALERT_LABELS, ALERT_RULES, type AlertRule, CRITICAL_RULES } from './rules.ts';

export type WorstLevel = 'ok' | 'unmonitored' | 'caution' | 'critical';
export interface WorstState {
  readonly level: WorstLevel;
  readonly text: string;
}

export const NOTHING_MONITORED: WorstState = { level: 'unmonitored', text: 'No account is being monitored' };

/**
 * Returns the worst state: a critical alert that is active or not acknowledged, any other active alert, a critical rule
 * that cannot be evaluated, or none.
 *
 * @param open alerts that are not acknowledged
 */
export function worstState(
  open: readonly { readonly rule: AlertRule }[],
  raised: readonly string[],
  unmonitored: readonly UnmonitoredRule[],
): WorstState {
  const critical = open.filter((one) => CRITICAL_RULES.has(one.rule));
  if (critical.length > 0)
    return {
      level: 'critical',
      text: `${critical.length === 1 ? 'A critical alert' : `${critical.length} critical alerts`} to acknowledge`,
    };
  const active = ALERT_RULES.filter((rule) => raised.some((key) => key.startsWith(`${rule}:`)));
  const worst = active.filter((rule) => CRITICAL_RULES.has(rule));
  if (worst.length > 0) return { level: 'critical', text: `Active: ${labels(worst)}` };
  const unwatched = unmonitored.map((one) => one.rule).filter((rule) => CRITICAL_RULES.has(rule));
  if (active.length > 0) return { level: 'caution', text: `Active: ${labels(active)}` };
  if (unwatched.length > 0) return { level: 'unmonitored', text: `Not monitored: ${labels(unwatched)}` };
  return { level: 'ok', text: 'No active alerts' };
}

const labels = (rules: readonly AlertRule[]): string =>
  [...new Set(rules)].map((rule) => ALERT_LABELS[rule].toLowerCase()).join('; ');
