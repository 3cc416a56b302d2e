/** Implements the ports of the calls about the app itself. */
import type { BrowserWindow } from 'electron';
import { shell } from 'electron';
import type { AppPorts } from '../bridge/app-handlers.ts';
import { readLicences } from './licences.ts';
import { updateDeps, type UpdateDeps } from './update-deps.ts';
import { fileQuestions } from './file-questions.ts';
import { gatherDiagnostics, type Gathered } from './gather-diagnostics.ts';

interface Deps extends Gathered, UpdateDeps, Pick<AppPorts, 'tray' | 'login'> {
  readonly window: () => BrowserWindow | null;
  readonly profile: (...parts: string[]) => string;
  /** Returns the base name of a connection's stored files. */
  readonly fileNameOf: (connectionId: string) => string;
}

export const appPorts = ({ window, profile, fileNameOf, ...deps }: Deps): AppPorts => ({
  ...fileQuestions(window),
  tray: deps.tray,
  login: deps.login,
  updates: updateDeps(deps),
  licences: readLicences,
  showLogs: () => void shell.openPath(profile('logs')),
  diagnostics: () => gatherDiagnostics(deps),
  connectionFiles: (id) => [
    ...['', '-wal', '-shm'].map((end) => profile('archive', `${fileNameOf(id)}.sqlite${end}`)),
    profile('alerts', `${fileNameOf(id)}.jsonl`),
  ],
  clock: deps.clock,
});
