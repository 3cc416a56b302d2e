/** Which alerts of the log are shown. */
import type { AlertRecord, AlertStatus } from '../../../src-shared/ipc/alerts.ts';
import { ALERT_LABELS, type AlertRule, MUST_SEE } from '../../../src-shared/domain/alerts/rules.ts';

export const FILTERS = ['all', 'open', 'must-see'] as const;
export type Filter = (typeof FILTERS)[number];

const FITS: Readonly<Record<Filter, (record: AlertRecord) => boolean>> = {
  all: () => true,
  open: (one) => one.acknowledgedAt === null,
  'must-see': (one) => MUST_SEE.has(one.rule),
};

export const filtered = (
  records: readonly AlertRecord[],
  filter: Filter,
  rule: AlertRule | 'any',
): readonly AlertRecord[] =>
  records.filter((one) => FITS[filter](one) && (rule === 'any' || one.rule === rule));

/** Why rules cannot be judged now: the rules of each reason together, in words. */
export function unmonitoredRules(
  status: AlertStatus,
): readonly { readonly why: string; readonly rules: string }[] {
  const byWhy = new Map<string, string[]>();
  for (const { rule, why } of status.unmonitored) {
    const rules = byWhy.get(why) ?? [];
    byWhy.set(why, rules);
    rules.push(ALERT_LABELS[rule].toLowerCase());
  }
  return [...byWhy].map(([why, rules]) => ({ why, rules: rules.join('; ') }));
}
