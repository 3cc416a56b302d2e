import type { Release } from '../../../src-shared/domain/display/changelog.ts';
import { CHANGES, changesSince } from './whats-new.ts';
import type { Session } from '../session/session.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

/** The help sheets: keyboard shortcuts and what is new after an update. */
export class Help {
  open = $state<'shortcuts' | 'whats-new' | null>(null);
  /** The releases whose changes are shown. */
  changes = $state.raw<readonly Release[]>(CHANGES);
  readonly #session: Session;
  readonly #settings: Settings;
  #isChecked = false;

  constructor(session: Session, settings: Settings) {
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
    if (seenVersion !== null) {
      this.changes = changesSince(seenVersion);
      if (this.changes.length > 0) this.open = 'whats-new';
    }
    void this.#settings.change({ seenVersion: version });
  }

  showAllChanges(): void {
    this.changes = CHANGES;
    this.open = 'whats-new';
  }
}
