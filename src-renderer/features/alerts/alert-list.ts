/** Filters the alert log and describes its messages. */
import type { AlertRecord, AlertStatus } from '../../../src-shared/ipc/alerts.ts';
import type { MessageOutcome } from '../../../src-shared/ipc/webhooks.ts';
import type { Alerts } from '../../state/alerts/alerts.svelte.ts';
import { ALERT_LABELS, type AlertRule, CRITICAL_RULES } from '../../../src-shared/domain/alerts/rules.ts';

export const FILTERS = ['all', 'open', 'critical'] as const;
export type Filter = (typeof FILTERS)[number];

export const filtered = (
  { records, open }: Pick<Alerts, 'records' | 'open'>,
  filter: Filter,
  rule: AlertRule | 'any',
): readonly AlertRecord[] =>
  (filter === 'open' ? open : records).filter(
    (one) => (filter !== 'critical' || CRITICAL_RULES.has(one.rule)) && (rule === 'any' || one.rule === rule),
  );

/** Returns why rules cannot be evaluated now: the rules of each reason together, as text. */
export function unmonitoredRules(
  status: AlertStatus,
): readonly { readonly why: string; readonly rules: string }[] {
  return [...Map.groupBy(status.unmonitored, ({ why }) => why)].map(([why, alike]) => ({
    why,
    rules: alike.map(({ rule }) => ALERT_LABELS[rule].toLowerCase()).join('; '),
  }));
}

/** Short labels of the State column. */
export const MESSAGE_TAGS: Readonly<Record<MessageOutcome['state'], string>> = {
  failed: 'Message failed',
  retrying: 'Retrying message',
  sending: 'Sending message',
  delivered: 'Message delivered',
};
const MESSAGE_LABELS: Readonly<Record<MessageOutcome['state'], string>> = {
  failed: 'Message not delivered',
  retrying: 'Message being retried',
  sending: 'Message being sent',
  delivered: 'Message delivered',
};

/** Returns the worst state of the alert's messages; null without any. */
export function messageState({ messages = [] }: AlertRecord): MessageOutcome['state'] | null {
  const states = new Set(messages.map((one) => one.state));
  return (['failed', 'retrying', 'sending', 'delivered'] as const).find((one) => states.has(one)) ?? null;
}

export const messageLine = ({ name, state, why }: MessageOutcome): string =>
  `${MESSAGE_LABELS[state]}: ${name}. ${why}`.trim();
