import type { Calls } from '../bridge.ts';
import type { Result } from '../../src-shared/contract/failures.ts';
import { DEFAULT_SETTINGS, type Settings as Values } from '../../src-shared/contract/settings.ts';

/** What the person set about the app. Until the main process answered, the defaults. */
export class Settings {
  value = $state.raw<Values>(DEFAULT_SETTINGS);
  /** What the system prefers; `theme: 'system'` follows it. */
  prefersLight = $state(false);
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly theme: 'dark' | 'light' = $derived(
    this.value.theme === 'system' ? (this.prefersLight ? 'light' : 'dark') : this.value.theme,
  );
  /** IANA name; `system` resolved. */
  readonly timeZone: string = $derived(
    this.value.timeZone === 'system' ? Intl.DateTimeFormat().resolvedOptions().timeZone : this.value.timeZone,
  );

  async load(): Promise<void> {
    const answer = await this.#calls.call('settings.get', undefined);
    if (answer.ok) this.value = answer.data;
  }

  /** Shown at once, taken back when the main process refuses. */
  async change(part: Partial<Values>): Promise<Result<Values>> {
    const before = this.value;
    this.value = { ...before, ...part };
    const answer = await this.#calls.call('settings.set', this.value);
    this.value = answer.ok ? answer.data : before;
    return answer;
  }
}
