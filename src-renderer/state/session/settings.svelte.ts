import type { Calls } from '../../bridge.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import { zoneNamed } from '../../../src-shared/domain/display/zoned-time.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import type { Settings as Values } from '../../../src-shared/ipc/settings.ts';

/** The user's settings; the defaults until they are loaded. */
export class Settings {
  value = $state.raw<Values>(DEFAULT_SETTINGS);
  /** They are loaded. */
  loaded = $state(false);
  /** What the system prefers; `theme: 'system'` follows it. */
  prefersLight = $state(false);
  readonly #calls: Calls;
  /** As last received from main. */
  #confirmed: Values = DEFAULT_SETTINGS;
  #pending = 0;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly theme: 'dark' | 'light' = $derived(
    this.value.theme === 'system' ? (this.prefersLight ? 'light' : 'dark') : this.value.theme,
  );
  /** IANA name; `system` resolved. */
  readonly timeZone: string = $derived(zoneNamed(this.value.timeZone));

  async load(): Promise<void> {
    const result = await this.#calls.call('settings.get', undefined);
    if (result.ok) this.take(result.data);
  }

  /** Pushes are ignored while a change is pending: they may be the echo of an earlier one. */
  take(values: Values): void {
    this.#confirmed = values;
    this.loaded = true;
    if (this.#pending === 0) this.value = values;
  }

  /** Applies a change optimistically and reverts it if the main process rejects it. */
  async change(part: Partial<Values>): Promise<Result<Values>> {
    this.value = { ...this.value, ...part };
    this.#pending++;
    const result = await this.#calls.call('settings.set', part);
    this.#pending--;
    this.take(result.ok ? result.data : this.#confirmed);
    return result;
  }
}
