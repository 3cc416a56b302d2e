import { changesSince, type Release } from '../../../src-shared/domain/display/changelog.ts';
import { done, type Result } from '../../../src-shared/ipc/failures.ts';
import type { Calls } from '../../bridge.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

/** The help sheets: keyboard shortcuts and what is new after an update. */
export class Help {
  open = $state<'shortcuts' | 'whats-new' | null>(null);
  /** The releases whose changes are shown; null while they are read. */
  changes = $state.raw<Result<readonly Release[]> | null>(null);
  readonly #calls: Calls;
  readonly #session: Session;
  readonly #settings: Settings;
  #isChecked = false;

  constructor(calls: Calls, session: Session, settings: Settings) {
    this.#calls = calls;
    this.#session = session;
    this.#settings = settings;
  }

  /** Shows the changes once after an update, as soon as both versions are known. Not on the first start. */
  showAfterUpdate(): void {
    const version = this.#session.state?.app.version;
    if (this.#isChecked || version === undefined || !this.#settings.loaded) return;
    this.#isChecked = true;
    const { seenVersion } = this.#settings.value;
    if (seenVersion === version) return;
    if (seenVersion !== null) void this.#showSince(seenVersion);
    void this.#settings.change({ seenVersion: version });
  }

  async showAllChanges(): Promise<void> {
    this.open = 'whats-new';
    this.changes = await this.#calls.call('app.releases', undefined);
  }

  async #showSince(seen: string): Promise<void> {
    const all = await this.#calls.call('app.releases', undefined);
    if (!all.ok) return;
    const later = changesSince(seen, all.data);
    if (later.length === 0) return;
    this.changes = done(later);
    this.open = 'whats-new';
  }
}
