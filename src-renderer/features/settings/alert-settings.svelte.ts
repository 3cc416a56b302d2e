import * as v from 'valibot';
import { type AlertSettings, alertSettingsSchema } from '../../../src-shared/ipc/alerts.ts';
import { ALERT_RULES, type AlertRule } from '../../../src-shared/domain/alerts/rules.ts';
import { wholeNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import type { Settings } from '../../state/session/settings.svelte.ts';

export const RULE_FIELDS = ['threshold', 'afterSeconds', 'band', 'windowMinutes', 'repeatMinutes'] as const;
export type RuleField = (typeof RULE_FIELDS)[number];
type Clock = 'from' | 'to';
type Place = `${AlertRule}.${RuleField}` | Clock;

/** The alert settings, saved field by field. An invalid field keeps its text, and the old value applies. */
export class AlertForm {
  typed = $state<Partial<Record<Place, string>>>({});
  faults = $state<Partial<Record<Place, string>>>({});
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
    const { rules, quietHours } = settings.value.alerts;
    for (const rule of ALERT_RULES)
      for (const field of RULE_FIELDS) {
        const value = valueOf(rules[rule], field);
        if (value !== undefined) this.typed[`${rule}.${field}`] = value === null ? '' : String(value);
      }
    this.typed.from = quietHours.from;
    this.typed.to = quietHours.to;
  }

  readonly value: AlertSettings = $derived.by(() => this.#settings.value.alerts);

  has(rule: AlertRule, field: RuleField): boolean {
    return valueOf(this.value.rules[rule], field) !== undefined;
  }

  async saveField(rule: AlertRule, field: RuleField): Promise<void> {
    const place: Place = `${rule}.${field}`;
    const text = (this.typed[place] ?? '').trim();
    await this.#save(place, text, this.#withRule(rule, { [field]: parsed(field, text) }));
  }

  async saveClock(clock: Clock): Promise<void> {
    const text = (this.typed[clock] ?? '').trim();
    const quietHours = { ...this.value.quietHours, [clock]: text };
    await this.#save(clock, text, { ...this.value, quietHours });
  }

  /** Changes a rule's switch and returns the fault, or null. Critical alerts cannot be switched off. */
  switchRule(
    rule: AlertRule,
    part: { readonly on?: boolean; readonly desktop?: boolean },
  ): Promise<string | null> {
    return this.#change(this.#withRule(rule, part));
  }
  /** Changes a switch of all alerts and returns the fault, or null. */
  switchAll(part: Partial<AlertSettings>): Promise<string | null> {
    return this.#change({ ...this.value, ...part });
  }

  #withRule(rule: AlertRule, part: object): object {
    const { rules } = this.value;
    return { ...this.value, rules: { ...rules, [rule]: { ...rules[rule], ...part } } };
  }

  async #save(place: Place, text: string, next: object): Promise<void> {
    const fault = await this.#change(next);
    this.faults = {
      ...this.faults,
      [place]: fault === null ? undefined : `“${text}”: ${fault}. The old value still applies.`,
    };
    if (fault === null) this.typed[place] = text;
  }

  async #change(next: object): Promise<string | null> {
    const read = v.safeParse(alertSettingsSchema, next);
    if (!read.success) return read.issues[0].message;
    const result = await this.#settings.change({ alerts: read.output });
    return result.ok ? null : result.failure.message;
  }
}

/** Returns a field's value; undefined if the rule does not have it. */
function valueOf(rule: object, field: RuleField): string | number | null | undefined {
  const value: unknown = Object.entries(rule).find(([name]) => name === field)?.[1];
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined;
}

/** Converts typed text: percentages stay text, whole numbers become numbers, an empty pause becomes null. */
function parsed(field: RuleField, text: string): string | number | null {
  if (field === 'threshold' || field === 'band') return text;
  if (field === 'repeatMinutes' && text === '') return null;
  return wholeNumber(text);
}
