/** Implements the ports for removing all data. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { app, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import type { DataPorts } from '../bridge/data-handlers.ts';
import { isOwnFile } from '../session/own-files.ts';
import { askUser } from './message-box.ts';
import type { QuitPorts } from './quitting.ts';

interface Deps {
  readonly profile: (...parts: string[]) => string;
  readonly window: () => BrowserWindow | null;
  readonly leaving: () => QuitPorts;
}

export const dataDeps = ({ profile, window, leaving }: Deps): DataPorts => ({
  showFolder: () => void shell.openPath(profile()),
  busy() {
    const { sending, batches, exports } = leaving().leftOpen();
    return sending + batches + exports > 0;
  },
  unknown: () => leaving().leftOpen().unknown,
  stop: () => leaving().drain(),
  ownFiles: async () => (await readdir(profile())).filter(isOwnFile).map((name) => profile(name)),
  async end(left) {
    const detail =
      left.length === 0
        ? 'Connections, archives, the order journal, settings and logs were deleted from this computer. Nothing changed at the exchange.'
        : `These could not be deleted. Delete them manually: ${left.map((name) => join(profile(), name)).join(', ')}`;
    try {
      await askUser(window(), {
        type: left.length === 0 ? 'info' : 'error',
        message:
          left.length === 0 ? 'Ballast’s data was deleted.' : 'Some of Ballast’s data could not be deleted.',
        detail,
        buttons: ['Quit Ballast'],
        safeButton: 0,
      });
    } catch {
      // The message box failed; the removal itself is done.
    }
    // Exits at once: an ordinary quit would write settings and window place again.
    app.exit(0);
  },
});
