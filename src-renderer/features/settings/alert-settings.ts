import * as v from 'valibot';
import { type AlertSettings, alertSettingsSchema } from '../../../src-shared/ipc/alerts.ts';
import type { AlertRule } from '../../../src-shared/domain/alerts/rules.ts';
import { wholeNumber } from '../../../src-shared/domain/numeric/number-input.ts';
import type { Settings } from '../../state/session/settings.svelte.ts';

export type RuleField = 'threshold' | 'afterSeconds' | 'band' | 'windowMinutes' | 'repeatMinutes';

/** The alert settings, saved one by one. Each change returns what is wrong with it, or null. */
export class AlertForm {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get value(): AlertSettings {
    return this.#settings.value.alerts;
  }

  /** Returns a field's value as text; undefined if the rule does not have it. */
  textOf(rule: AlertRule, field: RuleField): string | undefined {
    const [, value] = Object.entries(this.value.rules[rule]).find(([name]) => name === field) ?? [];
    return value === undefined ? undefined : String(value ?? '');
  }

  saveField(rule: AlertRule, field: RuleField, text: string): Promise<string | null> {
    return this.#save(this.#withRule(rule, { [field]: parsed(field, text) }), text);
  }
  saveClock(clock: 'from' | 'to', text: string): Promise<string | null> {
    return this.#save({ ...this.value, quietHours: { ...this.value.quietHours, [clock]: text } }, text);
  }
  /** Changes a rule's switch. Critical alerts cannot be switched off. */
  switchRule(
    rule: AlertRule,
    part: { readonly on?: boolean; readonly desktop?: boolean },
  ): Promise<string | null> {
    return this.#save(this.#withRule(rule, part));
  }
  /** Changes a switch of all alerts. */
  switchAll(part: Partial<AlertSettings>): Promise<string | null> {
    return this.#save({ ...this.value, ...part });
  }

  #withRule(rule: AlertRule, part: object): object {
    const { rules } = this.value;
    return { ...this.value, rules: { ...rules, [rule]: { ...rules[rule], ...part } } };
  }

  /** `text`: what was typed, to name it where it is wrong. */
  async #save(next: object, text?: string): Promise<string | null> {
    const read = v.safeParse(alertSettingsSchema, next);
    if (!read.success) {
      const { message } = read.issues[0];
      return text === undefined ? message : `“${text}”: ${message}. The old value still applies.`;
    }
    const result = await this.#settings.change({ alerts: read.output });
    return result.ok ? null : result.failure.message;
  }
}

/** Converts typed text: percentages stay text, whole numbers become numbers, an empty pause becomes null. */
function parsed(field: RuleField, text: string): string | number | null {
  if (field === 'threshold' || field === 'band') return text;
  if (field === 'repeatMinutes' && text === '') return null;
  return wholeNumber(text);
}
