import type { Alert } from './rules.ts';

/** Reports whether an alert waits to be acknowledged. That of an unknown outcome ends once the outcome is known. */
export const isOpen = (
  { rule, key, acknowledgedAt }: Pick<Alert, 'rule' | 'key'> & { readonly acknowledgedAt: number | null },
  raised: readonly string[],
): boolean => acknowledgedAt === null && (rule !== 'unknown' || raised.includes(key));
