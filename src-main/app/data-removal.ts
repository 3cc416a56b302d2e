/** What removing all of Ballast's data needs of the system: its files, a last message, and the app's end. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { app, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import type { DataPorts } from '../bridge/data-handlers.ts';
import { isOwnFile } from '../session/own-files.ts';
import { askUser } from './message-box.ts';

/** @param profile the profile folder, absolute */
export const dataRemoval = (
  profile: string,
  window: () => BrowserWindow | null,
): Pick<DataPorts, 'showFolder' | 'ownFiles' | 'end'> => ({
  showFolder: () => void shell.openPath(profile),
  async ownFiles() {
    const names = await readdir(profile);
    return names.filter(isOwnFile).map((name) => join(profile, name));
  },
  async end(left) {
    const message =
      left.length === 0 ? 'Ballast’s data was deleted.' : 'Some of Ballast’s data could not be deleted.';
    const detail =
      left.length === 0
        ? 'Connections, archives, the order journal, settings and logs were deleted from this computer. Nothing changed at the exchange.'
        : `These could not be deleted. Delete them manually: ${left.map((name) => join(profile, name)).join(', ')}`;
    try {
      const type = left.length === 0 ? 'info' : 'error';
      await askUser(window(), { type, message, detail, buttons: ['Quit Ballast'] });
    } catch {
      // The message box failed; the removal itself is done.
    }
    // Exits at once: an ordinary quit would write settings and window place again.
    app.exit(0);
  },
});
