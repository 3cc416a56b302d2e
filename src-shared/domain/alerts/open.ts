import type { Alert } from './rules.ts';

/** Alerts of a log that are loaded, and can be acknowledged: the newest. */
export const MAX_ALERTS = 5_000;

/** Reports whether an alert waits to be acknowledged. That of an unknown outcome ends once the outcome is known. */
export const isOpen = (
  { rule, key, acknowledgedAt }: Pick<Alert, 'rule' | 'key'> & { readonly acknowledgedAt: number | null },
  raised: readonly string[],
): boolean => acknowledgedAt === null && (rule !== 'unknown' || raised.includes(key));
