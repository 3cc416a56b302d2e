/**
 * Handles the calls about the app itself: logs, diagnostics, licences, changes, updates and connection files. Paths
 * come from dialogs, never from the page.
 */
import { basename } from 'node:path';
import { createPrivateFile, writeAtomic } from '../../src-files/atomic-file.ts';
import { fileText, type TextFault } from '../../src-files/bounded-text.ts';
import { errorCode } from '../../src-files/error-code.ts';
import type { Release } from '../../src-shared/domain/display/changelog.ts';
import type { APP_CALLS, Licence } from '../../src-shared/ipc/calls-app.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import {
  connectionFile,
  MAX_CONNECTION_FILE,
  readConnectionFile,
} from '../../src-shared/ipc/connection-file.ts';
import {
  blocked,
  blockedFailure,
  done,
  failed,
  type Failure,
  type Result,
} from '../../src-shared/ipc/failures.ts';
import { type Clock, utcDay } from '../../src-shared/time.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { Updates } from '../updates/updates.ts';
import type { AWAY_CALLS, AwayState } from '../../src-shared/ipc/away.ts';
import type { LoginItem } from '../app/login-item.ts';
import type { TrayIcon } from '../app/tray.ts';
import { ended, returned } from './results.ts';

export interface AppPorts {
  /** The window reports notes that are not saved before the app quits, and whether it has tried each. */
  readonly saved: (unsaved: number, isOver: boolean) => void;
  readonly showLogs: () => void;
  /** Returns the text of the diagnostics bundle, redacted. */
  readonly diagnostics: () => Promise<string>;
  /** Asks where to save; null if the user cancelled. */
  readonly diagnosticsPath: (suggested: string) => Promise<string | null>;
  readonly connectionPath: (suggested: string) => Promise<string | null>;
  /** Asks for a connection file; null if the user cancelled. */
  readonly openConnectionPath: () => Promise<string | null>;
  readonly clock: Clock;
  readonly updates: Pick<Updates, 'state' | 'check' | 'openPage'>;
  readonly tray: Pick<TrayIcon, 'status'>;
  readonly login: Pick<LoginItem, 'state' | 'set'>;
  readonly licences: () => Promise<readonly Licence[]>;
  readonly releases: () => readonly Release[];
}

const fileFault = (path: string, doing: string, error: unknown): Failure => ({
  kind: 'file',
  message: `“${basename(path)}” could not be ${doing} (${errorCode(error) || 'unknown error'}).`,
  next: 'Check the folder’s permissions and free space, then try again.',
  field: 'file',
});

async function write(path: string, text: string): Promise<Result<string>> {
  try {
    await writeAtomic(createPrivateFile(path), Buffer.from(text, 'utf8'));
    return done(path);
  } catch (error) {
    return failed(fileFault(path, 'written', error));
  }
}

const PRACTICE_NOT_EXPORTED = blockedFailure(
  'The practice connection cannot be exported.',
  'Select a live connection.',
  'connectionId',
);
const UNREAD: Readonly<Record<TextFault, string>> = {
  'not-a-file': 'is not a file',
  'too-large': 'is too large for a connection',
  'not-utf-8': 'is not UTF-8 text',
};

export function appHandlers(
  session: Session<LiveConnection>,
  ports: AppPorts,
): Pick<Handlers, keyof typeof APP_CALLS | keyof typeof AWAY_CALLS | 'connections.remove'> {
  return {
    ...awayHandlers(ports),
    'app.saved': ({ unsaved, isOver }) => ended(ports.saved(unsaved, isOver)),
    'app.showLogs': () => ended(ports.showLogs()),
    async 'app.saveDiagnostics'() {
      const path = await ports.diagnosticsPath(`ballast-diagnostics-${utcDay(ports.clock.now())}.json`);
      return path === null ? done(null) : write(path, await ports.diagnostics());
    },
    'app.licences': () => returned(ports.licences()),
    'app.releases': () => returned(ports.releases()),
    'updates.get': () => returned(ports.updates.state()),
    'updates.check': () => ports.updates.check(),
    'updates.openPage': () => ports.updates.openPage(),
    async 'connections.export'({ connectionId }) {
      const one = session.summary(connectionId);
      if (one?.kind !== 'live') return failed(PRACTICE_NOT_EXPORTED);
      const name = one.settings.name.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
      const path = await ports.connectionPath(`ballast-connection-${name}.json`);
      return path === null ? done(null) : write(path, connectionFile(one.settings));
    },
    async 'connections.import'() {
      const path = await ports.openConnectionPath();
      if (path === null) return done(null);
      try {
        const name = basename(path);
        const file = await fileText(path, MAX_CONNECTION_FILE);
        if ('fault' in file)
          return blocked(`“${name}” ${UNREAD[file.fault]}.`, 'Choose another file.', 'file');
        const read = readConnectionFile(file.text);
        return read.ok ? done({ name, settings: read.data }) : read;
      } catch (error) {
        return failed(fileFault(path, 'read', error));
      }
    },
    async 'connections.remove'({ connectionId, leaveSecret, typed, deleteArchive }) {
      const removed = await session.remove(connectionId, leaveSecret, typed, deleteArchive);
      return removed.ok ? session.finishRemovals() : removed;
    },
  };
}

function awayHandlers({
  tray,
  login,
}: Pick<AppPorts, 'tray' | 'login'>): Pick<Handlers, keyof typeof AWAY_CALLS> {
  const state = async (): Promise<Result<AwayState>> =>
    done({ tray: tray.status(), login: await login.state() });
  return {
    'away.get': state,
    async 'away.setLogin'({ on }) {
      try {
        await login.set(on);
      } catch (error) {
        return failed(fileFault('autostart/ballast.desktop', on ? 'written' : 'removed', error));
      }
      return state();
    },
  };
}
