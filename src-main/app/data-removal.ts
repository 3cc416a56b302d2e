/** What removing all of Ballast's data needs of the app: its files, its end, and a last message. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { app, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import type { DataPorts } from '../bridge/data-handlers.ts';
import { isOwnFile } from '../session/own-files.ts';
import { askUser } from './message-box.ts';
import type { Quitting } from './quitting.ts';

export class DataRemoval implements DataPorts {
  readonly #profile: string;
  readonly #window: () => BrowserWindow | null;
  readonly #quitting: Quitting;

  /** @param profile the profile folder, absolute */
  constructor(profile: string, window: () => BrowserWindow | null, quitting: Quitting) {
    this.#profile = profile;
    this.#window = window;
    this.#quitting = quitting;
  }

  showFolder(): void {
    void shell.openPath(this.#profile);
  }
  isBusy(): boolean {
    const { sending, batches, files } = this.#quitting.unfinished();
    return sending + batches + files > 0;
  }
  unknownOrders(): number {
    return this.#quitting.unfinished().unknown;
  }
  stop(): Promise<void> {
    return this.#quitting.stop();
  }
  async ownFiles(): Promise<readonly string[]> {
    const names = await readdir(this.#profile);
    return names.filter(isOwnFile).map((name) => join(this.#profile, name));
  }
  async end(left: readonly string[]): Promise<void> {
    const message =
      left.length === 0 ? 'Ballast’s data was deleted.' : 'Some of Ballast’s data could not be deleted.';
    const detail =
      left.length === 0
        ? 'Connections, archives, the order journal, settings and logs were deleted from this computer. Nothing changed at the exchange.'
        : `These could not be deleted. Delete them manually: ${left.map((name) => join(this.#profile, name)).join(', ')}`;
    try {
      const type = left.length === 0 ? 'info' : 'error';
      await askUser(this.#window(), { type, message, detail, buttons: ['Quit Ballast'] });
    } catch {
      // The message box failed; the removal itself is done.
    }
    // Exits at once: an ordinary quit would write settings and window place again.
    app.exit(0);
  }
}
