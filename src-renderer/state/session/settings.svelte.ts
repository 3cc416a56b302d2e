import type { Calls } from '../../bridge.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import { DEFAULT_SETTINGS, type Settings as Values } from '../../../src-shared/ipc/settings.ts';

/** What the person set about the app. Until the main process answered, the defaults. */
export class Settings {
  value = $state.raw<Values>(DEFAULT_SETTINGS);
  /** The main process has told them. */
  loaded = $state(false);
  /** What the system prefers; `theme: 'system'` follows it. */
  prefersLight = $state(false);
  readonly #calls: Calls;
  /** As the main process last said. */
  #kept: Values = DEFAULT_SETTINGS;
  #pending = 0;

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
    const result = await this.#calls.call('settings.get', undefined);
    if (result.ok) this.take(result.data);
  }

  /** What the main process says counts once no change is under way: the echo of an earlier one is old by then. */
  take(values: Values): void {
    this.#kept = values;
    this.loaded = true;
    if (this.#pending === 0) this.value = values;
  }

  /** Shown at once, taken back when the main process refuses. */
  async change(part: Partial<Values>): Promise<Result<Values>> {
    this.value = { ...this.value, ...part };
    this.#pending++;
    const result = await this.#calls.call('settings.set', this.value);
    this.#pending--;
    this.take(result.ok ? result.data : this.#kept);
    return result;
  }
}
